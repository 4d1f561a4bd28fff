"""A text that grows by small pieces and is kept at the price of one string."""

__all__ = ["GrowingText"]

# Pieces are joined into a block after this many code points. A fresh piece costs some 60 bytes
# beside its text, a block 50.
BLOCK = 2048
# `tail` looks at no more pieces than this since the last block; if there are more, they are joined.
MAX_PIECES = 32


class GrowingText:
    """Keeps pieces; each character is copied twice, and by `tail` up to a block at a time."""

    __slots__ = ("_blocks", "_kept", "_pieces", "length")

    def __init__(self) -> None:
        # Blocks, and behind them the pieces since the last one; made with the first.
        self._pieces: list[str] | None = None
        self._blocks = 0
        self._kept = 0
        self.length = 0
        """Code points of all pieces."""

    def append(self, text: str) -> None:
        """Add a piece."""
        pieces = self._pieces
        if pieces is None:
            pieces = self._pieces = []
        pieces.append(text)
        self.length += len(text)
        if self.length - self._kept >= BLOCK:
            self._join(pieces)
            self._blocks += 1
            self._kept = self.length

    def whole(self) -> str:
        """Return all of it."""
        return "".join(self._pieces or ())

    def tail(self, length: int) -> str:
        """Return the last code points."""
        pieces = self._pieces
        if pieces is None or length <= 0:
            return ""
        if length <= len(pieces[-1]):
            return pieces[-1][-length:]
        if len(pieces) - self._blocks >= MAX_PIECES:
            self._join(pieces)
        if length <= self.length - self._kept:
            return "".join(pieces[self._blocks :])[-length:]
        found: list[str] = []
        for piece in reversed(pieces):
            if length <= 0:
                break
            found.append(piece[-length:] if length < len(piece) else piece)
            length -= len(piece)
        return "".join(reversed(found))

    def _join(self, pieces: list[str]) -> None:
        """Make one of the pieces since the last block."""
        pieces[self._blocks :] = ["".join(pieces[self._blocks :])]

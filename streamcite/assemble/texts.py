"""A text that grows by small pieces and is kept at the price of one string."""

from itertools import chain

__all__ = ["GrowingText"]

# Pieces are joined into a block after this many code points. A fresh piece costs some 60 bytes
# beside its text, a block 50.
BLOCK = 2048


class GrowingText:
    """Keeps pieces; each character is copied twice at most."""

    __slots__ = ("_blocks", "_kept", "length", "recent")

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._kept = 0
        self.recent: list[str] = []
        """The pieces since the last block."""
        self.length = 0
        """Code points of all pieces."""

    def append(self, text: str) -> bool:
        """Add a piece; return whether `recent` was made a block."""
        self.recent.append(text)
        self.length += len(text)
        if self.length - self._kept < BLOCK:
            return False
        self._blocks.append("".join(self.recent))
        self.recent.clear()
        self._kept = self.length
        return True

    def whole(self) -> str:
        """Return all of it."""
        return "".join((*self._blocks, *self.recent))

    def tail(self, length: int) -> str:
        """Return the last code points."""
        pieces: list[str] = []
        for piece in chain(reversed(self.recent), reversed(self._blocks)):
            if length <= 0:
                break
            pieces.append(piece[-length:] if length < len(piece) else piece)
            length -= len(piece)
        return "".join(reversed(pieces))

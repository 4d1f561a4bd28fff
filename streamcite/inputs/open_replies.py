"""Which replies of a stream have begun, and which of them have not ended."""

from streamcite.chunks import Chunk

__all__ = ["OpenReplies"]


class OpenReplies:
    """Listens to a stream's chunks."""

    def __init__(self) -> None:
        self.open: set[int] = set()
        """Those that have begun, and not ended."""
        self.count = 0
        """How many there were: the highest number, and one."""
        self._begun: set[int] = set()

    def note(self, chunk: Chunk) -> None:
        """Note what a chunk begins or ends."""
        is_over = chunk.finish_reason is not None
        # What is said of usage alone belongs to no reply.
        if chunk.usage is not None and not chunk.text and not is_over:
            return
        if is_over:
            self.open.discard(chunk.reply)
        # What comes without text behind the end, such as a filter's judgement, begins nothing.
        elif chunk.text or chunk.reply not in self._begun:
            self.open.add(chunk.reply)
        self._begun.add(chunk.reply)
        self.count = max(self.count, chunk.reply + 1)

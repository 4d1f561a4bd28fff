"""Text that is kept while it may be wanted."""

from hypothesis import given
from hypothesis import strategies as st

from streamcite.scan.regex_kept import KeptText


@given(st.lists(st.tuples(st.text("ab\r\n\ud800", max_size=4), st.integers(0, 6))))
def test_kept_text_is_addressed_by_offsets_in_the_whole(steps: list[tuple[str, int]]) -> None:
    """What was not released can be read, however it was fed."""
    kept, whole, start = KeptText(), "", 0
    for text, gone in steps:
        kept.append(text)
        whole += text
        start = min(start + gone, len(whole))
        kept.release(start)

        assert (kept.end, kept.slice(start, len(whole))) == (len(whole), whole[start:])

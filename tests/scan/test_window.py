"""Text that is held until it is released."""

from streamcite.scan.window import Window
from streamcite.spans import Text


def test_passed_text_is_remembered() -> None:
    """What is passed stands to the left of what comes."""
    window = Window("")
    window.skip("a b")
    window.skip(" c")

    assert window.look_back.left == "a b c"
    assert window.look_back.lines.head == "a b c"
    assert window.held == ""


def in_fence(window: Window) -> bool:
    """Say whether the text has come into a fence."""
    return window.look_back.lines.fenced


def test_fences_are_crossed_where_they_stand() -> None:
    """A fence begins before the text that leads into it, and ends behind its last line break."""
    window = Window("")
    window.cross("```", 2, fenced=True)
    assert not in_fence(window)

    window.skip("a\n```\nb\n```")
    assert in_fence(window)

    window.cross("\nc", 0, fenced=False)
    window.skip("\nc")
    assert not in_fence(window)
    assert window.look_back.lines.head == "c"


def test_text_is_released_as_one_span() -> None:
    """What was released piece by piece is one span, without signs that no reader may see."""
    window = Window("\ue203")
    window._window = "a b\ue203c d"
    window._begin_spans()
    window._release(2)
    window._release(2)
    window._release(5)
    window._flush()

    assert window._end_spans() == [Text("a bc")]
    assert window.look_back.left == "a b\ue203c"


def test_nothing_is_released_of_signs_alone() -> None:
    """Where nothing is left to see there is no span."""
    window = Window("\ue203")
    window._window = "\ue203"
    window._begin_spans()
    window._release(1)
    window._flush()

    assert window._end_spans() == []

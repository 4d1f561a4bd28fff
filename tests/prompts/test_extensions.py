"""The extensions in an environment that is not ours, and the syntax of their tags."""

from datetime import UTC, datetime, tzinfo

import pytest
from jinja2 import Environment, TemplateSyntaxError

from streamcite.errors import TemplateError
from streamcite.prompts import NowExtension, PromptBuilder, SourcesExtension, clock
from streamcite.prompts.environment import infer_variables
from streamcite.prompts.extensions import MessageExtension, build_message, templatize_part


@pytest.fixture(autouse=True)
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold the clock still."""

    def read_clock(zone: tzinfo) -> datetime:
        return datetime(2026, 1, 31, 12, 0, tzinfo=UTC).astimezone(zone)

    monkeypatch.setattr(clock, "read_clock", read_clock)


NOW = (
    ("{% now %}", "2026-01-31 12:00:00"),
    ("{% now 'Europe/Berlin' %}", "2026-01-31 13:00:00"),
    ("{% now 'utc', '%H:%M' %}", "12:00"),
    ("{% now , '%H' %}", "12"),
    ("{% now 'utc' + 'days=1', '%d' %}", "01"),
    ("{% now 'utc' as t %}{{ t.strftime('%Y') }}", "2026"),
    ("{% now as t %}{{ t }}", "2026-01-31 12:00:00"),
    ("{% now 'utc' - 'hours=1', '%H' as t %}{{ t }}", "11"),
    ("{% now 'Europe/Berlin' as t %}{{ t.hour }} {{ t.tzname() }}", "13 CET"),
    ("{% now zone as t %}{{ t.hour }}", "21"),
    ("{%- now -%}", "2026-01-31 12:00:00"),
)


@pytest.mark.parametrize(("template", "expected"), NOW)
def test_now_works_in_any_environment(template: str, expected: str) -> None:
    """Zone, offset, format and name may each be left out."""
    environment = Environment(extensions=[NowExtension])

    assert environment.from_string(template).render(zone="Asia/Tokyo") == expected


@pytest.mark.parametrize(
    "template", ["{% now 'utc' as %}", "{% now 'utc' as 'x' %}", "{% now 1 2 %}"]
)
def test_a_broken_now_is_a_syntax_error(template: str) -> None:
    """What does not parse is refused when the template is compiled."""
    with pytest.raises(TemplateSyntaxError):
        Environment(extensions=[NowExtension]).from_string(template)


def test_a_moment_is_no_variable() -> None:
    """The name that `now … as` sets is not asked of the caller."""
    builder = PromptBuilder("{% now zone as t %}{{ t }}")

    assert infer_variables(builder.environment, builder.template) == ["zone"]


SOURCES = (
    ("{% for s in d | numbered %}{{ s | marker }}{% endfor %}", "[1][2]"),
    ("{% for s in d | numbered(after=6) %}{{ s | marker('caret') }}{% endfor %}", "[^7][^8]"),
    ("{% for s in d | numbered %}{{ s | reference }}{% endfor %}", "12"),
    ("{% for s in d | numbered | budget(characters=5) %}{{ s.number }}{% endfor %}", "2"),
    ("{{ '</a>' | shield('a') }}", "&lt;/a>"),
    ("{{ citation_example('label').several }}", "[Sources 1, 3]"),
    ("{{ citation_instructions('bracket', 'de')[:6] }}", "Belege"),
)


@pytest.mark.parametrize(("template", "expected"), SOURCES)
def test_sources_work_in_any_environment(template: str, expected: str) -> None:
    """The filters and functions need no builder."""
    environment = Environment(extensions=[SourcesExtension])

    assert environment.from_string(template).render(d=["too long", "short"]) == expected


def test_messages_need_a_builder() -> None:
    """A message block in an environment of one's own says where it works."""
    environment = Environment(extensions=[MessageExtension])
    template = environment.from_string('{% message role="user" %}x{% endmessage %}')

    with pytest.raises(TemplateError, match="ChatPromptBuilder"):
        template.render()


def test_a_text_is_no_part() -> None:
    """templatize_part is not needed for text, and says so."""
    with pytest.raises(TemplateError, match="write text as it is"):
        templatize_part("x")


WRONG_MESSAGES: tuple[tuple[object, object, object, list[object], str], ...] = (
    ("user", None, None, [" \n"], "rendered to nothing"),
    ("user", 7, None, ["x"], "name= is a str"),
    ("user", None, [1], ["x"], "meta= a dictionary"),
    ("robot", None, None, ["x"], "no role"),
    ("tool", None, None, ["x"], "holds no TextContent"),
)


@pytest.mark.parametrize(("role", "name", "meta", "pieces", "message"), WRONG_MESSAGES)
def test_a_wrong_message_is_refused(
    role: object, name: object, meta: object, pieces: list[object], message: str
) -> None:
    """What no message may hold is an error that says what may."""
    with pytest.raises(TemplateError, match=message):
        build_message(role, name, meta, pieces)

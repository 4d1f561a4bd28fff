"""The warnings that are about the whole reply."""

from collections.abc import Iterator

from streamcite.answers import AnswerWarning
from streamcite.engine.strand import Strand
from streamcite.options import CiteOptions
from streamcite.scan.scanners import pattern_warnings
from streamcite.scan.tags import TagScanner

__all__ = ["warnings_of"]


def warnings_of(
    options: CiteOptions, outer: Strand, answer: Strand | None, tags: TagScanner | None
) -> Iterator[AnswerWarning]:
    """Say what is not as the options expect it.

    Args:
        options: The options.
        outer: The text outside all tags.
        answer: The text of the answer tag, if there was one.
        tags: What read the tags, if there are any to read.
    """
    if options.answer_tag is not None and answer is None:
        message = f"the reply has no <{options.answer_tag}>; the text outside all tags is used"
        yield AnswerWarning(code="missing-answer-tag", message=message)
    if tags is not None and tags.unclosed is not None:
        message = f"the reply ended inside <{tags.unclosed}>, whose content may be cut short"
        yield AnswerWarning(code="unclosed-tag", message=message)
    extraction = (answer or outer).extraction
    problem = extraction.problem if extraction is not None else None
    if problem is not None:
        code, what = problem
        yield AnswerWarning(code=code, message=f"pattern {options.pattern!r} {what}")
    yield from pattern_warnings(options, outer.maybe_scanner, outer.allowance)

"""Which documents fit into a prompt: numbers them, and drops or cuts what is too much."""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeGuard

from streamcite.answers import Document
from streamcite.arguments import check_type
from streamcite.errors import MissingExtraError, TemplateError
from streamcite.sources import NumberedDocument, Sources

__all__ = ["TokenCounter", "estimate_tokens", "fit", "numbered", "tiktoken_counter"]

TokenCounter = Callable[[str], int]

ELLIPSIS = " […]"
"""What stands where a document was cut; no grammar reads it, unless a file is called `…`."""

# Letters from here on (CJK, Hangul, emoji) take about a token each in today's tokenizers; other
# letters beyond ASCII about half of one, and English text a quarter per character.
_FIRST_WIDE = "\u2e80"


def numbered(
    documents: object, sources: Sources | None = None, after: int = 0
) -> list[NumberedDocument]:
    """Return documents with their numbers.

    A document that has a number keeps it, and others are counted on from there: no two documents
    get the same, in whatever order they stand.

    Args:
        documents: `Sources`, what its `numbered()` returns, any documents, or some of both.
        sources: The register that numbers them; it learns those that it does not know, and gives
            a number of its own to one whose number it uses for another.
        after: Without `sources`: how many numbers were given out before.

    Raises:
        DocumentError: One of them is no document.
        TemplateError: Two of them have the same number already.
    """
    # An undefined variable of a template is no register; nor is it one of another type.
    if not isinstance(sources, Sources) and not sources:
        sources = None
    check_type(sources, Sources | None, "sources", "give a streamcite.Sources", TemplateError)
    _check_count("after", after)
    if isinstance(documents, Sources) and (sources is None or sources is documents):
        return documents.numbered()
    given = _iterate(documents)
    if sources is not None:
        return [_of_register(value, sources) for value in given]
    return _counted_on(list(given), after)


def _of_register(value: object, sources: Sources) -> NumberedDocument:
    if not isinstance(value, NumberedDocument):
        (number,) = sources.add([value])
        return NumberedDocument(number, sources[number])
    number, document = value
    if number in sources and sources[number].id == document.id:
        return value
    return NumberedDocument(sources.add([document])[0], document)


def _counted_on(given: list[object], after: int) -> list[NumberedDocument]:
    known = [value for value in given if isinstance(value, NumberedDocument)]
    ids: dict[int, str] = {}
    for number, document in known:
        if ids.setdefault(number, document.id) != document.id:
            raise TemplateError(
                f"two documents have the number {number}: number all of them at once, or let "
                "sources= or after= tell which numbers were given out before"
            )
    numbers = {document.id: number for number, document in reversed(known)}
    last = max(after, *ids) if ids else after
    found = []
    for value in given:
        if not isinstance(value, NumberedDocument):
            document = Document.of(value)
            if document.id in numbers:
                number = numbers[document.id]
            else:
                number = last = last + 1
            value = NumberedDocument(number, document)
        found.append(value)
    return found


def _iterate(documents: object) -> Iterable[object]:
    # None, "" and an undefined variable mean that nothing has been retrieved yet.
    if not documents:
        return ()
    one = isinstance(documents, str | bytes | Mapping | Document | NumberedDocument)
    if one or not hasattr(documents, "__iter__"):
        raise TemplateError(
            f"expected a list of documents or a Sources, not one {type(documents).__name__}"
        )
    given: Iterable[object] = documents
    return given


def fit(
    documents: object,
    tokens: int | None = None,
    characters: int | None = None,
    *,
    truncate: bool = False,
    by: Literal["position", "score"] = "position",
    overhead: int = 0,
    count: TokenCounter | None = None,
) -> list[NumberedDocument]:
    """Return the documents that fit into a budget, with the numbers that they have.

    Args:
        documents: Whatever `numbered` accepts.
        tokens: The budget in tokens; give this or `characters`.
        characters: The budget in characters.
        truncate: Whether the first document that does not fit is cut; else it is left out, and
            later, shorter ones may still come in.
        by: What is served first: the order given, or the highest score.
        overhead: What each document costs beside its content, for its number and title.
        count: Counts the tokens of a text; `estimate_tokens` if none is given.

    Returns:
        Those that fit, in their order; never a document with another number than before.

    Raises:
        TemplateError: The budget is missing, doubled or negative, or another argument is wrong.
    """
    budget = _checked_budget(tokens, characters)
    _check_count("overhead", overhead)
    if by not in ("position", "score"):
        raise TemplateError(f"by is {by!r:.60}; give 'position' or 'score'")
    if count is not None and not callable(count):
        raise TemplateError(
            f"count is a {type(count).__name__}; give a function from text to number of tokens"
        )
    measure: TokenCounter = len if tokens is None else count or estimate_tokens
    candidates = given = numbered(documents)
    if by == "score":
        candidates = sorted(given, key=lambda source: -_score(source))
    kept = _take(candidates, budget, measure, overhead, truncate)
    places = {source.number: place for place, source in reversed([*enumerate(given)])}
    return sorted(kept, key=lambda source: places[source.number]) if by == "score" else kept


def _take(
    candidates: list[NumberedDocument],
    budget: int,
    measure: TokenCounter,
    overhead: int,
    truncate: bool,
) -> list[NumberedDocument]:
    kept = []
    for source in candidates:
        cost = measure(source.content) + overhead
        if cost <= budget:
            kept.append(source)
            budget -= cost
        elif truncate:
            content = _cut(source.content, budget - overhead, measure)
            return [*kept, _with_content(source, content)] if content else kept
    return kept


def _checked_budget(tokens: int | None, characters: int | None) -> int:
    given: list[object] = [value for value in (tokens, characters) if value is not None]
    if len(given) != 1 or not _is_count(budget := given[0]):
        raise TemplateError("budget: give tokens= or characters=, one whole number of at least 0")
    return budget


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _check_count(name: str, value: object) -> None:
    if not _is_count(value):
        raise TemplateError(f"{name} is {value!r:.60}; give a whole number of at least 0")


def _score(source: NumberedDocument) -> float:
    return float("-inf") if source.score is None else source.score


def _with_content(source: NumberedDocument, content: str) -> NumberedDocument:
    return NumberedDocument(source.number, source.document.model_copy(update={"content": content}))


def _cut(text: str, budget: int, measure: TokenCounter) -> str:
    """Return the longest start of a text that fits with the ellipsis, cut between words."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        fits = measure(text[:middle].rstrip() + ELLIPSIS) <= budget
        low, high = (middle, high) if fits else (low, middle - 1)
    start = text[:low]
    # A text without blanks, Chinese or one long word, is cut where the budget ends.
    start = (start[: max(start.rfind(" "), start.rfind("\n"), 0)] or start).rstrip()
    return start + ELLIPSIS if start else ""


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has, rather too many than too few.

    A quarter of a token per ASCII character, half of one per other letter, one per character of
    Chinese, Japanese, Korean and emoji. Within 25 % for prose; give an exact counter for code.

    Raises:
        TemplateError: It is no text.
    """
    check_type(text, str, "text", "give a str", TemplateError)
    if text.isascii():
        return -(-len(text) // 4)
    narrow = len(text.encode("ascii", "ignore"))
    wide = sum(character >= _FIRST_WIDE for character in text)
    return -(-(narrow + 2 * (len(text) - narrow - wide) + 4 * wide) // 4)


def tiktoken_counter(encoding: str = "o200k_base") -> TokenCounter:
    """Return an exact counter for OpenAI's models, made by tiktoken.

    tiktoken loads the encoding's table from the network when it is first used.

    Raises:
        MissingExtraError: tiktoken is not installed.
        TemplateError: It has no such encoding.
    """
    try:
        import tiktoken
    except ImportError as error:
        raise MissingExtraError("tiktoken", "tiktoken") from error
    if encoding not in (known := tiktoken.list_encoding_names()):
        raise TemplateError(f"no encoding is called {encoding!r:.60}; there are {', '.join(known)}")
    table = tiktoken.get_encoding(encoding)
    return lambda text: len(table.encode(text, disallowed_special=()))

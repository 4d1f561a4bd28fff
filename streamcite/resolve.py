"""Which document a marker means: items in, references out, by way of `Sources`."""

from collections.abc import Iterable, Iterator

from streamcite.answers import Reference
from streamcite.options import CiteOptions
from streamcite.resolutions import Outcome, Resolution, Wish
from streamcite.sources import DEFAULT_KEY_FIELDS, Sources, names_of
from streamcite.spans import PATTERN, Item, Marker

__all__ = ["Resolver"]

# Markers of one reply repeat; 2,048 distinct ones cover a book's worth of sources.
MAX_REMEMBERED = 2048
# Resolutions that replies share: each is some hundred bytes. Beyond, all of them are forgotten.
MAX_SHARED = 4096
# A marker of more documents, or of one with a longer id, in code points, belongs to its reply: an
# id is the caller's text, and nothing long may outlive its stream.
MAX_SHARED_DOCUMENTS = 16
MAX_SHARED_ID = 128

# Nobody changes a resolution or a reference, and many replies cite the same documents.
_shared: dict[tuple[int, tuple[int, ...], tuple[str, ...]], Resolution] = {}

# What there is before the first marker; nobody adds to these.
_NONE_KNOWN: dict[tuple[str, str], Resolution] = {}
_NONE_WHOLE: dict[str, Resolution] = {}

# Grammars that cite by key and not by number.
_KEYED = frozenset({"key", "filename", "openai", "private"})
# Those whose keys `keys_by_first_use` may count instead.
_COUNTED_KEYS = frozenset({"openai", "private"})


class Resolver:
    """Resolves the markers of one reply.

    Args:
        sources: The register of numbers; it may grow.
        options: `index_base`, ranges, key fields.
    """

    __slots__ = (
        "_base",
        "_by_first_use",
        "_expands",
        "_key_fields",
        "_known",
        "_used_keys",
        "known_size",
        "sources",
        "whole",
    )

    def __init__(self, sources: Sources, options: CiteOptions) -> None:
        self.sources = sources
        """The register of numbers."""
        self._base = options.index_base
        self._expands = options.expands_ranges
        self._by_first_use = options.keys_by_first_use
        fields = DEFAULT_KEY_FIELDS
        self._key_fields = (options.key_field, *fields) if options.key_field else fields
        # Each is made when the first marker comes: a server has ten thousand answers open.
        self._known = _NONE_KNOWN
        self.whole = _NONE_WHOLE
        """What bracket markers mean that were resolved as whole ones, by their text."""
        self.known_size = len(sources)
        """How many documents there were when that was asked."""
        self._used_keys: dict[str, int] | None = None

    def resolve(self, marker: Marker) -> Resolution:
        """Return the references of a marker in the order it names them, each once."""
        key = (marker.grammar, marker.text)
        known = self._known.get(key)
        if known is None or self.sources.size != self.known_size:
            self._forget_if_old()
            if not self._known:
                self._known = {}
            known = self._known[key] = self._resolve_known(marker) or self._resolve(marker)
        return known

    def resolve_whole(self, marker: Marker) -> Resolution | None:
        """Return the same, if every number of the marker is a document's; it is kept in `whole`."""
        self._forget_if_old()
        resolution = self._resolve_known(marker)
        if resolution is not None:
            if not self.whole:
                self.whole = {}
            self.whole[marker.text] = resolution
        return resolution

    def _forget_if_old(self) -> None:
        full = len(self._known) + len(self.whole) >= MAX_REMEMBERED
        if full or self.sources.size != self.known_size:
            self._known, self.whole = _NONE_KNOWN, _NONE_WHOLE
            self.known_size = self.sources.size

    def _resolve_known(self, marker: Marker) -> Resolution | None:
        """Resolve a marker of which every number is a document's, as most are, in few steps."""
        base, sources = self._base, self.sources
        past = base + sources.size
        indices: dict[int, None] = {}
        for item in marker.items:
            if isinstance(item, str):
                return None
            first, last = item
            if not base <= first <= last < past:
                return None
            if first == last:
                indices[first + 1 - base] = None
            elif self._expands:
                indices.update(dict.fromkeys(range(first + 1 - base, last + 2 - base)))
            else:
                return None
        if marker.problems or not indices:
            return None
        return _cited(base, tuple(indices), tuple([sources[index].id for index in indices]))

    def _resolve(self, marker: Marker) -> Resolution:
        if marker.grammar in _KEYED:
            return self._resolve_keys(marker)
        lenient = marker.grammar == PATTERN
        if not lenient and self._holds_zero(marker.items):
            return _text(marker)
        found: dict[int, Reference] = {}
        unknown: list[str] = []
        problems = list(marker.problems)
        awaits: list[Wish] = []
        for item in marker.items:
            assert not isinstance(item, str)
            first, last = item
            if first > last or (first < last and not self._expands):
                problems.append(f"{first}-{last}")
                continue
            numbers = self._clamp(first, last)
            for index in numbers:
                if index not in found:
                    found[index] = Reference.trusted(index, self.sources[index].id)
            if len(numbers) < last - first + 1:
                unknown.extend(self._missing(first, last))
                size = len(self.sources)
                if last + 1 - self._base > size:
                    awaits.append(max(first + 1 - self._base, size + 1))
        if not found and not unknown and not lenient:
            return _text(marker)
        return self._outcome(marker, found, unknown, problems, awaits)

    def _outcome(
        self,
        marker: Marker,
        found: dict[int, Reference],
        unknown: list[str],
        problems: list[str],
        awaits: list[Wish],
    ) -> Resolution:
        missing = tuple(dict.fromkeys(unknown))
        if found:
            return Resolution(
                Outcome.CITED,
                tuple(found.values()),
                missing,
                tuple(problems),
                tuple(awaits),
                numbers=_listed(found, self._base),
            )
        wanted = tuple(dict.fromkeys(self._wanted(marker)))
        return Resolution(Outcome.UNKNOWN, (), missing, tuple(problems), tuple(awaits), wanted)

    def _holds_zero(self, items: tuple[Item, ...]) -> bool:
        """Say whether a number below the first is named: `[0, 1]` is an interval."""
        return any(not isinstance(item, str) and item[0] < self._base for item in items)

    def _clamp(self, first: int, last: int) -> range:
        """Return the source indices of a range that there are."""
        shift = 1 - self._base
        return range(max(first + shift, 1), min(last + shift, len(self.sources)) + 1)

    def _missing(self, first: int, last: int) -> Iterator[str]:
        """Yield the parts of a range that no document has."""
        past = len(self.sources) + self._base
        for start, end in ((first, min(last, self._base - 1)), (max(first, past), last)):
            if start <= end:
                yield str(start) if start == end else f"{start}-{end}"

    def _resolve_keys(self, marker: Marker) -> Resolution:
        found: dict[int, Reference] = {}
        unknown: list[str] = []
        awaits: list[Wish] = []
        for key in marker.items:
            assert isinstance(key, str)
            index = self._number_of(key, marker.grammar)
            if index is None:
                unknown.append(key)
                awaits.append(key.casefold() if marker.grammar == "filename" else key)
                if self._used_keys is not None and key in self._used_keys:
                    awaits.append(self._used_keys[key])
            elif index not in found:
                found[index] = Reference.trusted(index, self.sources[index].id, key)
        return self._outcome(marker, found, unknown, [], awaits)

    def arrivals(self, known: int) -> Iterator[Wish]:
        """Yield what the documents behind the first so many are called: by number and by name."""
        for index in range(known + 1, len(self.sources) + 1):
            yield index
            yield from names_of(self.sources[index], self._key_fields)

    def _number_of(self, key: str, grammar: str) -> int | None:
        if grammar == "filename":
            return self.sources.number_of_file(key)
        index = self.sources.number_of_key(key, self._key_fields)
        if index is None and self._by_first_use and grammar in _COUNTED_KEYS:
            if self._used_keys is None:
                self._used_keys = {}
            index = self._used_keys.setdefault(key, len(self._used_keys) + 1)
        return index if index in self.sources else None

    def _wanted(self, marker: Marker) -> Iterator[Reference]:
        for item in marker.items:
            if isinstance(item, str):
                yield Reference(resolved=False, key=item)
            elif item[0] <= item[1]:
                for number in dict.fromkeys(item):
                    yield Reference(source_index=number + 1 - self._base, resolved=False)


def _text(marker: Marker) -> Resolution:
    return Resolution(Outcome.TEXT, problems=marker.problems)


def _listed(indices: Iterable[int], base: int) -> str:
    return ", ".join([str(index + base - 1) for index in indices])


def _cited(base: int, indices: tuple[int, ...], ids: tuple[str, ...]) -> Resolution:
    """Return the resolution of a marker that names these documents."""
    key = (base, indices, ids)
    resolution = _shared.get(key)
    if resolution is None:
        references = tuple(map(Reference.trusted, indices, ids))
        resolution = Resolution(Outcome.CITED, references, numbers=_listed(indices, base))
        if len(ids) <= MAX_SHARED_DOCUMENTS and max(map(len, ids)) <= MAX_SHARED_ID:
            if len(_shared) >= MAX_SHARED:
                _shared.clear()
            _shared[key] = resolution
    return resolution

"""Everything one reply has shown, and the answer it makes."""

from collections.abc import Iterable, Mapping, Set
from types import MappingProxyType
from typing import Protocol

from streamcite.answers import AnswerWarning, GeneratedAnswer, Meta
from streamcite.assemble.display import Numbering, renderer_for
from streamcite.assemble.final import Facts, build_answer
from streamcite.assemble.ledger import Entry, Ledger, number_of
from streamcite.assemble.shown import Shown
from streamcite.assemble.texts import GrowingText
from streamcite.chunks import Chunk
from streamcite.errors import InputError
from streamcite.events import PartialAnswer
from streamcite.options import CiteOptions
from streamcite.sources import Sources

__all__ = ["Assembler", "Holder"]

NOTHING: Mapping[str, object] = MappingProxyType({})


class Holder(Protocol):
    """The stretch of text that the reply goes on with: what was received but is not shown."""

    shown: Shown

    @property
    def held(self) -> str:
        """All such text, but for what may be part of a tag."""

    @property
    def unread(self) -> str:
        """What of it was not said to be received."""


class Assembler:
    """Keeps the texts of a reply by section and builds its answer.

    Args:
        options: How markers are shown.
        sources: The register of numbers.
        numbering: Numbers by first use, which replies of one run share.
        query, meta, prompt: What the user wants to find in the answer.
    """

    __slots__ = (
        "_answer",
        "_answer_cuts",
        "_generator_meta",
        "_meta",
        "_options",
        "_prompt",
        "_query",
        "_raw",
        "_renderer",
        "_sections",
        "_sources",
        "holder",
        "keeps_raw",
        "ledger",
        "outer",
    )

    def __init__(
        self,
        options: CiteOptions,
        sources: Sources,
        numbering: Numbering | None,
        *,
        query: str,
        meta: Mapping[str, object] | None,
        prompt: str | None,
    ) -> None:
        _check(query, meta)
        self.ledger = Ledger(numbers_late=options.display == "keep")
        self._options = options
        self._sources = sources
        self._renderer = renderer_for(options, sources, numbering)
        self._query = query
        self._meta = dict(meta) if meta else NOTHING
        self._prompt = prompt
        # These are made when they are needed: a server has ten thousand answers open.
        self._generator_meta: Meta | None = None
        self._sections: dict[str, list[Shown]] | None = None
        self.outer = self._new_shown(None, 0)
        """The text outside all tags."""
        self.holder: Holder
        """The text of the reply that comes; the reasoning channel is not part of it."""
        self._answer: Shown | None = None
        self._answer_cuts: list[int] | None = None
        self.keeps_raw = _rewrites(options)
        """Whether the reply's own text must be kept beside what is shown."""
        self._raw = GrowingText() if self.keeps_raw else None

    def _new_shown(self, section: str | None, occurrence: int) -> Shown:
        return Shown(section, self._options, self._renderer, self.ledger, occurrence)

    @property
    def answer(self) -> Shown:
        """The answer text: that of the answer tag, once there was one."""
        return self._answer or self.outer

    def open(self, section: str) -> Shown:
        """Begin an occurrence of a section; those of the answer tag are one text."""
        if section != self._options.answer_tag:
            if self._sections is None:
                self._sections = {}
            known = self._sections.setdefault(section, [])
            known.append(self._new_shown(section, len(known)))
            return known[-1]
        if self._answer is None or self._answer_cuts is None:
            self._answer, self._answer_cuts = self._new_shown(section, 0), []
        self._answer_cuts.append(self._answer.length)
        return self._answer

    def receive(self, text: str) -> None:
        """Keep the reply's own text, where it is not what is shown."""
        if self._raw is not None:
            self._raw.append(text)

    def note(self, chunk: Chunk) -> None:
        """Keep what a chunk says beside its text."""
        facts = self._facts
        facts.update(chunk.meta)
        if chunk.usage is not None:
            facts["usage"] = dict(chunk.usage)
        if chunk.citations:
            facts.setdefault("native_citations", []).extend(map(dict, chunk.citations))

    def note_finish(self, reason: str) -> None:
        """Keep why the reply ended."""
        self._facts["finish_reason"] = reason

    @property
    def _facts(self) -> Meta:
        """What the generator said beside the text."""
        if self._generator_meta is None:
            self._generator_meta = {}
        return self._generator_meta

    @property
    def raw(self) -> str:
        """The reply as the model wrote it, tags and all."""
        if self._raw is None:
            return self.outer.text + self.holder.held
        return self._raw.whole() + self.holder.shown.run.getvalue() + self.holder.unread

    def view(self, event: PartialAnswer, named: int) -> GeneratedAnswer:
        """Build the answer as it stood after an event of its text.

        All else is as it is now: other sections, what documents resolved that came since, and
        what the generator said beside the text.

        Args:
            event: The event.
            named: How many citations had come, if updates are all that is new in it.
        """
        answer, ledger = self.answer, self.ledger
        data = answer.text
        if event.section == answer.section:
            end = event.offset + len(event.delta)
            data = data[:end]
            named = number_of(event.citations[-1]) if event.citations else named
            entries = ledger.until(answer.section, end, named)
        else:
            entries = ledger.entries()
        return self._build(data, entries, [self.raw], ())

    def build(self, all_messages: list[str], warnings: Iterable[AnswerWarning]) -> GeneratedAnswer:
        """Build the final answer.

        Args:
            all_messages: The text of every reply of the stream.
            warnings: What the engine has to say beside the markers' warnings.
        """
        found = [*self.ledger.warnings(), *self._renderer.warnings, *warnings]
        return self._build(self.answer.text, self.ledger.entries(), all_messages, found)

    @property
    def _counting(self) -> Set[str | None]:
        """The sections in which a citation makes a document referenced."""
        section = self.answer.section
        return {section} if self._options.reference_pattern is None else {section, None}

    def _build(
        self,
        data: str,
        entries: list[Entry],
        all_messages: list[str],
        warnings: Iterable[AnswerWarning],
    ) -> GeneratedAnswer:
        return build_answer(
            Facts(
                data=data,
                query=self._query,
                options=self._options,
                sources=self._sources,
                citations=self.ledger.citations(entries),
                referenced=self.ledger.referenced(entries, self._counting),
                sections=self._section_texts(),
                warnings=list(warnings),
                all_messages=all_messages,
                generator_meta=self._generator_meta or NOTHING,
                meta=self._meta,
                prompt=self._prompt,
                answer_section=self.answer.section,
            )
        )

    def _section_texts(self) -> dict[str, list[str]]:
        sections = self._sections or {}
        texts = {name: [shown.text for shown in known] for name, known in sections.items()}
        cuts = self._answer_cuts
        if self._answer is not None and self._answer.section is not None and cuts:
            text = self._answer.text
            ends = [*cuts[1:], len(text)]
            texts[self._answer.section] = [
                text[start:end] for start, end in zip(cuts, ends, strict=True)
            ]
        return texts


def _rewrites(options: CiteOptions) -> bool:
    """Say whether the text shown outside all tags may differ from the reply."""
    return bool(
        options.display != "keep"
        or options.extract_xml_tags
        or options.pattern is not None
        or options.unknown == "drop"
        or "private" in options.markers
    )


def _check(query: object, meta: object) -> None:
    """Refuse at once what an answer cannot hold at its end."""
    if not isinstance(query, str):
        raise InputError(f"query is a {type(query).__name__}; give the question as a str")
    if meta and not (isinstance(meta, Mapping) and all(isinstance(name, str) for name in meta)):
        raise InputError(f"meta is a {type(meta).__name__}; give a mapping of str to values")

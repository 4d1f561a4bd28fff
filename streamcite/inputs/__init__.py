"""Input adapters: a stream item of any supported SDK, or a response body, to chunks."""

from streamcite.inputs.decoder import Decoder
from streamcite.inputs.jsonl import JsonlDecoder
from streamcite.inputs.recognition import register, to_chunks
from streamcite.inputs.sse import SseDecoder
from streamcite.inputs.surrogates import SurrogateJoiner
from streamcite.inputs.text import PlainDecoder

__all__ = [
    "Decoder",
    "JsonlDecoder",
    "PlainDecoder",
    "SseDecoder",
    "SurrogateJoiner",
    "register",
    "to_chunks",
]

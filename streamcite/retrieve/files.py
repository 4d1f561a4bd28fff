"""Files to documents: one reader for each kind of file."""

import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from streamcite.answers import Document
from streamcite.errors import DocumentError, MissingExtraError
from streamcite.retrieve.pages import read_page

__all__ = ["find_files", "read_documents"]

Reader = Callable[[Path], Iterator[Document]]
Tell = Callable[[DocumentError], None]

# How a process calls what was opened for it.
_OPEN_FILE = re.compile(r"/dev/(?:stdin|fd/\d+)|/proc/(?:self|\d+)/fd/\d+")
_HEADING = re.compile(r"#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
# A short first line by itself, which is no sentence, is the text's title.
_FIRST_LINE = re.compile(r"\s*([^\n]{1,80}?[^\s.!?:;,])[ \t]*\n[=~*-]*[ \t]*\n+")
_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_FRONT_MATTER_FIELD = re.compile(r"^(title|url):[ \t]*(.+?)[ \t]*$", re.MULTILINE)


def find_files(path: Path, leave_out: Tell | None = None) -> list[Path]:
    """Return the file, or every readable file in the folder and beneath it, in order of name.

    Args:
        path: A file or folder.
        leave_out: Is told of each folder beneath that cannot be read; an error by default.

    Raises:
        DocumentError: There is no such file, it is of no known kind, or the folder holds none; or
            a folder cannot be read.
    """
    try:
        is_folder = stat.S_ISDIR(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise DocumentError(f"{path}: there is no such file or folder") from error
    except OSError as error:
        raise _unreadable(path, error) from error
    if not is_folder:
        _reader_of(path)
        return [path]
    found = sorted(_walk(path, leave_out or _refuse))
    if not found:
        raise DocumentError(f"{path}: this folder holds no {', '.join(READERS)} file")
    return found


def _walk(root: Path, leave_out: Tell) -> Iterator[Path]:
    def tell(error: OSError) -> None:
        problem = _unreadable(error.filename, error)
        # One that is named must be readable.
        (_refuse if Path(error.filename) == root else leave_out)(problem)

    for folder, folders, names in os.walk(root, onerror=tell):
        # In order, so that what is told has an order too.
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            file = Path(folder, name)
            if not name.startswith(".") and file.suffix.lower() in READERS and _is_file(file, tell):
                yield file


def _is_file(file: Path, tell: Callable[[OSError], None]) -> bool:
    try:
        return file.is_file()
    except OSError as error:
        tell(error)
        return False


def _refuse(problem: DocumentError) -> None:
    raise problem


def _unreadable(path: object, error: OSError) -> DocumentError:
    return DocumentError(f"{path}: {error.strerror or error}")


def read_documents(file: Path) -> Iterator[Document]:
    """Yield a file's documents: one, or one for each line of a JSONL file or page of a PDF.

    Raises:
        DocumentError: The file cannot be read, or a line of it is no document.
        MissingExtraError: It is a PDF file and nothing is installed that reads one.
    """
    try:
        reader = _reader_of(file)
        named = {} if _is_nameless(file) else {"file_name": file.name, "file_path": str(file)}
        for document in reader(file):
            yield document.model_copy(update={"meta": named | document.meta})
    except OSError as error:
        raise _unreadable(file, error) from error


def _reader_of(file: Path) -> Reader:
    reader = _jsonl if _is_nameless(file) else READERS.get(file.suffix.lower())
    if reader is None:
        raise DocumentError(f"{file}: cannot read this kind of file; give {', '.join(READERS)}")
    return reader


def _is_nameless(file: Path) -> bool:
    """Tell whether there is no name to go by: a pipe, as for `<(jq …)`, or an open file."""
    return file.is_fifo() or (file.is_file() and _OPEN_FILE.fullmatch(str(file)) is not None)


def _read_text(file: Path) -> str:
    return file.read_bytes().decode("utf-8-sig", "replace").replace("\r\n", "\n")


def _plain(file: Path) -> Iterator[Document]:
    text = _read_text(file)
    if first := _FIRST_LINE.match(text):
        yield Document(content=text[first.end() :], meta={"title": first[1].strip()})
    else:
        yield Document(content=text, meta={"title": file.stem})


def _markdown(file: Path) -> Iterator[Document]:
    text = _read_text(file)
    meta = {"title": file.stem}
    front = _FRONT_MATTER.match(text)
    text = text[front.end() :] if front else text
    fields = _FRONT_MATTER_FIELD.findall(front[1]) if front else ()
    named = {name: value.strip("\"'") for name, value in fields}
    heading = _HEADING.match(text.lstrip())
    # A heading that is not the title is text.
    if heading and named.get("title", heading[1]) == heading[1]:
        meta["title"] = heading[1]
        text = text.lstrip()[heading.end() :]
    yield Document(content=text, meta=meta | named)


def _html(file: Path) -> Iterator[Document]:
    page = read_page(_read_text(file))
    meta = {"title": page.title or file.stem}
    if page.url:
        meta["url"] = page.url
    # The heading that repeats the title would only be in the way.
    yield Document(content=page.text.removeprefix(f"{page.title}\n").lstrip(), meta=meta)


def _jsonl(file: Path) -> Iterator[Document]:
    has_name = not _is_nameless(file)
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                document = _json_document(line, f"{file}:{number}")
                # By its line it is found; a file that it names itself has other lines.
                if has_name and not document.meta.keys() & {"file_name", "file_path", "line"}:
                    meta = {"line": number} | document.meta
                    document = document.model_copy(update={"meta": meta})
                yield document


def _json(file: Path) -> Iterator[Document]:
    value = _parse(file.read_bytes(), str(file))
    for number, entry in enumerate(value if isinstance(value, list) else [value], start=1):
        yield _document_of(entry, f"{file}: entry {number}")


def _json_document(line: bytes, place: str) -> Document:
    return _document_of(_parse(line.rstrip(), place, is_line=True), place)


def _parse(data: bytes, place: str, *, is_line: bool = False) -> object:
    try:
        value: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        reason = str(error)
        # Of a line, the place says the number.
        if is_line and isinstance(error, json.JSONDecodeError):
            reason = f"{error.msg} (character {error.pos + 1})"
        raise DocumentError(f"{place}: this is no JSON that can be read: {reason}") from error
    return value


def _document_of(value: object, place: str) -> Document:
    try:
        return Document.of(value)
    except (DocumentError, RecursionError) as error:
        raise DocumentError(
            f"{place}: this is no document ({error}); write "
            '{"content": "…", "id": "…", "meta": {"title": "…", "url": "…"}}'
        ) from error


def _pdf(file: Path) -> Iterator[Document]:
    try:
        import pypdf
        from pypdf.errors import PyPdfError
    except ImportError as error:
        raise MissingExtraError("pypdf", "pdf") from error
    try:
        reader = pypdf.PdfReader(file)
        title = (reader.metadata and reader.metadata.title) or file.stem
        for number, page in enumerate(reader.pages, start=1):
            # A page without text is a picture or blank: nobody is shown it as a document.
            if (text := page.extract_text()).strip():
                meta = {"title": f"{title}, p. {number}", "page": number}
                yield Document(content=text, meta=meta)
    except PyPdfError as error:
        raise DocumentError(f"{file}: this PDF file cannot be read: {error}") from error


READERS: dict[str, Reader] = {
    ".md": _markdown,
    ".markdown": _markdown,
    ".txt": _plain,
    ".rst": _plain,
    ".html": _html,
    ".htm": _html,
    ".jsonl": _jsonl,
    ".ndjson": _jsonl,
    ".json": _json,
    ".pdf": _pdf,
}

"""Files to documents."""

import json
import os
from pathlib import Path
from threading import Thread

import pytest

from streamcite.errors import DocumentError
from streamcite.retrieve import find_files, read_documents

FRONT = "---\ntitle: T\nurl: https://e.x/1\n---\n# H\n\ntext"
PAGE = """<html><head><title>A  page</title><style>p{}</style>
<link rel="canonical" href="https://e.x/2"></head><body><nav>menu</nav><h1>A page</h1>
<p>one&nbsp;&amp;
two</p><script>x()</script><p>three<br>four</p></body>"""

ROWS: dict[str, tuple[str, str, dict[str, str]]] = {
    "a.txt": ("text.", "text.", {"title": "a"}),
    "b.txt": ("Heading\n\ntext.", "text.", {"title": "Heading"}),
    "c.md": ("# H #\n\ntext", "text", {"title": "H"}),
    "d.md": (FRONT, "# H\n\ntext", {"title": "T", "url": "https://e.x/1"}),
    "d2.md": (FRONT.replace("# H", "# T"), "text", {"title": "T", "url": "https://e.x/1"}),
    "d3.md": ("---\nurl: u\n---\n# H\n\ntext", "text", {"title": "H", "url": "u"}),
    "e.md": ("text\n\n## Later\n", "text\n\n## Later", {"title": "e"}),
    "f.HTML": (PAGE, "one & two\n\nthree\n\nfour", {"title": "A page", "url": "https://e.x/2"}),
    "g.jsonl": ('\n{"content": "x", "id": "i"}\n', "x", {}),
    "h.json": ('[{"page_content": "x", "metadata": {"title": "t"}}]', "x", {"title": "t"}),
    "i.jsonl": ('"x"', "x", {}),
}


@pytest.mark.parametrize(("name", "row"), ROWS.items(), ids=ROWS.keys())
def test_a_file_gives_text_and_meta(
    tmp_path: Path, name: str, row: tuple[str, str, dict[str, str]]
) -> None:
    """Each kind of file gives its text, its title and its address, and the file's name."""
    text, content, meta = row
    (file := tmp_path / name).write_text(text, "utf-8")

    [document] = read_documents(file)

    assert document.content.strip() == content
    line = {"line": text[: text.index(content)].count("\n") + 1} if file.suffix == ".jsonl" else {}
    assert document.meta == {"file_name": name, "file_path": str(file)} | line | meta


def test_a_pdf_gives_a_document_for_each_page(tmp_path: Path) -> None:
    """Pages without text are left out, and each document names its page."""
    pypdf = pytest.importorskip("pypdf", reason="PDF files need the extra pdf")
    writer = pypdf.PdfWriter()
    for text in ("first page", None, "third page"):
        add_page(writer, text)
    writer.write(file := tmp_path / "a.pdf")

    found = [(each.content, each.meta["page"]) for each in read_documents(file)]

    assert found == [("first page", 1), ("third page", 3)]


def add_page(writer: object, text: str | None) -> None:
    """Add a page with one line of text, or an empty one."""
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    page = writer.add_blank_page(200, 200)  # type: ignore[attr-defined]
    if text is None:
        return
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    fonts = DictionaryObject({NameObject("/F1"): font})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    content = DecodedStreamObject()
    content.set_data(f"BT /F1 12 Tf 10 100 Td ({text}) Tj ET".encode())
    page[NameObject("/Contents")] = writer._add_object(content)  # type: ignore[attr-defined]


# The meta of a line, and what it says of where the line is.
LINES: list[tuple[dict[str, object], object]] = [
    ({}, 2),
    ({"title": "Paris"}, 2),
    ({"line": 7}, 7),
    ({"file_name": "paris.txt"}, None),
]


@pytest.mark.parametrize(("meta", "line"), LINES)
def test_a_line_knows_its_number(tmp_path: Path, meta: dict[str, object], line: object) -> None:
    """Unless it comes of another file, as it says itself."""
    (file := tmp_path / "a.jsonl").write_text("\n" + json.dumps({"content": "a", "meta": meta}))

    assert [each.meta.get("line") for each in read_documents(file)] == [line]


BROKEN = {
    "a.docx": ("x", "cannot read this kind of file; give .md"),
    "a.jsonl": ('"x"\n{', "a.jsonl:2: this is no JSON that can be read"),
    "f.jsonl": ('"x"\n{"a":\n', "f.jsonl:2: this is .* read: Expecting value .character 6.$"),
    "b.jsonl": ('"x"\n[]', "b.jsonl:2: this is no document"),
    "d.jsonl": ('{"content": 5}', "d.jsonl:1: this is no document .* dict: content: Input should"),
    "e.jsonl": ('{"text": "a", "metadata": 5}', "no document .*meta: this is no mapping"),
    "a.json": ("{", "a.json: this is no JSON"),
    "c.jsonl": ("[" * 100_000, "c.jsonl:1: this is no JSON that can be read"),
    "c.json": ("[" * 100_000, "c.json: this is no JSON that can be read"),
    "a.pdf": ("x", "this PDF file cannot be read"),
}


@pytest.mark.parametrize(("name", "row"), BROKEN.items(), ids=BROKEN.keys())
def test_a_broken_file_is_named(tmp_path: Path, name: str, row: tuple[str, str]) -> None:
    """The error names the file, and the line where there are lines."""
    text, message = row
    (file := tmp_path / name).write_text(text, "utf-8")

    with pytest.raises(DocumentError, match=message):
        list(read_documents(file))


def test_a_folder_gives_its_readable_files_in_order(tmp_path: Path) -> None:
    """Folders beneath count; hidden and unreadable files do not."""
    for name in ("b.md", "a/z.txt", "c.png", ".git/x.md", ".hidden.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()

    assert find_files(tmp_path) == [tmp_path / "a" / "z.txt", tmp_path / "b.md"]


@pytest.fixture
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make folders of which one may not be read, and hide that from nobody, root included."""
    for name in ("a/x.md", "b/y.md", "b/.git/y.md", "c/z.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    scan = os.scandir

    def refuse(path: str) -> object:
        if Path(path).name in ("b", ".git"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    return tmp_path


def test_a_folder_that_cannot_be_read_is_an_error(closed: Path) -> None:
    """The numbers of what follows would shift, were it left out without a word."""
    with pytest.raises(DocumentError, match=r"/b: Permission denied"):
        find_files(closed)


def test_a_folder_that_cannot_be_read_may_be_left_out(closed: Path) -> None:
    """Who asks for it is told what was left out."""
    told: list[DocumentError] = []

    assert find_files(closed, told.append) == [closed / "a" / "x.md", closed / "c" / "z.md"]
    assert [str(problem) for problem in told] == [f"{closed / 'b'}: Permission denied"]


def test_a_folder_that_is_named_must_be_readable(closed: Path) -> None:
    """Only what lies beneath can be left out."""
    with pytest.raises(DocumentError, match="Permission denied"):
        find_files(closed / "b", lambda _: None)


def test_a_file_out_of_reach_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the folder around it is closed, the error is one of documents."""

    def refuse(path: Path, **_: object) -> object:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "stat", refuse)

    with pytest.raises(DocumentError, match=r"a\.md: Permission denied"):
        find_files(tmp_path / "a.md")


@pytest.mark.parametrize("name", ["missing.md", "missing", "."])
def test_nothing_to_read_is_an_error(tmp_path: Path, name: str) -> None:
    """A path that leads to no readable file is told."""
    with pytest.raises(DocumentError, match=r"there is no such file|holds no \.md"):
        find_files(tmp_path / name)


def test_a_pipe_is_jsonl(tmp_path: Path) -> None:
    """What a shell puts in a file's place holds a document a line, whatever its name."""
    pipe = tmp_path / "63"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=('{"content": "a"}\n{"content": "b"}\n',))
    writer.start()

    documents = [each for file in find_files(pipe) for each in read_documents(file)]
    writer.join()
    assert [(each.content, each.meta) for each in documents] == [("a", {}), ("b", {})]


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="open files have no paths here")
def test_an_open_file_is_jsonl(tmp_path: Path) -> None:
    """What a shell opens, for `/dev/stdin` too, is read like a pipe."""
    (file := tmp_path / "docs.jsonl").write_text('{"content": "a"}\n')

    with file.open() as opened:
        path = Path(f"/dev/fd/{opened.fileno()}")
        documents = [each for found in find_files(path) for each in read_documents(found)]
    assert [(each.content, each.meta) for each in documents] == [("a", {})]


def test_broken_bytes_do_no_harm(tmp_path: Path) -> None:
    """A text that is no UTF-8 is read as well as it can be."""
    (file := tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfcaf\xe9")

    assert [each.content for each in read_documents(file)] == ["caf\ufffd"]


def test_a_document_may_hold_half_a_character(tmp_path: Path) -> None:
    """JSON can spell what no text file can."""
    (file := tmp_path / "a.jsonl").write_text(json.dumps("\ud83d"))

    assert [each.content for each in read_documents(file)] == ["\ud83d"]

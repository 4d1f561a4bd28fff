"""Which generator answers, and that nothing leaves the machine unasked."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from streamcite import CiteOptions

pytest.importorskip("typer", reason="the command line needs the extra cli")
pytest.importorskip("aiostream", reason="the command line needs the extra aiostream")

from streamcite.cli import asking
from streamcite.cli.failure import CommandError

# The model's name, the address given, the environment, and what answers.
CHOICES = [
    (None, None, {}, "extractive"),
    (None, None, {"OPENAI_API_KEY": "k"}, "extractive"),
    ("m", None, {"OPENAI_API_KEY": "k"}, "endpoint"),
    (None, "http://h/v1", {}, "endpoint"),
    (None, None, {"OPENAI_BASE_URL": "http://h/v1", "OPENAI_API_KEY": "k"}, "endpoint"),
    ("local", None, {"OPENAI_BASE_URL": "http://h/v1", "OPENAI_API_KEY": "k"}, "local"),
    ("local", "http://h/v1", {}, "endpoint"),
]


@pytest.fixture
def generators(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put stand-ins in the generators' places, and no key in the environment."""
    for name, description in (
        ("OpenAI", "endpoint"),
        ("Extractive", "extractive"),
        ("Local", "local"),
    ):
        stand_in = SimpleNamespace(description=description)
        monkeypatch.setattr(asking, f"{name}Generator", lambda *_, it=stand_in, **__: it)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("generators")
@pytest.mark.parametrize(("model", "address", "environment", "answers"), CHOICES)
def test_who_answers(
    monkeypatch: pytest.MonkeyPatch,
    model: str | None,
    address: str | None,
    environment: dict[str, str],
    answers: str,
) -> None:
    """Documents go to an endpoint that was asked for, and to no other."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert asking.choose_generator(model, address, CiteOptions()).description == answers


@pytest.mark.usefixtures("generators")
def test_the_demonstration_is_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the environment says, the demonstration sends nothing away."""
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://h/v1")

    found = asking.choose_generator(None, None, CiteOptions(), demo=True)
    assert found.description == "extractive"


# Addresses that lack a scheme, a host or a port that is one, or that no request can be sent to.
NO_ADDRESSES = ["127.0.0.1:8765", "localhost/v1", "//h/v1", "http:/h", "http://:1", "http://h:x",
                "http://[::1", "ftp://h", "file:///etc", "http://h:0"]  # fmt: skip


@pytest.mark.usefixtures("generators")
@pytest.mark.parametrize("address", NO_ADDRESSES)
def test_an_address_is_whole(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """Wrong usage says where the address was given, and what one looks like."""
    for model in (None, "m", "local"):
        with pytest.raises(CommandError, match=r"^--base-url .* as in http://127") as refused:
            asking.choose_generator(model, address, CiteOptions())
        assert refused.value.code == 2

    monkeypatch.setenv("OPENAI_BASE_URL", address)
    with pytest.raises(CommandError, match=r"^OPENAI_BASE_URL .* as in http://127"):
        asking.choose_generator(None, None, CiteOptions())


@pytest.mark.usefixtures("generators")
@pytest.mark.parametrize("address", ["HTTP://h", "https://h:1/v1", "http://[::1]:8080/v1"])
def test_an_address_may_have_any_host(address: str) -> None:
    """With or without a port and a path."""
    assert asking.choose_generator(None, address, CiteOptions()).description == "endpoint"


@pytest.mark.parametrize("given", [{"index_base": 0}, {"labels": ("Quelle",)}, {"key_field": "x"}])
def test_options_that_no_generator_is_told(given: dict[str, object]) -> None:
    """How a reply is read must be what the prompt asks for."""
    with pytest.raises(CommandError, match="is for cite"):
        asking.check_options(CiteOptions.model_validate(given))


def test_a_folder_that_cannot_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Asking goes on with the other files, and stderr names the folder that is left out."""
    (tmp_path / "closed").mkdir()
    (tmp_path / "paris.txt").write_text("Paris is in France.")
    scan = os.scandir

    def refuse(path: str) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)

    with asking.index_files([tmp_path]) as index:
        assert len(index) == 1

    assert f"left out: {tmp_path}/closed: Permission denied" in capsys.readouterr().err

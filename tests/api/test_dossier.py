"""A dossier by its command, and from the API."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import torch
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from model.dossier import load_dossier, save_dossier
from model.dossier.state import state_of
from model.sources.native import NativeSource
from server.api.schemas import Dossier
from server.app import create_app
from server.cli import app
from server.pages.assets.folders import ROOT
from server.settings import Settings
from tests.api.test_error_shape import assert_shape
from tests.unit.sources.pretrained.checkpoints import FAMILIES

pytestmark = pytest.mark.long

TIMEOUT_S = 60
TEXTS = "the cat sat\n\nthe dog ran on the mat\nhello fox\n"


@pytest.fixture
def folder(tiny_folder: Path, tmp_path: Path) -> Path:
    """A copy of the tiny checkpoint, to write beside."""
    return Path(shutil.copytree(tiny_folder, tmp_path / "tiny"))


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    path = tmp_path / "texts.txt"
    path.write_text(TEXTS)
    return path


def made(folder: Path, texts: Path, *more: str) -> Any:
    arguments = ["dossier", "--model", str(folder), "--texts", str(texts), *more]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    return load_dossier(folder / "dossier.json"), result.output


def test_the_command_writes_a_file_beside_the_weights(folder: Path, texts: Path) -> None:
    dossier, said = made(folder, texts)
    Dossier.model_validate(dossier)
    assert dossier["corpus"]["description"] == "3 texts of texts.txt"
    assert dossier["weights"] == NativeSource("tiny", folder).info.weights
    assert "tiny: 0 of 3 texts" in said and "tiny: 3 of 3 texts" in said
    assert said.splitlines()[-1].endswith("heads over 3 texts of texts.txt.")
    assert not state_of(folder / "dossier.json").exists()


def test_the_command_compares_with_another_checkpoint(
    folder: Path, texts: Path, tmp_path: Path
) -> None:
    torch.manual_seed(0)
    other = FAMILIES["gpt2"](tmp_path / "gpt2")
    dossier, _ = made(folder, texts, "--against", f"other={other}")
    assert dossier["against"]["model"] == "other"
    assert {one["site"] for one in dossier["heads"][0]["like_elsewhere"]} <= {
        "layers.0", "layers.1", "layers.2"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"fine\n\xff\n", "line 2: expected UTF-8"),
        (b"\n", "has no text"),
        (b"the cat\n" + b"cat " * 3_000, "Line 2 does not suit tiny"),
    ],
)
def test_the_command_refuses_in_words(
    folder: Path, texts: Path, content: bytes, words: str
) -> None:
    texts.write_bytes(content)
    command = ["dossier", "--model", str(folder), "--texts", str(texts)]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 1
    assert words in result.output.replace("\n", " ")
    assert "Traceback" not in result.output


@contextmanager
def heeding_ctrl_c() -> Iterator[None]:
    """A process that is started here heeds SIGINT, also where a shell runs the tests with `&`.

    There SIGINT is ignored; what is ignored is inherited, and what has a handler is not.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_run_in_the_background_goes_on_after_a_signal(
    folder: Path, tmp_path: Path, number: signal.Signals
) -> None:
    """Stopped or killed, the same command ends with the same file as one that was left alone."""
    texts = tmp_path / "many.txt"
    texts.write_text("\n".join(["the cat sat on the mat", "a dog ran"] * 20_000))
    out = tmp_path / "out.json"
    command = [sys.executable, "-m", "headlight", "dossier", "--model", str(folder)]
    options = ["--texts", str(texts), "-o", str(out)]
    log = tmp_path / "log"
    with log.open("wb") as stream:
        with heeding_ctrl_c():
            run = subprocess.Popen([*command, *options], stdout=stream, stderr=stream, cwd=ROOT)
        end = time.monotonic() + TIMEOUT_S
        while not (state_of(out).exists() and "of 40,000 texts" in log.read_text()):
            assert run.poll() is None and time.monotonic() < end, log.read_text()
            time.sleep(0.02)
        run.send_signal(number)
        code = run.wait(TIMEOUT_S)
    assert state_of(out).exists() and not out.exists()
    assert "Traceback" not in log.read_text()
    if number != signal.SIGKILL:
        assert code == 130
        assert "The same command goes on from there." in log.read_text()
    texts.write_text("something else")
    refused = CliRunner().invoke(app, ["dossier", "--model", str(folder), *options])
    assert refused.exit_code == 1
    assert "unfinished dossier of something else (texts: " in refused.output.replace("\n", " ")


def test_without_a_folder_the_file_is_written_here(
    tiny_folder: Path, texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("server.pages.assets.folders.IS_CHECKOUT", False)
    monkeypatch.delenv("HEADLIGHT_SHIPPED", raising=False)
    result = CliRunner().invoke(app, ["dossier", "--texts", str(texts)])
    assert result.exit_code == 0, result.output
    assert load_dossier(tmp_path / "shipped.dossier.json")["model"] == "shipped"


def serving(folder: Path) -> TestClient:
    settings = Settings(shipped=folder, models=(f"mine={folder}",))
    return TestClient(create_app(settings))


def test_the_api_gives_the_file(folder: Path, texts: Path) -> None:
    dossier, _ = made(folder, texts)
    with serving(folder) as client:
        for name in ("shipped", "mine"):
            response = client.get(f"/api/models/{name}/dossier")
            assert response.status_code == 200
            assert response.headers["content-type"] == "application/json"
            assert response.json() == json.loads(json.dumps(dossier))


def test_the_api_says_how_to_make_one(folder: Path) -> None:
    with serving(folder) as client:
        for name, command in (
            ("shipped", "headlight dossier"),
            ("mine", "headlight dossier --model FOLDER"),
            ("scratch", "checkpoints only"),
        ):
            error = assert_shape(client.get(f"/api/models/{name}/dossier"), 404, "no_dossier")
            assert f"There is no dossier of {name}. " in error["message"]
            assert command in error["message"]
        assert_shape(client.get("/api/models/none/dossier"), 404, "unknown_model")
        assert_shape(client.get("/api/models/%ff%00/dossier"), 404, "unknown_model")
        assert_shape(client.post("/api/models/shipped/dossier"), 405, "method_not_allowed")


def test_a_dossier_of_other_weights_is_not_shown(folder: Path, texts: Path) -> None:
    dossier, _ = made(folder, texts)
    save_dossier(folder / "dossier.json", {**dossier, "weights": "f" * 64})
    with serving(folder) as client:
        error = assert_shape(client.get("/api/models/shipped/dossier"), 404, "no_dossier")
        assert "of other weights (ffffffffffff…" in error["message"]


@pytest.mark.parametrize("content", ["{", '{"format": 1, "heads": []}', '{"format": 2}', "[NaN]"])
def test_a_broken_file_is_no_dossier(folder: Path, content: str) -> None:
    (folder / "dossier.json").write_text(content)
    with serving(folder) as client:
        error = assert_shape(client.get("/api/models/shipped/dossier"), 503, "bad_checkpoint")
        assert "dossier.json" in error["message"] and str(folder) not in error["message"]


def test_numbers_that_are_not_finite_are_never_sent(folder: Path, texts: Path) -> None:
    dossier, _ = made(folder, texts)
    dossier["heads"][0]["values"]["entropy"]["value"] = float("nan")
    (folder / "dossier.json").write_text(json.dumps(dossier))
    with serving(folder) as client:
        assert_shape(client.get("/api/models/shipped/dossier"), 503, "bad_checkpoint")


def test_a_new_file_is_read_without_a_restart(folder: Path, texts: Path) -> None:
    made(folder, texts)
    with serving(folder) as client:
        assert client.get("/api/models/shipped/dossier").json()["corpus"]["n_texts"] == 3
        texts.write_text("the cat\n")
        made(folder, texts)
        os.utime(folder / "dossier.json")
        assert client.get("/api/models/shipped/dossier").json()["corpus"]["n_texts"] == 1

"""`headlight export` and GET /export: the inspector as one file."""

import base64
import errno
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load
from typer.testing import CliRunner

from model.core.checkpoint import SHIPPED, SISTER, load_checkpoint
from model.training.tasks.fit import fit
from model.training.tasks.learner import Learner, network_of
from model.training.tasks.tasks import TASKS
from server.cli import app
from server.pages.assets import release
from server.pages.assets.packing import SCRIPTS, whole
from tests.api.conftest import Serve
from tests.exported import inside, out_of_planes
from tests.unit.sources.pretrained.checkpoints import FAMILIES

pytestmark = pytest.mark.long

MAX_BYTES = 5_000_000  # with the shipped model


@pytest.fixture(autouse=True, scope="module")
def packed() -> Iterator[None]:
    """A page that counts as packed: these tests read what a file carries, and do not run it."""
    before = release.current

    def current() -> release.Release:
        found = before()
        names = [
            name
            for name in (*map(whole, SCRIPTS), "page.css")
            if f"packed/{name}" not in found.files
        ]
        return release.Release(
            found.digest, {**found.files, **{f"packed/{name}": b"/* */" for name in names}}
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("server.pages.export.file.current", current)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of tiny checkpoints."""
    found = tmp_path_factory.mktemp("checkpoints")
    for family in ("llama", "t5"):
        torch.manual_seed(0)
        FAMILIES[family](found / family)
    return found


def export(*arguments: str) -> None:
    done = CliRunner().invoke(app, ["export", "-o", *arguments])
    assert done.exit_code == 0, done.output


def boot(html: str) -> Any:
    [text] = re.findall(r'id="boot">([^<]*)<', html)
    return json.loads(text)


def test_a_file_carries_the_model_and_says_how_exactly(tmp_path: Path) -> None:
    export(str(tmp_path / "page.html"), "--text", "The keys")
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert len(html) < MAX_BYTES
    assert 'data-file="?text=The+keys&amp;depth=start"' in html  # as a first visit
    carried = inside(html)
    assert json.loads(carried["sources.json"]) == [
        {"type": "native", "name": "shipped"},
        {"type": "scratch", "name": "scratch"},
    ]
    assert carried["shipped/tokenizer.json"] == (SHIPPED / "tokenizer.json").read_bytes()
    assert "sha256" not in json.loads(carried["shipped/config.json"])
    assert [model["name"] for model in boot(html)["models"]] == ["shipped", "scratch"]
    assert len(boot(html)["gallery"]) > 3
    assert "1,000 held-out sentences" in html
    assert "Apache-2.0" in html


def test_another_model_is_recorded_with_one_k_a_group(tmp_path: Path, folder: Path) -> None:
    page = tmp_path / "page.html"
    link = "?text=the+cat+sat&window=2&muted=1.3&block=0.0.1_2.1"
    export(str(page), "--model", str(folder / "llama"), "--link", link, "--dtype", "float32")
    html = page.read_text(encoding="utf-8")
    assert "depth=start" not in html[: html.index(">", html.index("data-file"))]  # the link decides
    model, scratch = boot(html)["models"]
    assert scratch["name"] == "scratch"
    assert model["name"] == "llama"
    assert "one recorded run" in model["lacks"]
    assert model["recorded"]["texts"] == ["the cat sat"]
    assert model["recorded"]["masks"]["window"] == 2
    assert model["recorded"]["muted"] == [[1, 3]]
    assert "result" not in model["tensors"]
    assert f"SHA-256 of its weights: {model['weights']}." in html
    assert len(model["weights"]) == 64
    file = inside(html)["llama/trace.safetensors"]
    tensors = load(out_of_planes(file))
    assert tensors["layers.0.q"].shape[1] == 6
    assert tensors["layers.0.k"].shape[1] == tensors["layers.0.v"].shape[1] == 2
    assert tensors["layers.0.q"].dtype == np.float32
    assert tensors["layers.0.blocked_by"][0, 1, 2, 1] == 8  # painted
    assert tensors["layers.0.blocked_by"][0, 0, 3, 1] == 4  # the window
    header = json.loads(file[8 : 8 + int.from_bytes(file[:8], "little")])["__metadata__"]
    trace = json.loads(header["trace"])
    assert [site["name"] for site in trace["sites"]] == ["layers.0", "layers.1", "layers.2"]
    assert trace["sites"][0]["heads"] == list(range(6))
    assert json.loads(header["model"]) == model
    assert json.loads(header["request"])["texts"] == ["the cat sat"]
    assert len(trace["predictions"][0]) > 10


def test_an_encoder_decoder_is_recorded_with_its_biases(tmp_path: Path, folder: Path) -> None:
    page = tmp_path / "page.html"
    model = str(folder / "t5")
    export(str(page), "--model", f"five={model}", "--link", "?text=the+cat&target=a+dog")
    file = inside(page.read_text(encoding="utf-8"))["five/trace.safetensors"]
    tensors = load(out_of_planes(file))
    diagonals = tensors["encoder.layers.0.bias_diagonals"]
    n_query = tensors["encoder.layers.0.q"].shape[2]
    assert diagonals.dtype == np.float16
    assert diagonals.shape[-1] == 2 * n_query - 1
    assert "decoder.layers.0.cross.bias" not in tensors
    assert "decoder.layers.0.cross.q" in tensors


def test_a_recording_runs_in_what_the_settings_say(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.html"
    queries = []
    for dtype in ("bfloat16", "float32"):
        monkeypatch.setenv("HEADLIGHT_DTYPE", dtype)
        export(str(page), "--model", str(folder / "llama"), "--text", "the cat sat")
        file = inside(page.read_text(encoding="utf-8"))["llama/trace.safetensors"]
        queries.append(load(out_of_planes(file))["layers.0.q"].astype(np.float32))
    low, exact = queries
    assert not np.array_equal(low, exact)
    np.testing.assert_allclose(low, exact, atol=0.05)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--text", "a", "--link", "?text=b"), "--text or --link"),
        (("--link", "http://127.0.0.1:8000/"), "Expected a link"),
        (("--link", "?text=a&model=none"), "no such model"),
        (("--model", "nowhere/at-all", "--text", "a"), "nowhere/at-all"),
        (("--link", "?text=a&layer=99"), "layer 99, but shipped has layers 0 to 2"),
        (("--link", "?text=a&layer=1&head=99"), "layer 1 of shipped has heads 0 to 7"),
        (("--link", "?text=a&kind=cross"), "cross layers, but shipped has none"),
    ],
)
def test_what_cannot_be_exported_is_refused_in_one_line(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    done = CliRunner().invoke(app, ["export", "-o", str(tmp_path / "page.html"), *arguments])
    assert done.exit_code == 1
    assert words in done.output
    assert "Traceback" not in done.output
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing/page.html", "There is no folder"),
        ("page.html/page.html", "There is no folder"),
        ("course", "such as course/"),
        ("page.pdf", "ends in .html"),
    ],
)
def test_a_place_that_cannot_be_written_is_refused_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, words: str
) -> None:
    monkeypatch.setattr("server.pages.export.command.file_of", None)
    (tmp_path / "page.html").write_text("mine")
    done = CliRunner().invoke(app, ["export", "-o", str(tmp_path / name), "--text", "a"])
    assert done.exit_code == 1
    assert words in done.output
    assert len(done.output.splitlines()) == 1


def test_a_disk_that_takes_no_file_is_reported_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    done = CliRunner().invoke(app, ["export", "-o", str(tmp_path / "page.html")])
    assert done.exit_code == 1
    assert done.output.endswith("page.html cannot be written: No space left on device.\n")


def test_a_model_that_cannot_be_loaded_is_reported_once(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    command = [sys.executable, "-m", "server.cli", "export", "-o", str(tmp_path / "page.html")]
    # a process of its own, since pytest handles the log that Python would print
    done = subprocess.run(
        [*command, "--model", missing, "--text", "a"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == f"Expected a folder at {missing}, but there is none.\n"


@pytest.mark.parametrize(
    "link",
    [
        "?text=a&layer=2&head=7",
        "?text=a&layer=x&kind=any",
        "?model=scratch&text=a&scratch.n_layers=3&layer=2",
    ],
)
def test_a_link_to_a_head_that_is_there_is_not_refused(tmp_path: Path, link: str) -> None:
    export(str(tmp_path / "page.html"), "--link", link)


def test_the_server_gives_the_file_to_download(serve: Serve) -> None:
    client = serve()
    answer = client.get("/export?text=%3C%2Fscript%3E&layer=1&head=2")
    assert answer.status_code == 200
    assert "attachment" in answer.headers["content-disposition"]
    assert answer.headers["content-security-policy"].startswith("sandbox")
    assert 'data-file="?text=%3C%2Fscript%3E&amp;layer=1&amp;head=2"' in answer.text
    assert [model["name"] for model in boot(answer.text)["models"]] == ["shipped", "scratch"]


def test_a_step_of_a_film_and_a_network_of_ones_own_are_carried_exactly(
    serve: Serve, tmp_path: Path
) -> None:
    network = network_of(TASKS["copy"], {"mechanism": "gated", "steps": 10})
    fit([(Learner(TASKS["copy"], network), tmp_path / "mine")], lambda lane, point: None)
    client = serve(models=f"mine={tmp_path / 'mine'}")
    wanted = {
        "sister@400": load_checkpoint(SISTER, 400),
        "mine": load_checkpoint(tmp_path / "mine"),
    }
    for name, checkpoint in wanted.items():
        answer = client.get("/export", params={"model": name, "text": "ab"})
        assert answer.status_code == 200, answer.text
        carried = inside(answer.text)
        weights = load(out_of_planes(carried[f"{name}/model.safetensors"]))
        for key, tensor in checkpoint.model.state_dict().items():
            assert np.array_equal(weights[key], tensor.numpy())
        config = json.loads(carried[f"{name}/config.json"])
        assert config["transformer"] == asdict(checkpoint.model.config)
        model, scratch = boot(answer.text)["models"]
        assert (model["name"], scratch["name"]) == (name, "scratch")
        # the other steps are not in the file
        assert (model["film"], model["step"], model["sister"]) == (None, None, None)
        one = client.get("/export", params={"model": name, "text": "ab", "export": "recorded"})
        assert f"{name}/trace.safetensors" in inside(one.text)


def test_an_empty_file_has_no_model_but_the_mechanisms(serve: Serve) -> None:
    answer = serve().get("/export?export=empty&text=private")
    assert answer.status_code == 200
    assert [model["name"] for model in boot(answer.text)["models"]] == ["scratch"]
    assert "private" not in answer.text
    assert len(answer.content) < 2**20


@pytest.mark.parametrize(
    "model", ["none", "../../etc/passwd", "hub/id", "file:///etc/passwd", "%00"]
)
def test_a_request_names_no_path_and_no_hub_id(serve: Serve, model: str) -> None:
    answer = serve().get("/export", params={"text": "a", "model": model})
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "unknown_model"


def test_a_page_that_is_not_packed_says_what_to_do(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = release.current()
    plain = {path: found.files[path] for path in found.files if not path.startswith("packed/")}
    monkeypatch.setattr(
        "server.pages.export.file.current", lambda: release.Release(found.digest, plain)
    )
    answer = serve().get("/export?text=a")
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "not_packed"
    assert "scripts.pack" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("edit", "field"),
    [("intervention=zero~head.0.0", "interventions"), ("answer=entropy", "answer")],
)
def test_what_a_page_alone_cannot_compute_is_refused(serve: Serve, edit: str, field: str) -> None:
    answer = serve().get(f"/export?text=a&{edit}")
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert error["field"] == field and "without a server" in error["message"]


def test_a_saved_page_is_in_the_language_of_the_one_that_saved_it(
    serve: Serve,
) -> None:
    client = serve()
    page = client.get("/export?export=empty", headers={"Accept-Language": "ar"}).text
    assert '<html lang="ar" dir="rtl"' in page and "headlightTranslations" in page
    [script] = re.findall(r"<script>(Object.assign.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"sha256-{digest}&#39;" in page, "its policy allows it"
    english = client.get("/export?export=empty").text
    assert '<html lang="en"' in english and "headlightTranslations ??=" not in english

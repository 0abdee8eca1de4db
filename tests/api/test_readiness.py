"""/readyz depends on a test trace and on the model's files; the page reports problems, too."""

import html
import json
import re
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from fastapi.testclient import TestClient
from safetensors.torch import load_file, save_file

from model.sources.native import NativeSource
from model.sources.registry import Progress, Registry
from model.sources.scratch import ScratchSource
from model.sources.source import Inputs, Source
from model.trace.trace import Trace
from server.run import readiness
from server.run.readiness import TEST_INPUTS
from tests.api.conftest import Serve, Wrapped
from tests.api.test_error_shape import SECRET, assert_shape

pytestmark = pytest.mark.long


class Tried(Wrapped):
    """The tiny model, whose test traces are counted and changed."""

    def __init__(self, source: Source, change: Callable[[Trace], Trace] = lambda t: t) -> None:
        super().__init__(source)
        self._change = change
        self.trials = 0

    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        self.trials += inputs == TEST_INPUTS
        return self._change(super().trace(inputs, max_tokens=max_tokens))


def serving(serve: Serve, source: Source) -> TestClient:
    return serve(Registry({"tried": lambda progress: source}))


def page(client: TestClient) -> str:
    return html.unescape(client.get("/").text)


def not_ready(client: TestClient) -> str:
    message: str = assert_shape(client.get("/readyz"), 503, "not_ready")["message"]
    assert client.get("/healthz").status_code == 200
    assert client.get("/").status_code == 200
    return message


@pytest.fixture
def folder(tiny_folder: Path, tmp_path: Path) -> Path:
    """A copy of the model that a test may break."""
    return Path(shutil.copytree(tiny_folder, tmp_path / "copy"))


@pytest.fixture
def watchful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the files at every request."""
    monkeypatch.setattr(readiness, "FILE_CHECK_S", 0.0)


def test_the_model_is_tried_once_before_the_first_request(serve: Serve, tiny: Source) -> None:
    source = Tried(tiny)
    client = serving(serve, source)
    assert source.trials == 1
    assert client.get("/readyz").json() == {"status": "ok"}
    assert client.head("/readyz").status_code == 200
    assert source.trials == 1


def nan_in(name: str) -> Callable[[Trace], Trace]:
    def change(trace: Trace) -> Trace:
        site = trace.sites[1]
        broken = getattr(site, name).clone()
        broken[0, 1, 2, 0] = torch.nan
        return replace(trace, sites=(trace.sites[0], replace(site, **{name: broken})))

    return change


def no_numbers_at_the_end(trace: Trace) -> Trace:
    assert trace.stages is not None
    return replace(trace, stages=trace.stages * torch.nan)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (nan_in("q"), "layers.1.pattern has numbers that are not finite"),
        (nan_in("v"), "layers.1.z has numbers that are not finite"),
        (no_numbers_at_the_end, "not finite"),
    ],
)
def test_a_trace_that_is_not_finite_is_the_reason(
    serve: Serve, tiny: Source, change: Callable[[Trace], Trace], reason: str
) -> None:
    client = serving(serve, Tried(tiny, change))
    message = not_ready(client)
    assert message.startswith("Not ready: a trace of its model shipped failed: ")
    assert reason in message
    assert message.replace("Not ready", "This server is not ready", 1) in page(client)


def test_a_bug_in_the_test_trace_is_logged_but_not_shown(
    serve: Serve, tiny: Source, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(trace: Trace) -> Trace:
        raise RuntimeError(SECRET)

    client = serving(serve, Tried(tiny, fail))
    assert "unexpected error" in not_ready(client)
    assert SECRET not in client.get("/readyz").text + page(client)
    assert SECRET in caplog.text


def test_weights_that_are_not_finite_are_the_reason(serve: Serve, folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    weights["blocks.1.attention.w_o.weight"][2, 3] = torch.nan
    save_file(weights, folder / "model.safetensors")
    config = json.loads((folder / "config.json").read_text())
    del config["sha256"]
    (folder / "config.json").write_text(json.dumps(config))
    client = serve(shipped=folder)
    message = not_ready(client)
    assert message.startswith("Not ready: model.safetensors has numbers that are not finite")
    assert str(folder.parent) not in message  # the paths of the server's files stay private
    assert "numbers that are not finite" in page(client)
    response = client.post("/api/trace", json={"texts": ["a"]})
    assert "not finite" in assert_shape(response, 503, "bad_checkpoint")["message"]


def test_damaged_weights_are_the_reason(serve: Serve, folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-4] + b"\0\0\0\0")
    assert "model.safetensors is damaged" in not_ready(serve(shipped=folder))


def test_a_lost_folder_is_the_reason_until_it_is_back(
    serve: Serve, folder: Path, watchful: None
) -> None:
    client = serve(shipped=folder)
    assert client.get("/readyz").status_code == 200
    assert "not ready" not in page(client)
    folder.rename(folder.with_name("away"))
    message = not_ready(client)
    assert "config.json of its model shipped is no longer in its folder" in message
    assert "This server is not ready: config.json" in page(client)
    response = client.post("/api/trace", json={"texts": ["the cat"]})
    assert response.status_code == 200  # what is in memory still answers
    folder.with_name("away").rename(folder)
    assert client.get("/readyz").status_code == 200
    (folder / "model.safetensors").unlink()
    assert "model.safetensors of its model" in not_ready(client)


def test_files_are_not_looked_for_at_every_question(
    serve: Serve, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = serve(shipped=folder)
    monkeypatch.setattr(readiness, "FILE_CHECK_S", 3_600.0)
    assert client.get("/readyz").status_code == 200
    shutil.rmtree(folder)
    assert client.get("/readyz").status_code == 200
    monkeypatch.setattr(readiness, "FILE_CHECK_S", 0.0)
    assert client.get("/readyz").status_code == 503


def test_while_it_loads_it_says_how_far_and_then_tries_the_model(
    serve: Serve, tiny: NativeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.app.STARTUP_WAIT_S", 0.01)
    source, go = Tried(tiny), threading.Event()

    def load(progress: Progress) -> Source:
        progress(0.25)
        assert go.wait(30)
        return source

    client = serve(Registry({"slow": load}))
    assert not_ready(client) == "Not ready: its model slow is loading (25%)."
    assert "not ready" not in page(client)  # the page says how far it is
    go.set()
    assert client.post("/api/trace", json={"texts": ["the cat"]}).status_code == 200
    assert client.get("/readyz").status_code == 200
    assert source.trials == 1


def test_a_model_that_predicts_nothing_is_tried_as_well(serve: Serve) -> None:
    client = serve(Registry({"scratch": lambda progress: ScratchSource("scratch")}))
    assert client.get("/readyz").status_code == 200


def test_too_little_memory_is_said_with_what_would_do(
    serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    too_small = serve(memory_bytes=100_000_000)
    assert_shape(too_small.post("/api/trace", json={"texts": ["the cat"]}), 503, "short_of_memory")
    message = not_ready(too_small)
    assert "may use 100 MB" in message
    assert "before any request" in caplog.text
    enough = int(re.findall(r"HEADLIGHT_MEMORY_BYTES=(\d+)\.", message)[0])
    large = serve(memory_bytes=enough)
    assert large.get("/readyz").status_code == 200
    assert large.post("/api/trace", json={"texts": ["the cat"]}).status_code == 200

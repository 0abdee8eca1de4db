"""GET /api/models/{name}/heads: computed once, in the background, after waiting requests."""

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from model.analysis import PROBED, probe
from model.errors import CheckpointError, UnavailableError
from model.sources.native import NativeSource
from model.sources.registry import Progress, Registry
from model.sources.source import Source
from model.trace.trace import Trace
from server.api.schemas import HeadsResponse
from server.http.metrics import Metrics
from server.run.models import Models
from server.run.probes import Probes
from server.run.tracing import Workers
from server.run.tracing.workers import SHORT_S
from server.settings import Settings
from tests.api.conftest import Serve, Wrapped
from tests.api.test_error_shape import SECRET, assert_shape
from tests.api.test_tracing import metric, until

pytestmark = pytest.mark.long

PATH = "/api/models/stepped/heads"
ROWS = 16


class Stepped(Wrapped):
    """The tiny model, which runs a row of its probe only when the test allows it."""

    def __init__(self, source: NativeSource) -> None:
        super().__init__(source)
        self._permits = threading.Semaphore(0)
        self.rows = 0
        self.error: Exception | None = None

    def let(self, rows: int) -> None:
        self._permits.release(rows)

    def trace_ids(self, rows: Sequence[Sequence[int]]) -> Trace:
        self.rows += 1
        assert self._permits.acquire(timeout=30)
        if self.error is not None:
            raise self.error
        return super().trace_ids(rows)


@pytest.fixture
def stepped(tiny: NativeSource) -> Iterator[Stepped]:
    stepped = Stepped(tiny)
    yield stepped
    stepped.let(100 * ROWS)  # release anything that still waits


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make answers not wait for the probe."""
    monkeypatch.setattr("server.api.routes.api.LONG_POLL_S", 0.01)


def served(serve: Serve, source: Source, **settings: Any) -> TestClient:
    return serve(Registry({"stepped": lambda progress: source}), **settings)


def ended(client: TestClient, path: str = PATH) -> Any:
    until(lambda: client.get(path).status_code != 202)
    return client.get(path)


def test_scores_are_those_of_the_models_probe(client: TestClient, tiny: NativeSource) -> None:
    response = ended(client, "/api/models/shipped/heads")
    assert response.status_code == 200
    assert "retry-after" not in response.headers
    answer = response.json()
    HeadsResponse.model_validate(answer)
    assert set(answer) == set(HeadsResponse.model_fields)
    expected = probe(tiny)
    assert (answer["model"], answer["state"], answer["error"]) == ("shipped", "ready", None)
    assert answer["progress"] == {"done": ROWS, "total": ROWS}
    told = answer["probe"]
    assert told["description"] == expected.description
    assert (told["rows"], told["length"], told["copies"], told["seed"]) == (ROWS, 25, 2, 0)
    assert told["example"] == list(expected.example)
    assert [metric.described() for metric in PROBED] == answer["metrics"]
    assert answer["sink_share"] == pytest.approx(expected.sink_share)
    assert answer["heads"] == [asdict(head) for head in expected.heads]
    assert [(head["layer"], head["head"]) for head in answer["heads"]] == [
        (layer, head) for layer in range(2) for head in range(3)
    ]


@pytest.mark.usefixtures("impatient")
def test_progress_is_reported_until_it_is_ready(serve: Serve, stepped: Stepped) -> None:
    client = served(serve, stepped)
    for done in (0, 1, 2):
        until(lambda: client.get(PATH).json()["progress"]["done"] == done)  # noqa: B023
        response = client.get(PATH)
        assert response.status_code == 202
        assert response.headers["retry-after"] == "1"
        answer = response.json()
        HeadsResponse.model_validate(answer)
        assert (answer["state"], answer["heads"], answer["probe"]) == ("computing", None, None)
        assert answer["progress"] == {"done": done, "total": ROWS}
        assert len(answer["metrics"]) == len(PROBED)  # these are known in advance
        stepped.let(1)
    stepped.let(ROWS)
    assert ended(client).json()["state"] == "ready"


def test_answer_waits_for_what_is_nearly_ready(
    serve: Serve, stepped: Stepped, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.api.routes.api.LONG_POLL_S", 30)
    client = served(serve, stepped)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(client.get, PATH)
        until(lambda: stepped.rows == 1)
        stepped.let(ROWS)
        assert answer.result(30).status_code == 200


@pytest.mark.usefixtures("impatient")
def test_it_is_computed_once_however_many_ask(serve: Serve, stepped: Stepped) -> None:
    client = served(serve, stepped, concurrency=8)
    with ThreadPoolExecutor(8) as pool:
        early = list(pool.map(lambda _: client.get(PATH).status_code, range(8)))
    assert early == [202] * 8
    until(lambda: stepped.rows > 0)
    assert client.get(PATH).status_code == 202
    assert stepped.rows == 1
    stepped.let(10 * ROWS)
    first = ended(client)
    assert client.get(PATH).content == first.content
    assert stepped.rows == ROWS
    assert metric(client, "probes_computed_total") == 1


@pytest.mark.usefixtures("impatient")
def test_request_in_between_does_not_wait_for_the_whole_probe(
    serve: Serve, stepped: Stepped
) -> None:
    client = served(serve, stepped, queue_timeout_s=5)
    assert client.get(PATH).status_code == 202
    until(lambda: stepped.rows == 1)  # it holds the only slot
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(client.post, "/api/trace", json={"texts": ["a cat"]})
        until(lambda: metric(client, "queue") == 1)
        time.sleep(10 * SHORT_S)  # the row takes long enough for the request to get its turn
        stepped.let(1)
        assert answer.result(30).status_code == 200
    until(lambda: client.get(PATH).json()["progress"]["done"] == 1)  # of which it had a part
    assert stepped.rows <= 2  # nothing lets it go on


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("error", "told"),
    [
        (UnavailableError("This model takes too few tokens."), "This model takes too few tokens."),
        (RuntimeError(SECRET), "Something went wrong in the server; see its log."),
    ],
)
def test_failed_probe_says_why_and_is_not_tried_again(
    serve: Serve,
    stepped: Stepped,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    told: str,
) -> None:
    client = served(serve, stepped)
    stepped.error = error
    stepped.let(1)
    response = ended(client)
    assert response.status_code == 200
    answer = response.json()
    HeadsResponse.model_validate(answer)
    assert (answer["state"], answer["error"]) == ("failed", told)
    assert answer["heads"] is answer["probe"] is answer["sink_share"] is None
    assert str(error) in caplog.text
    stepped.error = None
    assert client.get(PATH).json() == answer
    assert stepped.rows == 1
    assert metric(client, "probes_computed_total") == 0
    # the slot is free again
    assert client.post("/api/trace", json={"texts": ["a"]}).status_code == 200


def test_model_that_cannot_be_loaded_is_a_503_and_tried_again(
    serve: Serve, tiny: NativeSource
) -> None:
    attempts: list[Exception] = []

    def load(progress: Progress) -> Source:
        if len(attempts) < 2:  # once when the server starts
            attempts.append(CheckpointError("Expected config.json in /models/x."))
            raise attempts[-1]
        return tiny

    client = serve(Registry({"late": load}))
    error = assert_shape(client.get("/api/models/late/heads"), 503, "bad_checkpoint")
    assert "/models" not in error["message"]
    assert ended(client, "/api/models/late/heads").json()["state"] == "ready"


@pytest.mark.usefixtures("impatient")
def test_model_that_is_still_loading_is_being_computed(serve: Serve, tiny: NativeSource) -> None:
    go = threading.Event()

    def load(progress: Progress) -> Source:
        assert go.wait(30)
        return tiny

    client = serve(Registry({"quick": lambda progress: tiny, "slow": load}))
    path = "/api/models/slow/heads"
    assert client.get(path).json()["progress"]["done"] == 0
    go.set()
    assert ended(client, path).json()["model"] == "slow"


def test_what_another_server_measured_is_there_at_once(
    serve: Serve, tiny: NativeSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADLIGHT_CACHE", str(tmp_path))
    first = ended(served(serve, tiny)).json()
    module = sys.modules["model.analysis.probe"]  # as an attribute it is the function
    monkeypatch.setattr(module, "probe", lambda *_: pytest.fail("it was computed again"))
    again = ended(served(serve, tiny)).json()
    assert again == first
    assert again["progress"] == {"done": ROWS, "total": ROWS}


def test_a_server_that_stops_ends_its_probe(stepped: Stepped) -> None:
    settings, metrics = Settings(), Metrics()
    models = Models(Registry({"stepped": lambda progress: stepped}), settings)
    probes = Probes(models, Workers(settings, metrics), metrics)
    run = probes.start("stepped")
    until(lambda: stepped.rows == 1)
    stop, [thread] = probes._stop, probes._threads
    with ThreadPoolExecutor(1) as pool:
        closed = pool.submit(probes.close)
        until(stop.is_set)
        stepped.let(1)
        closed.result(30)
    assert not thread.is_alive()
    assert stepped.rows == 1
    assert run.ended.done()
    assert run.found is None
    stepped.let(ROWS)
    again = probes.start("stepped")  # in case the app starts again
    until(again.ended.done)
    assert again.state == "ready"

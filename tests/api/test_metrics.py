"""/metrics: by route and status, and the sum of all workers."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.types import Receive, Scope, Send

from server.http.metrics import Metrics, _remove_dead_gauges
from server.http.middleware import Measure
from tests.api.conftest import Serve

TWO_WORKERS = """
import os, subprocess, sys
from server.http.metrics import Metrics
metrics = Metrics()
metrics.requests.labels("/", "200").inc(3)
metrics.queue.inc(2)
metrics.seconds.labels("/").observe(0.02)
if sys.argv[1:] == ["other"]:
    metrics.hits.inc(5)
    metrics.queue.inc()
    metrics.close()
else:
    subprocess.run([sys.executable, "-c", os.environ["PROGRAM"], "other"], check=True)
    print(metrics.exposition().decode())
"""


def samples(text: str) -> dict[str, float]:
    lines = (line.rpartition(" ") for line in text.splitlines() if line and line[0] != "#")
    return {name: float(value) for name, _, value in lines}


def read(client: TestClient) -> dict[str, float]:
    response = client.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    return samples(response.text)


def test_requests_are_counted_by_route_and_status(serve: Serve) -> None:
    client = serve()
    for path in ("/healthz", "/healthz", "/nothing", "/other", "/static/js/state/store.js"):
        client.get(path)
    for texts in (["a"], ["a"], []):
        client.post("/api/trace", json={"texts": texts})
    found = read(client)

    def requests(route: str, status: int) -> float:
        return found[f'headlight_requests_total{{route="{route}",status="{status}"}}']

    assert requests("/healthz", 200) == 2
    assert requests("unknown", 404) == 2  # clients cannot create labels
    assert requests("/static", 200) == 1
    assert (requests("/api/trace", 200), requests("/api/trace", 422)) == (2, 1)
    assert found['headlight_request_seconds_count{route="/api/trace"}'] == 3
    assert found["headlight_traces_computed_total"] == 1
    assert found["headlight_answers_remembered_total"] == 1


def test_workers_are_added_up_and_gauges_of_the_dead_forgotten(tmp_path: Path) -> None:
    environment = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "PROGRAM": TWO_WORKERS}
    ran = subprocess.run(
        [sys.executable, "-c", TWO_WORKERS],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    found = samples(ran.stdout)
    assert found['headlight_requests_total{route="/",status="200"}'] == 6
    assert found["headlight_cache_hits_total"] == 5
    assert found['headlight_request_seconds_count{route="/"}'] == 2
    assert found["headlight_queue"] == 2  # of three more, whose worker is gone


def test_the_gauges_of_a_killed_worker_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    process.wait()
    dead, alive = (tmp_path / f"gauge_livesum_{pid}.db" for pid in (process.pid, os.getpid()))
    counted = tmp_path / f"counter_{process.pid}.db"
    for file in (dead, alive, counted):
        file.touch()
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    _remove_dead_gauges(tmp_path)
    assert not dead.exists()
    assert alive.exists()
    assert counted.exists()  # what it counted stays counted


def test_a_scrape_forgets_killed_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    process.wait()
    dead = tmp_path / f"gauge_livesum_{process.pid}.db"
    dead.touch()
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    Metrics().exposition()
    assert not dead.exists()


def test_a_disconnected_client_does_not_count_as_a_server_error() -> None:
    metrics = Metrics()

    async def gone(scope: Scope, receive: Receive, send: Send) -> None:
        return None  # the client is gone, so nothing is sent

    scope = {"type": "http", "method": "GET", "path": "/"}
    asyncio.run(Measure(gone, metrics)(scope, None, None))  # type: ignore[arg-type]
    assert 'headlight_requests_total{route="unknown",status="499"} 1.0' in (
        metrics.exposition().decode()
    )

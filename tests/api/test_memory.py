"""Memory: caches are emptied near the limit; beyond it, requests are refused."""

import re
from pathlib import Path
from typing import Any

import pytest

from server.errors import BusyError
from server.run.tracing import memory
from server.run.tracing.memory import Memory, memory_limit
from tests.api.conftest import Serve
from tests.api.test_error_shape import assert_shape
from tests.api.test_tracing import metric

pytestmark = pytest.mark.long

MB = 10**6


def test_room_is_made_near_the_limit() -> None:
    resident, relieved = [800 * MB], []

    def relieve() -> None:
        relieved.append(True)
        resident[0] = 300 * MB

    watched = Memory(1_000 * MB, relieve, lambda: resident[0])
    watched.ensure(50 * MB)
    assert not relieved
    watched.ensure(150 * MB)
    assert relieved


def test_what_does_not_fit_is_refused_with_its_size() -> None:
    watched = Memory(1_000 * MB, lambda: None, lambda: 950 * MB)
    watched.ensure(40 * MB)
    with pytest.raises(BusyError, match="this needs about 60 MB") as raised:
        watched.ensure(60 * MB)
    assert raised.value.code == "short_of_memory"


def test_a_server_short_of_memory_refuses_and_empties_its_caches(serve: Serve) -> None:
    client = serve()
    assert client.post("/api/trace", json={"texts": ["a"]}).status_code == 200
    assert metric(client, "cache_bytes") > 0
    app: Any = client.app
    watched = app.state.tracer.memory
    watched.limit, watched._resident = 20 * MB, lambda: 20 * MB
    response = client.post("/api/trace", json={"texts": ["the"]})
    assert_shape(response, 503, "short_of_memory")
    assert int(response.headers["retry-after"]) >= 1
    assert metric(client, "cache_bytes") == metric(client, "answer_cache_bytes") == 0
    assert client.get("/healthz").status_code == client.get("/").status_code == 200


def test_a_request_larger_than_the_limit_itself_is_not_told_to_wait(serve: Serve) -> None:
    client = serve(memory_bytes=2 * MB)
    response = client.post("/api/trace", json={"texts": ["the cat " * 100] * 8})
    error = assert_shape(response, 422, "too_much_memory")
    assert error["limit"] == 2 * MB
    assert re.search(
        r"need about \d+ MB of memory; this server may use 2 MB in all. Send fewer or shorter",
        error["message"],
    )
    assert "retry-after" not in response.headers


@pytest.mark.parametrize(("content", "expected"), [("1000000", 400_000), ("max", None), ("", None)])
def test_limit_is_that_of_the_container(
    content: str, expected: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "memory.max"
    file.write_text(content)
    monkeypatch.setattr(memory, "CGROUPS", (tmp_path / "none", file))
    monkeypatch.setattr(memory, "_total", lambda: 10 * MB)
    assert memory_limit(None, workers=2) == (expected or 4 * MB)
    assert memory_limit(123, workers=2) == 123

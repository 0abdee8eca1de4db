"""What the server asks itself for a study, and what it keeps of the answers."""

import asyncio
import json

import pytest
from fastapi.testclient import TestClient

from headlight.http.steps import PAUSED, Call, Pause
from server.api import studies
from server.api.studies import Studies, _Known


def test_what_would_be_refused_over_http_is_refused_here(client: TestClient) -> None:
    service: Studies = client.app.state.studies  # type: ignore[attr-defined]
    for body, code, field in (
        ({"texts": 5}, "invalid_value", "texts"),
        (
            {"texts": ["a"], "analyse": {"edges": {"corrupted": "b", "pairs": []}}},
            "invalid_value",
            "analyse.edges.pairs",
        ),
        ({"texts": ["a"], "model": "nobody"}, "unknown_model", "model"),
    ):
        call = Call("POST", "/api/trace", json.dumps(body).encode())
        reply = asyncio.run(service._reply(call, ""))
        assert reply.status in (404, 422)
        error = json.loads(reply.content)["error"]
        assert (error["code"], error["field"]) == (code, field)
        assert client.post("/api/trace", json=body).json()["error"] == error
    assert asyncio.run(service._reply(Pause(0.0), "")) == PAUSED


def test_only_so_many_bytes_of_answers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "KEPT_BYTES", 50)
    known = _Known()
    for key in ("a", "b", "b", "c"):
        known.put(key, {"text": "x" * 10})  # 21 bytes
    assert known.get("a") is None
    assert known.get("b") == known.get("c") == {"text": "x" * 10}
    known.put("d", "y" * 60)
    assert [known.get(key) for key in "abcd"] == [None] * 4

"""Errors of Ray's own proxy, in our format."""

from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from server.cluster.edge import middlewares
from server.http.middleware import SecurityHeaders


def _behind(app: Any) -> TestClient:
    edge = Starlette(middleware=middlewares())
    edge.mount("/", app)
    return TestClient(edge, raise_server_exceptions=False)


@pytest.mark.parametrize("status", [404, 408, 500, 503])
def test_an_error_of_the_proxy_becomes_one_of_ours(status: int) -> None:
    answer = _behind(PlainTextResponse("Unexpected error.", status)).get("/")
    assert answer.status_code == 503 and int(answer.headers["retry-after"]) >= 1
    assert set(answer.json()["error"]) == {"code", "message", "field", "limit"}
    assert "content-security-policy" in answer.headers


def test_no_answer_at_all_becomes_one_of_ours() -> None:
    async def silent(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()

    assert _behind(silent).get("/").json()["error"]["code"] == "not_ready"


@pytest.mark.parametrize("status", [200, 404, 422])
def test_an_answer_of_the_app_stays_as_it_is(status: int) -> None:
    answer = _behind(SecurityHeaders(PlainTextResponse("mine", status))).get("/")
    assert (answer.status_code, answer.text) == (status, "mine")
    assert len(answer.headers.get_list("content-security-policy")) == 1

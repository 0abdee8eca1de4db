"""Every error has the same format, wherever it comes from, and repeats nothing of the request."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from model.errors import CheckpointError, HeadlightError
from model.sources.registry import Progress, Registry
from model.sources.source import Inputs, Source
from model.trace.trace import Trace
from tests.api.conftest import Serve, Wrapped

JSON = {"Content-Type": "application/json"}
SECRET = "hunter2"

ERRORS: list[tuple[str, str, dict[str, Any], int, str]] = [
    ("GET", f"/{SECRET}", {}, 404, "not_found"),
    ("GET", "/static/nothing.js", {}, 404, "not_found"),
    ("GET", "/static/../server/app.py", {}, 404, "not_found"),
    ("GET", "/static/%2e%2e/pyproject.toml", {}, 404, "not_found"),
    ("GET", "/vendor/secret.js", {}, 404, "not_found"),
    ("GET", "/api/trace", {}, 405, "method_not_allowed"),
    ("PUT", "/api/trace", {}, 405, "method_not_allowed"),
    ("DELETE", "/", {}, 405, "method_not_allowed"),
    ("POST", "/static/js/state/store.js", {}, 405, "method_not_allowed"),
    ("POST", "/api/trace", {}, 415, "unsupported_media_type"),
    ("POST", "/api/trace", {"content": b"{", "headers": JSON}, 400, "invalid_json"),
    ("POST", "/api/trace", {"content": b"\xff\xfe", "headers": JSON}, 400, "invalid_json"),
    ("POST", "/api/trace", {"content": b"[" * 200_000, "headers": JSON}, 400, "invalid_json"),
    ("POST", "/api/trace", {"content": b"9" * 9_999, "headers": JSON}, 400, "invalid_json"),
    ("POST", "/api/trace", {"content": b"null", "headers": JSON}, 422, "invalid_value"),
    ("POST", "/api/trace", {"content": b'["a"]', "headers": JSON}, 422, "invalid_value"),
    ("POST", "/api/trace", {"content": b"NaN", "headers": JSON}, 422, "invalid_value"),
    (
        "POST",
        "/api/trace",
        {"content": b'{"texts": ' + b"[" * 900 + b"]" * 900 + b"}", "headers": JSON},
        422,
        "invalid_value",
    ),
    ("POST", "/api/trace", {"json": {"texts": [[SECRET]]}}, 422, "invalid_value"),
    ("POST", "/api/trace", {"json": {"texts": ["a"], "model": 7}}, 422, "invalid_value"),
    ("POST", "/api/trace", {"json": {"texts": ["a"], "model": "gpt"}}, 404, "unknown_model"),
    ("GET", f"/api/models/{SECRET}/heads", {}, 404, "unknown_model"),
    ("GET", "/api/models/%ff%00%2e/heads", {}, 404, "unknown_model"),
    ("GET", "/api/models/shipped%2Fheads/heads", {}, 404, "not_found"),
    ("GET", "/api/models//heads", {}, 404, "not_found"),
    ("POST", "/api/models/shipped/heads", {}, 405, "method_not_allowed"),
    ("POST", "/api/trace", {"data": {"texts": SECRET}}, 415, "unsupported_media_type"),
    ("POST", "/api/trace", {"content": b"{}"}, 415, "unsupported_media_type"),
    (
        "POST",
        "/api/trace",
        {"content": b"{}", "headers": {"Content-Type": "text/plain"}},
        415,
        "unsupported_media_type",
    ),
    ("POST", "/api/trace", {"content": b" " * 300_000, "headers": JSON}, 413, "body_too_large"),
]


def assert_shape(response: Any, status: int, code: str) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    body = response.json()
    assert set(body) == {"error"}
    error: dict[str, Any] = body["error"]
    assert set(error) == {"code", "message", "field", "limit"}
    assert error["code"] == code
    assert len(error["message"]) > 20
    assert error["message"].endswith(".")
    assert error["field"] is None or isinstance(error["field"], str)
    assert error["limit"] is None or isinstance(error["limit"], int | float)
    assert response.headers["x-content-type-options"] == "nosniff"
    return error


@pytest.mark.parametrize(
    ("method", "path", "sent", "status", "code"),
    ERRORS,
    ids=[f"{e[0]}-{e[3]}-{e[4]}-{i}" for i, e in enumerate(ERRORS)],
)
def test_error_has_the_shape(
    client: TestClient, method: str, path: str, sent: dict[str, Any], status: int, code: str
) -> None:
    response = client.request(method, path, **sent)
    assert_shape(response, status, code)
    assert SECRET not in response.text
    assert "Traceback" not in response.text


def test_405_says_what_is_allowed(client: TestClient) -> None:
    assert client.get("/api/trace").headers["allow"] == "POST"
    assert client.post("/healthz").headers["allow"] == "GET"


def test_unknown_model_says_which_there_are(client: TestClient) -> None:
    response = client.post("/api/trace", json={"texts": ["a"], "model": "gpt"})
    error = assert_shape(response, 404, "unknown_model")
    assert error["field"] == "model"
    assert "shipped" in error["message"]


class Failing(Wrapped):
    """A source that always fails in the same way."""

    def __init__(self, source: Source, error: Exception) -> None:
        super().__init__(source)
        self._error = error

    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        raise self._error


def failing(source: Source, error: Exception) -> Registry:
    return Registry({"failing": lambda progress: Failing(source, error)})


def test_bug_is_a_500_that_gives_nothing_away(
    serve: Serve, tiny: Source, caplog: pytest.LogCaptureFixture
) -> None:
    client = serve(failing(tiny, RuntimeError(SECRET)))
    response = client.post("/api/trace", json={"texts": ["a"]})
    assert_shape(response, 500, "internal")
    assert SECRET not in response.text
    assert SECRET in caplog.text  # the log has the details


def test_error_of_no_known_kind_is_a_500(serve: Serve, tiny: Source) -> None:
    client = serve(failing(tiny, HeadlightError("Something that nobody has a name for.")))
    assert_shape(client.post("/api/trace", json={"texts": ["a"]}), 500, "error")


def test_model_that_cannot_be_loaded_is_a_503(serve: Serve) -> None:
    def load(progress: Progress) -> Source:
        raise CheckpointError("Expected config.json in /models/x, but it is missing.")

    client = serve(Registry({"lost": load}))
    response = client.post("/api/trace", json={"texts": ["a"]})
    error = assert_shape(response, 503, "bad_checkpoint")
    assert "/models" not in error["message"]  # the paths of the server's files stay private
    assert_shape(client.get("/readyz"), 503, "not_ready")
    assert client.get("/healthz").status_code == 200
    assert client.get("/").status_code == 200
    models = client.get("/api/models").json()["models"]
    assert (models[0]["name"], models[0]["state"], models[0]["n_layers"]) == (
        "lost",
        "failed",
        None,
    )

"""What applies to every route: security headers, HEAD, and the limit on bodies, chunked or not."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from tests.api.conftest import Serve

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'self'"
)
JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("HEAD", "/"),
        ("GET", "/docs"),
        ("GET", "/api/models"),
        ("GET", "/static/js/state/store.js"),
        ("GET", "/vendor/plotly.min.js"),
        ("GET", "/nothing"),
        ("POST", "/api/trace"),
        ("DELETE", "/"),
    ],
)
def test_every_answer_has_the_security_headers(client: TestClient, method: str, path: str) -> None:
    headers = client.request(method, path).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "SAMEORIGIN"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "path", ["/", "/docs", "/healthz", "/readyz", "/api/models", "/openapi.json", "/metrics"]
)
def test_head_is_get_without_the_body(client: TestClient, path: str) -> None:
    head, get = client.head(path), client.get(path)
    assert head.status_code == get.status_code == 200
    assert head.content == b""
    assert head.headers["content-type"] == get.headers["content-type"]


def test_head_of_what_cannot_be_got_is_405(client: TestClient) -> None:
    assert client.head("/api/trace").status_code == 405


def padded(n: int) -> bytes:
    body = b'{"texts": ["a"]}'
    return body + b" " * (n - len(body))


def test_body_of_just_the_limit_passes(serve: Serve) -> None:
    client = serve(max_body_bytes=1_000)
    for n, status in ((1_000, 200), (1_001, 413)):
        response = client.post("/api/trace", content=padded(n), headers=JSON)
        assert response.status_code == status
    assert response.json()["error"]["limit"] == 1_000


def test_chunked_body_is_cut_off_at_the_limit(serve: Serve) -> None:
    client = serve(max_body_bytes=1_000)
    sent = 0

    def chunks(n: int) -> Iterator[bytes]:
        nonlocal sent
        for start in range(0, n, 100):
            sent = start + 100
            yield padded(n)[start : start + 100]

    for n, status in ((1_000, 200), (1_100, 413)):
        response = client.post("/api/trace", content=chunks(n), headers=JSON)
        assert "content-length" not in response.request.headers
        assert (response.status_code, sent) == (status, n)
    assert response.json()["error"]["code"] == "body_too_large"


def test_length_that_is_no_number_is_survived(serve: Serve) -> None:
    client = serve(max_body_bytes=1_000)
    for length in ("-1", "1e9", "٣٣٣٣"):
        headers = [(b"Content-Type", b"application/json"), (b"Content-Length", length.encode())]
        response = client.post("/api/trace", content=padded(50), headers=headers)
        assert response.status_code in (200, 413)


@pytest.mark.parametrize("path", ["/", "/healthz", "/api/models", "/static/js/state/store.js"])
def test_no_route_meets_a_cookie_that_is_not_ours(
    client: TestClient, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FastAPI reads the cookies of every request, in quadratic time: 50 KB of these took 40 s."""
    seen: list[str] = []

    def unquote(value: str) -> str:
        seen.append(value)
        return value

    monkeypatch.setattr("http.cookies._unquote", unquote)
    hostile = 'other="' + "\\" * 50_000 + '"'
    cookies = f'{hostile}; headlight_participant="\\\\"; headlight_participant=mine; {hostile}'
    assert client.get(path, headers={"Cookie": cookies}).status_code == 200
    assert set(seen) <= {"mine"}

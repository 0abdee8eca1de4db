"""Who may show the server in a frame, or call it from a script: only the named origins."""

import pytest
from fastapi.testclient import TestClient
from pydantic import ValidationError

from server.http.guard import origins
from server.http.guard.origins import origin_of
from server.settings import Settings
from tests.api.conftest import Serve

pytestmark = pytest.mark.long

BLOG = "https://blog.example.org"
SLIDES = "http://localhost:8080"
EVIL = "https://evil.example"
NOTES = "https://notebook.example.org"


@pytest.fixture
def opened(serve: Serve) -> TestClient:
    """A server that is open to two origins, and whose API is open to a third."""
    return serve(frame_ancestors=f"{BLOG}, {SLIDES}", cors_origins=NOTES)


def framed(client: TestClient, path: str, by: str | None, **headers: str) -> None:
    """Ask for a page as a browser does for a frame."""
    sent = {"Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "cross-site", **headers}
    referer = {} if by is None else {"Referer": by}
    client.get(path, headers={**sent, **referer}).raise_for_status()


def ancestors(client: TestClient, path: str) -> tuple[str, str | None]:
    """The frame-ancestors of a page, and its older counterpart."""
    headers = client.get(path).headers
    return headers["content-security-policy"].rpartition("; ")[2], headers.get("x-frame-options")


CLOSED = "frame-ancestors 'self'", "SAMEORIGIN"


@pytest.mark.parametrize("path", ["/", "/embed", "/learn", "/nothing", "/api/models"])
def test_without_the_setting_only_this_server_frames_itself(client: TestClient, path: str) -> None:
    assert ancestors(client, path) == CLOSED


def test_the_setting_opens_one_page_and_no_other(opened: TestClient) -> None:
    assert ancestors(opened, "/embed?text=a") == (f"frame-ancestors 'self' {BLOG} {SLIDES}", None)
    for path in ("/", "/learn", "/embed/", "/static/css/base.css", "/api/models", "/export"):
        assert ancestors(opened, path) == CLOSED, path


def test_the_old_policy_never_contradicts_the_new_one(opened: TestClient) -> None:
    """The rest of the content policy is the one of all pages."""
    policies = [opened.get(path).headers["content-security-policy"] for path in ("/", "/embed")]
    assert policies[1] == f"{policies[0]} {BLOG} {SLIDES}"


def test_embed_is_the_inspector_in_another_depth(opened: TestClient) -> None:
    page = opened.get("/embed").text
    assert 'data-depth="embed"' in page and f'["{BLOG}", "{SLIDES}"]' in page
    assert 'data-depth="embed"' not in opened.get("/").text


def test_a_refused_frame_is_named_in_the_log_once(
    opened: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(3):
        framed(opened, "/embed?text=private", f"{EVIL}/page?q=1")
    framed(opened, "/embed", "https://EVIL.example:443/")
    framed(opened, "/embed", f"{BLOG}/")
    framed(opened, "/embed", "http://testserver/own", **{"Sec-Fetch-Site": "same-origin"})
    assert len(caplog.messages) == 1
    assert EVIL in caplog.text and "HEADLIGHT_FRAME_ANCESTORS" in caplog.text
    assert "private" not in caplog.text


def test_what_else_can_be_refused_is_named_too(
    opened: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    framed(opened, "/?text=a", f"{BLOG}/")
    assert "Only /embed" in caplog.messages.pop() and BLOG in caplog.text
    framed(opened, "/embed", None)
    assert "does not tell" in caplog.text
    # over plain http, a browser does not say that it asks for a frame
    opened.get("/embed", headers={"Referer": "http://10.0.0.7/course/"})
    assert "http://10.0.0.7 " in caplog.text


def test_a_link_or_a_visit_is_no_frame(
    opened: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    for path, headers in (
        ("/embed", {"Referer": f"{EVIL}/", "Sec-Fetch-Dest": "document"}),
        ("/", {"Referer": f"{EVIL}/"}),
        ("/embed", {}),
    ):
        opened.get(path, headers=headers)
    assert caplog.messages == []


def test_a_name_that_is_no_origin_never_reaches_the_log(
    opened: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    framed(opened, "/embed", "https://a b\\nFAKE LINE/")
    framed(opened, "/embed", "javascript:FAKE")
    assert len(caplog.messages) == 1 and "FAKE" not in caplog.text


def test_a_flood_of_origins_does_not_flood_the_log(
    opened: TestClient, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(origins, "MAX_NAMED", 3)
    for number in range(10):
        framed(opened, "/embed", f"https://{number}.example/")
    assert len(caplog.messages) == 4 and "further ones" in caplog.messages[-1]


def test_a_named_origin_may_call_the_api(opened: TestClient) -> None:
    asked = {"Access-Control-Request-Method": "POST", "Origin": NOTES}
    preflight = opened.options("/api/trace", headers=asked)
    assert preflight.status_code == 204
    assert preflight.headers["access-control-allow-origin"] == NOTES
    assert "Content-Type" in preflight.headers["access-control-allow-headers"]
    for answer in (
        opened.get("/api/models", headers={"Origin": NOTES}),
        opened.post("/api/trace", json={"texts": ["a"]}, headers={"Origin": NOTES}),
        opened.post("/api/trace", json={"texts": []}, headers={"Origin": NOTES}),  # 422
    ):
        assert answer.headers["access-control-allow-origin"] == NOTES
        assert answer.headers["access-control-expose-headers"] == "Retry-After"
        assert "access-control-allow-credentials" not in answer.headers
        assert "Origin" in answer.headers["vary"]


def test_only_the_api_is_opened(opened: TestClient) -> None:
    for path in ("/", "/embed", "/static/css/base.css", "/export", "/metrics"):
        answer = opened.get(path, headers={"Origin": NOTES})
        assert "access-control-allow-origin" not in answer.headers, path


@pytest.mark.parametrize("origin", [EVIL, "null", "http://notebook.example.org", f"{NOTES}.evil"])
def test_any_other_origin_gets_no_answer_to_read(
    opened: TestClient, caplog: pytest.LogCaptureFixture, origin: str
) -> None:
    for _ in range(2):
        answer = opened.get("/api/models", headers={"Origin": origin})
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert "Origin" in answer.headers["vary"]  # so that no cache mixes them
    asked = {"Access-Control-Request-Method": "POST", "Origin": origin}
    assert opened.options("/api/trace", headers=asked).status_code == 405
    assert len(caplog.messages) == 1
    assert "HEADLIGHT_CORS_ORIGINS" in caplog.text and f" {origin} " in caplog.text


def test_without_the_setting_no_script_elsewhere_reads_anything(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    """Its own pages send an Origin, too, which a proxy may have given another scheme."""
    for origin in ("http://testserver", "https://testserver"):
        answer = client.post("/api/trace", json={"texts": ["a"]}, headers={"Origin": origin})
        assert answer.status_code == 200 and "access-control-allow-origin" not in answer.headers
    assert caplog.messages == []
    assert client.get("/api/models", headers={"Origin": EVIL}).is_success
    assert EVIL in caplog.text


def test_a_script_gets_past_a_password_with_a_header(serve: Serve) -> None:
    client = serve(cors_origins=NOTES, password="long enough")
    asked = {"Access-Control-Request-Method": "POST", "Origin": NOTES}
    preflight = client.options("/api/trace", headers=asked)  # which carries no password
    assert preflight.status_code == 204
    assert "Authorization" in preflight.headers["access-control-allow-headers"]
    refused = client.get("/api/models", headers={"Origin": NOTES})
    assert refused.status_code == 401
    assert refused.headers["access-control-allow-origin"] == NOTES  # so that it can read why


def test_a_password_is_not_asked_for_in_a_frame(serve: Serve) -> None:
    """The cookie would not reach a frame in another site's page."""
    client = serve(frame_ancestors=BLOG, password="long enough")
    html = {"Accept": "text/html"}
    frame = client.get("/embed?text=a&head=1", headers={**html, "Sec-Fetch-Dest": "iframe"})
    assert frame.status_code == 401 and BLOG in frame.headers["content-security-policy"]
    assert "<form" not in frame.text
    assert 'href="/?text=a&amp;head=1" target="_blank"' in frame.text
    whole = client.get("/embed?text=a", headers={**html, "Sec-Fetch-Dest": "document"})
    assert "<form" in whole.text and 'target="_blank"' not in whole.text


def test_origins_are_written_as_browsers_write_them() -> None:
    given = "HTTPS://Blog.Example.org:443, http://[::1]:80, http://localhost:80, " + SLIDES
    found = Settings(frame_ancestors=given).frame_ancestors  # type: ignore[arg-type]
    assert found == (BLOG, "http://[::1]", "http://localhost", SLIDES)
    assert Settings(cors_origins="").cors_origins == ()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "entry",
    [
        *("*", "blog.example.org", f"{BLOG}/", f"{BLOG}/path", "https://*.example.org", "null"),
        *("https://", "ftp://a.example", "https://a; script-src *", "https://ü.example", "'self'"),
    ],
)
@pytest.mark.parametrize("setting", ["frame_ancestors", "cors_origins"])
def test_what_is_no_origin_is_refused_at_the_start(setting: str, entry: str) -> None:
    with pytest.raises(ValidationError, match="expected origins like"):
        Settings.model_validate({setting: f"{BLOG}, {entry}"})


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://a.example/x?y#z", "https://a.example"),
        ("http://A.example:8080?x", "http://a.example:8080"),
        ("https://user@a.example/", None),
        ("https://a.example\\@b.example/", None),
        ("about:blank", None),
        ("", None),
    ],
)
def test_origin_of_a_url(url: str, origin: str | None) -> None:
    assert origin_of(url) == origin

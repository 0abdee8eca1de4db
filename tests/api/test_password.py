"""One password for the whole server: without it, every request asks for it."""

import base64
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import ValidationError

from server.app import create_app
from server.http.guard import password as module
from server.http.guard.password import COOKIE, SKEW_S, VALID_S, Keys
from server.settings import Settings
from tests.api.conftest import Serve
from tests.api.test_error_shape import assert_shape

PASSWORD = "Überraschung 7"
HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
CLOSED = [
    "/api/models",
    "/static/js/state/store.js",
    "/docs",
    "/openapi.json",
    "/metrics",
    "/learn",
]


@pytest.fixture(scope="module")
def running(tiny_folder: Path) -> Iterator[TestClient]:
    """The server, which answers wrong passwords at once."""
    app = create_app(Settings(shipped=tiny_folder, password=PASSWORD))  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PAUSE_S", 0)
        with TestClient(app, follow_redirects=False) as client:
            yield client


@pytest.fixture
def client(running: TestClient) -> TestClient:
    """A browser without cookies."""
    running.cookies.clear()
    return running


def enter(client: TestClient, password: str, path: str = "/", **headers: str) -> Any:
    """Send the page's form, as a browser does."""
    return client.post(path, data={"password": password}, headers=HTML | headers)


def basic(password: str) -> str:
    return "Basic " + base64.b64encode(f"me:{password}".encode()).decode()


@pytest.mark.parametrize("path", [*CLOSED, "/", "/nothing", "/vendor/plotly.min.js"])
def test_nothing_is_answered_without_it(client: TestClient, path: str) -> None:
    response = client.get(path)
    error = assert_shape(response, 401, "password_required")
    assert "Authorization: Bearer" in error["message"]
    assert response.headers["www-authenticate"] == 'Bearer realm="Headlight"'
    assert response.headers["cache-control"] == "no-store"
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert_shape(client.request(method, path), 401, "password_required")
    assert client.head(path).status_code == 401


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_an_orchestrator_needs_no_password(client: TestClient, path: str) -> None:
    assert client.get(path).json() == {"status": "ok"}
    assert client.head(path).status_code == 200
    assert client.get(f"{path}/").status_code == 401


def test_without_the_setting_nobody_is_asked(serve: Serve) -> None:
    for password in (None, "", "  "):
        client = serve(password=password)
        assert client.get("/api/models").status_code == 200
        assert enter(client, "anything").status_code == 405


def test_a_browser_is_asked_on_a_page_and_let_in_for_good(client: TestClient) -> None:
    address = "/?text=The+cat%20sat.&layer=1"
    page = client.get(address, headers=HTML)
    assert page.status_code == 401
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "form-action 'self'" in page.headers["content-security-policy"]
    assert "Accept" in page.headers["vary"] and page.headers["cache-control"] == "no-store"
    assert '<label for="password">' in page.text and 'role="alert"' not in page.text
    assert "<script" not in page.text and "src=" not in page.text
    assert page.text.count("href=") == page.text.count('href="?') > 0, "to itself, in a language"
    entered = enter(client, PASSWORD, address)
    assert (entered.status_code, entered.headers["location"]) == (303, address)
    [cookie] = [c for c in entered.headers.get_list("set-cookie") if c.startswith(COOKIE)]
    assert cookie.endswith("; Path=/; HttpOnly; SameSite=Lax")
    assert PASSWORD not in cookie
    for path in (*CLOSED, address):
        assert client.get(path, headers=HTML).status_code == 200, path
    assert client.post("/api/trace", json={"texts": ["the cat"]}).status_code == 200
    assert "problem" not in client.get("/api/models").cookies


def test_the_form_of_another_tab_leads_to_its_page(client: TestClient) -> None:
    enter(client, PASSWORD)
    entered = enter(client, "whatever", "/learn")
    assert (entered.status_code, entered.headers["location"]) == (303, "/learn")


def test_under_tls_the_cookie_stays_there(client: TestClient) -> None:
    response = client.post("https://testserver/", data={"password": PASSWORD}, headers=HTML)
    assert "; Secure" in response.headers["set-cookie"]


def test_a_wrong_password_is_answered_in_words(client: TestClient) -> None:
    for wrong in ("", "überraschung 7", PASSWORD + "x", PASSWORD[:-1], "\0", "ü" * 100):
        page = enter(client, wrong)
        assert page.status_code == 401
        assert 'role="alert">Wrong password.' in page.text
        assert 'aria-describedby="problem"' in page.text
        assert COOKIE not in page.headers.get("set-cookie", "")
        assert wrong == "" or wrong not in page.text
    assert client.get("/api/models").status_code == 401


def test_spaces_around_it_and_how_it_is_composed_do_not_matter(client: TestClient) -> None:
    assert enter(client, " U\u0308berraschung 7\n").status_code == 303


@pytest.mark.parametrize(
    "path", ["//evil.example/x", "/\\evil.example", "///evil.example", "/%5Cevil.example"]
)
def test_the_way_back_stays_here(client: TestClient, path: str) -> None:
    # the client would resolve the path: send it unchanged
    response = client.post("http://testserver" + path, data={"password": PASSWORD}, headers=HTML)
    assert response.status_code == 303
    location = response.headers["location"]
    assert location.startswith("/") and not location.startswith(("//", "/\\"))


@pytest.mark.parametrize(
    "content",
    [b"", b"password", b"=&=", b"password=%ff%fe", b"a&" * 1_000, b"password=" + b"x" * 10_000],
)
def test_a_form_that_makes_no_sense_is_a_wrong_one(client: TestClient, content: bytes) -> None:
    headers = HTML | {"Content-Type": "application/x-www-form-urlencoded"}
    assert client.post("/", content=content, headers=headers).status_code == 401


def test_a_form_of_another_site_is_not_looked_at(client: TestClient) -> None:
    response = enter(client, PASSWORD, **{"Sec-Fetch-Site": "cross-site"})
    assert response.status_code == 403
    assert "set-cookie" not in response.headers or COOKIE not in response.headers["set-cookie"]


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER "])
def test_a_program_sends_it_as_bearer(client: TestClient, scheme: str) -> None:
    sent = f"{scheme} {PASSWORD}".encode()
    assert client.get("/api/models", headers={b"Authorization": sent}).status_code == 200
    response = client.get("/api/models", headers={b"Authorization": sent + b"x"})
    assert "The password is wrong" in assert_shape(response, 401, "password_required")["message"]


def test_a_program_sends_it_as_basic(client: TestClient) -> None:
    for sent, status in {
        basic(PASSWORD): 200,
        basic("x:" + PASSWORD): 401,
        basic(PASSWORD + "x"): 401,
        "Basic": 401,
        "Basic !": 401,
        "Basic /w==": 401,
        "Digest x": 401,
        "": 401,
    }.items():
        response = client.get("/api/models", headers={"Authorization": sent})
        assert response.status_code == status, sent


def test_a_program_that_posts_a_form_gets_a_json_error(client: TestClient) -> None:
    response = client.post("/api/trace", data={"password": PASSWORD})
    assert_shape(response, 401, "password_required")


def test_the_right_password_is_taken_whoever_guesses_wrong(
    serve: Serve, client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    client = serve(password=PASSWORD)  # which has told nobody yet
    for _ in range(module.MANY + 5):
        assert enter(client, "wrong").status_code == 401
    response = client.get("/api/models", headers={"Authorization": basic("wrong")})
    assert_shape(response, 401, "password_required")
    told = [record for record in caplog.records if "guesses passwords" in record.getMessage()]
    assert len(told) == 1
    authorized = {"Authorization": basic(PASSWORD)}
    assert client.get("/api/models", headers=authorized).status_code == 200
    assert enter(client, PASSWORD).status_code == 200


def test_a_wrong_password_is_answered_after_a_pause(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PAUSE_S", 0.1)
    begin = time.monotonic()
    enter(client, "wrong")
    assert time.monotonic() - begin >= module.PAUSE_S


@pytest.mark.parametrize(
    "value",
    ["", ".", "..", "1.2.3", "a.b.c", "9" * 5_000, "1.x." + "A" * 44, '"', "ü.ü.ü", "\\" * 100],
)
def test_a_forged_cookie_is_rejected(client: TestClient, value: str) -> None:
    headers = {b"Cookie": f"{COOKIE}={value}".encode()}
    assert client.get("/api/models", headers=headers).status_code == 401


def test_a_cookie_ends_with_its_week_or_its_password() -> None:
    now = 1e9
    keys = Keys(PASSWORD, lambda: now)
    value = keys.cookie()
    assert value != keys.cookie()
    assert keys.accepts_cookie(value) and Keys(PASSWORD, lambda: now).accepts_cookie(
        value
    )  # any worker
    assert not Keys(PASSWORD + "!", lambda: now).accepts_cookie(value)
    assert not keys.accepts_cookie(value[:-1]) and not keys.accepts_cookie("2" + value[1:])
    now = 1e9 + VALID_S - 1
    assert keys.accepts_cookie(value)
    now = 1e9 + VALID_S
    assert not keys.accepts_cookie(value)
    now = 1e9 - SKEW_S - 1
    assert not keys.accepts_cookie(value)


def test_it_is_never_logged_or_shown(
    client: TestClient, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    enter(client, PASSWORD)
    enter(client, PASSWORD + "x")
    client.get("/api/models", headers={"Authorization": basic(PASSWORD)})
    settings = Settings(password=PASSWORD)  # type: ignore[arg-type]
    shown = "".join([caplog.text, *capsys.readouterr(), repr(settings), settings.model_dump_json()])
    assert "berraschung" not in shown


@pytest.mark.parametrize("password", ["too short", "x" * 201])
def test_a_password_that_is_easily_guessed_is_refused(password: str) -> None:
    with pytest.raises(ValidationError, match="expected 10 to 200 characters"):
        Settings(password=password)  # type: ignore[arg-type]

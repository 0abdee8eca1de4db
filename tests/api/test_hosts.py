"""The host names that the server answers to, so that other sites cannot point theirs at it."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import ValidationError

from server.app import create_app
from server.http.guard.hosts import AllowedHosts, full_name, host_of
from server.settings import Settings
from tests.api.conftest import Serve
from tests.api.test_error_shape import assert_shape

MACHINE = socket.gethostname()
OURS = [
    *("localhost", "LOCALHOST", "localhost.", "localhost:8000", "inner.localhost", "127.0.0.1"),
    *("127.0.0.1:80", "10.20.30.40:8000", "[::1]", "[::1]:8000", "[fe80::1]", "0.0.0.0"),
    *(MACHINE, MACHINE.upper(), f"{MACHINE.partition('.')[0]}.local:8000"),
]
OTHERS = [
    *("evil.example", "localhost.evil.example", "evillocalhost", "127.0.0.1.evil.example"),
    *("", " ", "[::1", "::1", "[evil.example]", "1.2.3", "127.0.0.1@evil.example", "localhost:x"),
    *("localhost:800000", "localhost/", "a" * 64, "a." * 40 + "a", "testserver.evil.example"),
    *("ex%41mple.org", "localhost\x7f", "localhost,evil.example"),
]


@pytest.fixture(scope="module")
def client(tiny_folder: Path) -> Iterator[TestClient]:
    """An app without the setting."""
    app = create_app(Settings(shipped=tiny_folder, allowed_hosts=()))
    with TestClient(app) as client:
        yield client


def get(client: TestClient, host: str, path: str = "/healthz") -> Any:
    return client.get(path, headers={"Host": host})


@pytest.mark.parametrize("host", OURS)
def test_an_address_or_a_name_of_this_machine_is_answered(client: TestClient, host: str) -> None:
    assert get(client, host).status_code == 200


@pytest.mark.parametrize("host", OTHERS)
@pytest.mark.parametrize("path", ["/healthz", "/", "/api/models", "/static/js/state/store.js"])
def test_any_other_name_is_refused(client: TestClient, host: str, path: str) -> None:
    response = get(client, host, path)
    error = assert_shape(response, 421, "unknown_host")
    assert "HEADLIGHT_ALLOWED_HOSTS" in error["message"]
    assert "evil" not in response.text
    assert "form-action 'self'" in response.headers["content-security-policy"]


def test_names_of_the_setting_are_answered(serve: Serve) -> None:
    client = serve(allowed_hosts="Headlight.Example.org, .school.example")
    for host, status in {
        "headlight.example.org:8000": 200,
        "HEADLIGHT.example.org.": 200,
        "a.school.example": 200,
        "a.b.school.example": 200,
        "school.example": 421,
        "myschool.example": 421,
        "other.example.org": 421,
        "127.0.0.1": 200,
    }.items():
        assert get(client, host).status_code == status, host


def test_a_star_is_any_name(serve: Serve) -> None:
    client = serve(allowed_hosts="*")
    for host in ("evil.example", "", "%"):
        assert get(client, host).status_code == 200


@pytest.mark.parametrize(
    "name",
    ["http://example.org", "example.org:8000", "example.org/", "a b", "*.example.org", ".", "ü"],
)
def test_what_is_no_name_is_refused_at_the_start(name: str) -> None:
    with pytest.raises(ValidationError, match="without scheme, port or path"):
        Settings(allowed_hosts=name)  # type: ignore[arg-type]  # as it stands in a variable


@pytest.mark.parametrize(
    ("hosts", "ours"), [([], True), ([b"localhost"], True), ([b"localhost", b"localhost"], False)]
)
def test_two_hosts_are_one_too_many(hosts: list[bytes], ours: bool) -> None:
    guarded = AllowedHosts(None, ())  # type: ignore[arg-type]
    assert guarded._is_ours({"headers": [(b"host", host) for host in hosts]}) is ours


def test_the_full_name_is_learned_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getfqdn", lambda: "Machine.School.Example.")
    full_name.cache_clear()
    guarded = AllowedHosts(None, ())  # type: ignore[arg-type]
    guarded._add_full_name()
    full_name.cache_clear()
    assert guarded._is_ours({"headers": [(b"host", b"machine.school.example")]})


@pytest.mark.parametrize(
    ("header", "host"),
    [
        ("A.b:1", "a.b"),
        ("a.", "a"),
        ("[::1]:2", "::1"),
        ("a:b", None),
        ("a_b", "a_b"),
        (":1", None),
    ],
)
def test_host_of_a_header(header: str, host: str | None) -> None:
    assert host_of(header) == host

"""A class with a teacher and people, on a server of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from server.app import create_app
from server.settings import Settings

HEADER = "X-Headlight-Class"
VOTE = {"text": "Where does “herself” look?", "choices": ["saw", "Maria"], "correct": 1}


class Caller:
    """Somebody with a token in a class."""

    def __init__(self, client: TestClient, code: str, token: str) -> None:
        self.client, self.code, self.token = client, code, token

    def ask(self, method: str, path: str = "", json: Any = None, status: int | None = None) -> Any:
        """A response's JSON, after checking its status."""
        address = f"/api/classes/{self.code}{path}"
        answer = self.client.request(method, address, json=json, headers={HEADER: self.token})
        if status is None:
            assert answer.is_success, answer.text
        else:
            assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    def document(self, **query: Any) -> Any:
        return self.ask("GET", f"?{'&'.join(f'{k}={v}' for k, v in query.items())}")


Joining = Callable[..., Caller]


@pytest.fixture
def classes(tiny_folder: Path, tmp_path: Path) -> Iterator[Callable[..., TestClient]]:
    """Start servers that share one store, as workers do."""
    started: list[TestClient] = []

    def start(**settings: Any) -> TestClient:
        store = str(tmp_path / "store")
        given = {"shipped": tiny_folder, "classes": "on", "class_store": store, **settings}
        app = create_app(Settings(**given))
        client = TestClient(app, raise_server_exceptions=False).__enter__()
        started.append(client)
        return client

    yield start
    for client in started:
        client.__exit__(None, None, None)


@pytest.fixture
def teacher(classes: Callable[..., TestClient]) -> Caller:
    client = classes()
    opened = client.post("/api/classes", json={}).json()
    return Caller(client, opened["code"], opened["secret"])


@pytest.fixture
def join(teacher: Caller) -> Joining:
    """Somebody who joins the teacher's class; `join("Ada")` has a nickname."""

    def join(nickname: str | None = None, client: TestClient | None = None) -> Caller:
        client = client or teacher.client
        address = f"/api/classes/{teacher.code}/participants"
        joined = client.post(address, json={"nickname": nickname})
        assert joined.status_code == 201, joined.text
        return Caller(client, teacher.code, joined.json()["token"])

    return join

"""A store that is damaged, gone or full: 503 with the reason, and nothing is lost."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from server.classes.stores.sqlite import FILE
from server.classes.stores.store import Store
from tests.api.classes.conftest import VOTE, Caller, Joining

Starts = Callable[..., TestClient]


def refused(client: TestClient, words: str) -> None:
    """Both a request and the readiness say why."""
    opened = client.post("/api/classes", json={})
    assert (opened.status_code, opened.json()["error"]["code"]) == (503, "store_fails")
    assert words in opened.json()["error"]["message"]
    assert int(opened.headers["retry-after"]) >= 1
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["error"]["code"]) == (503, "not_ready")
    assert words in ready.json()["error"]["message"]


def test_a_damaged_store_is_said_at_the_start_and_can_be_replaced(
    classes: Starts, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    (folder / FILE).write_bytes(b"no database" * 1_000)
    with caplog.at_level(logging.ERROR, logger="headlight"):
        client = classes()
    assert "their file is damaged" in caplog.text
    refused(client, "damaged")
    (folder / FILE).rename(folder / "damaged")
    assert client.post("/api/classes", json={}).status_code == 201
    assert client.get("/readyz").status_code == 200


def test_a_folder_that_cannot_be_written_is_said(classes: Starts, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused(classes(class_store=str(tmp_path / "file" / "folder")), "HEADLIGHT_CLASS_STORE names")


def test_a_store_that_is_gone_comes_back_with_what_it_had(
    teacher: Caller, join: Joining, tmp_path: Path
) -> None:
    person, folder = join("Ada"), tmp_path / "store"
    folder.rename(tmp_path / "moved")
    refused(teacher.client, "no longer in its folder")
    person.ask("GET", status=503)
    (tmp_path / "moved").rename(folder)
    assert teacher.client.get("/readyz").status_code == 200
    assert person.document()["people"] == 1


def test_another_file_in_its_place_is_read(teacher: Caller, tmp_path: Path) -> None:
    store = tmp_path / "store"
    for file in store.iterdir():
        file.rename(tmp_path / file.name)
    refused(teacher.client, "no longer in its folder")
    (tmp_path / "new").mkdir()
    (store / FILE).write_bytes(b"")  # as a restarted worker makes it
    teacher.ask("GET", status=404)
    assert teacher.client.get("/readyz").status_code == 200


def test_a_full_disk_loses_no_answer(teacher: Caller, join: Joining) -> None:
    people = [join(), join()]
    teacher.ask("POST", "/activities", {"kind": "vote", "question": VOTE})
    people[0].ask("PUT", "/answers/a1/0", {"choice": 1})
    at_most(teacher, 1)
    grown = {"title": "x", "steps": [{"title": "y", "notes": "n" * 4_000}] * 50}
    error = teacher.ask("PUT", "/plan", grown, status=503)["error"]
    assert "disk is full" in error["message"]
    refused_ready = teacher.client.get("/readyz")
    assert "disk is full" in refused_ready.json()["error"]["message"]
    assert people[0].document()["mine"]["a1"]  # what is there can be read
    at_most(teacher, 1_000_000)
    people[1].ask("PUT", "/answers/a1/0", {"choice": 0})
    assert teacher.client.get("/readyz").status_code == 200
    assert teacher.document(desk=1)["desk"]["answered"] == 2


def at_most(teacher: Caller, pages: int) -> None:
    """SQLite says that a disk is full where its file may not grow, either."""

    def limit(store: Store) -> Any:
        store._db.execute(f"PRAGMA max_page_count = {pages}")  # type: ignore[attr-defined]

    portal = teacher.client.portal
    assert portal is not None
    portal.call(teacher.client.app.state.room.run, limit)  # type: ignore[attr-defined]

"""`headlight class` after a restart: it goes on with the class that is there, and says so."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.classes.codes import digest
from server.classes.room import open_class
from server.classes.session import Person, now_ms
from server.classes.stores.sqlite import SqliteStore
from server.cli import app
from server.settings import Settings

LINK = re.compile(r"/class/(\w+)/desk#(t_[\w-]+)")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEADLIGHT_CLASS_STORE", str(tmp_path))
    monkeypatch.setattr("server.http.serving.local.serve_locally", lambda settings: None)
    monkeypatch.setattr("server.http.serving.listening.check_free", lambda host, port: None)
    return tmp_path


def started(*options: str) -> tuple[str, str, str]:
    """What `headlight class` prints: the text, the code, and the teacher's token."""
    done = CliRunner().invoke(app, ["class", *options])
    assert done.exit_code == 0, done.output
    [(code, token)] = LINK.findall(done.output)
    return done.output, code, token


def test_a_restarted_server_goes_on_with_its_class(folder: Path) -> None:
    text, code, token = started()
    assert "goes on" not in text
    store = SqliteStore(folder)
    now = now_ms()
    store.join(code, Person(id="a", token="t", nickname="Ada", joined=now, seen=now), 5)
    text, again, other = started()
    assert (again, "goes on with the class" in text, "1 person" in text) == (code, True, True)
    found = store.get(code)
    assert found is not None and token != other
    assert (found.secret, found.again) == (digest(token), digest(other)), "both are the teacher's"
    text, new, _ = started("--new")
    assert new != code and "goes on" not in text


def test_it_goes_on_with_the_plan_that_was_asked_for(folder: Path) -> None:
    plan = folder / "plan.json"
    plan.write_text('{"title": "Mine", "steps": [{"title": "Look"}]}')
    _, without, _ = started()
    _, code, _ = started("--plan", str(plan))
    assert code != without, "another plan is another class"
    assert started("--plan", str(plan))[1] == code


def test_a_class_that_somebody_opened_on_the_page_is_left_alone(folder: Path) -> None:
    store = SqliteStore(folder)
    theirs, _ = open_class(store, Settings(), None)
    text, code, _ = started()
    assert code != theirs and "goes on" not in text
    found = store.get(theirs)
    assert found is not None and found.again == ""


def test_a_class_that_is_over_is_not_gone_on_with(folder: Path) -> None:
    _, code, _ = started()
    store = SqliteStore(folder)
    long_ago = now_ms() - 2 * 3_600_000
    store._db.execute("UPDATE classes SET seen = ?", (long_ago,))
    assert started()[1] != code
    assert store.get(code) is None

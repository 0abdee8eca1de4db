"""A full class: who keeps a seat, and who loses it to somebody else."""

from pathlib import Path

import pytest

from server.classes.errors import ClassError
from server.classes.session import Given, Person, Session
from server.classes.sqlite import SqliteStore
from server.classes.store import NEVER_CAME_MS

CODE, START, LIMIT = "BCDFGHJ", 1_000_000, 3


def person(name: str, joined: int = START) -> Person:
    return Person(id=name, token=name, nickname=None, joined=joined, seen=joined)


def test_who_joined_and_never_came_leaves_a_full_class(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    store.open(Session(code=CODE, secret="", created=START, seen=START), 1)
    for name in ("follows", "answered", "ghost"):
        store.join(CODE, person(name), LIMIT)
    store.touch(CODE, ["follows"], START + 5_000, teacher=False)
    given = Given(activity="a1", round=1, person="answered", item="0", answer={}, at=START)
    store.put(CODE, given, lambda session, own: False)

    soon, late = START + NEVER_CAME_MS, START + NEVER_CAME_MS + 1
    with pytest.raises(ClassError, match="has 3 people"):
        store.join(CODE, person("early", soon), LIMIT)
    store.join(CODE, person("next", late), LIMIT)
    assert {each.id for each in store.people(CODE)} == {"follows", "answered", "next"}
    with pytest.raises(ClassError, match="has 3 people"):
        store.join(CODE, person("another", late), LIMIT)
    store.close()

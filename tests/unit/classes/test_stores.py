"""Both stores keep the same promises."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import fakeredis
import pytest

from server.classes.errors import ClassError
from server.classes.redis_store import RedisStore
from server.classes.session import Given, Person, Session
from server.classes.sqlite import SqliteStore
from server.classes.store import NEVER_CAME_MS, Store

CODE, START = "BCDFGHJ", 1_000_000
Opens = Callable[[], Store]


@pytest.fixture(params=["sqlite", "redis"])
def opens(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opens]:
    """Opens the same store again, as another worker does."""
    stores: list[Store] = []
    server = fakeredis.FakeServer()

    def make() -> Store:
        if request.param == "sqlite":
            stores.append(SqliteStore(tmp_path))
        else:
            stores.append(RedisStore(fakeredis.FakeRedis(server=server, decode_responses=True)))
        return stores[-1]

    yield make
    for store in stores:
        with suppress(sqlite3.ProgrammingError):  # of another thread, which has closed it
            store.close()


@pytest.fixture
def store(opens: Opens) -> Store:
    made = opens()
    made.open(Session(code=CODE, secret="s", created=START, seen=START), 5)
    return made


def person(name: str, joined: int = START) -> Person:
    return Person(id=name, token=f"token {name}", nickname=None, joined=joined, seen=joined)


def given(name: str, at: int = START, item: str = "0", choice: int = 0) -> Given:
    answer = {"choice": choice}
    return Given(activity="a1", round=1, person=name, item=item, answer=answer, at=at)


def unseen(session: Session, own: list[Given]) -> bool:
    return False


def test_a_class_is_opened_changed_and_ended(store: Store, opens: Opens) -> None:
    def pause(session: Session) -> None:
        session.mode = "pause"

    other = opens()
    before = other.version()
    assert store.edit(CODE, pause).revision == 2
    assert other.version() != before
    seen = other.version()
    assert other.version() == seen
    found = other.get(CODE)
    assert found is not None
    assert (found.mode, found.revision) == ("pause", 2)
    assert store.edit(CODE, lambda session: False).revision == 2
    store.join(CODE, person("a"), 9)
    store.put(CODE, given("a"), unseen)
    store.end(CODE)
    assert other.get(CODE) is None
    assert not other.people(CODE)
    assert not other.answers(CODE)
    with pytest.raises(ClassError, match="no class"):
        store.edit(CODE, pause)


def test_an_edit_that_is_refused_changes_nothing(store: Store) -> None:
    def refuse(session: Session) -> None:
        session.mode = "pause"
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        store.edit(CODE, refuse)
    found = store.get(CODE)
    assert found is not None
    assert (found.mode, found.revision) == ("explore", 1)


def test_there_is_room_for_so_many_classes(store: Store) -> None:
    another = Session(code="XXXXXXX", secret="s", created=START, seen=START)
    with pytest.raises(ClassError, match="holds 1 classes"):
        store.open(another, 1)


def test_people_join_once_and_are_counted_while_they_are_there(store: Store) -> None:
    assert store.join(CODE, person("a"), 2).id == "a"
    again = person("other id")
    again.token = person("a").token
    assert store.join(CODE, again, 2).id == "a"
    store.join(CODE, person("b", START + 5), 2)
    with pytest.raises(ClassError, match="has 2 people"):
        store.join(CODE, person("c", START + 6), 2)
    assert store.count(CODE, START - 1) == 2
    store.touch(CODE, ["a"], START + 99, teacher=True)
    assert store.count(CODE, START + 50) == 1
    found = store.get(CODE)
    assert found is not None
    assert found.seen == START + 99
    late = START + 5 + NEVER_CAME_MS + 1
    store.join(CODE, person("d", late), 2)  # b joined and never came
    assert [each.id for each in store.people(CODE)] == ["a", "d"]
    store.edit_person(CODE, "a", hidden=True, removed=None)
    store.edit_person(CODE, "d", hidden=None, removed=True)
    assert [(each.hidden, each.removed) for each in store.people(CODE)] == [
        (True, False),
        (False, True),
    ]
    known = store.person(CODE, "token d")
    assert known is not None
    assert known.removed


def test_an_answer_is_kept_once_and_keeps_its_time(store: Store) -> None:
    revision = 1
    for at in (START, START + 10):
        store.put(CODE, given("a", at), unseen)
    store.put(CODE, given("b", START + 5), lambda session, own: True)
    assert [(each.person, each.at) for each in store.answers(CODE, "a1")] == [
        ("a", START),
        ("b", START + 5),
    ]
    store.put(CODE, given("a", START + 20, choice=1), unseen)
    assert [each.person for each in store.answers(CODE)] == ["b", "a"]
    found = store.get(CODE)
    assert found is not None
    assert found.revision == revision + 1  # the others saw one of them
    store.hide(CODE, "a1", "a", "0", True)
    assert [each.hidden for each in store.own(CODE, "a")] == [True]
    store.put(CODE, given("a", START + 30, choice=2), unseen)
    assert [each.hidden for each in store.own(CODE, "a")] == [True]
    store.take_back(CODE, given("a"), unseen)
    assert store.own(CODE, "a") == []


def test_what_is_over_is_swept(store: Store) -> None:
    assert store.sweep(START, START) == []
    assert store.sweep(START - 5, START + 1) == [CODE]
    assert store.get(CODE) is None


def test_workers_that_write_at_once_lose_nothing(store: Store, opens: Opens) -> None:
    def work(name: int) -> None:
        mine = opens()
        for index in range(10):
            mine.edit(CODE, lambda session: None)
            mine.put(CODE, given(f"p{name}", item=str(index)), unseen)
        mine.close()

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = store.get(CODE)
    assert found is not None
    assert found.revision == 41
    assert len(store.answers(CODE)) == 40

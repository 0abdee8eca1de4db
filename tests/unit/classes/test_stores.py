"""Both stores keep the same promises."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import fakeredis
import pytest

from server.classes.errors import ClassError
from server.classes.session import Given, Person, Session
from server.classes.stores import explaining
from server.classes.stores.redis_store import RedisStore
from server.classes.stores.sqlite import SqliteStore
from server.classes.stores.store import GONE_MS, Store

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
    late = START + 5 + GONE_MS + 1
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


def test_a_full_class_gives_away_the_seats_of_those_who_are_gone(store: Store) -> None:
    for name in ("here", "answered", "hidden", "gone"):
        store.join(CODE, person(name), 4)
    store.put(CODE, given("answered"), unseen)
    store.edit_person(CODE, "hidden", hidden=True, removed=None)
    store.touch(CODE, ["gone"], START + 5, teacher=False)
    late = START + 5 + GONE_MS
    store.touch(CODE, ["here"], late, teacher=False)
    with pytest.raises(ClassError, match="has 4 people"):
        store.join(CODE, person("early", late), 4)
    store.join(CODE, person("next", late + 1), 4)
    assert {each.id for each in store.people(CODE)} == {"here", "answered", "hidden", "next"}


def test_a_locked_class_lets_nobody_new_in(store: Store) -> None:
    def lock(session: Session) -> None:
        session.locked = not session.locked

    store.join(CODE, person("a"), 5)
    store.edit(CODE, lock)
    assert store.join(CODE, person("a"), 5).id == "a"
    with pytest.raises(ClassError, match="locked"):
        store.join(CODE, person("b"), 5)
    store.edit(CODE, lock)
    store.join(CODE, person("b"), 5)


def test_who_is_away_is_forgotten_but_not_the_answers(store: Store) -> None:
    for name, joined in (("a", START), ("b", START + 9), ("hidden", START), ("removed", START)):
        store.join(CODE, person(name, joined), 5)
    store.put(CODE, given("a"), unseen)
    store.edit_person(CODE, "hidden", hidden=True, removed=None)
    store.edit_person(CODE, "removed", hidden=None, removed=True)
    assert store.leave(CODE, START + 9) == 1
    assert {each.id for each in store.people(CODE)} == {"b", "hidden", "removed"}
    assert [each.person for each in store.answers(CODE)] == ["a"]


def test_a_damaged_class_is_said_and_still_ends(store: Store) -> None:
    other = Session(code="XXXXXXX", secret="s", created=START, seen=START)
    store.open(other, 5)
    store.edit(CODE, lambda session: setattr(session, "revision", -5))
    with pytest.raises(ClassError, match="damaged"):
        store.get(CODE)
    assert store.get(other.code) is not None
    assert store.sweep(lambda created, seen: False) == []
    assert set(store.sweep(lambda created, seen: True)) == {CODE, other.code}


def test_a_redis_that_does_not_answer_is_said() -> None:
    server = fakeredis.FakeServer()
    store = RedisStore(fakeredis.FakeRedis(server=server, decode_responses=True))
    server.connected = False
    with pytest.raises(ClassError, match="their Redis does not answer"), explaining():
        store.get(CODE)
    with pytest.raises(ZeroDivisionError), explaining():  # a bug stays one
        raise ZeroDivisionError


def test_a_check_loses_nothing(store: Store) -> None:
    assert store.is_current()
    store.check()
    assert store.get(CODE) is not None


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
    store.hide(CODE, "a1", "a", "0", False)
    for choice, is_hidden in ((2, False), (3, True)):  # the same, and one that nobody has seen
        again = given("a", START + 40, choice=choice).model_copy(update={"hidden": True})
        store.put(CODE, again, unseen)
        assert [each.hidden for each in store.own(CODE, "a")] == [is_hidden]
    store.take_back(CODE, given("a"), unseen)
    assert store.own(CODE, "a") == []


def test_what_is_over_is_swept(store: Store) -> None:
    asked = []

    def is_over(created: int, seen: int) -> bool:
        asked.append((created, seen))
        return seen > START

    assert store.sweep(is_over) == []
    store.touch(CODE, [], START + 5, teacher=True)
    assert store.sweep(is_over) == [CODE]
    assert asked == [(START, START), (START, START + 5)]
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

"""Classes in Redis: for servers on several machines.

The people and the answers of a class are a hash each. A write is one transaction (WATCH, MULTI), so
a killed worker leaves nothing half done; it is tried again if another worker was faster.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import orjson
from redis import Redis

from server.classes.errors import ClassError, full, locked, no_class, too_many_classes
from server.classes.session import Given, Person, Session
from server.classes.stores.store import GONE_MS, Allow, Edit, IsOver

PREFIX = "headlight:"
CLASSES, SEEN, VERSION = f"{PREFIX}classes", f"{PREFIX}seen", f"{PREFIX}version"
WAIT_S = 10.0  # how long Redis may take to answer

T = TypeVar("T")


class RedisStore:
    """The classes of all machines that share a Redis."""

    def __init__(self, redis: Redis) -> None:
        """`redis` decodes its responses."""
        self._redis = redis

    @classmethod
    def at(cls, address: str) -> "RedisStore":
        """The store at an address: redis://host:6379/0."""
        return cls(Redis.from_url(address, decode_responses=True, socket_timeout=WAIT_S))

    def close(self) -> None:
        self._redis.close()

    def is_current(self) -> bool:
        return True

    def check(self) -> None:
        self._redis.incr(VERSION)

    def version(self) -> object:
        return self._redis.get(VERSION)

    def _write(self, code: str, do: Callable[[Any], T]) -> T:
        """What `do` queues on the pipeline happens at once, or not at all."""

        def attempt(pipeline: Any) -> T:
            pipeline.multi()
            done = do(pipeline)
            pipeline.incr(VERSION)
            return done

        watched = (CLASSES, _people(code), _answers(code))
        redis: Any = self._redis  # its types allow no value
        done: T = redis.transaction(attempt, *watched, value_from_callable=True)
        return done

    # ── classes

    def open(self, session: Session, limit: int) -> None:
        self.restore(session, [], [], limit)

    def get(self, code: str) -> Session | None:
        written, seen = self._redis.hget(CLASSES, code), self._redis.hget(SEEN, code)
        if written is None or seen is None:
            return None
        found = Session.read(written)
        found.seen = int(seen)
        return found

    def edit(self, code: str, edit: Edit) -> Session:
        def write(pipeline: Any) -> Session:
            session = self._found(code)
            self._save(pipeline, session, edit(session) is not False)
            return session

        return self._write(code, write)

    def end(self, code: str) -> None:
        def write(pipeline: Any) -> None:
            pipeline.hdel(CLASSES, code)
            pipeline.hdel(SEEN, code)
            pipeline.delete(_people(code), _answers(code))

        self._write(code, write)

    def codes(self) -> list[str]:
        listed: Any = self._redis.hkeys(CLASSES)
        return list(listed)

    def sweep(self, is_over: IsOver) -> list[str]:
        over = []
        listed: Any = self._redis.hgetall(SEEN)
        for code, seen in listed.items():
            try:
                session = self.get(code)
                created = session.created if session else 0
            except ClassError:  # damaged: it ends when its teacher has been away
                created = int(seen)
            if is_over(created, int(seen)):
                self.end(code)
                over.append(code)
        return over

    def restore(
        self, session: Session, people: list[Person], answers: list[Given], limit: int
    ) -> None:
        def write(pipeline: Any) -> None:
            if self._redis.hlen(CLASSES) >= limit:
                raise too_many_classes(limit)
            pipeline.hset(SEEN, session.code, session.seen)
            self._save(pipeline, session, seen_by_others=False)
            for person in people:
                self._put_person(pipeline, session.code, person)
            for given in answers:
                pipeline.hset(_answers(session.code), _key(given), given.model_dump_json())

        self._write(session.code, write)

    def _found(self, code: str) -> Session:
        session = self.get(code)
        if session is None:
            raise no_class()
        return session

    def _save(self, pipeline: Any, session: Session, seen_by_others: bool = True) -> None:
        session.revision += seen_by_others
        pipeline.hset(CLASSES, session.code, session.model_dump_json())

    # ── people

    def join(self, code: str, person: Person, limit: int) -> Person:
        def write(pipeline: Any) -> Person:
            session = self._found(code)
            known = self.person(code, person.token)
            if known is not None:
                return known
            if session.locked:
                raise locked()
            people = [each for each in self.people(code) if not each.removed]
            if len(people) >= limit:
                answered = {given.person for given in self.answers(code)}
                before = person.joined - GONE_MS
                gone = [one for one in people if one.may_go(before) and one.id not in answered]
                if len(people) - len(gone) >= limit:
                    raise full(limit)
                for each in gone:
                    pipeline.hdel(_people(code), each.token)
            self._put_person(pipeline, code, person)
            return person

        return self._write(code, write)

    def person(self, code: str, token: str) -> Person | None:
        written = self._redis.hget(_people(code), token)
        return None if written is None else Person.read(written)

    def people(self, code: str) -> list[Person]:
        found = map(Person.read, self._redis.hvals(_people(code)))
        return sorted(found, key=lambda each: (each.joined, each.id))

    def count(self, code: str, since: int) -> int:
        return sum(each.seen > since and not each.removed for each in self.people(code))

    def edit_person(
        self, code: str, person: str, *, hidden: bool | None, removed: bool | None
    ) -> None:
        def write(pipeline: Any) -> None:
            for each in self.people(code):
                if each.id == person:
                    each.hidden = each.hidden if hidden is None else hidden
                    each.removed = each.removed if removed is None else removed
                    self._put_person(pipeline, code, each)

        self._write(code, write)

    def leave(self, code: str, before: int) -> int:
        def write(pipeline: Any) -> int:
            gone = [each for each in self.people(code) if each.may_go(before)]
            for each in gone:
                pipeline.hdel(_people(code), each.token)
            return len(gone)

        return self._write(code, write)

    def touch(self, code: str, people: Iterable[str], now: int, teacher: bool) -> None:
        there = set(people)

        def write(pipeline: Any) -> None:
            if self.get(code) is None:
                return
            if teacher:
                pipeline.hset(SEEN, code, now)
            for each in self.people(code):
                if each.id in there:
                    each.seen = now
                    self._put_person(pipeline, code, each)

        self._write(code, write)

    def _put_person(self, pipeline: Any, code: str, person: Person) -> None:
        pipeline.hset(_people(code), person.token, person.model_dump_json())

    # ── answers

    def put(self, code: str, given: Given, allow: Allow) -> None:
        def write(pipeline: Any) -> None:
            session = self._found(code)
            if allow(session, self.own(code, given.person)):
                self._save(pipeline, session)
            written = self._redis.hget(_answers(code), _key(given))
            if written is not None:
                before = Given.read(written)
                given.hidden |= before.hidden
                if before.answer == given.answer:  # a repeated one keeps its time
                    given.at, given.hidden = before.at, before.hidden
            pipeline.hset(_answers(code), _key(given), given.model_dump_json())

        self._write(code, write)

    def take_back(self, code: str, given: Given, allow: Allow) -> None:
        def write(pipeline: Any) -> None:
            session = self._found(code)
            if allow(session, self.own(code, given.person)):
                self._save(pipeline, session)
            pipeline.hdel(_answers(code), _key(given))

        self._write(code, write)

    def hide(self, code: str, activity: str, person: str, item: str, hidden: bool) -> None:
        def write(pipeline: Any) -> None:
            for given in self.answers(code, activity):
                if (given.person, given.item) == (person, item):
                    given.hidden = hidden
                    pipeline.hset(_answers(code), _key(given), given.model_dump_json())
            self._save(pipeline, self._found(code))

        self._write(code, write)

    def answers(self, code: str, activity: str | None = None) -> list[Given]:
        found = map(Given.read, self._redis.hvals(_answers(code)))
        kept = (each for each in found if activity in (None, each.activity))
        return sorted(kept, key=lambda each: (each.at, each.person, each.item))

    def own(self, code: str, person: str) -> list[Given]:
        return [each for each in self.answers(code) if each.person == person]


def _people(code: str) -> str:
    return f"{PREFIX}class:{code}:people"


def _answers(code: str) -> str:
    return f"{PREFIX}class:{code}:answers"


def _key(given: Given) -> str:
    return orjson.dumps([given.activity, given.round, given.person, given.item]).decode()

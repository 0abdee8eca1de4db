"""A worker's way to the classes: who asks, what they may do, and the one thread of the store."""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from secrets import compare_digest
from typing import Any, TypeVar

from server.classes import errors
from server.classes.acts import begin
from server.classes.codes import (
    PARTICIPANT,
    TEACHER,
    digest,
    is_token,
    new_code,
    new_token,
    read_code,
)
from server.classes.documents import AWAY_MS, desk, everybodys, mine, results
from server.classes.live import Document, Live, Looks
from server.classes.names import clean, words_in
from server.classes.rates import Rates
from server.classes.session import ID_LENGTH, WORK, Person, Session, now_ms
from server.classes.stores import explained, open_store
from server.classes.stores.store import Store
from server.settings import Settings

log = logging.getLogger("headlight")

T = TypeVar("T")
SWEEP_S = 60.0  # between two looks for classes that are over
GRACE_S = 30.0  # after a start or a jump of the clock, in which teachers are seen again
JUMP_S = 5.0


@dataclass(frozen=True)
class Member:
    """Who asks: the teacher of a class, or one of its people."""

    code: str
    token: str  # its digest
    person: Person | None  # None: the teacher

    @property
    def role(self) -> str:
        return "teacher" if self.person is None else "participant"


class Room:
    """The classes, as one worker sees them. Its methods are called from the event loop."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.rates = Rates()
        self.words = words_in(settings.class_words)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="classes")
        self._store: Store | None = None
        self.problem: str | None = None  # why the store failed the last time it was used
        self._sweep_at = 0.0
        self._offset = 0.0  # of the clock from the one that never jumps
        self.live = Live(Looks(self._version, self._documents, self._touch))

    async def run(self, do: Callable[[Store], T]) -> T:
        """Do something with the store, in its thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._do, do)

    def _do(self, do: Callable[[Store], T]) -> T:
        try:
            if self._store is not None and not self._store.is_current():
                self._store.close()
                self._store = None
            if self._store is None:  # here, as it may only be used here, and after forking
                self._store = open_store(self.settings)
            done = do(self._store)
        except Exception as error:
            if (problem := explained(error)) is None:
                raise
            if problem != self.problem:
                log.error("Classes cannot be read or written: %s (%s)", problem, error)
            self.problem = problem
            raise errors.store_fails(problem) from error
        return done

    async def check(self) -> str | None:
        """Why classes cannot be kept now; None if they can. What failed is tried again."""
        with suppress(errors.ClassError):
            await self.run(lambda store: store.check() if self.problem else store.version())
            self.problem = None
        return self.problem

    async def close(self) -> None:
        if self._store is not None:  # by its own thread, and wherever its file is by now
            await asyncio.get_running_loop().run_in_executor(self._thread, self._store.close)
        self._thread.shutdown(wait=False)

    # ── who asks

    async def find(self, typed: str) -> Session:
        """The class with a code that somebody typed. Raises `no_class`."""
        code = read_code(typed)
        session = await self.run(lambda store: store.get(code)) if code else None
        if session is None:
            raise errors.no_class()
        await self._sweep()
        return session

    async def member(self, typed: str, token: str | None) -> Member:
        """Who sends this token to this class. Raises `no_class`, `not_in_class`, `removed`."""
        session = await self.find(typed)
        code, sent = session.code, digest(token or "")
        owners = (session.secret, session.again)
        if token and is_token(token, TEACHER) and any(compare_digest(sent, one) for one in owners):
            self.rates.teachers.spend(sent)
            return Member(code, sent, None)
        if token and is_token(token, PARTICIPANT):
            self.rates.people.spend(sent)
            person = await self.run(lambda store: store.person(code, sent))
            if person is not None and person.removed:
                raise errors.removed()
            if person is not None:
                return Member(code, sent, person)
        raise errors.not_in_class()

    # ── coming and going

    async def open(self, opening: Callable[[Store, Settings], T], participant: str) -> T:
        """Open a class, a new one or one from a file."""
        self.rates.openings.spend(participant)
        await self._sweep()
        return await self.run(lambda store: opening(store, self.settings))

    async def join(self, typed: str, nickname: str | None, token: str | None) -> tuple[Person, str]:
        """Join a class, or come back to it with the same token."""
        session = await self.find(typed)
        self.rates.joins.spend(session.code)
        known = token if token and is_token(token, PARTICIPANT) else new_token(PARTICIPANT)
        now, name, token = now_ms(), clean(nickname, self.words), digest(known)
        # who comes back after the seat was given away has the same id, and so the same answers
        id = digest(token)[:ID_LENGTH]
        person = Person(id=id, token=token, nickname=name, joined=now, seen=now)
        limit = self.settings.class_people
        found = await self.run(lambda store: store.join(session.code, person, limit))
        if found.removed:
            raise errors.removed()
        return found, known

    async def document(self, member: Member, *, with_desk: bool) -> Document:
        """The whole document, as this member may see it."""
        now = now_ms()

        def read(store: Store) -> Document:
            session = store.get(member.code)
            if session is None:
                raise errors.no_class()
            _touch_if_late(store, session, member, now)
            answers = lambda name: store.answers(member.code, name)  # noqa: E731
            own = store.own(member.code, member.person.id) if member.person else []
            document = everybodys(session, answers, now)
            if with_desk and member.person is None:
                document["desk"] = desk(session, answers)
            people = store.count(member.code, now - AWAY_MS)
            return {
                **document,
                "role": member.role,
                "mine": mine(own),
                "people": people,
                "now": now,
            }

        return await self.run(read)

    async def people(self, code: str) -> list[dict[str, Any]]:
        """Everybody, as the teacher may see them."""
        now = now_ms()
        found = await self.run(lambda store: store.people(code))
        return [
            {
                **each.model_dump(include={"id", "nickname", "hidden", "removed"}),
                "here": now - each.seen < AWAY_MS and not each.removed,
            }
            for each in found
        ]

    async def work(self, code: str) -> list[dict[str, Any]]:
        """What each person shows the teacher, with the name that the teacher sees."""

        def read(store: Store) -> list[dict[str, Any]]:
            session = store.get(code)
            activity = session.activity(WORK) if session else None
            shown = results(activity, store.answers(code, WORK))["work"] if activity else []
            names = {each.id: each for each in store.people(code) if not each.removed}
            return [
                {**each, "nickname": None if who.hidden else who.nickname}
                for each in shown
                if (who := names.get(each["person"])) is not None
            ]

        return await self.run(read)

    async def send_away(self, code: str) -> int:
        """Give back the seats of those who are away; whoever comes back joins again."""
        before = now_ms() - AWAY_MS
        return await self.run(lambda store: store.leave(code, before))

    # ── for the listeners

    async def _version(self) -> object:
        await self._sweep()
        return await self.run(lambda store: store.version())

    async def _documents(self, code: str) -> tuple[Document, Document, int] | None:
        def read(store: Store) -> tuple[Document, Document, int] | None:
            session = store.get(code)
            if session is None:
                return None
            answers = lambda name: store.answers(code, name)  # noqa: E731
            now = now_ms()
            document = everybodys(session, answers, now)
            return document, desk(session, answers), store.count(code, now - AWAY_MS)

        return await self.run(read)

    async def _touch(self, code: str, people: list[str], teacher: bool) -> None:
        await self.run(lambda store: store.touch(code, people, now_ms(), teacher))

    async def _sweep(self) -> None:
        """End what is over, but let connected teachers be seen first if the clock has jumped."""
        now, offset = time.monotonic(), time.time() - time.monotonic()
        if abs(offset - self._offset) > JUMP_S:  # a start, a suspended machine, a clock set right
            self._offset, self._sweep_at = offset, now + GRACE_S
        if now >= self._sweep_at:
            self._sweep_at = now + SWEEP_S
            await self.run(lambda store: sweep(store, self.settings))


def open_class(store: Store, settings: Settings, plan: dict[str, Any] | None) -> tuple[str, str]:
    """Add a class to a store: its code, and the teacher's token."""
    now, token = now_ms(), new_token(TEACHER)
    code = new_code()
    while store.get(code) is not None:
        code = new_code()
    session = Session(code=code, secret=digest(token), created=now, seen=now, plan=plan)
    begin(session)
    store.open(session, settings.classes_max)
    return code, token


def of_command(store: Store, code: str) -> None:
    """Remember that the command has opened a class, so that it can go on with it."""

    def edit(session: Session) -> bool:
        session.again = session.secret
        return False

    store.edit(code, edit)


def resume(
    store: Store, settings: Settings, plan: dict[str, Any] | None
) -> tuple[Session, str] | None:
    """Go on with the class that is still there after a restart: it, and one more teacher's token.

    Only one that the command has opened: others belong to whoever opened them on the page. Of
    several it is the one whose teacher was seen last. One with another plan than this is left
    alone. None: there is none.
    """
    sweep(store, settings)
    with suppress(errors.ClassError):  # a damaged one is no class to go on with
        found = [each for code in store.codes() if (each := store.get(code)) is not None]
        found = [each for each in found if each.again and (plan is None or each.plan == plan)]
        if found:
            last, token = max(found, key=lambda each: each.seen), new_token(TEACHER)

            def edit(session: Session) -> bool:
                session.again = digest(token)
                return False

            return store.edit(last.code, edit), token
    return None


def sweep(store: Store, settings: Settings) -> list[str]:
    """End the classes whose teacher has been away too long, or that are old and left alone."""
    now = now_ms()
    life, away = settings.class_hours * 3_600_000, settings.class_away_minutes * 60_000

    def is_over(created: int, seen: int) -> bool:
        return now - seen > away or (now - created > life and now - seen > AWAY_MS)

    return store.sweep(is_over)


def _touch_if_late(store: Store, session: Session, member: Member, now: int) -> None:
    """Somebody who polls is there, too."""
    seen = member.person.seen if member.person else session.seen
    if now - seen > AWAY_MS / 3:
        people = [member.person.id] if member.person else []
        store.touch(member.code, people, now, member.person is None)

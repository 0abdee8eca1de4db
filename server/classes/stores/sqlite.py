"""Classes in one SQLite file of a spool folder: for one machine, with any number of workers.

The file is in WAL mode: readers never wait for a writer, and a killed process leaves nothing half
done. Use a store from one thread; `Room` has one for it.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson

from server.classes.errors import full, locked, no_class, too_many_classes
from server.classes.session import Given, Person, Session
from server.classes.stores.store import GONE_MS, Allow, Edit, IsOver

FILE = "classes.sqlite"
BUSY_S = 10.0  # how long a write waits for other workers' writes
_SCHEMA = """
CREATE TABLE IF NOT EXISTS classes (
  code TEXT PRIMARY KEY, created INTEGER, seen INTEGER, session TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS people (
  code TEXT, token TEXT, id TEXT, nickname TEXT, joined INTEGER, seen INTEGER,
  hidden INTEGER, removed INTEGER, PRIMARY KEY (code, token)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
  code TEXT, activity TEXT, round INTEGER, person TEXT, item TEXT, answer TEXT, at INTEGER,
  hidden INTEGER, PRIMARY KEY (code, activity, round, person, item)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tried (content BLOB);
"""
_PERSON = "id, token, nickname, joined, seen, hidden, removed"
_ANSWERED = "(SELECT person FROM answers WHERE code = :code)"
_GIVEN = "activity, round, person, item, answer, at, hidden"


class SqliteStore:
    """The classes of one machine."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = folder / FILE
        self._db = self._connect()
        self._db.executescript(_SCHEMA)
        self._watch = self._connect()  # data_version counts the changes of other connections alone
        self._opened = self._path.stat().st_ino

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, timeout=BUSY_S, isolation_level=None)
        db.row_factory = sqlite3.Row
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        return db

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield self._db
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:  # SQLite has rolled back itself where the disk is full
                self._db.execute("ROLLBACK")
            raise

    def is_current(self) -> bool:
        return self._path.stat().st_ino == self._opened

    def check(self) -> None:
        with self._writing() as db:  # as much as a busy class writes in a second
            db.execute("INSERT INTO tried VALUES (zeroblob(65536))")
        with self._writing() as db:
            db.execute("DELETE FROM tried")

    def close(self) -> None:
        self._db.close()
        self._watch.close()

    def version(self) -> object:
        return self._watch.execute("PRAGMA data_version").fetchone()[0]

    # ── classes

    def open(self, session: Session, limit: int) -> None:
        self.restore(session, [], [], limit)

    def get(self, code: str) -> Session | None:
        row = self._db.execute("SELECT * FROM classes WHERE code = ?", (code,)).fetchone()
        if row is None:
            return None
        found = Session.read(row["session"])
        found.seen = row["seen"]
        return found

    def edit(self, code: str, edit: Edit) -> Session:
        with self._writing():
            session = self._found(code)
            self._save(session, edit(session) is not False)
            return session

    def end(self, code: str) -> None:
        with self._writing() as db:
            for table in ("classes", "people", "answers"):
                db.execute(f"DELETE FROM {table} WHERE code = ?", (code,))

    def codes(self) -> list[str]:
        return [row["code"] for row in self._db.execute("SELECT code FROM classes")]

    def sweep(self, is_over: IsOver) -> list[str]:
        rows = self._db.execute("SELECT code, created, seen FROM classes").fetchall()
        over = [row["code"] for row in rows if is_over(row["created"], row["seen"])]
        for code in over:
            self.end(code)
        return over

    def restore(
        self, session: Session, people: list[Person], answers: list[Given], limit: int
    ) -> None:
        with self._writing() as db:
            if db.execute("SELECT count(*) FROM classes").fetchone()[0] >= limit:
                raise too_many_classes(limit)
            self._insert(session)
            for person in people:
                self._add(session.code, person)
            for given in answers:
                self._keep(session.code, given)

    def _found(self, code: str) -> Session:
        session = self.get(code)
        if session is None:
            raise no_class()
        return session

    def _insert(self, session: Session) -> None:
        self._db.execute(
            "INSERT INTO classes VALUES (?, ?, ?, ?)",
            (session.code, session.created, session.seen, session.model_dump_json()),
        )

    def _save(self, session: Session, seen_by_others: bool = True) -> None:
        session.revision += seen_by_others
        self._db.execute(
            "UPDATE classes SET session = ? WHERE code = ?",
            (session.model_dump_json(), session.code),
        )

    # ── people

    def join(self, code: str, person: Person, limit: int) -> Person:
        with self._writing():
            session = self._found(code)
            known = self.person(code, person.token)
            if known is not None:
                return known
            if session.locked:
                raise locked()
            if self._seats(code) >= limit:
                self._forget(code, person.joined - GONE_MS, "AND id NOT IN " + _ANSWERED)
                if self._seats(code) >= limit:
                    raise full(limit)
            self._add(code, person)
            return person

    def _seats(self, code: str) -> int:
        taken = "SELECT count(*) FROM people WHERE code = ? AND NOT removed"
        found: int = self._db.execute(taken, (code,)).fetchone()[0]
        return found

    def leave(self, code: str, before: int) -> int:
        with self._writing():
            return self._forget(code, before)

    def _forget(self, code: str, before: int, who: str = "") -> int:
        return self._db.execute(
            "DELETE FROM people WHERE code = :code AND seen < :before "
            f"AND NOT removed AND NOT hidden {who}",
            {"code": code, "before": before},
        ).rowcount

    def person(self, code: str, token: str) -> Person | None:
        row = self._db.execute(
            f"SELECT {_PERSON} FROM people WHERE code = ? AND token = ?", (code, token)
        ).fetchone()
        return None if row is None else Person.read(dict(row))

    def people(self, code: str) -> list[Person]:
        rows = self._db.execute(
            f"SELECT {_PERSON} FROM people WHERE code = ? ORDER BY joined, id", (code,)
        )
        return [Person.read(dict(row)) for row in rows]

    def count(self, code: str, since: int) -> int:
        found: int = self._db.execute(
            "SELECT count(*) FROM people WHERE code = ? AND seen > ? AND NOT removed", (code, since)
        ).fetchone()[0]
        return found

    def edit_person(
        self, code: str, person: str, *, hidden: bool | None, removed: bool | None
    ) -> None:
        with self._writing() as db:
            db.execute(
                "UPDATE people SET hidden = coalesce(?, hidden), removed = coalesce(?, removed) "
                "WHERE code = ? AND id = ?",
                (hidden, removed, code, person),
            )

    def touch(self, code: str, people: Iterable[str], now: int, teacher: bool) -> None:
        with self._writing() as db:
            if teacher:
                db.execute("UPDATE classes SET seen = ? WHERE code = ?", (now, code))
            db.executemany(
                "UPDATE people SET seen = ? WHERE code = ? AND id = ?",
                [(now, code, person) for person in people],
            )

    def _add(self, code: str, person: Person) -> None:
        self._db.execute(
            f"INSERT INTO people (code, {_PERSON}) VALUES "
            "(:code, :id, :token, :nickname, :joined, :seen, :hidden, :removed)",
            {"code": code, **person.model_dump()},
        )

    # ── answers

    def put(self, code: str, given: Given, allow: Allow) -> None:
        with self._writing():
            session = self._found(code)
            if allow(session, self.own(code, given.person)):
                self._save(session)
            self._keep(code, given)

    def take_back(self, code: str, given: Given, allow: Allow) -> None:
        with self._writing() as db:
            session = self._found(code)
            if allow(session, self.own(code, given.person)):
                self._save(session)
            db.execute(
                "DELETE FROM answers WHERE code = ? AND activity = ? AND round = ? AND person = ? "
                "AND item = ?",
                (code, given.activity, given.round, given.person, given.item),
            )

    def hide(self, code: str, activity: str, person: str, item: str, hidden: bool) -> None:
        with self._writing() as db:
            db.execute(
                "UPDATE answers SET hidden = ? WHERE code = ? AND activity = ? AND person = ? "
                "AND item = ?",
                (hidden, code, activity, person, item),
            )
            self._save(self._found(code))

    def answers(self, code: str, activity: str | None = None) -> list[Given]:
        return self._given("code = ? AND activity = coalesce(?, activity)", code, activity)

    def own(self, code: str, person: str) -> list[Given]:
        return self._given("code = ? AND person = ?", code, person)

    def _given(self, where: str, *values: str | None) -> list[Given]:
        rows = self._db.execute(
            f"SELECT {_GIVEN} FROM answers WHERE {where} ORDER BY at, person, item", values
        )
        return [Given.read({**dict(row), "answer": _read(row["answer"])}) for row in rows]

    def _keep(self, code: str, given: Given) -> None:
        # a repeated answer keeps its time, since in a hunt it counts who was first; what is changed
        # waits again, where what people write does
        self._db.execute(
            f"INSERT INTO answers (code, {_GIVEN}) VALUES "
            "(:code, :activity, :round, :person, :item, :answer, :at, :hidden) "
            "ON CONFLICT DO UPDATE SET answer = :answer, "
            "hidden = CASE WHEN answer = :answer THEN hidden ELSE max(hidden, :hidden) END, "
            "at = CASE WHEN answer = :answer THEN at ELSE :at END",
            {"code": code, **given.model_dump(exclude={"answer"}), "answer": _written(given)},
        )


def _written(given: Given) -> str:
    return orjson.dumps(given.answer, option=orjson.OPT_SORT_KEYS).decode()


def _read(text: str) -> dict[str, object]:
    found: dict[str, object] = orjson.loads(text)
    return found

"""What a store of classes does. Every method is one transaction; all workers may call it."""

from collections.abc import Callable, Iterable
from typing import Protocol

from server.classes.session import Given, Person, Session

GONE_MS = 30_000  # after which a seat may be given to somebody else; a page is seen every 8 s

IsOver = Callable[[int, int], bool]  # given when it was opened, and its teacher last seen
Edit = Callable[[Session], bool | None]  # False: nothing that others see has changed
Allow = Callable[[Session, list[Given]], bool]  # given the person's own; True: others see it


class Store(Protocol):
    """Where the classes of all workers lie. `stores.explained` says what goes wrong with one."""

    def is_current(self) -> bool:
        """Whether the store is the one that was opened. Raises an OSError if it is gone."""

    def check(self) -> None:
        """Read and write once."""

    def version(self) -> object:
        """Something that differs from the last time if anything has changed in between."""

    def open(self, session: Session, limit: int) -> None:
        """Add a class. Raises `too_many_classes` beyond the limit."""

    def get(self, code: str) -> Session | None:
        """A class, or None."""

    def edit(self, code: str, edit: Edit) -> Session:
        """Change a class in place and count its revision up. Raises `no_class`."""

    def end(self, code: str) -> None:
        """Delete a class with all that belongs to it."""

    def codes(self) -> list[str]:
        """The codes of all classes."""

    def sweep(self, is_over: IsOver) -> list[str]:
        """End the classes that are over."""

    def join(self, code: str, person: Person, limit: int) -> Person:
        """Add a person; who has the token already is that person.

        In a full class, those who are gone and have answered nothing make room.

        Raises `full`, `locked`, `no_class`.
        """

    def person(self, code: str, token: str) -> Person | None:
        """Who has a token with this digest."""

    def people(self, code: str) -> list[Person]:
        """Everybody, in the order in which they came."""

    def count(self, code: str, since: int) -> int:
        """How many people were there after that time."""

    def edit_person(
        self, code: str, person: str, *, hidden: bool | None, removed: bool | None
    ) -> None:
        """Hide a person's nickname, or take the person out."""

    def leave(self, code: str, before: int) -> int:
        """Forget those who may go (`Person.may_go`), but keep their answers: how many."""

    def touch(self, code: str, people: Iterable[str], now: int, teacher: bool) -> None:
        """These people, and maybe the teacher, are there now."""

    def put(self, code: str, given: Given, allow: Allow) -> None:
        """Keep an answer, instead of the one with the same item. `allow` raises what forbids it."""

    def take_back(self, code: str, given: Given, allow: Allow) -> None:
        """Delete the answer with this item."""

    def hide(self, code: str, activity: str, person: str, item: str, hidden: bool) -> None:
        """Hide an answer from everybody, or show it again."""

    def answers(self, code: str, activity: str | None = None) -> list[Given]:
        """The answers to an activity, or all, in the order in which they came."""

    def own(self, code: str, person: str) -> list[Given]:
        """All answers of a person."""

    def restore(
        self, session: Session, people: list[Person], answers: list[Given], limit: int
    ) -> None:
        """Add a class that was saved. Raises `too_many_classes` beyond the limit."""

    def close(self) -> None:
        """Let go of files and connections."""

"""What a class is made of, as the store keeps it. Times are Unix times in milliseconds."""

import logging
import time
from functools import lru_cache
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from server.classes.activities.kind import MAX_CHOICE
from server.classes.errors import damaged

log = logging.getLogger("headlight")

Mode = Literal["follow", "explore", "pause"]
Phase = Literal["open", "talk", "closed", "revealed"]  # "talk": closed, to be opened again
Round = Literal[1, 2]
# Bounds of what a file or a store may hold; what people send has its own, in server/api/schemas.
ID_LENGTH = 12  # hexadecimal digits of a person's id
MAX_MINUTES = 180  # of a timer
# Under which people open the server, such as http://192.168.1.20:8000.
Address = Annotated[str, Field(pattern=r"^https?://[A-Za-z0-9.:\[\]-]{1,200}$")]
# Such as 192.168.1.20:8000.
HOST = r"^[A-Za-z0-9.:\[\]-]{1,200}$"
Host = Annotated[str, Field(pattern=HOST)]
MAX_REACHED = 8
Time = Annotated[int, Field(ge=0, lt=253_402_300_800_000)]  # to the end of the year 9999
Count = Annotated[int, Field(ge=1, le=2**53)]
QUESTIONS = "questions"  # marks of what somebody does not follow
WORK = "work"  # what somebody's page shows, for the teacher
ALWAYS = (QUESTIONS, WORK)  # activities that are always there


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@lru_cache(maxsize=100)
def _log_once(problem: str) -> None:
    """Each class is read many times a minute."""
    log.error("A class in the store is damaged: %s", problem)


class Stored(BaseModel):
    """A part of a class."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    @classmethod
    def read(cls, written: bytes | str | dict[str, Any]) -> Self:
        """What a store holds: JSON, or the columns of a row. Raises `damaged`."""
        try:
            if isinstance(written, dict):
                return cls.model_validate(written)
            return cls.model_validate_json(written)
        except ValidationError as error:
            _log_once(str(error))
            raise damaged() from None


class Timer(Stored):
    """A countdown that everybody sees."""

    ends: Time
    minutes: float = Field(ge=0, le=MAX_MINUTES)


class StepNow(Stored):
    """Where in its plan the class is."""

    index: int = Field(ge=0, le=1_000)
    title: str = Field(max_length=200)
    lesson: str | None = Field(default=None, pattern=r"^[a-z0-9-]{1,100}$")  # its slug
    slide: str | None = Field(default=None, pattern=r"^[a-z-]{1,40}$")  # its id


class Shows(Stored):
    """What the projector shows besides the inspector."""

    code: bool = True
    slide: bool = True  # the one of the step, if it has one


class Activity(Stored):
    """A question to everybody, and where it stands. Its `kind` is a row of `activities.KINDS`."""

    id: str
    kind: str
    question: dict[str, Any]
    started: Time
    phase: Phase = "open"
    round: Round = 1
    # of the plan, if that asks it: going back shows it again
    step: int | None = Field(default=None, ge=0)


class Session(Stored):
    """A class, without its people and their answers."""

    code: str
    secret: str  # the digest of the teacher's token
    # of the one that `headlight class` printed last, the teacher's, too; "": opened on the page
    again: str = ""
    created: Time
    seen: Time  # when the teacher was last there
    revision: Count = 1
    mode: Mode = "explore"
    choice: str = Field(default="", max_length=MAX_CHOICE)  # what a link holds, without its "?"
    frozen: bool = False
    locked: bool = False  # whether nobody new may join
    timer: Timer | None = None
    step: StepNow | None = None
    shows: Shows = Field(default_factory=Shows)
    named: bool = False  # whether the report says who answered what; people are told
    checks: bool = True  # whether what people write is hidden until the teacher shows it
    address: Address | None = None  # None: the one that the server finds out
    reached: list[Host] = Field(default=[], max_length=MAX_REACHED)  # where its page was opened
    activities: list[Activity] = []  # in the order in which they were started
    current: str | None = None  # the id of the one that people see
    plan: dict[str, Any] | None = None

    def activity(self, name: str) -> Activity | None:
        """The activity with that id; those that are always there have the id of their kind."""
        if name in ALWAYS:
            return Activity(id=name, kind=name, question={}, started=self.created)
        return next((each for each in self.activities if each.id == name), None)


class Person(Stored):
    """Somebody in a class. There is no more to know about them."""

    id: str
    token: str  # its digest
    nickname: str | None
    joined: Time
    seen: Time
    hidden: bool = False  # whether the nickname is
    removed: bool = False

    def may_go(self, before: int) -> bool:
        """Whether the seat is free if nobody was seen in it from then on.

        Nobody loses what the teacher decided: who was taken out or renamed stays.
        """
        return self.seen < before and not self.removed and not self.hidden


class Given(Stored):
    """An answer, or one of several of a person in one round of an activity."""

    activity: str
    round: Round
    person: str
    item: str
    answer: dict[str, Any]
    at: Time
    hidden: bool = False

"""What all kinds of activity have in common: a row of the table, and the base of its schemas."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from model.message import Message
from server.pages.learning.links import pairs

MAX_CHOICE = 4_000  # characters of a state, as a link holds it

Line = Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S")]


def is_state(query: str) -> str:
    """A state, as a link holds it without its "?". Raises a ValueError if no link could."""
    pairs(query)
    return query


State = Annotated[str, Field(max_length=MAX_CHOICE), AfterValidator(is_state)]


class Schema(BaseModel):
    """A question or an answer: strict, finite, and without fields that nobody knows."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Question(Schema):
    """What every question has."""

    text: str = Field(min_length=1, max_length=500, pattern=r"\S")
    choice: State | None = None  # opened on every page when the activity starts
    why: str | None = Field(default=None, max_length=500)  # the answer is right; told with it
    reveals: State | None = None  # what shows the answer: opened when it is revealed


class NoQuestion(Schema):
    """Of an activity that is always there: nothing is asked."""


UNTOLD = frozenset({"why", "reveals"})  # what no question tells before its answer is revealed


@dataclass(frozen=True)
class Said:
    """An answer, with who gave it and when."""

    answer: Any  # an instance of the kind's Answer
    person: str
    item: str
    at: int  # Unix time in milliseconds
    hidden: bool = False


class Row(NamedTuple):
    """A line of the report."""

    round: int | None  # None: not of one round
    what: str
    value: str | int | float


def percent(share: float) -> Message:
    """A share in whole percent, which reads as none or all of it only if it is."""
    if 0 < share <= 0.005:
        return Message("less than {n}%", n=1)
    if 0.995 <= share < 1:
        return Message("more than 99%")
    return Message("{n}%", n=round(100 * share))


Rounds = list[list[Said]]  # the answers of each round so far, in the order in which they came


def _any_answer(question: Any, answer: Any) -> None:
    """Every answer with the right schema is an answer."""


def _it_does(answer: Any) -> bool:
    """What people write for all to see waits."""
    return True


@dataclass(frozen=True)
class Kind:
    """A kind of activity. One row of `KINDS` adds one."""

    name: str
    Question: type[BaseModel]
    Answer: type[BaseModel]
    # what is shown when the answers are revealed, from the question, the rounds, and the time at
    # which the activity started
    results: Callable[[Any, Rounds, int], dict[str, Any]]
    # the results as lines of the report, without names
    rows: Callable[[Any, dict[str, Any]], Iterable[Row]]
    # the same in sentences; templates/class/pictures.html has the picture, under the kind's name
    told: Callable[[Any, dict[str, Any]], Iterable[str]]
    # an answer in words, for a report that may name people
    says: Callable[[Any, Any], str]
    # raises a ValueError, with a message for people, for an answer that the question rules out
    check: Callable[[Any, Any], None] = _any_answer
    private: frozenset[str] = field(default_factory=frozenset)  # hidden until revealed
    many: int = 1  # answers of one person
    live: bool = False  # whether everybody sees results while it is open
    # whether an answer to a live one waits until the teacher shows it, if the class is so set
    waits: Callable[[Any], bool] = _it_does

    def public(self, question: BaseModel, *, revealed: bool) -> dict[str, Any]:
        """The question as everybody may see it."""
        return question.model_dump(exclude=None if revealed else {*self.private, *UNTOLD})

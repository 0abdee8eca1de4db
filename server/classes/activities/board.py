"""The board: everybody writes questions, and votes; the most wanted come first."""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import Annotated, Any

from pydantic import Field, model_validator

from model.message import Message
from server.classes.activities.kind import Kind, Question, Rounds, Row, Schema

MAX_ITEMS = 40  # questions and votes of a person
ID_LENGTH = 12


class BoardAnswer(Schema):
    """A question (`text`), or a vote for one (`up`, its id)."""

    text: str | None = Field(default=None, max_length=200, pattern=r"\S")
    up: Annotated[str, Field(pattern=rf"^[0-9a-f]{{{ID_LENGTH}}}$")] | None = None

    @model_validator(mode="after")
    def _is_one(self) -> "BoardAnswer":
        if (self.text is None) == (self.up is None):
            raise ValueError("expected a text or a vote (up), and not both")
        return self


def name_of(person: str, item: str) -> str:
    """The id of a question, which does not say whose it is."""
    return sha256(f"{person}.{item}".encode()).hexdigest()[:ID_LENGTH]


def results(question: Question, rounds: Rounds, started: int) -> dict[str, Any]:
    """All questions, the most wanted first. Nobody's own vote counts."""
    said = [each for given in rounds for each in given]
    ups = Counter(
        up
        for up, person in {(each.answer.up, each.person) for each in said if each.answer.up}
        if up not in {name_of(person, each.item) for each in said if each.person == person}
    )
    asked = [
        {
            **{"id": name_of(each.person, each.item), "text": each.answer.text, "at": each.at},
            **{"person": each.person, "item": each.item, "hidden": each.hidden},
        }
        for each in said
        if each.answer.text
    ]
    counted = [{**each, "ups": ups[each["id"]]} for each in asked]
    return {"asked": sorted(counted, key=lambda each: (-each["ups"], each["at"]))}


def rows(question: Question, found: dict[str, Any]) -> Iterator[Row]:
    """Each question, with how many want it."""
    for each in found["asked"]:
        yield Row(None, each["text"], each["ups"])


def told(question: Question, found: dict[str, Any]) -> Iterator[str]:
    """How many questions there are."""
    yield Message(
        "{n} question on the board.", "{n} questions on the board.", n=len(found["asked"])
    )


def says(question: Question, answer: BoardAnswer) -> str:
    """The question."""
    return answer.text or Message("a vote")


def waits(answer: BoardAnswer) -> bool:
    """What is written waits for the teacher; a vote says nothing."""
    return answer.text is not None


BOARD = Kind(
    "board",
    Question,
    BoardAnswer,
    results,
    rows,
    told,
    says,
    many=MAX_ITEMS,
    live=True,
    waits=waits,
)

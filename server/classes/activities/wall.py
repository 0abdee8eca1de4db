"""The wall: what people found, each a state with a sentence and a small picture, for all to see."""

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from model.message import Message
from server.classes.activities.kind import Kind, Question, Rounds, Row, Schema, State

MAX_SIDE = 24  # cells of a small picture
MAX_FINDS = 5  # of a person

Byte = Annotated[int, Field(ge=0, le=255)]
Cells = Annotated[list[Byte], Field(min_length=1, max_length=MAX_SIDE)]


class WallAnswer(Schema):
    """A find."""

    choice: State
    sentence: str = Field(min_length=1, max_length=200, pattern=r"\S")
    thumb: Annotated[list[Cells], Field(min_length=1, max_length=MAX_SIDE)] | None = None


def check(question: object, answer: Any) -> None:
    """Refuse a picture whose rows have different lengths."""
    if answer.thumb and len({len(row) for row in answer.thumb}) > 1:
        raise ValueError("thumb: expected rows of one length")


def results(question: Question, rounds: Rounds, started: int) -> dict[str, Any]:
    """All finds, the latest first. No names: nobody shows off here."""
    finds = [
        {
            **{"person": said.person, "item": said.item, "at": said.at, "hidden": said.hidden},
            **said.answer.model_dump(),
        }
        for given in rounds
        for said in given
    ]
    return {"finds": sorted(finds, key=lambda find: find["at"], reverse=True)}


def rows(question: Question, found: dict[str, Any]) -> Iterator[Row]:
    """Each find, with the address that shows it."""
    for find in found["finds"]:
        yield Row(None, find["sentence"], f"?{find['choice']}")


def told(question: Question, found: dict[str, Any]) -> Iterator[str]:
    """How many finds there are."""
    yield Message("{n} find on the wall.", "{n} finds on the wall.", n=len(found["finds"]))


def says(question: Question, answer: WallAnswer) -> str:
    """The sentence."""
    return answer.sentence


WALL = Kind(
    "wall",
    Question,
    WallAnswer,
    results,
    rows,
    told,
    says,
    check,
    many=MAX_FINDS,
    live=True,
)

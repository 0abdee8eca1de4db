"""Questions: people mark what they do not understand, and the teacher sees where they are."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from pydantic import Field

from server.classes.activities.kind import Kind, Rounds, Row, Schema

MAX_MARKS = 20  # of a person


class NoQuestion(Schema):
    """Nothing is asked: the marks are always open."""


class Mark(Schema):
    """A place of the page (`inspector:heatmap`) or of a lesson (`learn/masks#why`)."""

    place: str = Field(pattern=r"^[a-z]+[:/][A-Za-z0-9_.#-]{1,180}$")
    note: str = Field(default="", max_length=140)


def results(question: object, rounds: Rounds, started: int) -> dict[str, Any]:
    """How many people marked each place, and what they wrote, the latest first."""
    marks = [said for given in rounds for said in given if not said.hidden]
    people = {(said.answer.place, said.person) for said in marks}
    noted = sorted(marks, key=lambda said: said.at, reverse=True)
    return {
        "places": dict(sorted(Counter(place for place, _ in people).items())),
        "notes": [said.answer.model_dump() for said in noted if said.answer.note.strip()],
    }


def rows(question: object, found: dict[str, Any]) -> Iterator[Row]:
    """How many marked each place, and what they wrote."""
    for place, count in found["places"].items():
        yield Row(None, place, count)
    for note in found["notes"]:
        yield Row(None, note["place"], note["note"])


QUESTIONS = Kind("questions", NoQuestion, Mark, results, rows, many=MAX_MARKS)

"""Questions: people mark what they do not understand, and the teacher sees where they are."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from pydantic import Field

from model.facts import facts
from model.message import Message
from server.classes.activities.kind import Kind, NoQuestion, Rounds, Row, Schema

MAX_MARKS = 20  # of a person


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
        yield Row(None, named(place), count)
    for note in found["notes"]:
        yield Row(None, named(note["place"]), note["note"])


def told(question: object, found: dict[str, Any]) -> Iterator[str]:
    """Where most people were lost."""
    places = found["places"]
    if places:
        place = max(places, key=lambda each: places[each])
        yield Message(
            "Marked by most: {place} ({people}).",
            place=named(place),
            people=Message("{n} person", "{n} people", n=places[place]),
        )


def named(place: str) -> str:
    """A place as people call it: a part of the inspector, or of a lesson."""
    page, _, part = place.partition(":")
    if page == "inspector":
        place = facts("class")["places"].get(part)
        return Message(place) if place else Message("The page as a whole")
    lesson, _, heading = place.removeprefix("learn/").partition("#")
    said = heading.replace("-", " ")
    if said:
        return Message("Lesson “{lesson}”: {heading}", lesson=lesson, heading=said)
    return Message("Lesson “{lesson}”", lesson=lesson)


def says(question: object, answer: Mark) -> str:
    """The place."""
    return named(answer.place)


QUESTIONS = Kind("questions", NoQuestion, Mark, results, rows, told, says, many=MAX_MARKS)

"""Work: what somebody's page shows now, for the teacher, if that person has switched it on."""

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from server.classes.activities.kind import Kind, NoQuestion, Rounds, Row, Schema, State
from server.classes.activities.wall import MAX_SIDE, Cells, check


class WorkAnswer(Schema):
    """A state, and a small picture of it."""

    choice: State
    thumb: Annotated[list[Cells], Field(min_length=1, max_length=MAX_SIDE)] | None = None


def results(question: object, rounds: Rounds, started: int) -> dict[str, Any]:
    """What each person shows."""
    shown = [said for given in rounds for said in given]
    return {"work": [{"person": said.person, **said.answer.model_dump()} for said in shown]}


def rows(question: object, found: dict[str, Any]) -> Iterator[Row]:
    """Nothing: it was shown for the moment."""
    return iter(())


def told(question: object, found: dict[str, Any]) -> Iterator[str]:
    """Nothing, too."""
    return iter(())


def says(question: object, answer: WorkAnswer) -> str:
    """The state."""
    return f"?{answer.choice}"


WORK = Kind("work", NoQuestion, WorkAnswer, results, rows, told, says, check)

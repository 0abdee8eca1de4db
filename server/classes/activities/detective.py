"""Mask detective: which mistake was made here? The state shows a mechanism with a wrong switch."""

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field, model_validator

from server.classes.activities.kind import Kind, Line, Question, Rounds, Row
from server.classes.activities.vote import (
    VoteAnswer,
    chosen_in,
    count_rows,
    counts,
    right_in,
    told_counts,
)


class DetectiveQuestion(Question):
    """The suspects; `correct` is the index of the mistake that was made."""

    options: Annotated[list[Line], Field(min_length=2, max_length=8)]
    correct: Annotated[int, Field(ge=0, le=7)]

    @model_validator(mode="after")
    def _has_it(self) -> "DetectiveQuestion":
        right_in(self.options, self.correct)
        return self


def check(question: DetectiveQuestion, answer: VoteAnswer) -> None:
    """Refuse a choice that there is not."""
    chosen_in(question.options, answer)


def results(question: DetectiveQuestion, rounds: Rounds, started: int) -> dict[str, Any]:
    """How many suspected what, in each round."""
    return counts(question.options, rounds, question.correct)


def rows(question: DetectiveQuestion, found: dict[str, Any]) -> Iterator[Row]:
    """Each suspect with its count."""
    return count_rows(question.options, found)


def told(question: DetectiveQuestion, found: dict[str, Any]) -> Iterator[str]:
    """How many were right."""
    return told_counts(question.options, found)


def says(question: DetectiveQuestion, answer: VoteAnswer) -> str:
    """The suspect."""
    return question.options[answer.choice]


DETECTIVE = Kind(
    "detective",
    DetectiveQuestion,
    VoteAnswer,
    results,
    rows,
    told,
    says,
    check,
    private=frozenset({"correct"}),
)

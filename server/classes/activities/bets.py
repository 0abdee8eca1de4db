"""Muting bets: by how much does muting this head change the prediction? The model decides."""

from collections.abc import Iterator
from statistics import median
from typing import Any

from pydantic import Field

from model.message import Message
from server.classes.activities.hunt import Index
from server.classes.activities.kind import Kind, Question, Rounds, Row, Schema, percent

N_BINS = 10
CLOSE = 0.05  # a bet within five percentage points of the truth


class BetsQuestion(Question):
    """A head and a token: its probability before the head is muted, and after it (`truth`)."""

    layer: Index
    head: Index
    token: str = Field(max_length=60)
    before: float = Field(ge=0, le=1)
    truth: float = Field(ge=0, le=1)


class BetsAnswer(Schema):
    """The probability that somebody expects."""

    after: float = Field(ge=0, le=1)


def results(question: BetsQuestion, rounds: Rounds, started: int) -> dict[str, Any]:
    """The bets in ten bins from 0 to 1, their median, and how many came close."""
    bets = [said.answer.after for said in rounds[-1]]
    bins = [min(int(bet * N_BINS), N_BINS - 1) for bet in bets]
    close = sum(abs(bet - question.truth) <= CLOSE + 1e-9 for bet in bets)
    return {
        "n": len(bets),
        "bins": [bins.count(index) for index in range(N_BINS)],
        "median": median(bets) if bets else None,
        "truth": question.truth,
        "closest": close / len(bets) if bets else 0.0,
    }


def rows(question: BetsQuestion, found: dict[str, Any]) -> Iterator[Row]:
    """How many bet on which tenth, and what the model decided."""
    for index, count in enumerate(found["bins"]):
        yield Row(None, f"{100 * index // N_BINS} to {100 * (index + 1) // N_BINS}%", count)
    yield Row(None, Message("the model"), f"{question.truth:.1%}")


def told(question: BetsQuestion, found: dict[str, Any]) -> Iterator[str]:
    """What the model decided, and how close the class came."""
    before, after = percent(question.before), percent(question.truth)
    yield Message(
        "The model: {before} before, {after} with the head muted.", before=before, after=after
    )
    if found["median"] is not None:
        yield Message("Half of the class bet {share} or less.", share=percent(found["median"]))
        yield Message(
            "{share} were within five points of the model.", share=percent(found["closest"])
        )


def says(question: BetsQuestion, answer: BetsAnswer) -> str:
    """The bet."""
    return percent(answer.after)


BETS = Kind(
    "bets",
    BetsQuestion,
    BetsAnswer,
    results,
    rows,
    told,
    says,
    private=frozenset({"truth"}),
)

"""Draw, then reveal: everybody paints the pattern that they expect of a head."""

from collections.abc import Iterator
from math import fsum  # the same in any order
from typing import Annotated, Any

import numpy as np
from pydantic import Field, model_validator

from model.message import Message
from server.classes.activities.kind import Kind, Question, Rounds, Row, Schema, percent

MAX_TOKENS = 8
MAX_SHADE = 3  # the darkest shade that can be painted
NEAR = 0.25  # a weight that is off by more is a mistake
ALIKE = 0.1  # of a row's weight, on average, lies elsewhere in drawings that count as one
MAX_TYPICAL = 4
MAX_TRIED = 50  # drawings that are compared with all others

Grid = list[list[float]]
Token = Annotated[str, Field(max_length=60)]
Weight = Annotated[float, Field(ge=0, le=1)]
Shade = Annotated[int, Field(ge=0, le=MAX_SHADE)]
Rows = Annotated[list[Annotated[list[Weight], Field(max_length=MAX_TOKENS)]], Field(max_length=8)]
Shades = Annotated[list[Annotated[list[Shade], Field(max_length=MAX_TOKENS)]], Field(max_length=8)]


class DrawingQuestion(Question):
    """The tokens of the grid, and the head's pattern: queries down, keys across."""

    tokens: Annotated[list[Token], Field(min_length=2, max_length=MAX_TOKENS)]
    causal: bool
    truth: Rows

    @model_validator(mode="after")
    def _square(self) -> "DrawingQuestion":
        _check_square(self.truth, len(self.tokens), "truth")
        return self


class DrawingAnswer(Schema):
    """A shade for each cell, from 0 (nothing) to 3; each row is then taken in shares."""

    cells: Shades


def _check_square(rows: list[Any], n: int, name: str) -> None:
    if len(rows) != n or any(len(row) != n for row in rows):
        raise ValueError(f"{name}: expected {n} rows of {n} cells, one for each token")


def check(question: DrawingQuestion, answer: DrawingAnswer) -> None:
    """Refuse a drawing of another size, or with paint where a token cannot look."""
    n = len(question.tokens)
    _check_square(answer.cells, n, "cells")
    if question.causal and any(any(row[q + 1 :]) for q, row in enumerate(answer.cells)):
        raise ValueError("cells: expected nothing above the diagonal, which the causal mask blocks")


def shares(cells: list[list[int]]) -> Grid:
    """A drawing as weights: each row sums to 1, or to 0 if nothing is painted in it."""
    return [[shade / (sum(row) or 1) for shade in row] for row in cells]


def results(question: DrawingQuestion, rounds: Rounds, started: int) -> dict[str, Any]:
    """The average drawing of the last round beside the truth, and the commonest mistake."""
    drawn = [shares(said.answer.cells) for said in rounds[-1]]
    n, size = len(drawn), range(len(question.tokens))
    average = [[fsum(one[q][k] for one in drawn) / max(n, 1) for k in size] for q in size]
    difference = [[average[q][k] - question.truth[q][k] for k in size] for q in size]
    return {
        "n": n,
        "average": average,
        "truth": question.truth,
        "difference": difference,
        "mistake": _mistake(question.truth, drawn),
        "typical": _typical(drawn),
    }


def _typical(drawn: list[Grid]) -> list[dict[str, Any]]:
    """The drawings that most others are like, each with how many are, itself among them.

    A drawing counts with the first of these that it is like, so that nobody counts twice.
    """
    drawn = sorted(drawn)  # the same in whatever order they came
    every = -(-len(drawn) // MAX_TRIED) or 1
    tried, all_ = np.array(drawn[::every]), np.array(drawn)
    # of each row the weight that lies elsewhere, averaged over the rows; tried × all
    apart = np.abs(tried[:, None] - all_).sum(axis=-1).mean(axis=-1) / 2 if drawn else all_
    is_alike = apart <= ALIKE
    found: list[dict[str, Any]] = []
    while is_alike.any() and len(found) < MAX_TYPICAL:
        best = int(is_alike.sum(axis=1).argmax())
        found.append({"cells": drawn[best * every], "n": int(is_alike[best].sum())})
        is_alike = is_alike & ~is_alike[best]
    return found


def _mistake(truth: Grid, drawn: list[Grid]) -> dict[str, Any] | None:
    """The cell that most people got wrong in the same direction; of equal ones the first."""
    size = range(len(truth))
    found = [
        {"query": q, "key": k, "share": share, "too": too}
        for q in size
        for k in size
        for too, sign in (("much", 1), ("little", -1))
        if (share := _off(drawn, truth, q, k, sign)) > 0
    ]
    return max(found, key=lambda each: float(str(each["share"])), default=None)


def _off(drawn: list[Grid], truth: Grid, q: int, k: int, sign: int) -> float:
    """The share of people whose weight is off by more than NEAR in that direction."""
    if not drawn:
        return 0.0
    return sum(sign * (one[q][k] - truth[q][k]) > NEAR for one in drawn) / len(drawn)


def rows(question: DrawingQuestion, found: dict[str, Any]) -> Iterator[Row]:
    """Each cell: what the class drew on average, and what the head does."""
    for q, query in enumerate(question.tokens):
        for k, key in enumerate(question.tokens):
            if not (question.causal and k > q):
                cell = f"{query} ({q}) → {key} ({k})"
                yield Row(
                    None, Message("{cell}: drawn", cell=cell), round(found["average"][q][k], 4)
                )
                yield Row(None, Message("{cell}: truth", cell=cell), round(found["truth"][q][k], 4))


def told(question: DrawingQuestion, found: dict[str, Any]) -> Iterator[str]:
    """The commonest mistake, and how many drew the commonest pattern."""
    if mistake := found["mistake"]:
        query, key = (question.tokens[mistake[side]] for side in ("query", "key"))
        share = percent(mistake["share"])
        yield (
            Message(
                "The most common mistake: {share} gave “{query}” → “{key}” too much.",
                share=share,
                query=query,
                key=key,
            )
            if mistake["too"] == "much"
            else Message(
                "The most common mistake: {share} gave “{query}” → “{key}” too little.",
                share=share,
                query=query,
                key=key,
            )
        )
    if found["typical"]:
        yield Message(
            "{most} of {n} drew the first of the patterns below.",
            most=found["typical"][0]["n"],
            n=found["n"],
        )


def says(question: DrawingQuestion, answer: DrawingAnswer) -> str:
    """How much of the drawing is where the head looks."""
    rows = zip(shares(answer.cells), question.truth, strict=True)
    common = fsum(min(a, b) for row in rows for a, b in zip(*row, strict=True))
    return Message("{share} as the head looks", share=percent(common / len(question.tokens)))


DRAWING = Kind(
    "drawing",
    DrawingQuestion,
    DrawingAnswer,
    results,
    rows,
    told,
    says,
    check,
    private=frozenset({"truth"}),
)

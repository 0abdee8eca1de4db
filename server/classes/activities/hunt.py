"""Head hunt: find the head that does something, and show it by a cell and by muting the head."""

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from model.message import Message
from server.classes.activities.kind import Kind, Question, Rounds, Row, Schema

MAX_INDEX = 9_999
Index = Annotated[int, Field(ge=0, le=MAX_INDEX)]
Pair = Annotated[list[Index], Field(min_length=2, max_length=2)]


class HuntQuestion(Question):
    """What the head does; `truth` lists all heads that do it, as [layer, head].

    `cells` lists the cells that show it, as [query, key], where they are known.
    """

    truth: Annotated[list[Pair], Field(min_length=1, max_length=400)]
    cells: Annotated[list[Pair], Field(max_length=400)] = Field(default_factory=list)


class HuntAnswer(Schema):
    """A head and the evidence for it."""

    layer: Index
    head: Index
    cell: Pair  # the query and the key at which it shows
    effect: float = Field(ge=-100, le=100)  # of muting it on the prediction, in percentage points


def results(question: HuntQuestion, rounds: Rounds, started: int) -> dict[str, Any]:
    """All finds in the order in which they came, which right one was first, and the evidence."""
    right, shown = ({tuple(pair) for pair in each} for each in (question.truth, question.cells))
    finds = [
        {
            "person": said.person,
            **said.answer.model_dump(),
            "right": (said.answer.layer, said.answer.head) in right,
            "shown": tuple(said.answer.cell) in shown,
            "after_s": round(max(said.at - started, 0) / 1_000, 1),
        }
        for said in sorted(rounds[-1], key=lambda said: said.at)
    ]
    first = next((index for index, find in enumerate(finds) if find["right"]), None)
    evidence = sum(find["right"] and find["shown"] for find in finds) if shown else None
    return {"n": len(finds), "finds": finds, "first": first, "evidence": evidence}


def rows(question: HuntQuestion, found: dict[str, Any]) -> Iterator[Row]:
    """Each find with its evidence, in the order in which they came."""
    for find in found["finds"]:
        query, key = find["cell"]
        what = Message(
            "layer {layer}, head {head}, query {query}, key {key}",
            layer=find["layer"],
            head=find["head"],
            query=query,
            key=key,
        )
        told = {"what": what, "effect": f"{find['effect']:+.1f}"}
        yield Row(
            None,
            Message("{what}, effect {effect} points: right", **told)
            if find["right"]
            else Message("{what}, effect {effect} points: wrong", **told),
            find["after_s"],
        )


def told(question: HuntQuestion, found: dict[str, Any]) -> Iterator[str]:
    """How many were right, who was first, and with what evidence."""
    finds, first = found["finds"], found["first"]
    right = sum(find["right"] for find in finds)
    yield Message(
        "{n} find is right, of {all}.", "{n} finds are right, of {all}.", n=right, all=len(finds)
    )
    if first is not None:
        best = finds[first]
        yield Message(
            "The first was layer {layer}, head {head}, after {seconds} seconds.",
            layer=best["layer"],
            head=best["head"],
            seconds=round(best["after_s"]),
        )
        if found["evidence"] is not None:
            yield Message(
                "{n} of the right ones came with a cell that shows it.",
                "{n} of the right ones came with a cell that shows it.",
                n=found["evidence"],
            )


def says(question: HuntQuestion, answer: HuntAnswer) -> str:
    """The head."""
    right = [answer.layer, answer.head] in question.truth
    place: dict[str, Any] = {"layer": answer.layer, "head": answer.head}
    return (
        Message("layer {layer}, head {head} (right)", **place)
        if right
        else Message("layer {layer}, head {head}", **place)
    )


HUNT = Kind(
    "hunt",
    HuntQuestion,
    HuntAnswer,
    results,
    rows,
    told,
    says,
    private=frozenset({"truth", "cells"}),
)

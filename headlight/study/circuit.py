"""A circuit: the few heads without which a model does not give its answer, found over many pairs.

A set of heads is judged by its faithfulness: the clean sentence runs with every other head as it is
in the corrupted sentence, and what is left of the lead of the answer counts (Wang et al. 2022,
"Interpretability in the Wild", section 4, with corrupted sentences in place of means).
Feed-forward networks follow from what the heads give them.
"""

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import log
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from headlight.errors import RequestError
from headlight.frames import Table
from headlight.http.connection import Connection
from headlight.http.steps import Steps
from headlight.request.interventions import patch
from headlight.request.request import Request
from headlight.study.asking import Keep
from headlight.study.intervals import Interval, interval
from headlight.study.pairs import Pair
from headlight.study.study import Cell, Study, follows, study

LEAST = 1e-30  # of a probability, whose logarithm is finite
T = TypeVar("T")


class Kept:
    """A circuit that is kept as JSON."""

    parts: ClassVar[tuple[str, Callable[..., Any]]]  # the field with its parts, and what each is

    def save(self, path: str | Path) -> None:
        """Write it as JSON."""
        found = {
            name: value if isinstance(value, int) else [_plain(each) for each in value]
            for name, value in vars(self).items()
        }
        Path(path).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what `save` wrote."""
        found = json.loads(Path(path).read_text(encoding="utf-8"))
        name, part = cls.parts
        found[name] = tuple(part(*each) for each in found[name])
        found |= {name: Interval(*found[name]) for name in SHARES}
        found |= {name: Table.of(found[name]) for name in ("table", "steps")}
        return cls(**found)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True)
class Circuit(Kept):
    """Heads that do a task, and how well.

    `faithfulness` is what is left of the answer if all other heads are as in the corrupted
    sentences, on the pairs that the heads were found with, and `held_out` on others. `without` is
    what is left if these heads alone are: near 0, the circuit is complete.
    """

    parts: ClassVar = ("heads", Cell)

    heads: tuple[Cell, ...]
    n_heads: int  # of the model
    faithfulness: Interval
    held_out: Interval
    without: Interval
    table: Table  # of the heads: what faithfulness loses without each (minimality)
    steps: Table  # how they were found: what was added or dropped, and the faithfulness then

    def __repr__(self) -> str:
        named = ", ".join(
            f"{'' if head.kind == 'self' else f'{head.kind} '}L{head.layer}H{head.place}"
            for head in self.heads
        )
        return (
            f"<circuit of {len(self.heads)} of {self.n_heads} heads ({named}): "
            f"faithfulness {self.faithfulness}, held out {self.held_out}>"
        )


SHARES = ("faithfulness", "held_out", "without")


class _Task(NamedTuple):
    """One pair: the clean sentence, what comes from the corrupted one, and the lead of both."""

    number: int  # among the pairs
    pair: Pair
    aligned: tuple[tuple[int, int], ...]  # (in the corrupted sentence, in the clean one)
    answer: int
    wrong: int
    clean: float
    corrupted: float

    @property
    def gap(self) -> float:
        return self.clean - self.corrupted


def find_circuit(
    connection: Connection,
    pairs: Sequence[Pair],
    request: Request,
    *,
    goal: float,
    held_out: float,
    keep: Keep,
) -> Steps[Circuit]:
    """Grow a circuit by the estimates, prune it by measured faithfulness, and check it.

    Raises:
        RequestError: fewer than four pairs follow the rule, the goal is not positive, or is not
            reached with all heads that have an estimate, or the server refuses a sentence.
    """
    check_goal(goal)
    suggested = yield from study(
        connection,
        pairs,
        request,
        at="head",
        by="head",
        metric="logit_difference",
        exact=0,
        keep=keep,
    )
    found_with, others = held_apart(list(tasks_of(pairs, suggested)), len(pairs), held_out)
    own = replace(suggested, results=suggested.results[: found_with[-1].number + 1])
    every = [Cell(row["kind"], row["layer"], row["head"]) for row in own.table]
    ranked = sorted(own.table, key=lambda row: -(row["estimate"] or 0.0))
    order = [Cell(row["kind"], row["layer"], row["head"]) for row in ranked if row["estimate"] > 0]
    steps: list[dict[str, Any]] = []
    with keep.progress("Finding a circuit") as done:

        def measured(kept: Collection[Cell], of: Sequence[_Task]) -> Steps[Interval]:
            share = yield from _left(connection, request, of, every, kept)
            done(len(steps) + 1)
            return share

        heads, now = [], Interval(0.0, 0.0, 0.0)
        for head in order:
            if now.value >= goal:
                break
            heads.append(head)
            now = yield from measured(heads, found_with)
            steps.append(_step("add", head, now))
        if now.value < goal:
            raise RequestError(
                f"With all {len(heads)} heads whose estimate is positive, {now.value:.2f} of the "
                f"answer is left; expected {goal:.2f}. Choose a lower goal.",
                code="goal_not_reached",
                field="goal",
            )
        for head in heads[::-1]:  # the least promising first
            fewer = [other for other in heads if other != head]
            less = yield from measured(fewer, found_with)
            if fewer and less.value >= goal:
                heads, now = fewer, less
                steps.append(_step("drop", head, now))
        rows = []
        for head in heads:
            less = yield from measured([other for other in heads if other != head], found_with)
            rows.append({**_named(head), "loses": now.value - less.value})
        checked = yield from measured(heads, others)
        rest = yield from measured([head for head in every if head not in heads], others)
    return Circuit(tuple(heads), len(every), now, checked, rest, Table.of(rows), Table.of(steps))


def check_goal(goal: float) -> None:
    """
    Raises:
        RequestError: it is not positive.
    """
    if not 0 < goal:
        raise RequestError(f"Expected a goal above 0, such as 0.9; got {goal}.", field="goal")


def held_apart(tasks: Sequence[T], n_pairs: int, share: float) -> tuple[Sequence[T], Sequence[T]]:
    """The tasks to find a circuit with, and the last ones, which only check it.

    Raises:
        RequestError: there are too few.
    """
    n = round(share * len(tasks))
    if len(tasks) < 4 or not 0 < n < len(tasks):
        raise RequestError(
            f"{len(tasks)} of {n_pairs} pairs follow the rule, and {n} of them are held out; "
            "expected at least four, some of each. Give more pairs, or others.",
            code="too_few_pairs",
            field="pairs",
        )
    return tasks[:-n], tasks[-n:]


def tasks_of(pairs: Sequence[Pair], suggested: Study) -> Iterator[_Task]:
    """The pairs that follow the rule, with what a study of them found."""
    for n, (pair, told) in enumerate(zip(pairs, suggested.results, strict=True)):
        if told["against"] is not None and follows(told):
            back = tuple((to, source) for source, to in told["pairs"])
            ids = told["token"]["id"], told["against"]["id"]
            yield _Task(n, pair, back, *ids, told["clean"], told["corrupted"])


def _left(
    connection: Connection,
    request: Request,
    tasks: Sequence[_Task],
    every: Sequence[Cell],
    kept: Collection[Cell],
) -> Steps[Interval]:
    """What is left of the answer if all heads but some are as in the corrupted sentences."""
    effects = []
    for task in tasks:
        edits = [
            patch(task.pair.corrupted, pairs=task.aligned, **where) for where in _away(every, kept)
        ]
        body = replace(
            request, texts=(task.pair.clean,), interventions=(*request.interventions, *edits)
        )
        predict = {"tokens": [task.answer, task.wrong], "top_k": 1}
        answer = yield from connection.trace(
            {**body.body(), "predict": predict, "select": {"layers": []}}
        )
        told = {one["id"]: one["probability"] for one in answer.document["predictions"][0]}
        lead = log(max(told[task.answer], LEAST)) - log(max(told[task.wrong], LEAST))
        effects.append(lead - task.corrupted)
    return interval(effects, [task.gap for task in tasks])


def _away(every: Sequence[Cell], kept: Collection[Cell]) -> Iterator[dict[str, Any]]:
    """Where all heads but some are; of a layer without any of them, the whole layer."""
    layers: dict[tuple[str, int], list[Cell]] = {}
    for head in every:
        layers.setdefault((head.kind, head.layer), []).append(head)
    for (kind, layer), heads in layers.items():
        where: dict[str, Any] = {"layer": layer} | ({} if kind == "self" else {"site": kind})
        away = [head for head in heads if head not in kept]
        if len(away) == len(heads):
            yield where
        else:
            yield from ({**where, "head": int(head.place)} for head in away)


def _named(head: Cell) -> dict[str, Any]:
    return {"kind": head.kind, "layer": head.layer, "head": head.place}


def _step(action: str, head: Cell, now: Interval) -> dict[str, Any]:
    return {"step": action, **_named(head), "faithfulness": now.value}

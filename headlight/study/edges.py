"""A circuit of edges: what each part reads of the others, as few as give the answer of many pairs.

A set of edges is judged by its faithfulness: every other edge carries what its sender gives in the
corrupted sentence, and what is left of the lead of the answer counts (ACDC: Conmy et al. 2023). The
order in which edges are tried is that of their estimates (EAP-IG: Hanna et al. 2024).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from headlight.errors import RequestError
from headlight.frames import Table
from headlight.http.connection import Connection
from headlight.http.steps import Steps
from headlight.request.request import Request
from headlight.study.asking import ALONE, Keep, each_pair, tokens_of
from headlight.study.circuit import Kept, check_goal, held_apart
from headlight.study.intervals import Interval, interval, ratios
from headlight.study.pairs import Pair
from headlight.study.roles import aligned
from headlight.study.study import follows, pairs_table

LISTED = 5_000  # edges of a pair whose estimates are asked for, the largest first
SHOWN = 200  # edges of a table of means
AT_ONCE = 8  # sets that are run in one request, of so many edges in all, at most
MOST_IDS = 20_000
PARTS = 24  # into so many parts a circuit is cut, each of which is tried to be dropped

What = Literal["sets", "without"]


class Edge(NamedTuple):
    """What a part reads of another: “L0H5” → “L2H3”, through q, k or v."""

    sender: str
    receiver: str
    through: str

    def __str__(self) -> str:
        through = f".{self.through}" if self.through in ("q", "k", "v") else ""
        return f"{self.sender} → {self.receiver}{through}"


@dataclass(frozen=True)
class EdgeCircuit(Kept):
    """Edges that do a task, and how well.

    `faithfulness`, `held_out` and `without` are as in `Circuit`: what is left of the answer with
    these edges alone, the same on other pairs, and what is left if only these are closed.
    """

    parts: ClassVar = ("edges", Edge)

    edges: tuple[Edge, ...]  # the largest estimate first
    n_edges: int  # of the model
    faithfulness: Interval
    held_out: Interval
    without: Interval
    table: Table  # of the edges, with the means of their estimates, as shares of the answer
    steps: Table  # how they were found: how many there were, and the faithfulness then

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads that an edge leaves or enters."""
        ends = {end for edge in self.edges for end in (edge.sender, edge.receiver) if "H" in end}
        return tuple(sorted(ends))

    def __repr__(self) -> str:
        return (
            f"<circuit of {len(self.edges)} of {self.n_edges:,} edges: "
            f"faithfulness {self.faithfulness}, held out {self.held_out}>"
        )


@dataclass(frozen=True)
class EdgeMeans:
    """What edges promise in many pairs: `table` has the means, and `pairs` each pair."""

    results: tuple[Mapping[str, Any], ...]

    @property
    def pairs(self) -> Table:
        """A row for each pair, as in `Study.pairs`."""
        return pairs_table(self.results)

    @property
    def table(self) -> Table:
        """A row for each of the edges that promise most, the largest mean first.

        `mean` is the sum of the estimates over the sum of what the clean sentences have more than
        the corrupted ones, from `low` to `high` in 95% of samples of the pairs that follow the
        rule. Where a pair does not list an edge, it promised too little.
        """
        used = [each for each in self.results if follows(each)]
        first = list(promised(used).items())[:SHOWN]
        places = {id: at for at, (id, _) in enumerate(first)}
        effects = np.zeros((len(used), len(first)))
        for n, each in enumerate(used):
            for id, *_, estimate in each["edges"]:
                if id in places:
                    effects[n, places[id]] = estimate
        gaps = np.array([each["clean"] - each["corrupted"] for each in used])
        means, low, high = ratios(effects, gaps)
        return Table.of(
            [
                {
                    **{"id": id, **edge._asdict(), "mean": float(means[at])},
                    **{"low": float(low[at]), "high": float(high[at]), "n": len(used)},
                }
                for at, (id, (edge, _)) in enumerate(first)
            ]
        )


def promised(results: Sequence[Mapping[str, Any]]) -> dict[int, tuple[Edge, float]]:
    """Each edge by its id, with the mean of its estimates as a share of the answer, largest first.

    Numbers come from `ask`.
    """
    whole = sum(each["clean"] - each["corrupted"] for each in results)
    sums: dict[int, float] = {}
    named: dict[int, Edge] = {}
    for each in results:
        for id, sender, receiver, through, estimate in each["edges"]:
            sums[id] = sums.get(id, 0.0) + estimate
            named[id] = Edge(sender, receiver, through)
    order = sorted(sums, key=lambda id: -sums[id])
    return {id: (named[id], sums[id] / whole) for id in order}


class _Task(NamedTuple):
    """One pair, and the answer's lead after both sentences."""

    pair: Pair
    told: Mapping[str, Any]

    @property
    def gap(self) -> float:
        gap: float = self.told["clean"] - self.told["corrupted"]
        return gap


def find_edges(
    connection: Connection,
    pairs: Sequence[Pair],
    request: Request,
    *,
    goal: float,
    held_out: float,
    keep: Keep,
) -> Steps[EdgeCircuit]:
    """Take edges in the order of their estimates until the goal is reached, and drop what is not
    needed; then check the rest.

    Raises:
        RequestError: too few pairs follow the rule, the goal is not positive or not reached, or the
            server refuses a sentence.
    """
    check_goal(goal)

    def ask(pair: Pair, request: Request, answer: int | None, wrong: int | None) -> Steps[Any]:
        rows = []
        for text in (pair.clean, pair.corrupted):
            rows.append((yield from tokens_of(connection, text, request)))
        both, _ = aligned(pair, *rows)
        if answer is None or wrong is None:  # the likeliest after each sentence
            answer, wrong = yield from _likeliest(connection, request, pair, answer, wrong)
        asked = {
            "corrupted": pair.corrupted,
            "token": answer,
            "against": wrong,
            "pairs": [[other, one] for one, other in both],
        }
        told = yield from _edges(connection, request, pair, {**asked, "listed": LISTED})
        edges = [
            # as little as possible is kept of thousands
            [
                edge["id"],
                _name(edge["sender"]),
                _name(edge["receiver"]),
                edge["through"],
                edge["estimate"],
            ]
            for edge in told["edges"]
        ]
        texts = {"clean_text": pair.clean, "corrupted_text": pair.corrupted}
        return {**told, **texts, "edges": edges, "asked": asked}

    found = yield from each_pair(connection, pairs, request, {"of": "edges"}, ask, keep)
    tasks = [
        _Task(pair, told)
        for pair, told in zip(pairs, found, strict=True)
        if told["against"] is not None and follows(told)
    ]
    found_with, others = held_apart(tasks, len(pairs), held_out)
    named = promised([task.told for task in found_with])
    order = [id for id, (_, mean) in named.items() if mean > 0]
    n_edges = found[0]["n_edges"]
    steps: list[dict[str, Any]] = []
    with keep.progress("Finding a circuit") as done:

        def measured(
            sets: Sequence[Collection[int]], of: Sequence[_Task], what: What = "sets"
        ) -> Steps[list[Interval]]:
            left = yield from _left(connection, request, of, sets, what)
            done(len(steps) + 1)
            return left

        def tried(what: str, edges: int, share: Interval) -> None:
            steps.append({"step": what, "edges": edges, "faithfulness": share.value})
            keep.tried(steps[-1])

        kept = yield from _grown(order, goal, found_with, measured, tried)
        kept = yield from _pruned(kept, goal, found_with, measured, tried)
        [now] = yield from measured([kept], found_with)
        [checked] = yield from measured([kept], others)
        [without] = yield from measured([kept], others, "without")
    table = [{**named[id][0]._asdict(), "mean": named[id][1]} for id in kept]
    return EdgeCircuit(
        tuple(named[id][0] for id in kept),
        n_edges,
        now,
        checked,
        without,
        Table.of(table),
        Table.of(steps),
    )


def _grown(
    order: Sequence[int], goal: float, tasks: Sequence[_Task], measured: Any, tried: Any
) -> Steps[list[int]]:
    """The first edges of an order that reach the goal, up to a quarter more than needed."""
    sizes = sorted({min(len(order), round(1.25**n)) for n in range(60)} - {0})
    while sizes:
        some = [n for at, n in enumerate(sizes[:AT_ONCE]) if sum(sizes[: at + 1]) <= MOST_IDS]
        some = some or sizes[:1]
        sizes = sizes[len(some) :]
        left = yield from measured([order[:size] for size in some], tasks)
        for size, share in zip(some, left, strict=True):
            tried("add", size, share)
            if share.value >= goal:
                return list(order[:size])
    raise RequestError(
        f"With all {len(order)} edges whose estimate is positive, {share.value:.2f} of the answer "
        f"is left; expected {goal:.2f}. Choose a lower goal."
        if order
        else "No edge has a positive estimate. Give other pairs.",
        code="goal_not_reached",
        field="goal",
    )


def _pruned(
    kept: list[int], goal: float, tasks: Sequence[_Task], measured: Any, tried: Any
) -> Steps[list[int]]:
    """The edges without those that are not needed: in parts, the least promising first, each of
    which is dropped if the rest still reaches the goal."""
    size = max(1, len(kept) // PARTS)
    parts = [kept[at : at + size] for at in range(0, len(kept), size)][::-1]
    for part in parts:
        fewer = [id for id in kept if id not in part]
        if not fewer:
            break
        [share] = yield from measured([fewer], tasks)
        if share.value >= goal:
            kept = fewer
            tried("drop", len(kept), share)
    return kept


def _name(part: dict[str, Any] | None) -> str:
    if part is None:
        return "logit"
    if part["kind"] == "embedding":
        return "tokens"
    head = part["head"]
    return f"mlp {part['layer']}" if head is None else f"L{part['layer']}H{head}"


def _left(
    connection: Connection,
    request: Request,
    tasks: Sequence[_Task],
    sets: Sequence[Collection[int]],
    what: What,
) -> Steps[list[Interval]]:
    """What is left of the answer with each of the sets alone, or without it."""
    effects = []
    for task in tasks:
        asked = {**task.told["asked"], "steps": 0, what: [list(one) for one in sets]}
        told = yield from _edges(connection, request, task.pair, asked)
        effects.append([lead - task.told["corrupted"] for lead in told["leads"]])
    gaps = [task.gap for task in tasks]
    return [interval([row[at] for row in effects], gaps) for at in range(len(sets))]


def _likeliest(
    connection: Connection, request: Request, pair: Pair, answer: int | None, wrong: int | None
) -> Steps[tuple[int, int | None]]:
    """The likeliest token after the clean sentence, and that after the other, if it differs."""
    first = []
    for text in (pair.clean, pair.corrupted):
        body = replace(request, texts=(text,)).body() | dict(ALONE)
        told = yield from connection.trace({**body, "predict": {"top_k": 1}})
        first.append(told.document["predictions"][0][0]["id"])
    token = first[0] if answer is None else answer
    other = first[1] if wrong is None else wrong
    return token, None if other == token else other


def _edges(
    connection: Connection, request: Request, pair: Pair, asked: dict[str, Any]
) -> Steps[dict[str, Any]]:
    body = replace(request, texts=(pair.clean,)).body() | dict(ALONE)
    answer = yield from connection.trace({**body, "analyse": {"edges": asked}})
    told: dict[str, Any]
    [told] = answer.document["edges"]
    return told

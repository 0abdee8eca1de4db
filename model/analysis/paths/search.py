"""The path map: from an answer back to tokens, each edge with a promise and a cut.

Attribution promises what an edge gives to the answer (`promises.py`). Then each edge that is
listed is cut alone in a real run (`cuts.py`), and `moved` is by how much the answer fell. Both
are in logits, before a soft cap. The cut confirms an edge that moves the answer the same way, by a
third of the promise to three times as much; the edge is stronger if by more. Otherwise it is weaker
than promised if it still moves the answer by a twentieth of what the strongest edge into the answer
promises, and else it is denied. So a verdict does not depend on which edges are asked for. Routes
are followed from the answer back, strongest edges first, and end where a cut denies them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Literal

import torch
from torch import Tensor

from model.analysis.attribution import direction_of
from model.analysis.paths.cuts import Cuts, cut_run
from model.analysis.paths.promises import Edge, Node, Promises, promises
from model.errors import NumericsError, UnavailableError
from model.slices import end_slice
from model.sources.runner import Runner
from model.trace.predictions import Prediction, log_softmax
from model.trace.stream import Part, walk
from model.trace.trace import Trace

THRESHOLD, LIMIT = 0.05, 60  # unless the caller says otherwise: what is listed, and how many
SHARE = 1 / 3  # of what was promised, at least, or the edge is weaker than promised
NOTICED = 0.05  # of the strongest promise into the answer, at least, or a weaker edge is denied
AT_ONCE = 10  # edges cut in one pass, before the strongest of the rest are chosen

Verdict = Literal["confirmed", "stronger", "weaker", "denied"]


@dataclass(frozen=True)
class VerifiedEdge:
    """An edge, what attribution promised, and by how much the answer fell when it was cut."""

    edge: Edge
    promised: float
    moved: float
    verdict: Verdict


def _verdict(promised: float, moved: float, noticed: float) -> Verdict:
    if moved * promised <= 0:
        return "denied"
    if abs(moved) > abs(promised) / SHARE:
        return "stronger"
    if abs(moved) >= SHARE * abs(promised):
        return "confirmed"
    return "weaker" if abs(moved) >= noticed else "denied"


@dataclass(frozen=True, kw_only=True)
class Paths:
    """The strongest routes to an answer at one position of one text."""

    position: int
    token: Prediction
    against: Prediction | None  # if given, the answer is the difference token − against
    logit: float  # the answer, before a soft cap
    least: float  # the smallest promise of an edge that is listed
    edges: tuple[VerifiedEdge, ...]  # the largest promise first
    left_out: int  # edges that promise enough, but that the limit left out
    opaque: tuple[Part, ...]  # feed-forward networks through which no route was followed


def paths(
    trace: Trace,
    runner: Runner,
    *,
    position: int | None = None,
    token: int | None = None,
    against: int | None = None,
    threshold: float = THRESHOLD,
    limit: int = LIMIT,
) -> list[Paths]:
    """The path map of each text.

    `runner` has the inputs of the trace. `position` and `token` are as in `attribution`. An edge is
    listed if it promises at least `threshold` times what the strongest edge into the answer does,
    and leads to the answer over edges that no cut denies; at most `limit` edges.

    Raises:
        UnavailableError: the model predicts nothing, or its stream was not recorded.
        InputError: there is no such position or token.
        NumericsError: a number is not finite.
    """
    trace.head("analyse.paths")
    positions = trace.read_positions(position, "analyse.paths")
    return [
        _of_text(trace, runner, text, at, token, against, threshold, limit)
        for text, at in enumerate(positions)
    ]


@torch.no_grad()
def _of_text(
    trace: Trace,
    runner: Runner,
    text: int,
    position: int,
    token: int | None,
    against: int | None,
    threshold: float,
    limit: int,
) -> Paths:
    stages, unembed, token_text = trace.head("analyse.paths")
    stream = trace.stream_to_read("no route through it can be followed", field="analyse.paths")
    raw_unembed = stream.raw_unembed
    if raw_unembed is None:
        raise UnavailableError(
            f"The head of {trace.model} is not known, so no route to a logit can be followed.",
            field="analyse.paths",
        )
    entering = stages[-1, text, position]
    log_p = log_softmax(unembed(entering), model=trace.model)
    trace.check_ids(len(log_p), "analyse.paths", token=token, against=against)
    wanted = int(log_p.argmax()) if token is None else token

    def answer(entering: Tensor) -> Tensor:
        logits = raw_unembed(entering)
        return logits[..., wanted] - (0.0 if against is None else logits[..., against])

    steps = list(walk(stream, trace.sites, text=text, positions=range(len(trace.read_tokens[0]))))
    cuts = Cuts(stream, trace.sites, steps, text)
    promised = promises(
        stream,
        trace.sites,
        steps,
        direction_of(raw_unembed, entering, wanted, against),
        text=text,
        position=position,
        threshold=threshold,
        closed=cuts.closed(runner),
    )
    whole = answer(entering)

    def cut(edges: Sequence[Edge]) -> list[float]:
        """By how much the answer falls, for each edge."""
        after = answer(cut_run(cuts, edges, runner, text=text, position=position))
        fallen: list[float] = (whole - after).tolist()
        return fallen

    edges, left_out = _followed(promised, limit, cut)
    if not all(isfinite(number) for one in edges for number in (one.promised, one.moved)):
        raise NumericsError(
            f"A route to the logit of {token_text(wanted)!r} has numbers that are not finite; "
            "expected all finite."
        )

    def named(id: int) -> Prediction:
        return Prediction(id, token_text(id), log_p[id].exp().item())

    return Paths(
        position=position,
        token=named(wanted),
        against=None if against is None else named(against),
        logit=whole.item(),
        least=promised.least,
        edges=tuple(edges),
        left_out=left_out,
        opaque=promised.opaque,
    )


def _followed(
    given: Promises, limit: int, cut: Callable[[Sequence[Edge]], Sequence[float]]
) -> tuple[list[VerifiedEdge], int]:
    """The edges on routes to the answer, strongest first, as far as no cut denies them.

    The second number is how many more there are, which the limit leaves out.
    """
    promised, found = given.edges, dict[Edge, VerifiedEdge]()
    reached: set[Node] = set()
    while True:
        ready = [
            edge
            for edge in promised
            if edge not in found and (edge.receiver.part is None or edge.receiver in reached)
        ]
        some = sorted(ready, key=lambda edge: -abs(promised[edge]))
        some = some[: min(AT_ONCE, limit - len(found))]
        if not some:
            return sorted(found.values(), key=lambda one: -abs(one.promised)), len(ready)
        end_slice(len(found), limit)
        for edge, moved in zip(some, cut(some), strict=True):
            verdict = _verdict(promised[edge], moved, NOTICED * given.strongest)
            found[edge] = VerifiedEdge(edge, promised[edge], moved, verdict)
            if verdict != "denied":
                reached.add(edge.sender)

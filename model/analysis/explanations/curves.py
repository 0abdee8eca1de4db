"""Deletion and insertion curves: the answer as tokens are taken away, or given, in an order."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import torch

from model.analysis.explanations.case import Answer, Case, Memory
from model.analysis.explanations.ranks import order

RANDOM_ORDERS = 4  # whose mean curve shows what an order without any knowledge gives


@dataclass(frozen=True)
class Curve:
    """The answer with 0, 1, … all source tokens deleted, or inserted."""

    logits: tuple[float, ...]
    probabilities: tuple[float, ...]
    area: float  # under `logits` over the share of tokens, by the trapezoid rule


@dataclass(frozen=True)
class Curves:
    """The curves of one order of the tokens (Petsiuk et al. 2018, RISE)."""

    deletion: Curve  # the most important first: a good order falls fast, so its area is small
    insertion: Curve  # from no token, the most important first: a good order rises fast


def curves(case: Case, each: Sequence[Sequence[float]], remembered: Memory) -> list[Curves]:
    """The curves for each list of numbers, the largest first; the last is that of random orders.

    A token is deleted as the reference does it: nobody may look at it.
    """
    n = len(case.sources)
    shuffled = random.Random(0)  # the same orders for each request
    orders = [order(values) for values in each]
    orders += [shuffled.sample(range(n), n) for _ in range(RANDOM_ORDERS)]
    answers = {frozenset[int](): case.full}  # what orders share runs once
    before = case.progress.done
    found = []
    for number, one in enumerate(orders, start=1):
        found.append(
            remembered("curves", (*case.key, *one), partial(_of_order, case, one, answers))
        )
        case.progress.to(before + n_runs(n, number - RANDOM_ORDERS))
    return [*found[: len(each)], _mean(found[len(each) :])]


def n_runs(n: int, orders: int) -> int:
    """At most so many runs of a text of `n` tokens, for so many orders besides the random ones."""
    return 2 * max(0, n - 1) * (orders + RANDOM_ORDERS) + 1  # all have one in common


def _sets(one: Sequence[int]) -> Iterable[frozenset[int]]:
    for k in range(len(one) + 1):
        yield frozenset(one[:k])
        yield frozenset(one[k:])


def _of_order(case: Case, one: Sequence[int], answers: dict[frozenset[int], Answer]) -> Curves:
    _run(case, _sets(one), answers)
    n = len(one)
    return Curves(
        deletion=_curve([answers[frozenset(one[:k])] for k in range(n + 1)]),
        insertion=_curve([answers[frozenset(one[k:])] for k in range(n + 1)]),
    )


def _run(case: Case, sets: Iterable[frozenset[int]], answers: dict[frozenset[int], Answer]) -> None:
    """Add the answer without each set of tokens, unless it is there."""
    wanted = [hidden for hidden in dict.fromkeys(sets) if hidden not in answers]
    rows = torch.zeros(len(wanted), len(case.sources), dtype=torch.bool)
    for row, hidden in enumerate(wanted):
        rows[row, list(hidden)] = True
    answers |= dict(zip(wanted, case.without(rows) if wanted else [], strict=True))


def _curve(answers: Sequence[Answer]) -> Curve:
    logits, probabilities = zip(*answers, strict=True)
    return _with_area(logits, probabilities)


def _with_area(logits: Sequence[float], probabilities: Sequence[float]) -> Curve:
    area = sum((a + b) / 2 for a, b in pairwise(logits)) / max(1, len(logits) - 1)
    return Curve(tuple(logits), tuple(probabilities), area)


def _mean(several: Sequence[Curves]) -> Curves:
    def mean(each: Sequence[Curve]) -> Curve:
        logits = torch.tensor([curve.logits for curve in each]).mean(dim=0)
        probabilities = torch.tensor([curve.probabilities for curve in each]).mean(dim=0)
        return _with_area(logits.tolist(), probabilities.tolist())

    return Curves(mean([c.deletion for c in several]), mean([c.insertion for c in several]))

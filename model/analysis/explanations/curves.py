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
    before = case.progress.done
    known: dict[tuple[int, ...], Curves] = {}
    for number, one in enumerate(map(tuple, orders), start=1):
        if one not in known:
            known[one] = remembered("curves", (*case.key, *one), partial(_of_order, case, one))
        case.progress.to(before + n_runs(n, number - RANDOM_ORDERS))
    found = [known[tuple(one)] for one in orders]
    return [*found[: len(each)], _mean(found[len(each) :])]


def n_runs(n: int, orders: int) -> int:
    """At most so many runs of a text of `n` tokens, for so many orders besides the random ones."""
    return (2 * n - 1) * (orders + RANDOM_ORDERS)


def _sets(one: Sequence[int]) -> Iterable[frozenset[int]]:
    for k in range(len(one) + 1):
        yield frozenset(one[:k])
        yield frozenset(one[k:])


def _of_order(case: Case, one: Sequence[int]) -> Curves:
    """The curves of one order.

    Sets that another order has, too, run again: else the rows that run together, and with them
    the last digits, would depend on what is remembered.
    """
    n = len(one)
    wanted = [hidden for hidden in dict.fromkeys(_sets(one)) if hidden]
    rows = torch.zeros(len(wanted), n, dtype=torch.bool)
    for row, hidden in enumerate(wanted):
        rows[row, list(hidden)] = True
    answers = {frozenset[int](): case.full}
    answers |= dict(zip(wanted, case.without(rows), strict=True))
    return Curves(
        deletion=_curve([answers[frozenset(one[:k])] for k in range(n + 1)]),
        insertion=_curve([answers[frozenset(one[k:])] for k in range(n + 1)]),
    )


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

"""How far two orders of the same tokens agree."""

import math
from collections.abc import Sequence
from functools import cache
from itertools import accumulate

import numpy as np

ONE_IN = 20  # random orders: what at most one in so many reaches is more than chance


def kendall(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Kendall's τ-b of two lists of numbers: (concordant − discordant) / √(untied_a · untied_b).

    1: the same order; −1: the reverse; ties count for neither (Kendall 1945). None if one of the
    lists is all ties, or has fewer than two numbers, so that it has no order.
    """
    total, untied_a, untied_b = 0, 0, 0
    each_a, each_b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    for i in range(1, len(a)):
        x, y = np.sign(each_a[i] - each_a[:i]), np.sign(each_b[i] - each_b[:i])
        total += int(x @ y)
        untied_a += int(np.count_nonzero(x))
        untied_b += int(np.count_nonzero(y))
    if not untied_a or not untied_b:
        return None
    return total / math.sqrt(untied_a * untied_b)


@cache
def chance(n: int) -> float | None:
    """The smallest t with P(|τ| ≥ t) ≤ 1/20 over all orders of n tokens; None if there is none.

    Exact for orders without ties: an order with d inversions of n(n − 1)/2 pairs has
    τ = 1 − 2d / pairs, and d is counted for all n! orders (Kendall 1938). Of four tokens or fewer
    even τ = 1 is not that rare, so they have no t.
    """
    pairs, orders = n * (n - 1) // 2, math.factorial(n)
    found = None
    # as many orders have τ ≤ −t as have τ ≥ t, and t > 0
    for inversions, so_far in enumerate(accumulate(_inversions(n))):
        if 2 * so_far * ONE_IN > orders:
            break
        found = (pairs - 2 * inversions) / pairs
    return found


def _inversions(n: int) -> list[int]:
    """How many orders of n tokens have 0, 1, …, n(n − 1)/2 inversions; their sum is n!.

    The n-th token can be put before 0 to n − 1 of the others, and adds so many inversions.
    """
    counts = [1]
    for size in range(2, n + 1):
        sums = [0, *accumulate(counts)]
        last = len(counts)
        counts = [
            sums[min(d + 1, last)] - sums[max(0, d + 1 - size)] for d in range(last + size - 1)
        ]
    return counts


def order(values: Sequence[float]) -> list[int]:
    """The places of the numbers, the largest first; equal numbers in their order."""
    return sorted(range(len(values)), key=lambda place: (-values[place], place))

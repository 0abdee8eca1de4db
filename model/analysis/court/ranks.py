"""How far two orders of the same tokens agree."""

import math
from collections.abc import Sequence

SIGNIFICANT = 1.96  # standard deviations: 5% of random orders lie further out


def kendall(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Kendall's τ-b of two lists of numbers: (concordant − discordant) / √(untied_a · untied_b).

    1: the same order; −1: the reverse; ties count for neither (Kendall 1945). None if one of the
    lists is all ties, or has fewer than two numbers, so that it has no order.
    """
    total, untied_a, untied_b = 0, 0, 0
    for i in range(len(a)):
        for j in range(i):
            x, y = _sign(a[i] - a[j]), _sign(b[i] - b[j])
            total += x * y
            untied_a += x != 0
            untied_b += y != 0
    if not untied_a or not untied_b:
        return None
    return total / math.sqrt(untied_a * untied_b)


def chance(n: int) -> float | None:
    """The |τ| that only 1 in 20 random orders of n tokens exceeds, without ties; None: too few.

    By the normal approximation, τ has the variance 2(2n + 5) / 9n(n − 1) (Kendall 1938).
    """
    if n < 2:
        return None
    return min(1.0, SIGNIFICANT * math.sqrt(2 * (2 * n + 5) / (9 * n * (n - 1))))


def order(values: Sequence[float]) -> list[int]:
    """The places of the numbers, the largest first; equal numbers in their order."""
    return sorted(range(len(values)), key=lambda place: (-values[place], place))


def _sign(x: float) -> int:
    return (x > 0) - (x < 0)

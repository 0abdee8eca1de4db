"""How far two orders agree, against counts by hand and simulated orders."""

import math
import random
from itertools import permutations

import pytest

from model.analysis.explanations.gradients import gauss_legendre
from model.analysis.explanations.ranks import chance, kendall, order


def plain_tau(a: list[float], b: list[float]) -> float:
    """τ-b from its definition, over ordered pairs."""
    agree, disagree, tied_a, tied_b, pairs = 0, 0, 0, 0, 0
    for i in range(len(a)):
        for j in range(len(a)):
            if i == j:
                continue
            pairs += 1
            tied_a += a[i] == a[j]
            tied_b += b[i] == b[j]
            agree += (a[i] < a[j] and b[i] < b[j]) or (a[i] > a[j] and b[i] > b[j])
            disagree += (a[i] < a[j] and b[i] > b[j]) or (a[i] > a[j] and b[i] < b[j])
    return (agree - disagree) / math.sqrt((pairs - tied_a) * (pairs - tied_b))


def test_tau_worked_by_hand() -> None:
    # 6 pairs; (0.1, 0.4) and (0.2, 0.4) are the other way round, so 4 agree and 2 do not
    assert kendall([0.1, 0.2, 0.4, 0.9], [2.0, 3.0, 1.0, 4.0]) == pytest.approx(2 / 6)
    assert kendall([1.0, 2.0, 3.0], [10.0, 20.0, 30.0]) == 1
    assert kendall([1.0, 2.0, 3.0], [3.0, 2.0, 1.0]) == -1
    # ties: 3 pairs, of which one is tied in a; the other two agree
    assert kendall([1.0, 1.0, 2.0], [1.0, 2.0, 3.0]) == pytest.approx(2 / math.sqrt(2 * 3))


def test_without_an_order_there_is_no_tau() -> None:
    assert kendall([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]) is None
    assert kendall([1.0], [2.0]) is None


@pytest.mark.parametrize("n", [2, 3, 7, 11])
def test_tau_against_its_definition(n: int) -> None:
    rng = random.Random(n)
    for _ in range(20):
        a = [float(rng.randint(0, n)) for _ in range(n)]  # with ties
        b = [rng.gauss(0, 1) for _ in range(n)]
        if len(set(a)) > 1:
            assert kendall(a, b) == pytest.approx(plain_tau(a, b))


def test_one_random_order_in_twenty_reaches_chance() -> None:
    rng, n, out = random.Random(0), 12, 0
    limit = chance(n)
    assert limit is not None
    for _ in range(800):
        found = kendall([float(x) for x in range(n)], [float(x) for x in rng.sample(range(n), n)])
        assert found is not None
        out += abs(found) >= limit
    assert 0.02 < out / 800 < 0.07


@pytest.mark.parametrize("n", range(8))
def test_chance_against_every_order(n: int) -> None:
    found = []
    for ranks in permutations(range(n)):
        score = sum(1 if ranks[i] < ranks[j] else -1 for j in range(n) for i in range(j))
        found.append(abs(score))
    rare = [t for t in set(found) if 20 * sum(score >= t for score in found) <= len(found)]
    expected = min(rare) / (n * (n - 1) / 2) if rare else None
    assert chance(n) == expected
    assert (expected is None) == (n <= 4)


def plain_counts(n: int) -> dict[int, int]:
    """How many of the n! orders have each number of inversions: the last token goes anywhere."""
    counts = {0: 1}
    for size in range(2, n + 1):
        longer: dict[int, int] = {}
        for inversions, orders in counts.items():
            for more in range(size):
                longer[inversions + more] = longer.get(inversions + more, 0) + orders
        counts = longer
    return counts


@pytest.mark.parametrize("n", [8, 10, 12, 25, 40])
def test_chance_is_the_first_agreement_that_is_rare(n: int) -> None:
    pairs, counts = n * (n - 1) // 2, plain_counts(n)
    assert sum(counts.values()) == math.factorial(n)

    def share(limit: float) -> float:
        far = (count for d, count in counts.items() if abs(1 - 2 * d / pairs) > limit - 1e-9)
        return sum(far) / math.factorial(n)

    found = chance(n)
    assert found is not None
    assert share(found) <= 0.05 < share(found - 2 / pairs)


def test_chance_worked_for_eight_and_ten() -> None:
    # of 8 tokens, 16/28 = 0.571 is reached by 6.1% and 18/28 by 3.1% of all orders
    assert chance(8) == pytest.approx(18 / 28)
    assert chance(10) == pytest.approx(23 / 45)


def test_chance_nears_the_normal_approximation() -> None:
    n = 64
    limit = chance(n)
    sigma = math.sqrt(2 * (2 * n + 5) / (9 * n * (n - 1)))
    assert limit == pytest.approx(1.96 * sigma, rel=0.02)


def test_order_puts_the_largest_first_and_equal_ones_as_they_come() -> None:
    assert order([0.5, -1.0, 2.0, 0.5]) == [2, 0, 3, 1]


@pytest.mark.parametrize("n", [1, 2, 5, 32])
def test_gauss_legendre_integrates_polynomials_exactly(n: int) -> None:
    points = gauss_legendre(n)
    assert len(points) == n
    for power in range(min(2 * n, 12)):
        found = sum(weight * x**power for x, weight in points)
        assert found == pytest.approx(1 / (power + 1), abs=1e-12)

"""How far two orders agree, against counts by hand and simulated orders."""

import math
import random

import pytest

from model.analysis.court.gradients import gauss_legendre
from model.analysis.court.ranks import chance, kendall, order


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


def test_one_random_order_in_twenty_exceeds_chance() -> None:
    rng, n, out = random.Random(0), 12, 0
    limit = chance(n)
    assert limit is not None
    for _ in range(800):
        found = kendall([float(x) for x in range(n)], [float(x) for x in rng.sample(range(n), n)])
        assert found is not None
        out += abs(found) > limit
    assert 0.03 < out / 800 < 0.07
    assert chance(1) is None


def test_order_puts_the_largest_first_and_equal_ones_as_they_come() -> None:
    assert order([0.5, -1.0, 2.0, 0.5]) == [2, 0, 3, 1]


@pytest.mark.parametrize("n", [1, 2, 5, 32])
def test_gauss_legendre_integrates_polynomials_exactly(n: int) -> None:
    points = gauss_legendre(n)
    assert len(points) == n
    for power in range(min(2 * n, 12)):
        found = sum(weight * x**power for x, weight in points)
        assert found == pytest.approx(1 / (power + 1), abs=1e-12)

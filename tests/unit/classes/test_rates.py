"""How fast people may ask."""

import pytest

from server.classes import rates
from server.classes.errors import ClassError
from server.classes.rates import Allowance, Budgets


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_name_has_some_requests_at_once_and_then_one_at_a_time() -> None:
    clock = Clock()
    budgets = Budgets(Allowance(3, 10), clock)
    for _ in range(3):
        budgets.spend("a")
    clock.now = 4.0
    with pytest.raises(ClassError, match="Too many requests") as refused:
        budgets.spend("a")
    assert refused.value.wait_s == pytest.approx(6)
    budgets.spend("b")  # another one's
    clock.now = 10.0
    budgets.spend("a")
    with pytest.raises(ClassError):
        budgets.spend("a")


def test_old_names_are_evicted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "MAX_NAMES", 2)
    budgets = Budgets(Allowance(1, 10), Clock())
    for name in "abc":
        budgets.spend(name)
    budgets.spend("a")  # forgotten, so it begins anew
    with pytest.raises(ClassError):
        budgets.spend("c")

"""How fast people may ask. In memory, for each worker.

Never by IP address: a whole school may share one.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from server.classes.errors import too_fast

MAX_NAMES = 10_000  # names with their own budget; the least recently used is evicted


@dataclass(frozen=True)
class Allowance:
    """How many requests are allowed at once, and the seconds until each next one."""

    burst: float
    every_s: float


OF_A_PERSON = Allowance(20, 1 / 5)
OF_A_TEACHER = Allowance(60, 1 / 20)
OF_OPENING = Allowance(10, 60)  # classes of one browser
OF_JOINING = Allowance(500, 1 / 50)  # of each class: a whole school at once, then 50 a second


class Budgets:
    """One kind of allowance, for each of many names."""

    def __init__(self, allowance: Allowance, clock: Callable[[], float] = time.monotonic) -> None:
        self._allowance = allowance
        self._clock = clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()  # requests, at time

    def spend(self, name: Hashable) -> None:
        """Count a request. Raises `too_fast` if there is none left."""
        left = self._available(name)
        if left < 1:
            raise too_fast((1 - left) * self._allowance.every_s)
        self._left[name] = (left - 1, self._clock())
        self._left.move_to_end(name)
        if len(self._left) > MAX_NAMES:
            self._left.popitem(last=False)

    def _available(self, name: Hashable) -> float:
        if name not in self._left:
            return self._allowance.burst
        left, at = self._left[name]
        grown = (self._clock() - at) / self._allowance.every_s
        return min(self._allowance.burst, left + grown)


class Rates:
    """The budgets of this worker."""

    def __init__(self) -> None:
        self.people, self.teachers = Budgets(OF_A_PERSON), Budgets(OF_A_TEACHER)  # by token
        self.openings = Budgets(OF_OPENING)  # by participant
        self.joins = Budgets(OF_JOINING)  # by class

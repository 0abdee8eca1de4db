"""How fast people may ask. In memory, for each worker.

Never by IP address: a whole school may share one.
"""

from collections.abc import Hashable

from server.classes.errors import too_fast
from server.guard.attempts import Allowance, Budgets

OF_A_PERSON = Allowance(20, 1 / 5)
OF_A_TEACHER = Allowance(60, 1 / 20)
OF_OPENING = Allowance(10, 60)  # classes of one browser
OF_JOINING = Allowance(500, 1 / 50)  # of each class: a whole school at once, then 50 a second


class Rates:
    """The budgets of this worker."""

    def __init__(self) -> None:
        self._people, self._teachers = Budgets(OF_A_PERSON), Budgets(OF_A_TEACHER)
        self._joins, self._openings = Budgets(OF_JOINING), Budgets(OF_OPENING)

    def person(self, name: Hashable) -> None:
        """Count a request of a person. Raises `too_fast`."""
        _spend(self._people, name)

    def teacher(self, name: Hashable) -> None:
        """Count a request of a teacher."""
        _spend(self._teachers, name)

    def opening(self, participant: str) -> None:
        """Count a class that somebody opens."""
        _spend(self._openings, participant)

    def join(self, code: str) -> None:
        """Count somebody who joins a class."""
        _spend(self._joins, code)


def _spend(budgets: Budgets, name: Hashable) -> None:
    if wait_s := budgets.wait_s(name):
        raise too_fast(wait_s)
    budgets.spend(name)

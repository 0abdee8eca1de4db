"""How fast people may ask, and how many wrong codes are read. In memory, for each worker.

Never by IP address: a whole school may share one.
"""

from collections.abc import Hashable

from server.classes.errors import too_fast
from server.guard.attempts import Allowance, Budgets

OF_A_PERSON = Allowance(20, 1 / 5)
OF_A_TEACHER = Allowance(60, 1 / 20)
OF_JOINING = Allowance(500, 1 / 50)  # of each class: a whole school at once, then 50 a second
# Of all together: one a second for the life of a class, half a day, is 43,000 codes of
# 309 million; the chance to find a class is one in 7,000.
OF_WRONG_CODES = Allowance(200, 1)


class Rates:
    """The budgets of this worker."""

    def __init__(self, workers: int) -> None:
        self._people, self._teachers = Budgets(OF_A_PERSON), Budgets(OF_A_TEACHER)
        self._joins = Budgets(OF_JOINING)
        self._wrong = Budgets(OF_WRONG_CODES.shared_by(workers))

    def person(self, name: Hashable) -> None:
        """Count a request of a person. Raises `too_fast`."""
        _spend(self._people, name)

    def teacher(self, name: Hashable) -> None:
        """Count a request of a teacher."""
        _spend(self._teachers, name)

    def join(self, code: str) -> None:
        """Count somebody who joins a class."""
        _spend(self._joins, code)

    def guess(self) -> None:
        """Before a code is looked up: refuse while too many wrong ones came."""
        if wait_s := self._wrong.wait_s(None):
            raise too_fast(wait_s)

    def wrong(self) -> None:
        """Count a wrong code."""
        self._wrong.spend(None)


def _spend(budgets: Budgets, name: Hashable) -> None:
    if wait_s := budgets.wait_s(name):
        raise too_fast(wait_s)
    budgets.spend(name)

"""How many wrong passwords may be tried, and how fast.

Each wrong try takes one from three budgets, which fill up again: that of the participant, so that
one reader's mistakes are not everybody's; that of the address, so that one guesser on a network
does not keep out the others; and that of the whole server, so that many addresses help nobody. Who
is in already has nothing to do with any of them. Each worker has its share of each.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

KEPT = 10_000  # names with a budget of their own; the one seen longest ago is forgotten


@dataclass(frozen=True)
class Allowance:
    """So many wrong tries at once, and then one in so many seconds."""

    burst: float
    every_s: float

    def shared_by(self, workers: int) -> "Allowance":
        """The part of one of several workers, any of which a try may reach."""
        return Allowance(max(self.burst / workers, 3), self.every_s * workers)


OF_A_PARTICIPANT = Allowance(10, 10)
OF_AN_ADDRESS = Allowance(60, 10)  # a class behind one address, all typing at once
OF_ALL = Allowance(200, 5)  # 17,000 a day


class Budgets:
    """One kind of allowance, for each of many names."""

    def __init__(self, allowance: Allowance, clock: Callable[[], float] = time.monotonic) -> None:
        self._allowance = allowance
        self._clock = clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()  # tries, and when

    def wait_s(self, name: Hashable) -> float:
        """Seconds until that name may try."""
        return max(0.0, (1 - self._tries(name)) * self._allowance.every_s)

    def spend(self, name: Hashable) -> None:
        """It was wrong."""
        self._left[name] = (self._tries(name) - 1, self._clock())
        self._left.move_to_end(name)
        if len(self._left) > KEPT:
            self._left.popitem(last=False)

    def _tries(self, name: Hashable) -> float:
        if name not in self._left:
            return self._allowance.burst
        left, at = self._left[name]
        grown = (self._clock() - at) / self._allowance.every_s
        return min(self._allowance.burst, left + grown)


class Tries:
    """The wrong tries of this worker."""

    def __init__(self, workers: int, clock: Callable[[], float] = time.monotonic) -> None:
        kinds = (OF_A_PARTICIPANT, OF_AN_ADDRESS, OF_ALL)
        self._participants, self._addresses, self._all = (
            Budgets(kind.shared_by(workers), clock) for kind in kinds
        )

    def wait_s(self, participant: str, address: str) -> int:
        """Whole seconds until another try is looked at; 0: now."""
        waits = [self._addresses.wait_s(network(address)), self._all.wait_s(None)]
        if participant:  # whoever says nothing is nobody in particular
            waits.append(self._participants.wait_s(participant))
        return math.ceil(max(waits))

    def wrong(self, participant: str, address: str) -> None:
        """Count a wrong try."""
        self._addresses.spend(network(address))
        self._all.spend(None)
        if participant:
            self._participants.spend(participant)


def network(address: str) -> str:
    """What one guesser can speak from: an IPv4 address, or the half of an IPv6 one that is given
    to a household.
    """
    try:
        ip = ip_address(address)
    except ValueError:  # a socket file, a test
        return address
    return address if not isinstance(ip, IPv6Address) else ip.exploded[:19]

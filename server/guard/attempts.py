"""Rate limits on wrong passwords.

Each wrong attempt takes one from three budgets that refill over time: the participant's, so that
one reader's mistakes do not affect the others; the address's, so that one guesser on a network
does not lock out the rest; and the whole server's, so that guessing from many addresses does not
help. Readers who have entered the password are not affected. Each worker has a share of each
budget.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

MAX_NAMES = 10_000  # names with their own budget; the least recently used is evicted


@dataclass(frozen=True)
class Allowance:
    """How many wrong attempts are allowed at once, and the seconds until each next one."""

    burst: float
    every_s: float

    def shared_by(self, workers: int) -> "Allowance":
        """The share of one worker, when an attempt may reach any of them."""
        return Allowance(max(self.burst / workers, 3), self.every_s * workers)


OF_A_PARTICIPANT = Allowance(10, 10)
OF_AN_ADDRESS = Allowance(60, 10)  # a class behind one address, all typing at once
OF_ALL = Allowance(200, 5)  # 17,000 a day


class Budgets:
    """One kind of allowance, for each of many names."""

    def __init__(self, allowance: Allowance, clock: Callable[[], float] = time.monotonic) -> None:
        self._allowance = allowance
        self._clock = clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()  # attempts, at time

    def wait_s(self, name: Hashable) -> float:
        """Seconds until that name may try again."""
        return max(0.0, (1 - self._available(name)) * self._allowance.every_s)

    def spend(self, name: Hashable) -> None:
        """Count a wrong attempt."""
        self._left[name] = (self._available(name) - 1, self._clock())
        self._left.move_to_end(name)
        if len(self._left) > MAX_NAMES:
            self._left.popitem(last=False)

    def _available(self, name: Hashable) -> float:
        if name not in self._left:
            return self._allowance.burst
        left, at = self._left[name]
        grown = (self._clock() - at) / self._allowance.every_s
        return min(self._allowance.burst, left + grown)


class Attempts:
    """The wrong attempts that reached this worker."""

    def __init__(self, workers: int, clock: Callable[[], float] = time.monotonic) -> None:
        kinds = (OF_A_PARTICIPANT, OF_AN_ADDRESS, OF_ALL)
        self._participants, self._addresses, self._all = (
            Budgets(kind.shared_by(workers), clock) for kind in kinds
        )

    def wait_s(self, participant: str, address: str) -> int:
        """Whole seconds until the next attempt will be checked; 0: now."""
        waits = [self._addresses.wait_s(network(address)), self._all.wait_s(None)]
        if participant:  # empty for clients that send no participant
            waits.append(self._participants.wait_s(participant))
        return math.ceil(max(waits))

    def wrong(self, participant: str, address: str) -> None:
        """Count a wrong attempt."""
        self._addresses.spend(network(address))
        self._all.spend(None)
        if participant:
            self._participants.spend(participant)


def network(address: str) -> str:
    """The range that one guesser controls: an IPv4 address, or the /64 prefix of an IPv6 one."""
    try:
        ip = ip_address(address)
    except ValueError:  # a socket file, a test
        return address
    return address if not isinstance(ip, IPv6Address) else ip.exploded[:19]

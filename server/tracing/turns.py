"""When those who were refused shall come back: one after another, as room will be found for them.

To tell everybody how long the queue is would bring all of them back at once, most of them in vain.
"""

LONGEST_S = 30.0
OVERBOOKED = 1.5  # turns for each place: not everybody comes back in time
_REMEMBERED = 1_024  # participants, before those whose turn has passed are forgotten


class Turns:
    """The turns that were given. Its owner locks it; times are seconds of one clock."""

    def __init__(self) -> None:
        self._last = 0.0
        self._given: dict[str, float] = {}

    def wait_s(self, participant: str, *, now: float, queue_s: float, each_s: float) -> float:
        """How long a participant shall wait, where `queue_s` is how long those take who wait
        inside, and `each_s` how long one of them does. Whoever comes too early keeps the turn.
        """
        turn = self._given.get(participant, 0.0)
        if turn <= now:
            turn = max(now + queue_s, min(self._last + each_s / OVERBOOKED, now + LONGEST_S))
            self._last = self._given[participant] = turn
            if len(self._given) > _REMEMBERED:
                self._given = {who: at for who, at in self._given.items() if at > now}
        return turn - now

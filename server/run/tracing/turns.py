"""Spreads out the retries of refused requests, so that they come back as room becomes free.

If everybody were told the length of the queue, all would come back at once, most of them in vain.
"""

MAX_WAIT_S = 30.0
OVERBOOKING = 1.5  # retries scheduled per free place, because not everybody comes back in time
_MAX_PARTICIPANTS = 1_024  # remembered before those whose turn has passed are dropped


class Turns:
    """When each refused participant may retry. Not thread-safe. Times are seconds of one clock."""

    def __init__(self) -> None:
        self._last = 0.0
        self._given: dict[str, float] = {}

    def wait_s(self, participant: str, *, now: float, queue_s: float, each_s: float) -> float:
        """Seconds until a participant should retry. One who retries too early keeps their turn.

        Args:
            queue_s: time to work off the whole queue.
            each_s: time for one request.
        """
        turn = self._given.get(participant, 0.0)
        if turn <= now:
            turn = max(now + queue_s, min(self._last + each_s / OVERBOOKING, now + MAX_WAIT_S))
            self._last = self._given[participant] = turn
            if len(self._given) > _MAX_PARTICIPANTS:
                self._given = {who: at for who, at in self._given.items() if at > now}
        return turn - now

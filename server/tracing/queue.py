"""Who goes next: jobs in the order that is fair to those who asked for them.

Self-clocked fair queueing (Golestani 1994): a job is tagged with the virtual time at which it would
be finished if all participants shared the processor equally; the smallest tag goes first. So cheap
jobs overtake expensive ones, a participant who asks for much waits for those who ask for little,
and nobody starves: virtual time passes with the work done.
"""

import math
from bisect import insort
from collections import deque
from collections.abc import Callable
from statistics import median_low

from server.tracing.jobs import Job, Together

_REMEMBERED = 256  # participants, before those who owe nothing are forgotten
_LATELY = 64  # jobs, from which it is seen what one usually costs


class FairQueue:
    """Jobs that wait. Its owner locks it, and says how many have room."""

    def __init__(self) -> None:
        self._jobs: list[Job] = []  # by their tags
        self._now = 0.0  # virtual time, in the units of cost
        self._last: dict[str, float] = {}  # the tag of each participant's last job
        self._costs: deque[float] = deque(maxlen=_LATELY)
        self.usual_cost = 0.0  # of the jobs that came lately

    def __len__(self) -> int:
        return len(self._jobs)

    @property
    def cost(self) -> float:
        """Of all that wait."""
        return sum(job.cost for job in self._jobs)

    def push(self, job: Job, room: int) -> Job | None:
        """Let a job wait. Past `room` the one with the largest tag has to go: it is returned."""
        job.start_tag = self._start(job.participant)
        job.finish_tag = job.start_tag + job.cost
        self._last[job.participant] = job.finish_tag
        self._costs.append(job.cost)
        self.usual_cost = median_low(self._costs)
        insort(self._jobs, job, key=_tag)
        if len(self._last) > _REMEMBERED + 4 * len(self._jobs):
            self._last = {who: tag for who, tag in self._last.items() if tag > self._now}
        if len(self._jobs) <= room:
            return None
        last = self._jobs[-1]
        self.remove(last)
        return last

    def is_full_for(self, participant: str, room: int) -> bool:
        """Whether a job of a participant, of the usual cost, would find no room.

        So a request can be refused before it is read. A full queue lets somebody in only in place
        of a job that would come clearly later, by more than a usual job: where all ask for about
        the same, to read newcomers and to evict for them those who have been read already would
        take all the time that there is for answers.
        """
        if len(self._jobs) < room:
            return False
        if not self._jobs:
            return True
        return self._start(participant) + 2 * self.usual_cost >= self._jobs[-1].finish_tag

    def pop(self, may_run: Callable[[Job], bool], until: float = math.inf) -> Job | None:
        """The next of those that may run now, and whose turn comes `until` a virtual time."""
        for place, job in enumerate(self._jobs):
            if job.finish_tag > until:
                return None
            if may_run(job):
                return self._jobs.pop(place)
        return None

    def fitting(self, together: Together) -> list[Job]:
        """Jobs that can be prepared with one, and are not, in their order."""
        return [
            job
            for job in self._jobs
            if job.together is not None
            and job.together.key == together.key
            and job.preparation == "none"
        ]

    def remove(self, job: Job) -> bool:
        """Take a job out that nobody waits for any more; whether it was there."""
        if job not in self._jobs:
            return False
        self._jobs.remove(job)
        if self._last.get(job.participant) == job.finish_tag:
            self._last[job.participant] = job.start_tag  # it cost its participant nothing
        return True

    def passed(self, tag: float) -> None:
        """Work was done, up to this virtual time."""
        self._now = max(self._now, tag)

    def _start(self, participant: str) -> float:
        return max(self._now, self._last.get(participant, 0.0))


def _tag(job: Job) -> float:
    return job.finish_tag

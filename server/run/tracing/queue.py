"""A queue that is fair to its participants.

Self-clocked fair queueing (Golestani 1994): each job is tagged with the virtual time at which it
would finish if all participants shared the processor equally, and the smallest tag runs first. So
cheap jobs overtake expensive ones, heavy users wait for light ones, and nobody starves, because
virtual time advances with the work done.
"""

import math
from bisect import insort
from collections import deque
from collections.abc import Callable
from statistics import median_low

from server.run.tracing.jobs import Batchable, Job

_MAX_PARTICIPANTS = 256  # remembered before idle ones are dropped
_RECENT = 64  # jobs whose median cost is the usual cost


class FairQueue:
    """The waiting jobs. Not thread-safe: its owner holds the lock and decides its capacity."""

    def __init__(self) -> None:
        self._jobs: list[Job] = []  # sorted by finish tag
        self._now = 0.0  # virtual time, in the units of cost
        self._last: dict[str, float] = {}  # the tag of each participant's last job
        self._costs: deque[float] = deque(maxlen=_RECENT)
        self.usual_cost = 0.0  # median of recent jobs

    def __len__(self) -> int:
        return len(self._jobs)

    @property
    def cost(self) -> float:
        """The total cost of all waiting jobs."""
        return sum(job.cost for job in self._jobs)

    def push(self, job: Job, room: int) -> Job | None:
        """Add a job. If that exceeds `room`, evict and return the job with the largest tag."""
        job.start_tag = self._start(job.participant)
        job.finish_tag = job.start_tag + job.cost
        self._last[job.participant] = job.finish_tag
        self._costs.append(job.cost)
        self.usual_cost = median_low(self._costs)
        insort(self._jobs, job, key=_tag)
        if len(self._last) > _MAX_PARTICIPANTS + 4 * len(self._jobs):
            self._last = {who: tag for who, tag in self._last.items() if tag > self._now}
        if len(self._jobs) <= room:
            return None
        last = self._jobs[-1]
        self.remove(last)
        return last

    def is_full_for(self, participant: str, room: int) -> bool:
        """Whether a job of the usual cost from this participant would find no room.

        With this a request can be refused before it is parsed. A full queue admits a new job only
        if it can evict one that would run clearly later, by more than a usual job. Otherwise, when
        all jobs cost about the same, parsing newcomers only to evict jobs already parsed would use
        up the time for real work.
        """
        if len(self._jobs) < room:
            return False
        if not self._jobs:
            return True
        return self._start(participant) + 2 * self.usual_cost >= self._jobs[-1].finish_tag

    def pop(self, may_run: Callable[[Job], bool], until: float = math.inf) -> Job | None:
        """Take the next job that may run now and whose tag is at most `until`."""
        for index, job in enumerate(self._jobs):
            if job.finish_tag > until:
                return None
            if may_run(job):
                return self._jobs.pop(index)
        return None

    def batchable_with(self, batchable: Batchable) -> list[Job]:
        """Unprepared jobs that can be prepared in the same batch, in queue order."""
        return [
            job
            for job in self._jobs
            if job.batchable is not None
            and job.batchable.key == batchable.key
            and job.preparation == "none"
        ]

    def remove(self, job: Job) -> bool:
        """Remove a job; whether it was in the queue."""
        if job not in self._jobs:
            return False
        self._jobs.remove(job)
        if self._last.get(job.participant) == job.finish_tag:
            self._last[job.participant] = job.start_tag  # do not charge its participant
        return True

    def passed(self, tag: float) -> None:
        """Advance virtual time to this tag."""
        self._now = max(self._now, tag)

    def _start(self, participant: str) -> float:
        return max(self._now, self._last.get(participant, 0.0))


def _tag(job: Job) -> float:
    return job.finish_tag

"""The threads that compute: a bounded number, fed by a fair queue, in slices.

Between two slices a job ends if nobody wants it any more or its time is up; and where others wait
whose turn would have come, they run there and then, inside it.
"""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import InvalidStateError
from contextlib import contextmanager

import torch

from model.slices import EndSlice, sliced
from server.errors import BusyError, OutOfTime
from server.metrics import Metrics
from server.settings import Settings
from server.tracing.jobs import Cancelled, Job
from server.tracing.queue import FairQueue
from server.tracing.turns import Turns

SHORT_S = 0.05  # a job that runs no longer than this is not interrupted
LENDING_DEPTH = 3  # jobs inside a job inside a job: each holds what it has computed so far
BATCH = 8  # jobs that are prepared together, at most
_JOIN_S = 5.0  # for the slice in progress when the server stops
_LEARNT = 0.05  # how much one job changes what is known of their speed
_MS = 1000.0


class Workers:
    """Threads for jobs, and the queue before them."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._concurrency = settings.concurrency
        self._size = settings.queue_size
        self._limit_s = settings.compute_timeout_s
        self._torch_threads = settings.torch_threads
        self._metrics = metrics
        self._changed = threading.Condition()  # its lock is of all below
        self._queue = FairQueue()
        self._turns = Turns()  # of those who found no room
        self._elsewhere = 0  # who wait for something else than a thread: for a model to load
        self._running: list[Job] = []  # those that lend their thread, too
        self._threads: list[threading.Thread] = []
        self._ms_per_cost = 1.0  # how long a job takes by the clock, by what was estimated
        self._stopped = False

    def submit(self, job: Job) -> None:
        """Let a job wait for its turn. It fails with `BusyError` where there is no room for it."""
        with self._changed:
            self._start_threads()
            evicted = self._queue.push(job, self._room())
            refusal = None if evicted is None else self._full(evicted.participant)
            self._tell()
            self._changed.notify()
        if evicted is not None and refusal is not None:
            self.end(evicted, refusal)

    def is_full_for(self, participant: str, under_way: int = 0) -> bool:
        """Whether a request of this participant could only be refused.

        `under_way` are all requests that have been let in: some may not have got here yet.
        """
        with self._changed:
            known = len(self._queue) + len(self._running) + self._elsewhere
            room = self._room() - max(0, under_way - known)
            return self._queue.is_full_for(participant, room)

    def full(self, participant: str) -> BusyError:
        """What a request of this participant is told for which there is no room."""
        with self._changed:
            return self._full(participant)

    def cancel(self, job: Job) -> None:
        """Let go of a job: at once while it waits, at its next slice while it runs."""
        job.cancelled = Cancelled()
        with self._changed:
            waited = self._queue.remove(job)
            self._tell()
        if waited:
            self.end(job, job.cancelled)

    @contextmanager
    def place(self) -> Iterator[None]:
        """Be one of those who wait, for something else than a thread.

        Raises:
            BusyError: there is no room.
        """
        with self._changed:
            if len(self._queue) + self._elsewhere >= self._size:
                raise self._full()
            self._elsewhere += 1
            self._tell()
        try:
            yield
        finally:
            with self._changed:
                self._elsewhere -= 1
                self._tell()

    def withdraw(self, job: Job, reason: Exception) -> None:
        """Let go of a job if it still waits."""
        with self._changed:
            waited = self._queue.remove(job)
            self._tell()
        if waited:
            self._metrics.refused.inc()
            self.end(job, reason)

    def stop(self) -> None:
        """End what runs at its next slice, and what waits at once; then the threads."""
        with self._changed:
            self._stopped = True
            stopping = BusyError("The server is stopping. Try again in a moment.", code="stopping")
            waiting = []
            while (job := self._queue.pop(lambda job: True)) is not None:
                waiting.append(job)
            for job in self._running:
                job.cancelled = stopping
            threads, self._threads = self._threads, []
            self._tell()
            self._changed.notify_all()
        for job in waiting:
            self.end(job, stopping)
        for thread in threads:
            thread.join(_JOIN_S)

    def end(self, job: Job, error: BaseException) -> None:
        """Say that a job will not be done."""
        try:
            job.future.set_exception(error)
        except InvalidStateError:
            pass  # whoever asked has cancelled it

    # What follows runs in the threads.

    def _work(self) -> None:
        torch.set_num_threads(self._torch_threads)
        while True:
            with self._changed:
                while (job := self._queue.pop(self._may_run)) is None:
                    if self._stopped:
                        return
                    self._changed.wait()
                self._running.append(job)
                self._tell()
            self._run(job, [])

    def _run(self, job: Job, within: list[Job]) -> None:
        """Do a job, which is one of those that run already, inside those that lend their thread."""
        result, failure = None, None
        job.began = time.monotonic()
        if job.future.set_running_or_notify_cancel():
            try:
                with torch.inference_mode(), sliced(self._between(job, within)):
                    self._prepare(job)
                    result = job.work()
            except BaseException as error:
                failure = error
        taken = job.active_s * _MS
        with self._changed:
            self._running.remove(job)
            self._queue.passed(job.finish_tag)
            if failure is None and job.cost > 0:
                self._ms_per_cost += _LEARNT * (taken / job.cost - self._ms_per_cost)
            self._changed.notify_all()  # an equal one may have waited for it
        if failure is not None:
            self.end(job, failure)
        elif not job.future.cancelled():
            job.future.set_result(result)

    def _prepare(self, job: Job) -> None:
        """Prepare a job together with those that wait and fit. Nobody waits for company."""
        together = job.together
        if together is None or job.preparation == "done":
            return
        with self._changed:
            others = self._queue.fitting(together)[: BATCH - 1]
            for other in others:
                other.preparation = "running"
        inputs = [other.together.inputs for other in others if other.together is not None]
        if not inputs:
            return
        try:
            together.run([together.inputs, *inputs])
        finally:
            with self._changed:
                for other in others:
                    other.preparation = "done"
                self._changed.notify_all()

    def _between(self, job: Job, within: list[Job]) -> EndSlice:
        """What happens after each slice of a job."""

        def between(done: int, total: int) -> None:
            if total:
                job.done, job.total = done, total
            if job.cancelled is not None:
                raise job.cancelled
            limit_s = self._limit_s if job.limit_s is None else job.limit_s
            if job.active_s > limit_s:
                raise OutOfTime(
                    f"This computation took more than {limit_s:g} s, and was stopped. Send "
                    "fewer or shorter texts, or ask for less of them.",
                    limit=int(limit_s),
                )
            if len(within) < LENDING_DEPTH and job.active_s > SHORT_S:
                self._lend(job, within)

        return between

    def _lend(self, job: Job, within: list[Job]) -> None:
        """Let those go first whose turn has come by the work that this job has done."""
        while True:
            with self._changed:
                reached = job.start_tag + job.active_s * _MS / self._ms_per_cost
                self._queue.passed(min(reached, job.finish_tag))
                other = self._queue.pop(self._may_run, until=reached)
                if other is None:
                    return
                self._running.append(other)
                self._tell()
            since = time.monotonic()
            self._run(other, [*within, job])
            job.lent_s += time.monotonic() - since

    # What follows wants the lock held.

    def _may_run(self, job: Job) -> bool:
        if job.preparation == "running":
            return False
        return job.key is None or all(job.key != other.key for other in self._running)

    def _room(self) -> int:
        return max(0, self._size - self._elsewhere + self._concurrency - len(self._running))

    def _start_threads(self) -> None:
        if self._threads and not self._stopped:
            return
        self._stopped = False
        for _ in range(self._concurrency):
            thread = threading.Thread(target=self._work, name="headlight-worker", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _full(self, participant: str = "") -> BusyError:
        self._metrics.refused.inc()
        waiting = len(self._queue) + self._elsewhere
        s_per_cost = self._ms_per_cost / _MS / self._concurrency
        wait_s = self._turns.wait_s(
            participant,
            now=time.monotonic(),
            queue_s=self._queue.cost * s_per_cost,
            each_s=self._queue.usual_cost * s_per_cost,
        )
        return BusyError(
            f"The server is busy. Requests that wait: {waiting}. Try again in a moment.",
            limit=self._size,
            wait_s=wait_s,
        )

    def _tell(self) -> None:
        self._metrics.queue.set(len(self._queue) + self._elsewhere)

"""A bounded number of threads that run jobs from a fair queue, in slices.

Between two slices a job ends if it was cancelled or its time is up. If the turn of a waiting job
has come by then, the job waits until that one has run.

What a request gets is a function of the request alone. So no two jobs share a thread while one of
them is in progress, nor a context: what a run keeps there (its recording, torch's modes, the
callback between slices) is invisible to the job that runs meanwhile.
"""

import threading
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import InvalidStateError, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import Context

import torch

from model.message import Message
from model.slices import EndSlice, sliced
from server.errors import STOPPING, BusyError, OutOfTime
from server.http.metrics import Metrics
from server.run.tracing.jobs import Cancelled, Job
from server.run.tracing.queue import FairQueue
from server.run.tracing.turns import Turns
from server.settings import Settings

SHORT_S = 0.05  # a job is not interrupted before it has run this long
MAX_WAITING = 3  # jobs in progress that wait for another; each keeps its tensors in memory
MAX_BATCH = 8  # jobs prepared together
_JOIN_S = 5.0  # for the slice in progress when the server stops
_LEARNING_RATE = 0.05  # weight of one job in the estimate of speed
_MS = 1000.0


class Workers:
    """The worker threads and their queue."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._concurrency = settings.concurrency
        self._size = settings.queue_size
        self._limit_s = settings.compute_timeout_s
        self._torch_threads = settings.torch_threads
        self._metrics = metrics
        self._changed = threading.Condition()  # its lock protects everything below
        self._queue = FairQueue()
        self._turns = Turns()
        self._waiting_elsewhere = 0  # requests that wait for a model to load, not for a thread
        self._running: list[Job] = []  # including those that wait for another
        self._threads: list[threading.Thread] = []
        self._others: ThreadPoolExecutor | None = None  # threads of jobs that others wait for
        self._ms_per_cost = 1.0  # measured time relative to the estimated cost
        self._stopped = False

    def submit(self, job: Job) -> None:
        """Queue a job. If there is no room, it or an evicted job fails with `BusyError`."""
        with self._changed:
            self._start_threads()
            evicted = self._queue.push(job, self._room())
            refusal = None if evicted is None else self._full(evicted.participant)
            self._tell()
            self._changed.notify()
        if evicted is not None and refusal is not None:
            self.end(evicted, refusal)

    def is_full_for(self, participant: str, in_flight: int = 0) -> bool:
        """Whether a request of this participant would certainly be refused.

        `in_flight` counts all admitted requests; some may not have reached the queue yet.
        """
        with self._changed:
            known = len(self._queue) + len(self._running) + self._waiting_elsewhere
            room = self._room() - max(0, in_flight - known)
            return self._queue.is_full_for(participant, room)

    def full(self, participant: str) -> BusyError:
        """The error for a request of this participant when there is no room."""
        with self._changed:
            return self._full(participant)

    def cancel(self, job: Job) -> None:
        """Cancel a job: at once if it is waiting, at its next slice if it is running."""
        job.cancelled = Cancelled()
        with self._changed:
            waited = self._queue.remove(job)
            self._tell()
        if waited:
            self.end(job, job.cancelled)

    @contextmanager
    def place(self) -> Iterator[None]:
        """Count as a waiting request while waiting for something other than a thread.

        Raises:
            BusyError: there is no room.
        """
        with self._changed:
            if len(self._queue) + self._waiting_elsewhere >= self._size:
                raise self._full()
            self._waiting_elsewhere += 1
            self._tell()
        try:
            yield
        finally:
            with self._changed:
                self._waiting_elsewhere -= 1
                self._tell()

    def withdraw(self, job: Job, reason: Exception) -> None:
        """Make a job fail with `reason` if it is still waiting."""
        with self._changed:
            waited = self._queue.remove(job)
            self._tell()
        if waited:
            self._metrics.refused.inc()
            self.end(job, reason)

    def stop(self) -> None:
        """Stop waiting jobs at once, running ones at their next slice, and then the threads."""
        with self._changed:
            self._stopped = True
            stopping = BusyError(STOPPING, code="stopping")
            waiting = []
            while (job := self._queue.pop(lambda job: True)) is not None:
                waiting.append(job)
            for job in self._running:
                job.cancelled = stopping
            threads, self._threads = self._threads, []
            others, self._others = self._others, None
            self._tell()
            self._changed.notify_all()
        for job in waiting:
            self.end(job, stopping)
        for thread in threads:
            thread.join(_JOIN_S)
        if others is not None:
            others.shutdown(wait=False)

    def end(self, job: Job, error: BaseException) -> None:
        """Make a job fail."""
        try:
            job.future.set_exception(error)
        except InvalidStateError:
            pass  # already cancelled

    # The methods below run in the worker threads.

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
            Context().run(self._run, job, 0)

    def _run(self, job: Job, n_waiting: int) -> None:
        """Run a job that is already in `_running`; so many others wait until it has run.

        The thread runs nothing else meanwhile, and the context is empty.
        """
        result, failure = None, None
        job.began = time.monotonic()
        if job.future.set_running_or_notify_cancel():
            try:
                with torch.inference_mode(), sliced(self._between(job, n_waiting)):
                    self._prepare(job)
                    result = job.work()
            except BaseException as error:
                failure = error
                _let_go(error)
        taken = job.active_s * _MS
        with self._changed:
            self._running.remove(job)
            self._queue.passed(job.finish_tag)
            if failure is None and job.cost > 0:
                self._ms_per_cost += _LEARNING_RATE * (taken / job.cost - self._ms_per_cost)
            self._changed.notify_all()  # a job with an equal key may be waiting
        if failure is not None:
            self.end(job, failure)
        elif not job.future.cancelled():
            job.future.set_result(result)

    def _prepare(self, job: Job) -> None:
        """Prepare a job in one batch with waiting ones. It never waits for a batch to fill."""
        batchable = job.batchable
        if batchable is None or job.preparation == "done":
            return
        with self._changed:
            others = self._queue.batchable_with(batchable)[: MAX_BATCH - 1]
            for other in others:
                other.preparation = "running"
        inputs = [other.batchable.inputs for other in others if other.batchable is not None]
        if not inputs:
            return
        try:
            batchable.run([batchable.inputs, *inputs])
        finally:
            with self._changed:
                for other in others:
                    other.preparation = "done"
                self._changed.notify_all()

    def _between(self, job: Job, n_waiting: int) -> EndSlice:
        """The callback after each slice of a job."""

        def between(done: int, total: int) -> None:
            if total:
                job.done, job.total = done, total
            if job.cancelled is not None:
                raise job.cancelled
            limit_s = self._limit_s if job.limit_s is None else job.limit_s
            if job.active_s > limit_s:
                seconds = f"{limit_s:g}"
                raise OutOfTime(
                    Message(
                        "This computation took more than {seconds} s and was stopped. Send fewer "
                        "or shorter texts, or ask for fewer results.",
                        seconds=seconds,
                    ),
                    limit=int(limit_s),
                )
            if n_waiting < MAX_WAITING and job.active_s > SHORT_S:
                self._give_way(job, n_waiting)

        return between

    def _give_way(self, job: Job, n_waiting: int) -> None:
        """Wait for the jobs whose turn has come by the time that this one has used."""
        while True:
            with self._changed:
                if (threads := self._others) is None:
                    return
                reached = job.start_tag + job.active_s * _MS / self._ms_per_cost
                self._queue.passed(min(reached, job.finish_tag))
                other = self._queue.pop(self._may_run, until=reached)
                if other is None:
                    return
                self._running.append(other)
                self._tell()
                ran = threads.submit(Context().run, self._run, other, n_waiting + 1)
            since = time.monotonic()
            ran.result()
            job.waited_s += time.monotonic() - since

    # The methods below need the lock to be held.

    def _may_run(self, job: Job) -> bool:
        if job.preparation == "running":
            return False
        return job.key is None or all(job.key != other.key for other in self._running)

    def _room(self) -> int:
        return max(0, self._size - self._waiting_elsewhere + self._concurrency - len(self._running))

    def _start_threads(self) -> None:
        if self._threads and not self._stopped:
            return
        self._stopped = False
        self._others = ThreadPoolExecutor(
            self._concurrency * MAX_WAITING,
            "headlight-worker",
            initializer=torch.set_num_threads,
            initargs=(self._torch_threads,),
        )
        for _ in range(self._concurrency):
            thread = threading.Thread(target=self._work, name="headlight-worker", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _full(self, participant: str = "") -> BusyError:
        self._metrics.refused.inc()
        waiting = len(self._queue) + self._waiting_elsewhere
        s_per_cost = self._ms_per_cost / _MS / self._concurrency
        wait_s = self._turns.wait_s(
            participant,
            now=time.monotonic(),
            queue_s=self._queue.cost * s_per_cost,
            each_s=self._queue.usual_cost * s_per_cost,
        )
        return BusyError(
            Message(
                "The server is busy: {n} request is waiting. Try again in a moment.",
                "The server is busy: {n} requests are waiting. Try again in a moment.",
                n=waiting,
            ),
            limit=self._size,
            wait_s=wait_s,
        )

    def _tell(self) -> None:
        self._metrics.queue.set(len(self._queue) + self._waiting_elsewhere)


def _let_go(error: BaseException | None) -> None:
    """Drop what the frames of an error hold: the tensors of its run.

    The error and its frames refer to each other: else only a collection of garbage finds them.
    """
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__context__

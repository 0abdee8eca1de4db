"""One simulated server process: an event loop and one thread that computes.

The two share one processor, because Python runs only one of them at a time: during a computation,
the event loop gets the processor after each slice and then handles everything that has arrived. The
queue is the server's own (server/run/tracing/queue.py), and so are the retry times and the batch
size. Admission is modelled here: responses are cached, equal requests run once, and a request that
finds no room is refused before it is read. Time limits, memory limits and long computations are not
simulated.
"""

import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

import simpy

from benchmarks._scale.costs import Costs
from model.sources.source import Inputs
from server.errors import retry_after
from server.run.tracing import Batchable, Job
from server.run.tracing.queue import FairQueue
from server.run.tracing.turns import Turns
from server.run.tracing.workers import MAX_BATCH

MS = 1000.0
SLICE_MS = sys.getswitchinterval() * MS  # then the event loop gets the processor
Step = tuple[float, Callable[[], None]]  # milliseconds, and the callback after them
ALIKE = Batchable("a pass", Inputs(("",)), lambda _: None)  # all keystrokes fit into one pass


@dataclass(frozen=True)
class Reply:
    """The response to a request."""

    status: int
    retry_after_s: int | None = None


@dataclass(eq=False)
class Request:
    """One request, and the callback for its response."""

    participant: str
    text: Hashable  # equal texts have equal answers
    reply: Callable[[Reply], None]


@dataclass(frozen=True)
class Limits:
    """The settings that matter here; see server/settings.py."""

    queue_size: int = 128
    answers: int = 1_000  # capacity of the answer cache
    slice_ms: float = SLICE_MS  # not a setting: Python's switch interval


class Worker:
    """A server process that takes requests and, later, replies."""

    def __init__(
        self,
        env: simpy.Environment,
        costs: Costs,
        limits: Limits,
        rng: Random,
        cores: simpy.Resource | None = None,
    ) -> None:
        """`cores` are shared with others; None gives the worker a core of its own."""
        self._env, self._costs, self._limits, self._rng = env, costs, limits, rng
        self._cores = cores
        self._tasks: deque[Callable[[], Step]] = deque()  # of the event loop
        self._queue = FairQueue()
        self._turns = Turns()
        self._readers: dict[Hashable, list[Request]] = {}  # waiting for answers in progress
        self._answers: OrderedDict[Hashable, None] = OrderedDict()
        self._running: Job | None = None
        self._cold = True
        self._woken = env.event()
        self.busy_ms = 0.0
        self.computed = 0
        self.remembered = 0  # from the cache, or joined to an equal request in progress
        env.process(self._run())

    def take(self, request: Request) -> None:
        """Accept a request."""
        self._do(lambda: self._open(request))

    def fetch(self, ms: float, then: Callable[[], None]) -> None:
        """Serve a file that costs `ms`."""
        self._do(lambda: (ms, then))

    # The event loop. A task is evaluated when it starts.

    def _open(self, request: Request) -> Step:
        costs, text = self._costs, request.text
        if text in self._answers:
            self._answers.move_to_end(text)
            self.remembered += 1
            return costs.hit_ms, lambda: request.reply(Reply(200))
        if text in self._readers:
            self._readers[text].append(request)
            self.remembered += 1
            return costs.hit_ms, lambda: None
        if self._queue.is_full_for(request.participant, self._room()):
            return self._refuse(request)
        self._readers[text] = [request]
        return costs.loop_ms / 2, lambda: self._submit(request)

    def _submit(self, request: Request) -> None:
        factor = self._rng.choice(self._costs.spread)
        job = Job(
            work=lambda: (factor, request.text),
            cost=self._costs.pass_ms + self._costs.rest_ms,  # the same estimate for all
            participant=request.participant,
            batchable=ALIKE,
        )
        evicted = self._queue.push(job, self._room())
        if evicted is not None:
            _, text = evicted.work()
            for reader in self._readers.pop(text):
                self._do(partial(self._refuse, reader))

    def _refuse(self, request: Request) -> Step:
        wait_s = self._turns.wait_s(
            request.participant,
            now=self._env.now,
            queue_s=self._queue.cost / MS,
            each_s=self._queue.usual_cost / MS,
        )
        reply = Reply(503, int(retry_after(wait_s, self._rng.uniform)))
        return self._costs.refusal_ms, lambda: request.reply(reply)

    def _answer(self, text: Hashable) -> None:
        self._answers[text] = None
        if len(self._answers) > self._limits.answers:
            self._answers.popitem(last=False)
        for reader in self._readers.pop(text):
            reader.reply(Reply(200))

    # The thread that computes.

    def _start(self) -> float:
        """Take the next job; returns how long it will take."""
        job = self._running = self._queue.pop(lambda job: True)
        assert job is not None
        factor, _ = job.work()
        ms: float = factor * (self._costs.rest_ms + self._costs.wake_ms * self._cold)
        self._cold = False
        if job.preparation == "none":
            others = self._queue.batchable_with(ALIKE)[: MAX_BATCH - 1]
            for other in others:
                other.preparation = "done"
            ms += factor * self._costs.pass_ms + len(others) * self._costs.batched_ms
        return ms

    def _finish(self, job: Job) -> None:
        self._queue.passed(job.finish_tag)
        self.computed += 1
        _, text = job.work()
        self._do(lambda: (self._costs.loop_ms / 2, lambda: self._answer(text)))

    # The processor, which does one thing at a time.

    def _run(self) -> Generator[simpy.Event, Any, None]:
        left_ms = 0.0  # of the job that runs
        while True:
            slice_ms = self._limits.slice_ms
            while slice_ms > 0 and (self._running is not None or len(self._queue)):
                if self._running is None:
                    left_ms = self._start()
                ms = min(slice_ms, left_ms)
                yield from self._spend(ms)
                slice_ms, left_ms = slice_ms - ms, left_ms - ms
                if left_ms <= 0 and self._running is not None:
                    done, self._running = self._running, None
                    self._finish(done)
            for _ in range(len(self._tasks)):
                ms, then = self._tasks.popleft()()
                yield from self._spend(ms)
                then()
            if not (self._tasks or self._running is not None or len(self._queue)):
                self._woken = self._env.event()
                yield self._woken
                self._cold = True

    def _spend(self, ms: float) -> Generator[simpy.Event, Any, None]:
        self.busy_ms += ms
        if self._cores is None:
            yield self._env.timeout(ms / MS)
            return
        with self._cores.request() as core:
            yield core
            yield self._env.timeout(ms / MS)

    def _do(self, task: Callable[[], Step]) -> None:
        self._tasks.append(task)
        if not self._woken.triggered:
            self._woken.succeed()

    def _room(self) -> int:
        return self._limits.queue_size + 1 - (self._running is not None)

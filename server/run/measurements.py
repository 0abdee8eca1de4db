"""Measurements of models that are made once, in the background: each is a job of its own.

Its participant is not a person, so after each of its steps other jobs get their turn.
"""

import logging
import math
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from model.errors import HeadlightError, UnavailableError
from model.slices import end_slice
from model.sources.source import Source
from server.errors import STOPPING, BusyError
from server.run.models import Models
from server.run.tracing import Job, Workers

log = logging.getLogger("headlight")

MEASURE_MS = 1_000.0  # cost for the queue; roughly that of a probe of a small model
CLOSE_S = 5.0  # for the step in progress when the server stops

T = TypeVar("T")
Measure = Callable[[Source, Callable[[int, int], None]], T]  # calls back after each step


@dataclass(eq=False)
class Run(Generic[T]):
    """The measurement of one model: its progress and outcome."""

    done: int = 0
    total: int = 0  # 0: unknown
    found: T | None = None
    error: str | None = None  # a permanent failure
    refusal: HeadlightError | None = None  # a temporary failure; the next request tries again
    ended: Future[None] = field(default_factory=Future)

    @classmethod
    def ended_with(cls, found: T, total: int) -> "Run[T]":
        """A finished run with what was found elsewhere."""
        run = cls(total, total, found)
        run.ended.set_result(None)
        return run

    @property
    def state(self) -> Literal["computing", "ready", "failed"]:
        if not self.ended.done():
            return "computing"
        return "failed" if self.found is None else "ready"


class _Stopping(Exception):
    """The server is stopping; raised in a measurement after its current step."""


class Measurements(Generic[T]):
    """The measurements of this process of one kind, one for each model requested so far."""

    def __init__(
        self,
        models: Models,
        workers: Workers,
        measure: Measure[T],
        *,
        kind: str,
        failed: str,
        total: int = 0,
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        self._models = models
        self._workers = workers
        self._measure = measure
        self._kind = kind  # as a participant of the queue
        self._failed = failed  # what the log says after a model's name
        self._total = total  # steps, as far as it is known
        self._ended = ended  # called after each success
        self._lock = threading.Lock()  # protects everything below
        self._runs: dict[str, Run[T]] = {}
        self._threads: list[threading.Thread] = []
        self._stop = threading.Event()

    def start(self, name: str) -> Run[T]:
        """The measurement of a model, started if this is the first request for it.

        Raises:
            InputError: there is no such model (code "unknown_model").
        """
        self._models.status(name)
        with self._lock:
            run = self._runs.get(name)
            if run is None:
                run = self._runs[name] = Run(total=self._total)
                thread = threading.Thread(
                    target=self._run, args=(name, run, self._stop), daemon=True
                )
                self._threads.append(thread)
                thread.start()
            return run

    def close(self) -> None:
        """Stop what runs: a thread inside torch must not outlive the interpreter."""
        with self._lock:
            stop, self._stop = self._stop, threading.Event()  # the app may start again
            threads, self._threads = self._threads, []
        stop.set()
        for thread in threads:
            thread.join(CLOSE_S)

    def _run(self, name: str, run: Run[T], stop: threading.Event) -> None:
        try:
            self._compute(name, run, stop)
        except _Stopping:
            run.refusal = BusyError(STOPPING)
        except BusyError as error:
            run.refusal = error
        except HeadlightError as error:
            # a model that cannot be measured is not an error
            level = logging.WARNING if isinstance(error, UnavailableError) else logging.ERROR
            log.log(level, "%s %s: %s", name, self._failed, error)
            run.error = error.message
        except BaseException as error:
            log.error("%s %s", name, self._failed, exc_info=error)
            run.error = "Something went wrong in the server; see its log."
        if run.refusal is not None:
            with self._lock:
                del self._runs[name]
        run.ended.set_result(None)

    def _compute(self, name: str, run: Run[T], stop: threading.Event) -> None:
        with ExitStack() as held:
            try:
                source = held.enter_context(self._models.use(name))
            except HeadlightError as error:  # already logged
                run.refusal = error
                return

            def progress(done: int, total: int) -> None:
                run.done, run.total = done, total
                if stop.is_set():
                    raise _Stopping
                end_slice(done, total)

            job = Job(
                lambda: self._measure(source, progress),
                MEASURE_MS,
                participant=self._kind,
                limit_s=math.inf,
            )
            self._workers.submit(job)
            run.found = job.future.result()
            run.done = run.total  # one that was kept has made no steps
        self._ended()

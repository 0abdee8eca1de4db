"""Head probes of the models: each is computed once, in the background, and kept.

A probe is a job with a participant of its own, so after each of its rows other jobs get their turn.
"""

import logging
import math
import threading
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Literal

from model.analysis import PROBED, ProbeScores, kept_probe
from model.analysis.probe import ROWS
from model.errors import HeadlightError, UnavailableError
from model.slices import end_slice
from server.errors import BusyError
from server.http.metrics import Metrics
from server.run.models import Models
from server.run.tracing import Job, Workers

log = logging.getLogger("headlight")

PROBE_MS = 1_000.0  # cost for the queue; roughly that of a small model
CLOSE_S = 5.0  # for the row in progress when the server stops


@dataclass(eq=False)
class Run:
    """The probe of one model: its progress and outcome."""

    done: int = 0
    total: int = ROWS
    scores: ProbeScores | None = None
    error: str | None = None  # a permanent failure
    refusal: HeadlightError | None = None  # a temporary failure; the next request tries again
    ended: Future[None] = field(default_factory=Future)

    @classmethod
    def ended_with(cls, scores: ProbeScores) -> "Run":
        """A finished run with scores computed elsewhere."""
        run = cls(scores.rows, scores.rows, scores)
        run.ended.set_result(None)
        return run

    @property
    def state(self) -> Literal["computing", "ready", "failed"]:
        if not self.ended.done():
            return "computing"
        return "failed" if self.scores is None else "ready"


class _Stopping(Exception):
    """The server is stopping; raised in a probe after its current row."""


class Probes:
    """The probes of this process, one for each model requested so far."""

    def __init__(
        self, models: Models, workers: Workers, metrics: Metrics, dtype: str = "float32"
    ) -> None:
        self._models = models
        self._dtype = dtype  # that the models compute in
        self._workers = workers
        self._metrics = metrics
        self._lock = threading.Lock()  # protects everything below
        self._runs: dict[str, Run] = {}
        self._threads: list[threading.Thread] = []
        self._stop = threading.Event()

    def start(self, name: str) -> Run:
        """The probe of a model, started if this is the first request for it.

        Raises:
            InputError: there is no such model (code "unknown_model").
        """
        self._models.status(name)
        with self._lock:
            run = self._runs.get(name)
            if run is None:
                run = self._runs[name] = Run()
                thread = threading.Thread(
                    target=self._run, args=(name, run, self._stop), daemon=True
                )
                self._threads.append(thread)
                thread.start()
            return run

    def close(self) -> None:
        """Stop running probes: a thread inside torch must not outlive the interpreter."""
        with self._lock:
            stop, self._stop = self._stop, threading.Event()  # the app may start again
            threads, self._threads = self._threads, []
        stop.set()
        for thread in threads:
            thread.join(CLOSE_S)

    def _run(self, name: str, run: Run, stop: threading.Event) -> None:
        try:
            self._compute(name, run, stop)
        except _Stopping:
            run.refusal = BusyError("The server is stopping. Try again in a moment.")
        except BusyError as error:
            run.refusal = error
        except HeadlightError as error:
            # a model without a vocabulary cannot be probed; that is not an error
            level = logging.WARNING if isinstance(error, UnavailableError) else logging.ERROR
            log.log(level, "%s could not be probed: %s", name, error)
            run.error = error.message
        except BaseException as error:
            log.error("%s could not be probed", name, exc_info=error)
            run.error = "Something went wrong in the server; see its log."
        if run.refusal is not None:
            with self._lock:
                del self._runs[name]
        run.ended.set_result(None)

    def _compute(self, name: str, run: Run, stop: threading.Event) -> None:
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
                lambda: kept_probe(source, progress, dtype=self._dtype),
                PROBE_MS,
                participant="a probe",
                limit_s=math.inf,
            )
            self._workers.submit(job)
            scores = job.future.result()
            run.done, run.total = scores.rows, scores.rows  # one that was kept has made no steps
            run.scores = scores
        self._metrics.probes.inc()


def document(name: str, run: Run) -> dict[str, Any]:
    """The response about a probe, ready for orjson."""
    scores = run.scores
    return {
        "model": name,
        "state": run.state,
        "progress": {"done": run.done, "total": run.total},
        "probe": None if scores is None else _probe(scores),
        "metrics": [metric.described() for metric in PROBED],
        "sink_share": None if scores is None else scores.sink_share,
        "heads": None if scores is None else scores.heads,
        "error": run.error,
    }


def _probe(scores: ProbeScores) -> dict[str, Any]:
    names = ("description", "rows", "length", "copies", "seed", "example")
    return {name: getattr(scores, name) for name in names}

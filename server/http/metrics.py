"""Prometheus metrics for /metrics, also with several workers.

With several workers, each writes its numbers to files in PROMETHEUS_MULTIPROC_DIR (created before
they start), and the one that is asked adds them all up. If that folder is missing or full, each
worker reports only its own numbers; nothing else is affected.
"""

import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import psutil
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, values
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

log = logging.getLogger("headlight")

MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"

# Each worker has one file per kind of metric below. They are written through a memory map, and
# writing to a full disk would kill the process (SIGBUS), so their space is allocated up front.
FILES = ("counter", "gauge_livesum", "histogram")
FILE_BYTES = 1024**2  # several times the space that all routes and statuses need


@contextmanager
def shared_folder(workers: int) -> Iterator[None]:
    """A temporary folder for the metrics of several workers."""
    if workers == 1 or MULTIPROCESS in os.environ:
        yield
        return
    try:
        made = tempfile.TemporaryDirectory(prefix="headlight-metrics-", ignore_cleanup_errors=True)
    except OSError as error:
        _warn_not_shared(error)
        yield
        return
    with made as folder:
        os.environ[MULTIPROCESS] = folder
        yield


class Metrics:
    """The metrics of one app."""

    def __init__(self) -> None:
        self._shared = MULTIPROCESS in os.environ and _allocate_files(
            Path(os.environ[MULTIPROCESS])
        )
        # prometheus_client chooses its value class at import, before we know which one can be used
        values.ValueClass = _shared_value() if self._shared else values.MutexValue
        self._registry = CollectorRegistry()
        self.requests = self._counter(
            "requests", "Requests answered, by route and status.", "route", "status"
        )
        self.seconds = Histogram(
            "headlight_request_seconds",
            "Seconds from a request's arrival to the end of its response.",
            ["route"],
            buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
            registry=self._registry,
        )
        self.hits = self._counter("cache_hits", "Traces found in the cache.")
        self.misses = self._counter("cache_misses", "Traces not found in the cache.")
        self.joined = self._counter(
            "traces_joined", "Requests that shared the result of an equal one."
        )
        self.answers_remembered = self._counter(
            "answers_remembered", "Requests answered from the response cache."
        )
        self.computed = self._counter("traces_computed", "Traces computed.")
        self.batched = self._counter("traces_batched", "Traces computed in a batch with others.")
        self.muted = self._counter(
            "mute_effects_computed", "Requests that muted each head in turn."
        )
        self.probes = self._counter("probes_computed", "Model probes completed.")
        self.refused = self._counter("busy", "Requests refused because the queue was full.")
        self.cache_bytes = self._gauge("cache_bytes", "Bytes held by the trace cache.")
        self.answer_cache_bytes = self._gauge(
            "answer_cache_bytes", "Bytes held by the response cache."
        )
        self.queue = self._gauge("queue", "Requests waiting for their turn.")
        self.class_streams = self._gauge("class_streams", "Pages that listen to a live class.")

    def _counter(self, name: str, help: str, *labels: str) -> Counter:
        return Counter(f"headlight_{name}", help, labels, registry=self._registry)

    def _gauge(self, name: str, help: str) -> Gauge:
        return Gauge(
            f"headlight_{name}", help, registry=self._registry, multiprocess_mode="livesum"
        )

    def exposition(self) -> bytes:
        """The metrics in Prometheus's text format."""
        if self._shared:
            try:
                return _sum_of_all(Path(os.environ[MULTIPROCESS]))
            except (OSError, ValueError, RuntimeError) as error:  # a file is missing or damaged
                self._shared = False
                _warn_not_shared(error)
        return generate_latest(self._registry)

    def close(self) -> None:
        """Remove this worker's gauges: its caches and queue are gone."""
        if self._shared:
            with suppress(OSError):
                mark_process_dead(os.getpid())  # type: ignore[no-untyped-call]


@cache
def _shared_value() -> Any:
    return values.MultiProcessValue()  # type: ignore[no-untyped-call]


def _allocate_files(folder: Path) -> bool:
    """Create this process's files with all the space that they will need; whether that worked."""
    files = [folder / f"{name}_{os.getpid()}.db" for name in FILES]
    try:
        for file in files:
            if not file.exists():  # an unused file consists of zeros
                file.write_bytes(bytes(FILE_BYTES))
    except OSError as error:
        for file in files:
            with suppress(OSError):
                file.unlink()
        _warn_not_shared(error)
        return False
    return True


def _warn_not_shared(error: Exception) -> None:
    log.warning(
        "/metrics will report one worker at a time instead of their sum, because the shared folder "
        "cannot be used (%s). Nothing else is affected.",
        error,
    )


def _sum_of_all(folder: Path) -> bytes:
    _remove_dead_gauges(folder)
    merged = CollectorRegistry()
    MultiProcessCollector(merged, str(folder))  # type: ignore[no-untyped-call]
    return generate_latest(merged)


def _remove_dead_gauges(folder: Path) -> None:
    """Remove the gauges of workers that were killed before they could do so themselves."""
    for pid in {int(file.stem.rpartition("_")[2]) for file in folder.glob("gauge_live*.db")}:
        if not psutil.pid_exists(pid):
            mark_process_dead(pid)  # type: ignore[no-untyped-call]

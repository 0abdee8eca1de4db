"""What /metrics says, in Prometheus's words; right with several workers too.

With several workers each writes its numbers to files in PROMETHEUS_MULTIPROC_DIR (which exists
before they start), and whichever is asked adds them all up. Without that folder, or without room
in it, each knows its own numbers alone: that costs metrics, never service.
"""

import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, values
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

log = logging.getLogger("headlight")

MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"

# One file a worker for each kind of number below. They are written through a memory map, and a disk
# that is full then kills whoever writes (SIGBUS): so all the room that they need is taken first.
FILES = ("counter", "gauge_livesum", "histogram")
FILE_BYTES = 1024**2  # several times what all routes and statuses take


@contextmanager
def shared_folder(workers: int) -> Iterator[None]:
    """A folder in which several workers write what they count."""
    if workers == 1 or MULTIPROCESS in os.environ:
        yield
        return
    try:
        made = tempfile.TemporaryDirectory(prefix="headlight-metrics-", ignore_cleanup_errors=True)
    except OSError as error:
        _only_our_own(error)
        yield
        return
    with made as folder:
        os.environ[MULTIPROCESS] = folder
        yield


class Metrics:
    """The numbers of one app."""

    def __init__(self) -> None:
        self._shared = MULTIPROCESS in os.environ and _room_in(Path(os.environ[MULTIPROCESS]))
        # prometheus_client chooses once, when imported; only here is it known what can be had
        values.ValueClass = _shared_value() if self._shared else values.MutexValue
        self._registry = CollectorRegistry()
        self.requests = self._counter(
            "requests", "Requests answered, by route and status.", "route", "status"
        )
        self.seconds = Histogram(
            "headlight_request_seconds",
            "Seconds from a request's arrival to the end of its answer.",
            ["route"],
            buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
            registry=self._registry,
        )
        self.hits = self._counter("cache_hits", "Traces found in the cache.")
        self.misses = self._counter("cache_misses", "Traces not found in the cache.")
        self.joined = self._counter("traces_joined", "Requests that waited for an equal one's.")
        self.answers_remembered = self._counter(
            "answers_remembered", "Requests answered with an answer given before."
        )
        self.computed = self._counter("traces_computed", "Traces that were computed.")
        self.batched = self._counter("traces_batched", "Traces that were computed with others.")
        self.muted = self._counter(
            "mute_effects_computed", "Requests whose texts were run once for every head."
        )
        self.probes = self._counter("probes_computed", "Probes of a model that came to an end.")
        self.refused = self._counter("busy", "Requests refused because too many wait.")
        self.cache_bytes = self._gauge("cache_bytes", "Memory that the cache holds.")
        self.answer_cache_bytes = self._gauge(
            "answer_cache_bytes", "Memory that remembered answers hold."
        )
        self.queue = self._gauge("queue", "Requests that wait for their turn.")

    def _counter(self, name: str, help: str, *labels: str) -> Counter:
        return Counter(f"headlight_{name}", help, labels, registry=self._registry)

    def _gauge(self, name: str, help: str) -> Gauge:
        return Gauge(
            f"headlight_{name}", help, registry=self._registry, multiprocess_mode="livesum"
        )

    def exposition(self) -> bytes:
        """The text that Prometheus reads."""
        if self._shared:
            try:
                return _sum_of_all(Path(os.environ[MULTIPROCESS]))
            except (OSError, ValueError, RuntimeError) as error:  # lost, or damaged
                self._shared = False
                _only_our_own(error)
        return generate_latest(self._registry)

    def close(self) -> None:
        """Forget this worker's gauges: its cache and its queue are gone."""
        if self._shared:
            with suppress(OSError):
                mark_process_dead(os.getpid())  # type: ignore[no-untyped-call]


@cache
def _shared_value() -> Any:
    return values.MultiProcessValue()  # type: ignore[no-untyped-call]


def _room_in(folder: Path) -> bool:
    """Whether this process's files are there, with all the room that they will need."""
    files = [folder / f"{name}_{os.getpid()}.db" for name in FILES]
    try:
        for file in files:
            if not file.exists():  # zeros are what an unused file begins with
                file.write_bytes(bytes(FILE_BYTES))
    except OSError as error:
        for file in files:
            with suppress(OSError):
                file.unlink()
        _only_our_own(error)
        return False
    return True


def _only_our_own(error: Exception) -> None:
    log.warning(
        "/metrics will tell the numbers of one worker at a time, not of all together: the folder "
        "that they share cannot be used (%s). Everything else goes on.",
        error,
    )


def _sum_of_all(folder: Path) -> bytes:
    _forget_the_dead(folder)
    everyone = CollectorRegistry()
    MultiProcessCollector(everyone, str(folder))  # type: ignore[no-untyped-call]
    return generate_latest(everyone)


def _forget_the_dead(folder: Path) -> None:
    """Drop the gauges of workers that were killed before they could do so themselves."""
    for pid in {int(file.stem.rpartition("_")[2]) for file in folder.glob("gauge_live*.db")}:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            mark_process_dead(pid)  # type: ignore[no-untyped-call]
        except PermissionError:
            pass  # alive, and somebody else's

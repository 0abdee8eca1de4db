"""What /metrics says, in Prometheus's words; right with several workers too.

With several workers each writes its numbers to files in PROMETHEUS_MULTIPROC_DIR (the command line
sets it before they start), and whichever is asked adds them all up.
"""

import os
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"


class Metrics:
    """The numbers of one app."""

    def __init__(self) -> None:
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
        self.computed = self._counter("traces_computed", "Traces that were computed.")
        self.muted = self._counter(
            "mute_effects_computed", "Requests whose texts were run once for every head."
        )
        self.probes = self._counter("probes_computed", "Probes of a model that came to an end.")
        self.refused = self._counter("busy", "Requests refused because too many wait.")
        self.cache_bytes = self._gauge("cache_bytes", "Memory that the cache holds.")
        self.queue = self._gauge("queue", "Requests that wait for their turn.")

    def _counter(self, name: str, help: str, *labels: str) -> Counter:
        return Counter(f"headlight_{name}", help, labels, registry=self._registry)

    def _gauge(self, name: str, help: str) -> Gauge:
        return Gauge(
            f"headlight_{name}", help, registry=self._registry, multiprocess_mode="livesum"
        )

    def exposition(self) -> bytes:
        """The text that Prometheus reads."""
        if MULTIPROCESS not in os.environ:
            return generate_latest(self._registry)
        _forget_the_dead(Path(os.environ[MULTIPROCESS]))
        everyone = CollectorRegistry()
        MultiProcessCollector(everyone)  # type: ignore[no-untyped-call]
        return generate_latest(everyone)

    def close(self) -> None:
        """Forget this worker's gauges: its cache and its queue are gone."""
        if MULTIPROCESS in os.environ:
            mark_process_dead(os.getpid())  # type: ignore[no-untyped-call]


def _forget_the_dead(folder: Path) -> None:
    """Drop the gauges of workers that were killed before they could do so themselves."""
    for pid in {int(file.stem.rpartition("_")[2]) for file in folder.glob("gauge_live*.db")}:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            mark_process_dead(pid)  # type: ignore[no-untyped-call]
        except PermissionError:
            pass  # alive, and somebody else's

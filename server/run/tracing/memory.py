"""This process's memory limit: near it, caches are emptied; beyond it, requests are refused.

A request that must wait for memory gets a 503; one that would not fit even alone, a 422.
"""

import ctypes
import gc
import math
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import psutil

from model.errors import LimitError
from model.message import Message
from server.errors import BusyError

SHARE = 0.8  # of the machine's memory, for all workers; the rest is for everything else
NEAR = 0.9  # of the limit; above this, caches are emptied
CGROUPS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
SMALL = 32_000_000  # bytes for a sentence in a small model, with all analyses
WAIT_S = 2.0  # suggested before a retry, for other requests to finish


def memory_limit(configured: int | None, workers: int) -> int:
    """Bytes for one worker: as configured, else its share of the container or machine."""
    if configured is not None:
        return configured
    available = _total()
    for file in CGROUPS:
        try:
            available = min(available, int(file.read_text()))
        except (OSError, ValueError):  # no such group, or "max"
            continue
    return int(SHARE * available / workers)


def _total() -> int:
    return int(psutil.virtual_memory().total)


class Memory:
    """Watches the resident memory of this process."""

    def __init__(
        self,
        limit: int,
        relieve: Callable[[], None],
        resident: Callable[[], int] | None = None,
    ) -> None:
        self.limit = limit
        self._relieve = relieve
        process = psutil.Process()
        self._resident = resident or (lambda: int(process.memory_info().rss))
        self._lock = threading.Lock()

    def check(self, nbytes: int) -> None:
        """Refuse a request that needs more than the whole limit: waiting would not help it.

        Raises:
            LimitError: code "too_much_memory".
        """
        if nbytes > self.limit:
            raise LimitError(
                Message(
                    "This would need about {needed} MB of memory; this server may use {most} MB in "
                    "all. Send fewer or shorter texts, or ask for less at once.",
                    needed=round(nbytes / 1e6),
                    most=round(self.limit / 1e6),
                ),
                code="too_much_memory",
                limit=self.limit,
            )

    def ensure(self, nbytes: int) -> None:
        """Make sure that `nbytes` more can be allocated.

        Raises:
            BusyError: not even with empty caches (code "short_of_memory").
        """
        if self._resident() + nbytes <= NEAR * self.limit:
            return
        with self._lock:
            if self._relieved() + nbytes <= self.limit:
                return
        raise BusyError(
            Message(
                "The server is short of memory: this needs about {needed} MB. Try again in a "
                "moment, or ask for fewer or shorter texts.",
                needed=round(nbytes / 1e6),
            ),
            code="short_of_memory",
            wait_s=WAIT_S,
        )

    def shortage(self) -> str | None:
        """Why not even a small request fits beside the models that are loaded; None if one does."""
        with self._lock:
            resident = self._relieved()
        if resident + SMALL <= self.limit:
            return None
        enough = math.ceil((resident + SMALL) / NEAR / 1e6)
        return (
            f"it may use {self.limit / 1e6:,.0f} MB of memory, and takes {resident / 1e6:,.0f} MB "
            f"before any request. Give it at least HEADLIGHT_MEMORY_BYTES={enough}000000."
        )

    def _relieved(self) -> int:
        """The resident memory with empty caches."""
        self._relieve()
        gc.collect()
        _trim_heap()
        return self._resident()


def _trim_heap() -> None:
    """Make glibc return free memory to the system; other C libraries do so by themselves."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)

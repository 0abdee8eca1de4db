"""How much memory this process may take: near it caches are emptied, past it work is refused."""

import ctypes
import gc
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import psutil

from server.errors import BusyError

SHARE = 0.8  # of the machine's memory, for all workers: the rest is for everything else
NEAR = 0.9  # of the limit: from here on caches are emptied
CGROUPS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
WAIT_S = 2.0  # that a request is asked to wait for others to end


def memory_limit(asked: int | None, workers: int) -> int:
    """Bytes for one worker: what was asked for, else its part of the container or the machine."""
    if asked is not None:
        return asked
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

    def ensure(self, nbytes: int) -> None:
        """Make sure that there is room for so many bytes more.

        Raises:
            BusyError: there is none, even with empty caches (code "short_of_memory").
        """
        if self._resident() + nbytes <= NEAR * self.limit:
            return
        with self._lock:
            self._relieve()
            gc.collect()
            _give_back()
            if self._resident() + nbytes <= self.limit:
                return
        raise BusyError(
            f"The server is short of memory: this needs about {nbytes / 1e6:,.0f} MB. Try again in "
            "a moment, or ask for fewer or shorter texts.",
            code="short_of_memory",
            wait_s=WAIT_S,
        )


def _give_back() -> None:
    """Let glibc return to the system what is free; other C libraries do by themselves."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)

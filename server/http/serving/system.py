"""What differs between Linux, macOS and Windows: how workers start, signals, the event loop."""

import asyncio
import multiprocessing
import signal
import sys
from collections.abc import Collection
from multiprocessing.context import ForkContext, SpawnContext

# macOS frameworks do not survive a fork, and Windows has none: there each worker imports everything
# itself.
CONTEXT: ForkContext | SpawnContext = (
    multiprocessing.get_context("fork")
    if sys.platform == "linux"
    else multiprocessing.get_context("spawn")
)

# The terminal is closed, or the session ends.
if sys.platform == "win32":
    HANG_UP = signal.SIGBREAK
else:
    HANG_UP = signal.SIGHUP


def block(signals: Collection[signal.Signals]) -> None:
    """Let only these signals wait until others are blocked; Windows cannot make them wait."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_SETMASK, signals)


def new_event_loop() -> asyncio.AbstractEventLoop:
    """uvloop's, where there is one."""
    if sys.platform == "win32":
        return asyncio.new_event_loop()
    import uvloop

    return uvloop.new_event_loop()


def open_files() -> tuple[int, int] | None:
    """How many files this process may open, and how many at most; None: the system has no limit.

    -1 stands for no limit, too.
    """
    if sys.platform == "win32":
        return None
    import resource

    found = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft, hard = (-1 if each == resource.RLIM_INFINITY else each for each in found)
    return soft, hard


def set_open_files(soft: int, hard: int) -> None:
    """Let this process, and those that it starts, open so many files."""
    if sys.platform != "win32":
        import resource

        whole = resource.RLIM_INFINITY if hard < 0 else hard
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, whole))

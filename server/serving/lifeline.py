"""Workers end with the process that started them, however that ends."""

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

_PR_SET_PDEATHSIG = 1  # prctl.h of Linux


class Lifeline:
    """A pipe into which nobody writes: it ends when the process that made it does."""

    def __init__(self) -> None:
        self._read, self._write = multiprocessing.Pipe(duplex=False)
        self._parent = os.getpid()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_write": None}  # a worker that was not forked never has that end

    def hold(self, stop: Callable[[], None], *, within_s: float) -> None:
        """In a worker: call `stop` when the parent is gone, and end in any case so much later."""
        if self._write is not None:
            self._write.close()  # this copy would keep the pipe open
        if sys.platform == "linux":  # at once, also while this process still starts
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != self._parent:
            os._exit(1)

        def watch() -> None:
            self._read.poll(None)
            stop()
            time.sleep(within_s)
            os._exit(1)

        threading.Thread(target=watch, name="lifeline", daemon=True).start()

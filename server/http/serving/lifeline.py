"""Makes workers exit when the process that started them exits, for whatever reason."""

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
    """A pipe that nobody writes to: it reaches end of file when its creator exits."""

    def __init__(self) -> None:
        self._read, self._write = multiprocessing.Pipe(duplex=False)
        self._parent = os.getpid()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_write": None}  # a spawned worker must not hold that end

    def hold(self, stop: Callable[[], None], *, within_s: float) -> None:
        """In a worker: call `stop` when the parent exits, and force an exit `within_s` later."""
        if self._write is not None:
            self._write.close()  # this copy would keep the pipe open
        if sys.platform == "linux":  # takes effect even while this process is starting
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != self._parent:
            os._exit(1)

        def watch() -> None:
            self._read.poll(None)
            stop()
            time.sleep(within_s)
            os._exit(1)

        threading.Thread(target=watch, name="lifeline", daemon=True).start()

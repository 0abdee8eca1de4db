"""The server's side of running programs: one runner, started with the first program."""

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock, Timer
from typing import Any

from model.message import Message, unpacked
from server.errors import BusyError
from server.programs.checks import Check
from server.settings import Settings

MAX_WAITING = 40  # people of a class who press Run at once
MAX_OWN = 2  # of one person
IDLE_S = 300.0  # after which the runner ends

_FULL = Message("Many programs wait to be run. Try again in a moment.")
_TWO = Message("Two programs of yours wait already. Let them end first.")
_ENDED = Message("What runs programs had ended. Press Run again.")


def runs_programs(settings: Settings) -> bool:
    """Whether this server runs programs: it may, and its system can fork."""
    return settings.programs and hasattr(os, "fork")


class Programs:
    """Runs programs one after the other, each in a process of its own with limits."""

    def __init__(self) -> None:
        self._waiting: Counter[str] = Counter()
        self._thread: ThreadPoolExecutor | None = None
        self._lock = Lock()  # of what follows
        self._runner: subprocess.Popen[bytes] | None = None
        self._idle: Timer | None = None

    async def run(
        self, code: str, solution: str | None, checks: Sequence[Check], participant: str = ""
    ) -> dict[str, Any]:
        """What `outcome` (checks.py) says of a program.

        Raises:
            BusyError: too many wait already, or too many of this participant.
        """
        if self._waiting.total() == MAX_WAITING:
            raise BusyError(_FULL, wait_s=2.0)
        if participant and self._waiting[participant] == MAX_OWN:
            raise BusyError(_TWO, wait_s=1.0)
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "programs")
        self._waiting[participant] += 1
        try:
            return await asyncio.wrap_future(
                self._thread.submit(self.run_now, code, solution, checks)
            )
        finally:
            self._waiting[participant] -= 1
            self._waiting += Counter()  # forgets who has none

    def run_now(
        self, code: str, solution: str | None, checks: Sequence[Check], seed: int | None = None
    ) -> dict[str, Any]:
        """As `run`, for who can wait.

        Args:
            seed: of what the program draws; None: another one each time.
        """
        asked = {"code": code, "solution": solution, "checks": list(checks), "seed": seed}
        with self._lock:
            runner = self._started()
            assert runner.stdin is not None and runner.stdout is not None
            try:
                runner.stdin.write(json.dumps(asked).encode() + b"\n")
                runner.stdin.flush()
                answer: dict[str, Any] = json.loads(runner.stdout.readline(), object_hook=unpacked)
            except (OSError, ValueError):  # it has ended
                self._end()
                raise BusyError(_ENDED) from None
            self._idle = Timer(IDLE_S, self.close)
            self._idle.daemon = True
            self._idle.start()
            return answer

    def _started(self) -> "subprocess.Popen[bytes]":
        if self._idle is not None:
            self._idle.cancel()
        if self._runner is None:
            self._runner = subprocess.Popen(
                [sys.executable, "-m", "server.programs.runner"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl+C is for the server, which ends it
                # nothing of the server's own environment: its password is there
                env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OMP_NUM_THREADS": "1"},
            )
        return self._runner

    def close(self) -> None:
        """End the runner, if it has started."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        if self._runner is not None:
            with self._runner as runner:  # which closes its pipes, and waits for it
                runner.kill()
        self._runner = None

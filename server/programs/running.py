"""The server's side of running programs: one runner, started with the first program."""

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from server.errors import BusyError
from server.programs.checks import Check

MAX_WAITING = 40  # people of a class who press Run at once
IDLE_S = 300.0  # after which the runner ends
LINE_BYTES = 2 * 1024**2  # of an answer, and a little


class Programs:
    """Runs programs one after the other, each in a process of its own with limits."""

    def __init__(self, *, enabled: bool) -> None:
        self.enabled = enabled and hasattr(os, "fork")
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._runner: asyncio.subprocess.Process | None = None
        self._idle: asyncio.TimerHandle | None = None

    async def run(self, code: str, solution: str | None, checks: Sequence[Check]) -> dict[str, Any]:
        """What `outcome` (checks.py) says of a program.

        Raises:
            BusyError: too many wait already.
        """
        if self._waiting == MAX_WAITING:
            raise BusyError("Many programs wait to be run. Try again in a moment.", wait_s=2.0)
        self._waiting += 1
        try:
            async with self._turn:
                # to its end even if its reader has gone, or the next one would read this answer
                return await asyncio.shield(self._ask(code, solution, checks))
        finally:
            self._waiting -= 1

    async def _ask(
        self, code: str, solution: str | None, checks: Sequence[Check]
    ) -> dict[str, Any]:
        asked = {"code": code, "solution": solution, "checks": list(checks)}
        runner = await self._started()
        assert runner.stdin is not None and runner.stdout is not None
        runner.stdin.write(json.dumps(asked).encode() + b"\n")
        said = await runner.stdout.readline()
        if not said:
            self._runner = None
            raise BusyError("What runs programs has ended, and starts again. Press Run again.")
        answer: dict[str, Any] = json.loads(said)
        return answer

    async def _started(self) -> asyncio.subprocess.Process:
        if self._idle is not None:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().call_later(IDLE_S, self.close)
        if self._runner is None or self._runner.returncode is not None:
            self._runner = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "server.programs.runner",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LINE_BYTES,
                # nothing of the server's own environment: its password is there
                env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OMP_NUM_THREADS": "1"},
            )
        return self._runner

    def close(self) -> None:
        """End the runner, if it has started."""
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        if self._runner is not None and self._runner.returncode is None:
            self._runner.kill()
        self._runner = None

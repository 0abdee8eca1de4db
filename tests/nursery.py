"""Starts servers by forking a process that has imported everything, as their own workers are.

Importing takes 3 s of processor time, and the tests start dozens of servers. What is not a plain
`headlight serve` of this project, such as one of a copy of it or a cluster, starts as usual.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from scripts.live import ROOT, Process, spawned

COMMAND = [sys.executable, "-m", "server.cli"]
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    ["server.commands.serve", "server.http.serving.local", "tests.warmed"]
)


def launch(
    command: Sequence[str], output: IO[bytes], environment: Mapping[str, str], folder: Path
) -> Process:
    """Start a command; its output is appended to a file."""
    n = len(COMMAND)
    is_plain = list(command[:n]) == COMMAND and folder == ROOT and "ray" not in command
    if not is_plain:
        return spawned(command, output, environment, folder)
    return Forked(command[n:], output.name, environment, folder)


class Forked:
    """A forked server, as a subprocess.Popen shows it."""

    def __init__(self, options: Sequence[str], output: str, env: Mapping[str, str], cwd: Path):
        self._process = _CONTEXT.Process(target=_run, args=(options, output, dict(env), cwd))
        self._process.start()
        self.pid = self._process.pid or 0
        self.returncode: int | None = None

    def poll(self) -> int | None:
        self.returncode = self._process.exitcode
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if (code := self.poll()) is None:
            raise subprocess.TimeoutExpired(COMMAND, timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _run(options: Sequence[str], output: str, environment: Mapping[str, str], folder: Path) -> None:
    from server.cli import app

    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    log = os.open(output, os.O_WRONLY | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(log, stream)
    sys.argv = ["headlight", *options]
    app()

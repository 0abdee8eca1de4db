"""Gives runs their turns: a thread for each that may train at once, in every worker that got one.

A lock on a file holds each of these places, over all workers. The process that trains inherits it,
so that a run of a killed worker keeps its place until it ends.
"""

import fcntl
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from server.training.runs import FAILED, STARTED, Run, Runs

log = logging.getLogger("headlight")

MAX_TRIES = 3
LOOK_S = 0.5
STOP_S = 5.0
FAILS = "The process that trained it ended {times} times. The server's log says more."


class Turns:
    """The places of this server where runs train."""

    def __init__(self, runs: Runs, at_once: int) -> None:
        self._runs, self._at_once = runs, at_once
        self._threads: list[threading.Thread] = []
        self._closed, self._wanted = threading.Event(), threading.Event()
        self._lock = threading.Lock()

    def wake(self) -> None:
        """See to it that the runs that wait are trained."""
        with self._lock:
            for place in range(len(self._threads), self._at_once):
                thread = threading.Thread(target=self._work, args=(place,), daemon=True)
                self._threads.append(thread)
                thread.start()
        self._wanted.set()

    def close(self) -> None:
        """End what trains here; it goes on when the server starts again."""
        self._closed.set()
        self._wanted.set()
        for thread in self._threads:
            thread.join(2 * STOP_S)

    def _work(self, place: int) -> None:
        """Train one run after another."""
        while not self._closed.is_set():
            self._wanted.clear()
            while not self._closed.is_set() and self._runs.unfinished():
                with _held(self._runs.folder / f"place-{place}") as lock:
                    if lock is not None:
                        self._next(lock)
                self._closed.wait(LOOK_S)
            self._wanted.wait()

    def _next(self, lock: int) -> None:
        """Train the first run that no other place trains."""
        for run in self._runs.unfinished():
            with _held(run.folder / "lock") as own:
                if own is not None and not run.is_over:
                    self._train(run, (lock, own))
                    return

    def _train(self, run: Run, locks: tuple[int, int]) -> None:
        for tries in range(1, MAX_TRIES + 1):
            run.mark(STARTED)
            process = subprocess.Popen(
                [sys.executable, "-m", "server.training.process", str(run.folder)], pass_fds=locks
            )
            while process.poll() is None:
                if self._closed.wait(LOOK_S):
                    process.terminate()
                    process.wait(STOP_S)
                    return
            if run.is_over:
                return
            log.error("The training %s ended with status %s", run.id, process.returncode)
            if tries == MAX_TRIES:
                run.mark(FAILED, FAILS.format(times=MAX_TRIES))


@contextmanager
def _held(path: Path) -> Iterator[int | None]:
    """The descriptor of a file that is locked for this process; None: another one has it."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
        else:
            yield lock
    finally:
        os.close(lock)

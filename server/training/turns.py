"""Gives runs their turns: a thread for each that may train at once, in every worker that got one.

A lock on a file holds each of these places, over all workers. The process that trains also locks
its run, so that a run of a killed worker is not trained twice.
"""

import logging
import os
import subprocess
import sys
import threading

from filelock import FileLock, Timeout

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
                try:
                    with FileLock(self._runs.folder / f"place-{place}", blocking=False):
                        self._next()
                except Timeout:
                    pass  # another worker has this place
                self._closed.wait(LOOK_S)
            self._wanted.wait()

    def _next(self) -> None:
        """Train the first run that no other place trains."""
        for run in self._runs.unfinished():
            try:
                with FileLock(run.folder / "place", blocking=False):
                    if not run.is_over:
                        self._train(run)
                        return
            except Timeout:
                continue

    def _train(self, run: Run) -> None:
        for tries in range(1, MAX_TRIES + 1):
            run.mark(STARTED)
            process = subprocess.Popen(
                [sys.executable, "-m", "server.training.process", str(run.folder)],
                start_new_session=True,  # Ctrl+C is for the server, which ends it
                env=_environment(),
            )
            while process.poll() is None:
                if self._closed.wait(LOOK_S):
                    process.kill()  # it has nothing to say, and goes on from where it was saved
                    process.wait()
                    return
            if run.is_over:
                return
            log.error("The training %s ended with status %s", run.id, process.returncode)
            if tries == MAX_TRIES:
                run.mark(FAILED, FAILS.format(times=MAX_TRIES))


def _environment() -> dict[str, str]:
    """Ours without its settings: the password is among them."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HEADLIGHT_")}
    path = os.pathsep.join(filter(None, sys.path))
    return kept | {"PYTHONPATH": path, "OMP_NUM_THREADS": "1"}

"""The first process: it listens, starts the workers, and replaces those that end.

A worker is a copy of this process (a fork), which has imported everything and runs no threads: a
new one answers within half a second, where importing torch anew takes several. It never asks
whether a worker still lives: one that computes for a minute is busy, not dead.
"""

import logging
import multiprocessing
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkContext, SpawnContext
from multiprocessing.process import BaseProcess

from server.serving.lifeline import Lifeline
from server.serving.worker import CLEANUP_S, FLUSH_S, STARTED, work
from server.settings import Settings

log = logging.getLogger("headlight")

# Frameworks of macOS do not survive a fork: there, a worker imports everything for itself.
_CONTEXT: ForkContext | SpawnContext = (
    multiprocessing.get_context("fork")
    if sys.platform == "linux"
    else multiprocessing.get_context("spawn")
)
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

PAUSE_S = 0.1  # before a worker is replaced that ended early; doubled each time,
MAX_PAUSE_S = 30.0  # up to this where it could not even start,
MAX_STARTED_PAUSE_S = 2.0  # and this where it could
EARLY_S = 1.0  # after its start; a worker that lived longer ended for a new reason
KILL_S = 2.0  # past all that a worker may take to stop


@dataclass
class Place:
    """Where one worker runs, and after it the next."""

    process: BaseProcess | None = None
    status: Connection | None = None
    started: float | None = None  # when it began to serve
    why: str | None = None  # it failed before it served
    ended_early: int = 0  # in a row
    next_start: float = 0.0


class Supervisor:
    """Keeps as many workers running as the settings say, until a signal says stop."""

    def __init__(self, settings: Settings, sockets: list[socket.socket]) -> None:
        self._settings = settings
        self._sockets = sockets
        self._places = [Place() for _ in range(settings.workers)]
        self._lifeline = Lifeline()
        self._stops = 0  # signals that said so

    def run(self) -> None:
        """Return when all workers have ended."""
        with self._signals() as woken:
            while not self._stops:
                self._start_due()
                self._wait(woken, self._next_start())
                self._replace_ended()
            self._stop(woken)

    def _start_due(self) -> None:
        now = time.monotonic()
        for place in self._places:
            if place.process is None and place.next_start <= now:
                self._start(place)

    def _start(self, place: Place) -> None:
        place.status, theirs = _CONTEXT.Pipe(duplex=False)
        arguments = (self._settings, self._sockets, self._lifeline, theirs)
        place.process = _CONTEXT.Process(target=work, args=arguments, daemon=True)
        # a signal in between would be lost: the worker has not yet said what it does about one
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            place.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        theirs.close()
        place.started, place.why = None, None

    def _next_start(self) -> float | None:
        """Seconds until a worker is due."""
        due = [place.next_start for place in self._places if place.process is None]
        return max(0.0, min(due) - time.monotonic()) if due else None

    def _wait(self, woken: socket.socket, seconds: float | None) -> None:
        """Until a worker says something or ends, a signal comes, or the time is over."""
        watched: list[Connection | socket.socket | int] = [woken]
        for place in self._places:
            if place.process is not None:
                watched.append(place.process.sentinel)
            if place.status is not None:
                watched.append(place.status)
        ready = wait(watched, seconds)
        for place in self._places:
            if place.status in ready:
                self._hear(place)
        _drain(woken)

    def _hear(self, place: Place) -> None:
        assert place.status is not None
        try:
            said = place.status.recv()
        except EOFError:
            place.status.close()
            place.status = None
            return
        if said == STARTED:
            place.started = time.monotonic()
        else:
            place.why = said

    def _replace_ended(self) -> None:
        for place in self._places:
            process = place.process
            if process is None or process.is_alive():
                continue
            while place.status is not None:  # its last words
                self._hear(place)
            now = time.monotonic()
            early = place.started is None or now - place.started < EARLY_S
            place.ended_early = place.ended_early + 1 if early else 0
            most = MAX_PAUSE_S if place.started is None else MAX_STARTED_PAUSE_S
            pause = min(most, PAUSE_S * 2 ** min(place.ended_early - 1, 20)) if early else 0.0
            place.process, place.next_start = None, now + pause
            log.error(
                "A worker (process %s) ended%s: %s. Starting another in %.1f s.",
                process.pid,
                " before it could serve" if place.started is None else "",
                place.why or _how(process.exitcode),
                pause,
            )
            process.close()

    def _stop(self, woken: socket.socket) -> None:
        """Let the workers finish, as long as the settings allow; a second signal ends them now."""
        for listening in self._sockets:
            listening.close()
        running = [place.process for place in self._places if place.process is not None]
        for process in running:
            process.terminate()
        end = time.monotonic() + self._settings.shutdown_timeout_s + FLUSH_S + CLEANUP_S + KILL_S
        while running and self._stops == 1 and time.monotonic() < end:
            wait([woken, *(p.sentinel for p in running)], end - time.monotonic())
            _drain(woken)
            running = [process for process in running if process.is_alive()]
        for process in running:
            log.error("A worker (process %s) did not stop in time: it is killed.", process.pid)
            process.kill()
            process.join()

    @contextmanager
    def _signals(self) -> Iterator[socket.socket]:
        """Count the signals that say stop; what is yielded can be read when one came."""
        woken, wake = socket.socketpair()
        for end in (woken, wake):
            end.setblocking(False)
        before = {number: signal.getsignal(number) for number in _SIGNALS}
        signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
        for number in _SIGNALS:
            if before[number] != signal.SIG_IGN:  # nohup
                signal.signal(number, self._count_stop)
        try:
            yield woken
        finally:
            signal.set_wakeup_fd(-1)
            for number, handler in before.items():
                signal.signal(number, handler)
            woken.close()
            wake.close()

    def _count_stop(self, *_: object) -> None:
        self._stops += 1


def _drain(woken: socket.socket) -> None:
    with suppress(BlockingIOError):
        woken.recv(1_024)


def _how(exitcode: int | None) -> str:
    if exitcode is not None and exitcode < 0:
        return f"killed by {signal.Signals(-exitcode).name}"
    return f"exit status {exitcode}"

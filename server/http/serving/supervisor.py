"""The parent process: it listens, starts the workers, and replaces any that exit.

A worker is a fork of this process, which has imported everything and runs no threads. So a new
worker serves within half a second, while importing torch again would take several seconds. The
supervisor never probes a running worker: one that computes for a minute is busy, not dead.
"""

import logging
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from server.http.serving.lifeline import Lifeline
from server.http.serving.system import CONTEXT, HANG_UP, block
from server.http.serving.worker import CLEANUP_S, FLUSH_S, STARTED, work
from server.settings import Settings

log = logging.getLogger("headlight")

_SIGNALS = (signal.SIGTERM, signal.SIGINT, HANG_UP)

_STDIN = 0
PAUSE_S = 0.1  # before replacing a worker that exited early; doubled each time,
MAX_PAUSE_S = 30.0  # up to this if it never began to serve,
MAX_STARTED_PAUSE_S = 2.0  # or this if it did
EARLY_S = 1.0  # a worker that served for longer than this did not exit early
KILL_S = 2.0  # after a worker's own time limit to stop


@dataclass
class WorkerSlot:
    """One worker, and the state that outlives it when it is replaced."""

    process: BaseProcess | None = None
    status: Connection | None = None
    started: float | None = None  # when it began to serve
    error: str | None = None  # why it failed before it began to serve
    early_exits: int = 0  # in a row
    next_start: float = 0.0


class Supervisor:
    """Keeps the configured number of workers running until a stop signal arrives."""

    def __init__(self, settings: Settings, sockets: list[socket.socket]) -> None:
        self._settings = settings
        self._sockets = sockets
        self._slots = [WorkerSlot() for _ in range(settings.workers)]
        self._lifeline = Lifeline()
        self._stops = 0  # stop signals received

    def run(self) -> None:
        """Run until a stop signal; return when all workers have exited."""
        with self._signals() as woken:
            while not self._stops:
                self._start_due()
                self._wait(woken, self._next_start())
                self._replace_ended()
            self._stop(woken)

    def _start_due(self) -> None:
        now = time.monotonic()
        for slot in self._slots:
            if slot.process is None and slot.next_start <= now:
                self._start(slot)

    def _start(self, slot: WorkerSlot) -> None:
        slot.status, theirs = CONTEXT.Pipe(duplex=False)
        arguments = (self._settings, self._sockets, self._lifeline, theirs)
        slot.process = CONTEXT.Process(target=work, args=arguments, daemon=True)
        # the new worker would lose a signal that arrives before it has set its handlers
        block(_SIGNALS)
        try:
            slot.process.start()
        finally:
            block(())
        theirs.close()
        slot.started, slot.error = None, None

    def _next_start(self) -> float | None:
        """Seconds until the next worker is due to start; None if all are running."""
        due = [slot.next_start for slot in self._slots if slot.process is None]
        return max(0.0, min(due) - time.monotonic()) if due else None

    def _wait(self, woken: socket.socket, seconds: float | None) -> None:
        """Wait until a worker reports or exits, a signal arrives, or the time is up."""
        watched: list[Connection | socket.socket | int] = [woken]
        for slot in self._slots:
            if slot.process is not None:
                watched.append(slot.process.sentinel)
            if slot.status is not None:
                watched.append(slot.status)
        if self._settings.stop_with_stdin and not self._stops:
            watched.append(_STDIN)
        ready = wait(watched, seconds)
        if _STDIN in ready and not os.read(_STDIN, 1_024):
            self._count_stop()
        for slot in self._slots:
            if slot.status in ready:
                self._read_status(slot)
        _drain(woken)

    def _read_status(self, slot: WorkerSlot) -> None:
        assert slot.status is not None
        try:
            report = slot.status.recv()
        except EOFError:
            slot.status.close()
            slot.status = None
            return
        if report == STARTED:
            slot.started = time.monotonic()
        else:
            slot.error = report

    def _replace_ended(self) -> None:
        for slot in self._slots:
            process = slot.process
            if process is None or process.is_alive():
                continue
            while slot.status is not None:  # a last report may be waiting
                self._read_status(slot)
            now = time.monotonic()
            early = slot.started is None or now - slot.started < EARLY_S
            slot.early_exits = slot.early_exits + 1 if early else 0
            limit = MAX_PAUSE_S if slot.started is None else MAX_STARTED_PAUSE_S
            pause = min(limit, PAUSE_S * 2 ** min(slot.early_exits - 1, 20)) if early else 0.0
            slot.process, slot.next_start = None, now + pause
            log.error(
                "A worker (process %s) exited%s: %s. Starting another in %.1f s.",
                process.pid,
                " before it could serve" if slot.started is None else "",
                slot.error or _describe_exit(process.exitcode),
                pause,
            )
            process.close()

    def _stop(self, woken: socket.socket) -> None:
        """Let the workers finish within their time limit; a second signal kills them at once."""
        for listening in self._sockets:
            listening.close()
        running = [slot.process for slot in self._slots if slot.process is not None]
        for process in running:
            process.terminate()
        end = time.monotonic() + self._settings.shutdown_timeout_s + FLUSH_S + CLEANUP_S + KILL_S
        while running and self._stops == 1 and time.monotonic() < end:
            wait([woken, *(p.sentinel for p in running)], end - time.monotonic())
            _drain(woken)
            running = [process for process in running if process.is_alive()]
        for process in running:
            log.error("A worker (process %s) did not stop in time and was killed.", process.pid)
            process.kill()
            process.join()

    @contextmanager
    def _signals(self) -> Iterator[socket.socket]:
        """Count stop signals; yield a socket that becomes readable when one arrives."""
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


def _describe_exit(exitcode: int | None) -> str:
    if exitcode is not None and exitcode < 0:
        return f"killed by {signal.Signals(-exitcode).name}"
    return f"exit status {exitcode}"

"""A worker: one process that builds the app and serves it until it is told to stop."""

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Generator
from functools import partial
from multiprocessing.connection import Connection as Pipe
from typing import Any

import uvicorn
from uvicorn.config import STARTUP_FAILURE

from server.http.serving.allocator import keep_little, return_free_pages
from server.http.serving.config import uvicorn_config
from server.http.serving.connections import Connections
from server.http.serving.handshake import TlsServer
from server.http.serving.lifeline import Lifeline
from server.http.serving.limits import Limits, limits_of
from server.http.serving.system import HANG_UP, block, new_event_loop
from server.http.serving.tls import tls_context
from server.settings import Settings

log = logging.getLogger("headlight")

TICKS_PER_CHECK = 5  # of uvicorn's loop (0.1 s each), between two checks of the connections
TICKS_PER_TRIM = 200  # between two returns of memory
TICKS_PER_COLLECTION = 1_200  # between two that also collect all garbage
FLUSH_S = 2.0  # for responses in flight
CLEANUP_S = 3.0  # for the app to stop its background work
GC_THRESHOLDS = (50_000, 20, 20)  # for generations 0, 1 and 2
STARTED = "started"


def work(
    settings: Settings, sockets: list[socket.socket], lifeline: Lifeline, status: Pipe
) -> None:
    """Serve until SIGTERM, then exit. `status` reports to the supervisor whether it started.

    The process exits without waiting for its threads: one may still compute for minutes for a
    request that was already refused.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for number in (signal.SIGINT, HANG_UP):  # they reach all; the supervisor decides
        signal.signal(number, signal.SIG_IGN)
    signal.set_wakeup_fd(-1)
    block(())
    code = 1
    try:
        keep_little()
        collect_less_often()
        server = Server(
            uvicorn_config(settings, tls_context(settings)), limits_of(settings), status
        )
        lifeline.hold(server.stop, within_s=settings.shutdown_timeout_s + FLUSH_S + CLEANUP_S)
        loop = new_event_loop()
        asyncio.set_event_loop(loop)
        loop.run_until_complete(server.serve(sockets))
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException as error:
        log.error("A worker failed", exc_info=error)
        with contextlib.suppress(OSError):
            status.send(f"{type(error).__name__}: {error}")
    finally:
        logging.shutdown()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)


def collect_less_often() -> None:
    """Collect garbage after tens of thousands of new objects instead of hundreds.

    Each request in progress consists of many objects that refer to each other. With Python's
    default thresholds a busy event loop spent a quarter of its time collecting.
    """
    gc.set_threshold(*GC_THRESHOLDS)


def return_memory(*, collect: bool) -> None:
    """Return what nobody needs any more to the system. Takes 10 ms; with `collect`, up to 0.1 s.

    Garbage that refers to itself, such as an error and its frames, would otherwise stay for
    thousands of requests, and what is new would be scattered around it.
    """
    if collect:
        gc.collect()
    return_free_pages()


class Server(uvicorn.Server):
    """uvicorn's server with limits on its connections and a graceful shutdown."""

    def __init__(self, config: uvicorn.Config, limits: Limits, status: Pipe) -> None:
        super().__init__(config)
        self.server_state = self._connections = Connections(limits)
        self._status = status
        self._n_trimmed = 0  # how many requests had come when memory was last returned
        self._n_collected = 0  # and when garbage was last collected

    def stop(self) -> None:
        """Request a stop. May be called from a signal handler or another thread."""
        self.should_exit = True

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        signal.signal(signal.SIGTERM, lambda *_: self.stop())
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Like uvicorn's, but with our own TLS handshake and a report to the supervisor."""
        await self.lifespan.startup()
        if self.lifespan.should_exit:
            self._status.send("the app did not start; the log says why")
            sys.exit(STARTUP_FAILURE)
        gc.collect()
        gc.freeze()  # what the app is made of stays, and need not be looked at again
        self.servers = [await self._listen(listening) for listening in sockets or ()]
        self.started = True
        self._status.send(STARTED)

    async def _listen(self, listening: socket.socket) -> Any:
        loop, tls, backlog = asyncio.get_running_loop(), self.config.ssl, self.config.backlog
        if tls is None:
            return await loop.create_server(self._protocol, sock=listening, backlog=backlog)
        return TlsServer(listening, self._protocol, tls, self._connections)

    def _protocol(self) -> asyncio.Protocol:
        make = self.config.http_protocol_class
        return make(self.config, self.server_state, self.lifespan.state)  # type: ignore[call-arg]

    async def on_tick(self, counter: int) -> bool:
        if counter % TICKS_PER_CHECK == 0:
            self._check_connections()
        n = self.server_state.total_requests
        collect = counter % TICKS_PER_COLLECTION == 0 and n > self._n_collected
        if collect or (counter % TICKS_PER_TRIM == 0 and n > self._n_trimmed):
            self._n_trimmed, self._n_collected = n, n if collect else self._n_collected
            task = partial(return_memory, collect=collect)
            asyncio.get_running_loop().run_in_executor(None, task)
        return await super().on_tick(counter)

    def _check_connections(self) -> None:
        now = asyncio.get_running_loop().time()
        for connection in list(self.server_state.connections):
            connection.check(now)  # type: ignore[union-attr]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let requests finish, then let the app refuse the rest, then refuse what is left.

        The app refuses requests at the end of its lifespan, which may take FLUSH_S and CLEANUP_S.
        """
        for server in self.servers:
            server.close()
        for listening in sockets or ():
            listening.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        await self._until_closed(self.config.timeout_graceful_shutdown or 0)
        left = list(self.server_state.connections)
        if left:
            log.warning("Stopping: %d requests did not finish in time.", len(left))
        cleanup = asyncio.create_task(self.lifespan.shutdown())
        await self._until_closed(FLUSH_S)
        for connection in list(self.server_state.connections):
            connection.stop()  # type: ignore[union-attr]
        await asyncio.wait([cleanup], timeout=CLEANUP_S)

    async def _until_closed(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while self.server_state.connections and loop.time() < end:
            self._check_connections()
            await asyncio.sleep(0.02)

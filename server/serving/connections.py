"""All connections of a worker: which to close when there are too many, and what they leave unread.

Its methods are called from the worker's event loop alone.
"""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol as Interface

from uvicorn.server import ServerState

from server.serving.limits import Limits

log = logging.getLogger("headlight")

RESERVE = 16  # connections past the limit, so that a health check always finds room
STALLED_S = 1.0  # without reading, before a client is one who stopped reading
REPORT_S = 60.0  # between two lines of the log about the same thing


class Connection(Interface):
    """What is known here of one connection."""

    def close_idle(self) -> None: ...
    def cut_off(self) -> None: ...
    def stalled_s(self) -> float: ...


class Connections(ServerState):
    """uvicorn's shared state of a worker, and ours."""

    def __init__(self, limits: Limits) -> None:
        super().__init__()
        self.limits = limits
        self._open: dict[Connection, None] = {}
        self._idle: dict[Connection, None] = {}  # the longest idle first
        self._reading: dict[Connection, None] = {}  # a request's head; the slowest first
        self._unread: dict[int, tuple[int, int]] = {}  # of each answer its bytes, and by how many
        self._senders: dict[Connection, int] = {}  # the answer that each is being sent
        most = limits.connections
        self._dropped = Report(f"Connections closed because more than {most:,} were open: %d")
        self._cut = Report("Clients cut off because they did not read their answers: %d")

    def opened(self, connection: Connection) -> bool:
        """Whether there is room for it; the longest idle one goes if need be."""
        if len(self._open) >= self.limits.connections + RESERVE:
            oldest = next(iter(self._idle), None) or next(iter(self._reading), None)
            self._dropped.add()
            if oldest is None:
                return False
            self.closed(oldest)
            oldest.close_idle()
        self._open[connection] = None
        return True

    def closed(self, connection: Connection) -> None:
        for of in (self._open, self._idle, self._reading):
            of.pop(connection, None)

    def idle(self, connection: Connection) -> None:
        """It has nothing to do from now on."""
        if connection in self._open:
            self._idle[connection] = None

    def reading(self, connection: Connection) -> None:
        """It sends a request's head from now on."""
        self._idle.pop(connection, None)
        if connection in self._open:
            self._reading[connection] = None

    def read(self, connection: Connection) -> None:
        """The head is complete."""
        self._reading.pop(connection, None)

    @property
    def full(self) -> bool:
        """Whether every connection that is allowed is being answered."""
        return len(self.tasks) >= self.limits.connections

    @contextmanager
    def sending(self, connection: Connection, body: bytes) -> Iterator[None]:
        """Count an answer for as long as its client has not read it; equal answers count once."""
        key = id(body)
        nbytes, users = self._unread.get(key, (len(body), 0))
        self._unread[key] = (nbytes, users + 1)
        self._senders[connection] = key
        try:
            yield
        finally:
            if self._senders.pop(connection, None) is not None:
                self._release(key)

    def has_room(self, body: bytes) -> bool:
        """Whether an answer may be sent; those who stopped reading make room for it."""
        if id(body) in self._unread:
            return True
        while self.unread_bytes and self.unread_bytes + len(body) > self.limits.sending_bytes:
            slowest = max(self._senders, key=lambda sender: sender.stalled_s())
            if slowest.stalled_s() < STALLED_S:
                return False
            self._release(self._senders.pop(slowest))
            slowest.cut_off()
        return True

    @property
    def unread_bytes(self) -> int:
        """Bytes of answers that are held because their clients have not read them yet."""
        return sum(nbytes for nbytes, _ in self._unread.values())

    def count_cut(self) -> None:
        self._cut.add()

    def _release(self, key: int) -> None:
        nbytes, users = self._unread.pop(key)
        if users > 1:
            self._unread[key] = (nbytes, users - 1)


class Report:
    """A line of the log about what may happen often: at once, then at most once a minute."""

    def __init__(self, message: str) -> None:
        self._message = message
        self._count = 0
        self._last = float("-inf")

    def add(self) -> None:
        self._count += 1
        now = time.monotonic()
        if now - self._last >= REPORT_S:
            log.warning(self._message, self._count)
            self._count, self._last = 0, now

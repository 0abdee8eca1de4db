"""All connections of a worker: which to close when there are too many, and their unread bytes.

Call its methods only from the worker's event loop.
"""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol as Interface

from uvicorn.server import ServerState

from server.http.serving.limits import Limits

log = logging.getLogger("headlight")

RESERVE = 16  # connections beyond the limit, so that a health check always gets in
STALLED_S = 1.0  # a client that has read nothing for this long has stalled
REPORT_S = 60.0  # minimum time between two log lines about the same problem


class Connection(Interface):
    """The part of a connection that this module uses."""

    def close_idle(self) -> None: ...
    def cut_off(self) -> None: ...
    def stalled_s(self) -> float: ...


class Connections(ServerState):
    """uvicorn's per-worker state, extended with ours."""

    def __init__(self, limits: Limits) -> None:
        super().__init__()
        self.limits = limits
        self._open: dict[Connection, None] = {}
        self._idle: dict[Connection, None] = {}  # longest idle first
        self._reading: dict[Connection, None] = {}  # receiving a request's head; slowest first
        self._unread: dict[int, tuple[int, int]] = {}  # body's id → (bytes, number of clients)
        self._senders: dict[Connection, int] = {}  # connection → id of the body being sent
        limit = limits.connections
        self._dropped = RateLimitedLog(
            f"Connections closed because more than {limit:,} were open: %d"
        )
        self._cut = RateLimitedLog(
            "Clients disconnected because they did not read their responses: %d"
        )

    def opened(self, connection: Connection) -> bool:
        """Register a connection, closing the longest idle one if needed. False: no room."""
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
        for group in (self._open, self._idle, self._reading):
            group.pop(connection, None)

    def idle(self, connection: Connection) -> None:
        """The connection has become idle."""
        if connection in self._open:
            self._idle[connection] = None

    def reading(self, connection: Connection) -> None:
        """The client has begun to send a request's head."""
        self._idle.pop(connection, None)
        if connection in self._open:
            self._reading[connection] = None

    def read(self, connection: Connection) -> None:
        """The head is complete."""
        self._reading.pop(connection, None)

    @property
    def full(self) -> bool:
        """Whether as many requests are in progress as connections are allowed."""
        return len(self.tasks) >= self.limits.connections

    @contextmanager
    def sending(self, connection: Connection, body: bytes) -> Iterator[None]:
        """Count a body as unread while it is being sent; a body sent to several counts once."""
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
        """Whether a body may be sent. Disconnects stalled clients to make room for it."""
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
        """Bytes of responses held in memory because clients have not read them yet."""
        return sum(nbytes for nbytes, _ in self._unread.values())

    def count_cut(self) -> None:
        self._cut.add()

    def _release(self, key: int) -> None:
        nbytes, users = self._unread.pop(key)
        if users > 1:
            self._unread[key] = (nbytes, users - 1)


class RateLimitedLog:
    """Logs a frequent event with its count: the first at once, then at most once a minute."""

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

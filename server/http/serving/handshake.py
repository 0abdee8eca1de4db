"""Connections before their TLS handshake: counted and closed like any other idle connection.

The event loop's own TLS server reports a connection only after its handshake. Clients that never
start one would use up all file descriptors of the process.
"""

import asyncio
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress

from server.http.serving.connections import Connections

RETRY_ACCEPT_S = 0.2  # wait after accept() failed, usually for lack of file descriptors


class TlsServer:
    """Accepts connections and hands each over once its TLS handshake has succeeded."""

    def __init__(
        self,
        listening: socket.socket,
        make: Callable[[], asyncio.Protocol],
        tls: ssl.SSLContext,
        connections: Connections,
    ) -> None:
        self._listening = listening
        self._make = make
        self._tls = tls
        self._connections = connections
        self._task = asyncio.create_task(self._accept())

    def close(self) -> None:
        """Stop accepting."""
        self._task.cancel()

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                client, _ = await loop.sock_accept(self._listening)
            except OSError:
                await asyncio.sleep(RETRY_ACCEPT_S)
                continue
            handshake = Handshake(client)
            if self._connections.opened(handshake):
                self._connections.idle(handshake)
                handshake.task = loop.create_task(self._shake_hands(handshake))
            else:
                client.close()

    async def _shake_hands(self, handshake: "Handshake") -> None:
        try:
            # the client speaks no TLS, shares no cipher with us, is too slow, or has gone
            with suppress(OSError):
                await asyncio.get_running_loop().connect_accepted_socket(
                    self._make,
                    handshake.client,
                    ssl=self._tls,
                    ssl_handshake_timeout=self._connections.limits.head_s,
                )
        finally:
            self._connections.closed(handshake)


class Handshake:
    """A connection that is not encrypted yet."""

    def __init__(self, client: socket.socket) -> None:
        self.client = client
        self.task: asyncio.Task[None] | None = None

    def close_idle(self) -> None:
        if self.task is not None:
            self.task.cancel()

    cut_off = close_idle

    def stalled_s(self) -> float:
        return 0.0

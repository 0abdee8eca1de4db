"""Connections before their TLS handshake: counted, and closed, like any other that is idle.

An event loop's own TLS server tells nobody of a connection until its handshake is done: those who
never begin one would use up all files that the process may open.
"""

import asyncio
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress

from server.serving.connections import Connections

NO_FILES_S = 0.2  # until a connection is tried again for which no file was left


class TlsServer:
    """Accepts connections, and hands each over once client and server agree on a key."""

    def __init__(
        self,
        listening: socket.socket,
        make: Callable[[], asyncio.Protocol],
        tls: ssl.SSLContext,
        everyone: Connections,
    ) -> None:
        self._listening = listening
        self._make = make
        self._tls = tls
        self._all = everyone
        self._task = asyncio.create_task(self._accept())

    def close(self) -> None:
        """Accept no more."""
        self._task.cancel()

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                client, _ = await loop.sock_accept(self._listening)
            except OSError:
                await asyncio.sleep(NO_FILES_S)
                continue
            handshake = Handshake(client)
            if self._all.opened(handshake):
                self._all.idle(handshake)
                handshake.task = loop.create_task(self._shake_hands(handshake))
            else:
                client.close()

    async def _shake_hands(self, handshake: "Handshake") -> None:
        try:
            # a client without TLS, without a cipher of ours, too slow, or gone
            with suppress(OSError):
                await asyncio.get_running_loop().connect_accepted_socket(
                    self._make,
                    handshake.client,
                    ssl=self._tls,
                    ssl_handshake_timeout=self._all.limits.head_s,
                )
        finally:
            self._all.closed(handshake)


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

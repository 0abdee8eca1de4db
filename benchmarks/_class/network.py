"""A classroom's network: proxies that cut connections at random, or hold event streams back."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import Random

PIECE = 65_536
SHORTEST_S = 0.05  # that a connection lives which is cut


@dataclass
class Proxy:
    """Passes connections on to a port of this machine.

    It cuts a share of them some seconds after they were opened, in the middle of whatever they
    carry. If it `buffers`, it keeps an event stream to itself until the server ends it, like the
    proxies of some schools.
    """

    target: int
    cut: float = 0.0
    buffers: bool = False
    seed: int = 0
    longest_s: float = 15.0  # that a connection lives which is cut
    connections: int = 0
    was_cut: int = 0
    address: str = ""
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._random = Random(self.seed)

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Proxy"]:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0, backlog=1_024)
        self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self.connections += 1
        with suppress(OSError, asyncio.CancelledError):
            await self._carry(reader, writer)
        writer.transport.abort()

    async def _carry(self, reader: StreamReader, writer: StreamWriter) -> None:
        is_cut = self._random.random() < self.cut
        life = self._random.uniform(SHORTEST_S, self.longest_s) if is_cut else None
        theirs, ours = await asyncio.open_connection("127.0.0.1", self.target)
        up = asyncio.create_task(_pass_on(reader, ours))
        down = asyncio.create_task(_pass_on(theirs, writer, holds=self.buffers))
        try:
            done, _ = await asyncio.wait(
                {up, down}, timeout=life, return_when=asyncio.FIRST_COMPLETED
            )
            self.was_cut += not done
        finally:
            for task in (up, down):
                task.cancel()
            await asyncio.gather(up, down, return_exceptions=True)
            ours.transport.abort()


async def _pass_on(reader: StreamReader, writer: StreamWriter, holds: bool = False) -> None:
    held: list[bytes] = []
    while piece := await reader.read(PIECE):
        if held or (holds and b"text/event-stream" in piece[:1_000].lower()):
            held.append(piece)
            continue
        writer.write(piece)
        await writer.drain()
    writer.write(b"".join(held))
    await writer.drain()

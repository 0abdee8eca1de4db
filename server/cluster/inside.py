"""An ASGI app that is called from within a process, and its answer as it comes."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any

from starlette.types import ASGIApp, Message, Scope

GOODBYE_S = 1.0  # that an app gets to notice that its client has gone

# Of a scope, all that a plain request needs and that travels: no sockets, no state.
_TRAVELS = (
    "type asgi http_version method scheme path raw_path query_string root_path headers client "
    "server"
).split()


def head_of(scope: Scope) -> dict[str, Any]:
    """A request without its body, to be sent to another process."""
    return {name: scope[name] for name in _TRAVELS if name in scope}


async def call(app: ASGIApp, head: Scope, body: bytes) -> AsyncGenerator[list[Message]]:
    """The messages that the app sends, in batches: an ordinary answer is one.

    Closing the generator tells the app that its client has gone, as a server does.
    """
    sent: asyncio.Queue[Message | None] = asyncio.Queue()
    asked, gone = False, asyncio.Event()

    async def receive() -> Message:
        nonlocal asked
        if not asked:
            asked = True
            return {"type": "http.request", "body": body, "more_body": False}
        await gone.wait()
        return {"type": "http.disconnect"}

    async def run() -> None:
        try:
            await app(head, receive, sent.put)
        finally:
            await sent.put(None)

    running = asyncio.create_task(run())
    ended = False
    try:
        while not ended:
            batch = [await sent.get()]
            if batch[0] is not None and batch[0]["type"] == "http.response.start":
                batch.append(await sent.get())  # its first bytes travel with it
            while not sent.empty():
                batch.append(sent.get_nowait())
            ended = batch[-1] is None
            if messages := [message for message in batch if message is not None]:
                yield messages
        await running  # a bug of the app is the caller's to see
    finally:
        gone.set()
        await asyncio.wait([running], timeout=GOODBYE_S)
        running.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await running

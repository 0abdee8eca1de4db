"""Calls an ASGI app from within the process and streams its response."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any

from starlette.types import ASGIApp, Message, Scope

DISCONNECT_S = 1.0  # how long the app has to react when its client has gone

# The parts of a scope that a plain request needs and that can be serialized.
_SERIALIZABLE = (
    "type asgi http_version method scheme path raw_path query_string root_path headers client "
    "server"
).split()


def head_of(scope: Scope) -> dict[str, Any]:
    """A request without its body, ready to be sent to another process."""
    return {name: scope[name] for name in _SERIALIZABLE if name in scope}


async def call(app: ASGIApp, head: Scope, body: bytes) -> AsyncGenerator[list[Message]]:
    """Call the app and yield its messages in batches; an ordinary response is one batch.

    Closing the generator tells the app that its client has disconnected.
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
                batch.append(await sent.get())  # sent together with the first bytes of the body
            while not sent.empty():
                batch.append(sent.get_nowait())
            ended = batch[-1] is None
            if messages := [message for message in batch if message is not None]:
                yield messages
        await running  # an exception in the app reaches the caller
    finally:
        gone.set()
        await asyncio.wait([running], timeout=DISCONNECT_S)
        running.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await running

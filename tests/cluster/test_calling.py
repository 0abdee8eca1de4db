"""An app called in the same process: its answers arrive in parts, and it learns of disconnects."""

import asyncio
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from server.cluster.calling import call, head_of

HEAD = {"type": "http", "method": "POST", "path": "/x", "headers": []}


def _start(status: int = 200) -> Message:
    return {"type": "http.response.start", "status": status, "headers": []}


def _part(body: bytes, more: bool = False) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": more}


async def _all(app: Any, body: bytes = b"") -> list[list[Message]]:
    return [messages async for messages in call(app, HEAD, body)]


def test_an_ordinary_answer_is_one_batch() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        message = await receive()
        await send(_start(201))
        await asyncio.sleep(0.01)
        await send(_part(message["body"] + b"!"))

    assert asyncio.run(_all(app, b"hello")) == [[_start(201), _part(b"hello!")]]


def test_a_long_answer_comes_in_parts() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send(_start())
        for part in (b"1", b"2", b"3"):
            await send(_part(part, more=True))
            await asyncio.sleep(0.02)
        await send(_part(b""))

    batches = asyncio.run(_all(app))
    assert len(batches) == 4
    assert [m.get("body") for batch in batches for m in batch] == [None, b"1", b"2", b"3", b""]


def test_a_bug_reaches_the_caller() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send(_start())
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(_all(app))


def test_an_app_learns_that_its_client_has_gone() -> None:
    seen = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send(_start())
        await send(_part(b"1", more=True))
        seen.append((await receive())["type"])

    async def leave() -> None:
        answer = call(app, HEAD, b"")
        await anext(answer)
        await answer.aclose()

    asyncio.run(leave())
    assert seen == ["http.disconnect"]


def test_a_head_holds_nothing_of_its_server() -> None:
    scope = {**HEAD, "app": object(), "state": {}, "extensions": {}, "query_string": b"a=1"}
    assert head_of(scope) == {**HEAD, "query_string": b"a=1"}

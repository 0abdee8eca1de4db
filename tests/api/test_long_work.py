"""A long request reports its progress, ends when its client leaves, and may be too expensive."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from model.sources.native import NativeSource
from server.run.admission import Admission, AdmissionMiddleware
from server.settings import Settings
from tests.api.conftest import Serve
from tests.api.test_tracing import Slow, metric, post, served, until

pytestmark = pytest.mark.long

EVENTS = {"Accept": "text/event-stream"}
MUTES: dict[str, Any] = {"texts": ["a cat sat"], "analyse": {"mute_effects": {}}, "predict": None}


@pytest.fixture
def slow(tiny: NativeSource) -> Slow:
    return Slow(tiny)


def events(text: str) -> list[tuple[str, Any]]:
    """The events of a stream, in order."""
    found = []
    for block in text.strip().split("\n\n"):
        name, data = block.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def test_stream_ends_with_the_usual_answer(client: TestClient) -> None:
    response = client.post("/api/trace", json=MUTES, headers=EVENTS)
    assert response.headers["content-type"].startswith("text/event-stream")
    *progress, (name, answer) = events(response.text)
    assert name == "answer"
    assert answer == client.post("/api/trace", json=MUTES).json()
    assert {name for name, _ in progress} <= {"progress"}


def test_stream_says_how_far_it_is(serve: Serve, slow: Slow) -> None:
    client = served(serve, slow)
    with ThreadPoolExecutor(2) as pool, slow.held():
        first = pool.submit(post, client, "a")
        until(lambda: slow.runs == ["a"])
        stream = pool.submit(client.post, "/api/trace", json=MUTES, headers=EVENTS)
        until(lambda: metric(client, "queue") == 1)
        asyncio.run(asyncio.sleep(0.6))  # an event each quarter of a second
        slow._go.set()
        told = events(stream.result().text)
    assert first.result().status_code == 200
    assert told[0] == ("progress", {"state": "waiting", "done": 0, "total": 0})
    assert [name for name, _ in told][-1] == "answer"


def test_stream_tells_what_went_wrong(client: TestClient) -> None:
    request = MUTES | {"analyse": {"mute_effects": {"position": 99}}}
    response = client.post("/api/trace", json=request, headers=EVENTS)
    [(name, problem)] = events(response.text)
    alone = client.post("/api/trace", json=request)
    assert (name, problem) == ("error", alone.json() | {"status": 422, "retry_after": None})


def test_refusal_before_anything_runs_is_no_stream(client: TestClient) -> None:
    response = client.post("/api/trace", json={"texts": []}, headers=EVENTS)
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/json"


async def call(app: Any, request: dict[str, Any], leave: asyncio.Event) -> list[Message]:
    """One request of a client who closes the connection on `leave`."""
    body = json.dumps(request).encode()
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": "/api/trace",
        "raw_path": b"/api/trace",
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "headers": [(b"host", b"testserver"), (b"content-type", b"application/json")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    messages = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[Message] = []

    async def receive() -> Message:
        if messages:
            return messages.pop()
        await leave.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return sent


def test_work_that_waits_ends_when_its_reader_leaves(serve: Serve, slow: Slow) -> None:
    client = served(serve, slow)
    app: Any = client.app

    async def story() -> list[Message]:
        leave = asyncio.Event()
        asked = asyncio.create_task(call(app, {"texts": ["the"]}, leave))
        while app.state.metrics.queue._value.get() == 0:
            await asyncio.sleep(0.01)
        leave.set()
        return await asyncio.wait_for(asked, 10)

    with ThreadPoolExecutor(1) as pool, slow.held():
        first = pool.submit(post, client, "a")
        until(lambda: slow.runs == ["a"])
        assert asyncio.run(story()) == []
        until(lambda: metric(client, "queue") == 0)
    assert first.result().status_code == 200
    assert post(client, "cat").status_code == 200
    assert slow.runs == ["a", "cat"]


def test_work_goes_on_while_one_of_its_readers_stays(serve: Serve, slow: Slow) -> None:
    client = served(serve, slow)
    app: Any = client.app

    async def story() -> tuple[list[Message], list[Message]]:
        leave, stay = asyncio.Event(), asyncio.Event()
        leaver = asyncio.create_task(call(app, {"texts": ["the"]}, leave))
        stayer = asyncio.create_task(call(app, {"texts": ["the"]}, stay))
        while not slow.runs:
            await asyncio.sleep(0.01)
        leave.set()
        gone = await asyncio.wait_for(leaver, 10)
        slow._go.set()
        return gone, await asyncio.wait_for(stayer, 10)

    with slow.held():
        gone, answered = asyncio.run(story())
    assert gone == []
    assert answered[0]["status"] == 200
    assert slow.runs == ["the"]


def test_nobody_joins_work_that_was_given_up(client: TestClient) -> None:
    """A client who leaves and returns at once is answered while the first job is still ending."""
    state: Any = client.app
    asked: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        asked.append(scope["path"])
        await receive()
        if len(asked) == 1:
            await receive()  # its reader leaves
            await asyncio.sleep(0.2)
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"answered"})

    async def story() -> tuple[list[Message], list[Message]]:
        door = AdmissionMiddleware(
            app, Settings(), Admission(state.state.tracer, state.state.metrics)
        )
        leave, stay = asyncio.Event(), asyncio.Event()
        leaver = asyncio.create_task(call(door, {"texts": ["again"]}, leave))
        while not asked:
            await asyncio.sleep(0)
        leave.set()
        gone = await leaver
        return gone, await asyncio.wait_for(call(door, {"texts": ["again"]}, stay), 10)

    gone, answered = asyncio.run(story())
    assert gone == []
    assert [message.get("body") for message in answered] == [None, b"answered"]
    assert len(asked) == 2


def test_a_text_of_more_tokens_than_was_guessed_is_refused_once_they_are_known(
    serve: Serve,
) -> None:
    """Of rare letters, each is three tokens; it was admitted as if it were English, and ran on."""
    english, rare = "a cat " * 13, "我" * 80
    client = serve(max_work_s=0.008)
    asked: dict[str, Any] = {"analyse": {"rollout": True}, "predict": None}
    assert client.post("/api/trace", json={"texts": [english], **asked}).status_code == 200
    response = client.post("/api/trace", json={"texts": [rare], **asked})
    error = response.json()["error"]
    assert (error["code"], error["field"]) == ("too_expensive", "analyse.rollout")


@pytest.mark.parametrize(
    ("request_", "what"),
    [
        ({"texts": ["a"], "generate": {"n_tokens": 64}}, "generating tokens"),
        ({"texts": ["a cat " * 80] * 8, "analyse": {"mute_effects": {}}}, "muting each head"),
    ],
)
def test_what_would_take_too_long_is_refused_with_what_to_do(
    serve: Serve, request_: dict[str, Any], what: str
) -> None:
    client = serve(max_work_s=0.01)
    response = client.post("/api/trace", json=request_)
    assert response.status_code == 422
    error = response.json()["error"]
    assert error["code"] == "too_expensive"
    assert what in error["message"]
    assert error["message"].endswith("fewer or shorter texts.")
    assert client.post("/api/trace", json={"texts": ["a"]}).status_code == 200

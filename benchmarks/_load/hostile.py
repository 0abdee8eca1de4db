"""How much one hostile client can affect the others: one function per attack."""

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, ExitStack
from typing import Any
from urllib.parse import urlsplit

import orjson
import psutil

from benchmarks._load import texts
from benchmarks._load.connection import Client
from benchmarks._load.measures import LONG, OCCUPYING, crowd, until_idle
from benchmarks._load.recorded import Sent
from benchmarks._load.servers import Highest, Server, headlight
from benchmarks._load.typists import BUSY, Typist, at_a_rate

CHARACTERS = 20_000
UNITS = (
    "'",
    "a",
    " ",
    "a' ",
    "\u0301",
    "\U0001f469\u200d",
)  # each once made a pattern slow
LOOK_EVERY_S = 0.02
BESIDE = 20  # people who type during somebody's long computation, one key a second each
LARGEST = {"mechanism": "block", "d_model": 256, "n_heads": 16, "n_layers": 6}
UNREAD = 15
FIRST_BYTES = (b"HTTP/1.1 200", b"HTTP/1.1 503")  # of an answer, or of a refusal
IDLE = 1_050
TIMEOUT_S = 60.0


def everything(keystroke: Sequence[Sent], seconds: float, requests: int) -> dict[str, float]:
    """Run all attacks, each on its own server."""
    found: dict[str, float] = {}
    with headlight(pinned=False) as server:
        found["frozen_ms"] = asyncio.run(_frozen(server))
        found |= asyncio.run(_beside_long_work(server, keystroke, seconds))
        found["left_cpu_s"] = asyncio.run(_left(server))
        found["back_s"] = asyncio.run(_back(server))
    for name, attack in (("many_mb", _many(requests)), ("unread_mb", _unread)):
        with headlight(pinned=False) as server, Highest(server) as highest:
            asyncio.run(attack(server))
            found[name] = highest.rss_mb
    with headlight(pinned=False) as server:
        found["idle_healthz_ms"] = asyncio.run(_idle(server))
    return found


async def _frozen(server: Server) -> float:
    """The slowest /healthz while the server processed 20 KB of hostile text."""

    async def attack() -> None:
        async with Typist(server.address, timeout_s=TIMEOUT_S) as person:
            for unit in UNITS:
                await person.ask(OCCUPYING, (unit * CHARACTERS)[:CHARACTERS])

    return await _slowest_health(server, attack())


async def _beside_long_work(
    server: Server, keystroke: Sequence[Sent], seconds: float
) -> dict[str, float]:
    """Keystrokes while one person requests one long computation after another."""

    async def occupy(person: Typist) -> None:
        for text in texts.of_length(seed=6):
            await person.ask(OCCUPYING, f"{text} {LONG}")

    async with Typist(server.address, timeout_s=TIMEOUT_S) as other:
        occupied = asyncio.create_task(occupy(other))
        await asyncio.sleep(0.5)
        async with crowd(server, keystroke, range(300, 300 + BESIDE)) as everyone:
            outcomes = await at_a_rate(everyone, 1.0, seconds)
        occupied.cancel()
    refused = len(outcomes.all) - len(outcomes.of("answered"))
    return {
        "beside_p50_ms": outcomes.latency_ms(50) or 0.0,
        "beside_p99_ms": outcomes.latency_ms(99) or 0.0,
        "beside_refused": float(refused),
    }


async def _left(server: Server) -> float:
    """Processor time spent on a long computation after its client disconnected."""
    await asyncio.to_thread(until_idle, server)
    async with Typist(server.address) as person:
        asked = asyncio.create_task(person.ask(OCCUPYING, f"They left. {LONG}"))
        await asyncio.sleep(0.5)
        before = server.cpu_s()
        asked.cancel()
        await asyncio.wait({asked})
    await asyncio.to_thread(until_idle, server)
    return server.cpu_s() - before


async def _back(server: Server) -> float:
    """Seconds from killing the only worker until a trace is answered again."""
    asked = Sent("POST", "/api/trace", "application/json", 0, {"select": {"layers": []}})
    for worker in psutil.Process(server.process.pid).children():
        worker.kill()
    start = time.perf_counter()
    while time.perf_counter() < start + TIMEOUT_S:
        async with Typist(server.address, timeout_s=TIMEOUT_S) as person:
            try:
                status, _ = await person.ask(asked, "It is back.")
            except OSError:
                status = 0
        if status == 200:
            break
        await asyncio.sleep(LOOK_EVERY_S)
    return time.perf_counter() - start


def _many(requests: int) -> Callable[[Server], Coroutine[Any, Any, None]]:
    """Short requests, each for another large mechanism."""

    async def send(server: Server) -> None:
        async with Typist(server.address, timeout_s=TIMEOUT_S) as person:
            for seed in range(requests):
                body = {"model": "scratch", "scratch": {**LARGEST, "seed": seed}}
                sent = Sent("POST", "/api/trace", "application/json", 0, body)
                status, _ = await person.ask(sent, "a b")
                if status not in (200, BUSY):
                    raise RuntimeError(f"expected an answer or a refusal, got status {status}")

    return send


async def _unread(server: Server) -> None:
    """Clients that request large answers and do not read them."""
    where = urlsplit(server.address)
    clients = []
    with ExitStack() as stack:
        for n in range(UNREAD):
            body = orjson.dumps({"texts": [f"{n} {LONG}"], "select": {"tensors": ["pattern"]}})
            head = f"POST /api/trace HTTP/1.1\r\nHost: {where.netloc}\r\n"
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            client = stack.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            client.connect((where.hostname, where.port))
            client.settimeout(TIMEOUT_S)
            client.sendall(head.encode() + body)
            clients.append(client)
        for client in clients:
            begin = await asyncio.to_thread(client.recv, len(FIRST_BYTES[0]))
            if begin not in FIRST_BYTES:
                raise RuntimeError(f"expected an answer to leave unread, got {begin!r}")
        await asyncio.sleep(1)


async def _idle(server: Server) -> float:
    """The slowest /healthz while many connections are idle."""
    where = urlsplit(server.address)
    async with AsyncExitStack() as stack:
        for _ in range(IDLE):
            _, writer = await asyncio.open_connection(where.hostname, where.port)
            stack.callback(writer.close)
        return await _slowest_health(server, asyncio.sleep(2))


async def _slowest_health(server: Server, meanwhile: Awaitable[Any]) -> float:
    """The slowest /healthz in ms, until `meanwhile` is done."""
    done = asyncio.ensure_future(meanwhile)
    client = Client(server.address, TIMEOUT_S)
    slowest = 0.0
    while not done.done():
        start = time.perf_counter()
        await client.ask("GET", "/healthz", {})
        slowest = max(slowest, time.perf_counter() - start)
        await asyncio.sleep(LOOK_EVERY_S)
    client.close()
    await done
    return slowest * 1000

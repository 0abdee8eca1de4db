"""A full server refuses requests before they reach the app, in the usual format, and goes on."""

import itertools
import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from scripts.live import Server, running
from tests.faults.asking import ask, closed, many, raw, read, until

KNOWN = {"texts": ["the cat sat"]}
NEW = {"texts": ["the dog ran"]}
LONG = "the old cat near the red boats saw a dog on his green hill " * 60
MUTES: dict[str, object] = {
    "select": {"layers": []},
    "predict": None,
    "analyse": {"mute_effects": {}},
}
numbers = itertools.count()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """One request at a time, and no queue."""
    with running(settings={"queue_size": "0", "concurrency": "1"}) as server:
        assert ask(server, "/api/trace", body=KNOWN).status == 200
        yield server


@contextmanager
def no_room(server: Server) -> Iterator[None]:
    """Keep the only worker busy while the block runs."""
    n = next(numbers)
    assert until(lambda: ask(server, "/api/trace", body={"texts": [f"a {n}"]}).status == 200)
    long = MUTES | {"texts": [f"{LONG} {n}"]}
    sent = request("/api/trace", long, Accept="text/event-stream")
    with raw(server, sent) as occupying:
        hear(occupying, b"computing")
        yield


def hear(connection: socket.socket, words: bytes, times: int = 1) -> None:
    """Read until the words have occurred `times` times."""
    told = b""
    while told.count(words) < times:
        part = connection.recv(65_536)
        assert part, told
        told += part


def request(path: str, body: object, version: str = "1.1", **headers: str) -> bytes:
    content = json.dumps(body).encode()
    lines = {"Host": "localhost", "Content-Type": "application/json", **headers}
    lines["Content-Length"] = str(len(content))
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"POST {path} HTTP/{version}\r\n{head}\r\n".encode() + content


def refused(answer: Any) -> bool:
    assert answer.status == 503
    assert answer.error()["code"] == "busy"
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    return True


def test_a_refused_connection_stays_open_and_is_answered_again(server: Server) -> None:
    with raw(server) as connection:
        with no_room(server):
            for _ in range(3):
                connection.sendall(request("/api/trace", NEW))
                answer = read(connection)
                assert refused(answer)
                assert "connection" not in answer.headers
            connection.sendall(request("/api/trace", KNOWN))
            assert read(connection).status == 200  # a cached answer needs no free worker
        assert until(lambda: ask(server, "/api/trace", body={"texts": ["a cat"]}).status == 200)
        connection.sendall(request("/api/trace", NEW))
        assert read(connection).status == 200


def test_requests_that_come_together_are_refused_one_by_one(server: Server) -> None:
    with no_room(server), raw(server) as connection:
        connection.sendall(request("/api/trace", {"texts": ["b"]}) * 3)
        hear(connection, b"HTTP/1.1 503", times=3)


def test_a_body_that_comes_slowly_or_is_large_is_refused_too(server: Server) -> None:
    with no_room(server), raw(server) as connection:
        slow = request("/api/trace", {"texts": ["c"]})
        connection.sendall(slow[:-5])
        connection.sendall(slow[-5:])
        assert refused(read(connection))
        connection.sendall(request("/api/trace", {"texts": ["d " * 5_000] * 8}))
        assert refused(read(connection))


def test_half_requests_are_no_way_around_the_limit_on_connections() -> None:
    settings = {"queue_size": "0", "concurrency": "1", "max_connections": "20"}
    half = b"POST /api/trace HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"
    with running(settings=settings) as server, no_room(server), many(60, lambda: raw(server, half)):
        assert all(ask(server, "/healthz").status == 200 for _ in range(5))


def test_a_pipeline_of_refusals_holds_nobody_up(server: Server) -> None:
    flood = request("/api/trace", {}) * 40_000  # whose refusals the client never reads

    def send_flood(connection: socket.socket) -> None:
        with suppress(OSError):  # the server stops reading, and finally closes the connection
            connection.sendall(flood)

    with no_room(server), raw(server) as connection, ThreadPoolExecutor(1) as pool:
        pool.submit(send_flood, connection)
        try:
            assert all(ask(server, "/healthz", timeout=3).status == 200 for _ in range(20))
        finally:
            connection.shutdown(socket.SHUT_RDWR)


def test_trailers_count_as_a_head(server: Server) -> None:
    start = b"POST /api/trace HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with raw(server, start + b"2\r\n{}\r\n0\r\nX-Trailer: ") as connection:
        with suppress(ConnectionError):
            for _ in range(100):
                connection.sendall(b"a" * 10_000)
        answer = read(connection)
        assert (answer.status, answer.error()["code"]) == (431, "head_too_large")


def test_who_wants_no_further_answer_gets_the_last_one(server: Server) -> None:
    with no_room(server):
        for sent in (
            request("/api/trace", NEW | {"muted": [[0, 0]]}, Connection="close"),
            request("/api/trace", NEW | {"muted": [[0, 1]]}, version="1.0"),
        ):
            with raw(server, sent) as connection:
                answer = read(connection)
                assert refused(answer)
                assert answer.headers["connection"] == "close"
                assert closed(connection)


def test_refusals_are_counted_and_nothing_else_is_refused(server: Server) -> None:
    def count() -> float:
        lines = ask(server, "/metrics").body.decode().splitlines()
        [line] = [each for each in lines if '"/api/trace",status="503"' in each and "total" in each]
        return float(line.rpartition(" ")[2])

    with no_room(server):
        assert ask(server, "/api/trace", body={"texts": ["e"]}).status == 503
        before = count()
        with ThreadPoolExecutor(8) as pool:
            sent = [{"texts": [f"the cat {n}"]} for n in range(40)]
            answers = list(pool.map(lambda body: ask(server, "/api/trace", body=body), sent))
        assert all(map(refused, answers))
        assert count() == before + 40
        for path in ("/healthz", "/readyz", "/", "/api/models"):
            assert ask(server, path).status == 200
        assert ask(server, "/api/trace").status == 405

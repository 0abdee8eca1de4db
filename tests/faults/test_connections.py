"""Clients that send slowly, too much, or nothing, or that never read, on one real server."""

import json
import re
import resource
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection

import psutil
import pytest

from scripts.live import Server, running
from tests.faults.asking import ask, closed, many, raw, read, until

HEAD_S, BODY_S, IDLE_S, WRITE_S = 2, 3, 4, 2
SENDING_BYTES = 64 * 1024**2
FLOOD = 1_050

BIG = {
    "texts": ["the cat sat on a mat " * 40] * 8,
    "select": {"tensors": ["scores"], "layers": [0]},
}
BIG_BYTES = 25_000_000
POST = b"POST /api/trace HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    settings = {
        "head_timeout_s": f"{HEAD_S}",
        "body_timeout_s": f"{BODY_S}",
        "idle_timeout_s": f"{IDLE_S}",
        "write_timeout_s": f"{WRITE_S}",
        "sending_bytes": f"{SENDING_BYTES}",
        "cache_bytes": "0",
    }
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1_024, hard))  # as most systems start a process
    try:
        with running(settings=settings) as server:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4_096), hard))
            yield server
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def rss(server: Server) -> int:
    return sum(psutil.Process(worker).memory_info().rss for worker in server.workers())


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, "invalid_http"),
        (b"GET\r\n\r\n", 400, "invalid_http"),
        (b"GET / HTTP/1.1\r\nNo colon\r\n\r\n", 400, "invalid_http"),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", 400, "invalid_http"),
        (POST + b"Transfer-Encoding: chunked\r\n\r\nnot a length\r\n", 400, "invalid_http"),
        (POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400, "invalid_http"),
        (b"GET /?a=" + b"a" * 600_000, 431, "head_too_large"),
        (b"GET / HTTP/1.1\r\nA: " + b"a" * 600_000, 431, "head_too_large"),
        (b"GET / HTTP/1.1\r\n" + b"A: a\r\n" * 110, 431, "head_too_large"),
    ],
)
def test_what_is_not_http_is_told_so_in_the_one_shape(
    server: Server, sent: bytes, status: int, code: str
) -> None:
    with raw(server, sent) as connection:
        answer = read(connection)
        assert (answer.status, answer.error()["code"]) == (status, code)
        assert answer.headers["connection"] == "close"
        assert closed(connection)
    assert "Invalid HTTP" not in server.log()  # such clients cannot fill the log


def test_a_link_may_hold_eight_whole_texts(server: Server) -> None:
    texts = "&".join(f"text={'%D0%B0' * 10_000}" for _ in range(8))
    assert ask(server, f"/?{texts}").status == 200
    # and all of it arrives: the last parameter decides
    [path] = re.findall(rb"/vendor/plotly\.min\.js\?v=[\w.]+", ask(server, "/").body)
    kept = ask(server, path.decode().replace("?", f"?{texts}&"))
    assert "immutable" in kept.headers["cache-control"]


def test_range_errors_have_the_one_shape(server: Server) -> None:
    for asked, status, code in (
        ("bytes=99999999-", 416, "range_not_satisfiable"),
        ("bytes=b-a", 400, "invalid_range"),
        ("pages=1-2", 400, "invalid_range"),
    ):
        answer = ask(server, "/static/js/state/store.js", headers={"Range": asked})
        assert (answer.status, answer.error()["code"]) == (status, code)
        if status == 416:
            assert answer.headers["content-range"] == f"bytes */{answer.error()['limit']}"
    assert ask(server, "/static/js/state/store.js", headers={"Range": "bytes=0-9"}).status == 206


@pytest.mark.parametrize(
    ("sent", "limit"),
    [(b"GET /healthz HTTP/1.1\r\nA: ", HEAD_S), (POST + b"Content-Length: 100\r\n\r\n{", BODY_S)],
)
def test_half_a_request_is_not_waited_for(server: Server, sent: bytes, limit: int) -> None:
    with raw(server, sent) as connection:
        begin = time.monotonic()
        for _ in range(limit * 4):  # a byte now and then does not help
            time.sleep(0.2)
            connection.send(b" ")
        answer = read(connection)
        assert limit - 0.2 < time.monotonic() - begin < limit + 2
        assert (answer.status, answer.error()["code"]) == (408, "too_slow")
        assert closed(connection)


def test_idle_connections_are_closed(server: Server) -> None:
    with raw(server) as unused, raw(server, b"GET /healthz HTTP/1.1\r\n\r\n") as used:
        assert read(used).status == 200
        begin = time.monotonic()
        assert closed(unused)
        assert closed(used)
        assert IDLE_S - 1 < time.monotonic() - begin < IDLE_S + 2


def test_clients_that_read_nothing_are_disconnected(server: Server) -> None:
    sent = json.dumps(BIG).encode()
    request = POST + b"Content-Length: %d\r\n\r\n%b" % (len(sent), sent)
    assert len(ask(server, "/api/trace", body=BIG).body) > BIG_BYTES
    before, highest = rss(server), 0

    def deaf() -> socket.socket:
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(request)
        return connection

    with many(12, deaf) as connections:
        ports = {connection.getsockname()[1] for connection in connections}

        def all_cut() -> bool:
            nonlocal highest
            highest = max(highest, rss(server))
            assert ask(server).status == 200
            return not ports & clients(server)

        assert until(all_cut, 60)  # they are computed one after the other
        assert "Clients disconnected because they did not read" in server.log()
        assert all(received(connection) < BIG_BYTES / 2 for connection in connections)
    assert highest - before < SENDING_BYTES + 6 * BIG_BYTES  # including the answers in progress
    # without trimming, glibc kept over 1,000 MB of this
    assert until(lambda: rss(server) - before < 200_000_000)
    assert len(ask(server, "/api/trace", body=BIG).body) > BIG_BYTES


def clients(server: Server) -> set[int]:
    """The ports of the clients whose connections the server holds open."""
    found = [psutil.Process(worker).net_connections("tcp") for worker in server.workers()]
    return {each.raddr.port for those in found for each in those if each.raddr}


def received(connection: socket.socket) -> int:
    """The bytes that arrived for a client that did not read, before it was disconnected."""
    total = 0
    with suppress(ConnectionError):
        while piece := connection.recv(1_000_000):
            total += len(piece)
    return total


def test_a_slow_reader_gets_everything(server: Server) -> None:
    sent = json.dumps(BIG).encode()
    with raw(server, POST + b"Content-Length: %d\r\n\r\n%b" % (len(sent), sent)) as connection:
        got, end = 0, time.monotonic() + 2 * WRITE_S
        while time.monotonic() < end:  # twice as long as one may read nothing at all
            got += len(connection.recv(200_000))
            time.sleep(0.1)
        assert got < BIG_BYTES
        while got < BIG_BYTES:
            piece = connection.recv(1_000_000)
            assert piece
            got += len(piece)


def test_a_flood_of_idle_connections_stops_nothing(server: Server) -> None:
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < FLOOD + 100:
        pytest.skip("this system allows too few open files for the flood")
    before = len(server.log().splitlines())
    with many(FLOOD, lambda: raw(server)):
        for _ in range(5):
            begin = time.monotonic()
            assert ask(server).status == 200
            assert ask(server, "/api/trace", body={"texts": ["the cat"]}).status == 200
            assert time.monotonic() - begin < 2
    assert len(server.log().splitlines()) - before < 5


BODY = json.dumps({"texts": ["the cat sat"], "select": {"layers": []}}).encode()
LENGTH = b"Content-Length: %d\r\n" % len(BODY)
CHUNKED = b"Transfer-Encoding: chunked\r\n"
CHUNKS = b"5\r\n%b\r\n%x\r\n%b\r\n0\r\n\r\n" % (BODY[:5], len(BODY) - 5, BODY[5:])
OFFERS = {
    "h2c": b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
    "websocket": b"Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n",
}


@pytest.mark.parametrize("offer", OFFERS)
@pytest.mark.parametrize(
    ("framing", "body"), [(LENGTH, BODY), (CHUNKED, CHUNKS)], ids=["length", "chunked"]
)
def test_an_offer_to_change_the_protocol_is_ignored_but_not_the_body(
    server: Server, offer: str, framing: bytes, body: bytes
) -> None:
    sent = POST + OFFERS[offer] + framing + b"\r\n" + body
    for cut in (0, 10, len(POST) + 20, sent.index(b"\r\n\r\n") + 4, len(sent) - 3):
        with raw(server, sent[:cut]) as connection:
            time.sleep(0.05)
            for more in (sent[cut:], sent):  # a second one on the same connection
                connection.sendall(more)
                answer = read(connection)
                assert answer.status == 200
                assert len(json.loads(answer.body)["tokens"][0]) == 4


def test_a_tunnel_is_refused(server: Server) -> None:
    with raw(server, b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\nabc") as connection:
        assert read(connection).status in (400, 404, 405)
        assert closed(connection)


def test_stop_does_not_wait_for_those_who_only_hold_a_connection(server: Server) -> None:
    """The last test of this server."""
    connections = [HTTPConnection("127.0.0.1", server.port) for _ in range(3)]
    for connection in connections[1:]:
        connection.request("GET", "/healthz")
        connection.getresponse().read()
    connections[0].connect()
    begin = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    server.process.wait(timeout=20)
    assert time.monotonic() - begin < 3
    for connection in connections:
        connection.close()

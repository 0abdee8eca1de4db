"""The parts of benchmarks/class.py that can be wrong without anybody noticing; nothing timed."""

import asyncio
from typing import Any

import pytest

from benchmarks._class.figures import AIMS, lines, percentile, spread
from benchmarks._class.lesson import average
from benchmarks._class.network import Proxy
from benchmarks._class.people import Changes, text_of

STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: state\n\n"
PLAIN = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def test_a_page_that_saw_a_later_change_has_seen_the_earlier_ones() -> None:
    changes = Changes(sent_at={"a": 1.0, "b": 2.0, "c": 3.0})
    found = changes.latencies_ms([{"a": 1.5, "c": 3.25}])
    assert sorted(found) == [250.0, 500.0, 1250.0]


def test_a_change_that_never_came_is_infinitely_late_and_outages_do_not_count() -> None:
    changes = Changes(sent_at={"a": 1.0, "b": 2.0}, outages=[(0.5, 1.5)])
    assert changes.latencies_ms([{"a": 9.0}]) == [float("inf")]


def test_percentiles_are_nearest_ranks() -> None:
    assert percentile([], 95) == 0
    assert spread("x", [float(n) for n in range(1, 101)]) == {
        "x_p50_ms": 50.0,
        "x_p95_ms": 95.0,
        "x_p99_ms": 99.0,
    }


@pytest.mark.parametrize(("lost", "words"), [(0, "aim 0: met"), (1, "aim 0: not met")])
def test_a_line_says_whether_the_aim_is_met(lost: int, words: str) -> None:
    assert "lost" in AIMS
    [line] = lines({"lost": lost})
    assert line.endswith(words)


def test_the_average_of_drawings_gives_everybody_the_same_weight() -> None:
    drawings = [[[1, 0, 0, 0]] * 4, [[3, 3, 0, 0]] * 4, [[0, 0, 0, 0]] * 4]
    expected = [[(1 + 0.5) / 3, 0.5 / 3, 0.0, 0.0]] * 4
    assert average(drawings) == [pytest.approx(row) for row in expected]


def test_the_sentence_of_a_choice() -> None:
    assert text_of("text=The+cat&layer=1") == "The cat"
    assert text_of("") is None


def test_one_proxy_holds_streams_back_and_another_cuts_every_connection() -> None:
    async def received(answer: bytes, **proxied: Any) -> tuple[bytes, Proxy]:
        """What comes through before the server closes, or before the connection is cut."""
        done = asyncio.Event()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
            await done.wait()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with Proxy(server.sockets[0].getsockname()[1], **proxied).open() as proxy:
            port = int(proxy.address.rpartition(":")[2])
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            got = b""
            try:
                async with asyncio.timeout(0.3 if proxied.get("buffers") else None):
                    got = await reader.read(1_000)
                    if proxied.get("cut"):
                        await reader.read()
            except (TimeoutError, ConnectionError):
                pass
            writer.close()
            done.set()
        server.close()
        return got, proxy

    async def play() -> None:
        assert (await received(STREAM, buffers=True))[0] == b""
        assert (await received(PLAIN, buffers=True))[0] == PLAIN
        assert (await received(STREAM))[0] == STREAM
        got, proxy = await received(STREAM, cut=1.0, longest_s=0.2)
        assert (got, proxy.was_cut) == (STREAM, 1)

    asyncio.run(play())

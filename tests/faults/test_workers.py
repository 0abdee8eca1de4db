"""Killed, stopped and orphaned processes, and the requests meanwhile."""

import http.client
import json
import os
import re
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from urllib.parse import urlsplit

import psutil
import pytest

from scripts.live import Server, running
from server.http.serving.supervisor import EARLY_S
from tests.faults.asking import Answer, ask, runs, until

SHORT = {"texts": ["the cat sat"]}


def long(n: int) -> dict[str, object]:
    """A request of about half a second with a short answer; each n is a new computation."""
    text = f"the cat sat on a mat {'and the dog ran ' * 60} {n}"
    return {"texts": [text], "select": {"layers": []}, "analyse": {"mute_effects": {}}}


def age_s(worker: int) -> float:
    return float(time.time() - psutil.Process(worker).create_time())


@contextmanager
def streamed(server: Server, body: object) -> Iterator[http.client.HTTPResponse]:
    """The answer to a request, as it comes."""
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)) as connection:
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
        connection.request("POST", "/api/trace", json.dumps(body), headers)
        with connection.getresponse() as response:
            yield response


@pytest.fixture(scope="module")
def begun() -> float:
    """The time at which the server below was started."""
    return time.monotonic()


@pytest.fixture(scope="module")
def server(begun: float) -> Iterator[Server]:
    with running("--workers", "2") as server:
        until(lambda: server.log().count("startup complete") == 2)
        yield server


def test_a_killed_worker_is_back_within_a_second_and_nobody_loses_anything(
    server: Server, begun: float
) -> None:
    from_scratch = time.monotonic() - begun
    lost, answered, stop = 0, Counter[int](), threading.Event()

    def type_on() -> None:
        nonlocal lost
        while not stop.is_set():
            for _ in range(3):  # like the page, repeat a request whose connection broke
                try:
                    answered[ask(server, "/api/trace", body=SHORT).status] += 1
                    time.sleep(0.05)
                    break
                except (OSError, http.client.HTTPException):
                    time.sleep(0.1)
            else:
                lost += 1

    typing = threading.Thread(target=type_on)
    typing.start()
    took, costs = [], []  # on the clock, which other tests slow down, and of the processor
    for _ in range(3):
        started = server.log().count("startup complete")
        before = server.workers()
        victim = next(iter(before))
        begin = time.monotonic()
        os.kill(victim, signal.SIGKILL)
        assert until(lambda: server.log().count("startup complete") > started)  # noqa: B023
        assert ask(server).status == 200
        took.append(time.monotonic() - begin)
        [new] = server.workers() - before
        used = psutil.Process(new).cpu_times()
        costs.append(used.user + used.system)
        # a worker that exits right after starting is replaced more slowly
        assert until(lambda: all(age_s(worker) > 2 * EARLY_S for worker in server.workers()))
    stop.set()
    typing.join()
    assert min(costs) < 1.0, costs  # about 0.4 s, also on the clock if nothing else runs
    assert min(took) < max(1.0, from_scratch), (took, from_scratch)
    assert lost == 0
    assert set(answered) == {200}
    assert "killed by SIGKILL. Starting another" in server.log()


def test_a_worker_that_gives_no_sign_of_life_is_not_killed(server: Server) -> None:
    """A computation may hold the interpreter for long; uvicorn would kill the worker after 5 s."""
    before = server.workers()
    for worker in before:
        os.kill(worker, signal.SIGSTOP)
    time.sleep(6)
    for worker in before:
        os.kill(worker, signal.SIGCONT)
    assert ask(server, "/api/trace", body=SHORT).status == 200
    assert server.workers() == before


def test_workers_end_with_a_parent_that_is_killed(server: Server) -> None:
    """The last test of this server."""
    workers = server.workers()
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    assert until(lambda: not any(map(runs, workers)), 5)
    with pytest.raises(OSError):
        ask(server)


def test_a_client_that_was_refused_while_the_server_stops_harms_nobody() -> None:
    """Its connection has been ended from our side, and it does not close its own."""
    with running(settings={"shutdown_timeout_s": "2"}) as server:
        where = urlsplit(server.address)
        with socket.create_connection((where.hostname, where.port), timeout=10) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost")  # it is not idle, so it may go on
            ask(server)
            server.process.send_signal(signal.SIGTERM)
            time.sleep(2.1)
            client.sendall(b"\r\n\r\n")
            assert client.recv(1024).startswith(b"HTTP/1.1 400 ")
            server.process.wait(timeout=12)
        assert server.process.returncode == 0
        assert "Traceback" not in server.log()


def test_stop_finishes_short_requests_and_refuses_long_ones_in_time() -> None:
    grace = 2
    with running(settings={"shutdown_timeout_s": str(grace)}) as server:
        with ThreadPoolExecutor(31) as pool:
            short = [pool.submit(ask, server, "/api/trace", body=SHORT) for _ in range(10)]
            began = [pool.submit(ask, server, "/api/trace", body=long(n)) for n in range(20)]
            assert until(lambda: sum(answer.done() for answer in began) >= 2)
            with streamed(server, long(20)) as stream:
                told = [stream.readline()]  # it has begun
                begin = time.monotonic()
                server.process.send_signal(signal.SIGTERM)
                server.process.wait(timeout=grace + 8)
                took = time.monotonic() - begin
                told += stream.readlines()
        assert server.process.returncode == 0
        assert took < grace + 5
        answers: list[Answer] = [answer.result() for answer in began]
        assert all(answer.result().status == 200 for answer in short)
        assert {answer.status for answer in answers} == {200, 503}
        for refused in (answer for answer in answers if answer.status == 503):
            assert refused.error()["code"] == "stopping"
            assert int(refused.headers["retry-after"]) >= 1
        [last] = re.findall(r"event: error\ndata: (.+)", b"".join(told).decode())
        assert json.loads(last)["status"] == 503
        assert json.loads(last)["error"]["code"] == "stopping"
        assert "Traceback" not in server.log()

"""The stream of a class from a real server: two workers, a killed one, a restart, a stop."""

import http.client
import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from scripts.live import Server, running
from tests.faults.asking import ask, until

HEADER = "X-Headlight-Class"


def _call(
    server: Server, method: str, path: str, body: object = None, token: str = ""
) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    headers = {"Content-Type": "application/json", HEADER: token}
    connection.request(method, f"/api/classes{path}", json.dumps(body), headers)
    answer = connection.getresponse()
    read = answer.read()
    connection.close()
    return answer.status, json.loads(read) if read else None


class Stream:
    """One listener's events."""

    def __init__(self, server: Server, code: str, token: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        self._connection.request("GET", f"/api/classes/{code}/events", headers={HEADER: token})
        self.answer = self._connection.getresponse()
        self.seen: list[tuple[str, Any]] = []

    def close(self) -> None:
        self.answer.close()
        self._connection.close()

    def next(self, name: str) -> Any:
        """The data of the next event with that name. Raises EOFError at the end."""
        while True:
            event, data = self.answer.readline(), self.answer.readline()
            self.answer.readline()
            if not event:
                raise EOFError
            found = event.decode().removeprefix("event: ").strip()
            self.seen.append((found, json.loads(data.decode().removeprefix("data: "))))
            if found == name:
                return self.seen[-1][1]


@contextmanager
def serving(store: Path) -> Iterator[Server]:
    settings = {"classes": "on", "class_store": str(store), "log_level": "debug"}
    with running("--workers", "2", settings=settings) as server:
        until(lambda: server.log().count("startup complete") == 2)
        yield server


def test_streams_of_all_workers_tell_the_same_and_lose_nothing(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        _, opened = _call(server, "POST", "", {})
        code, teacher = opened["code"], opened["secret"]
        tokens = [_call(server, "POST", f"/{code}/participants", {})[1]["token"] for _ in range(8)]
        streams = [Stream(server, code, token) for token in tokens]  # on either worker
        head = streams[0].answer
        assert head.headers["content-type"].startswith("text/event-stream")
        assert head.headers["content-encoding"] is None
        assert all(stream.next("state")["revision"] == 1 for stream in streams)
        _call(server, "PATCH", f"/{code}", {"mode": "pause"}, teacher)
        for stream in streams:
            assert stream.next("change") == {"revision": 2, "from": 1, "set": {"mode": "pause"}}
        assert streams[0].next("beat")["people"] == 8
        assert b"headlight_class_streams 8.0" in ask(server, "/metrics").body

        for worker in server.workers():
            os.kill(worker, signal.SIGKILL)
        for stream in streams:
            with pytest.raises((EOFError, OSError, http.client.HTTPException)):
                stream.next("never")
            stream.close()
        until(lambda: server.log().count("startup complete") == 4)
        again = Stream(server, code, tokens[0])
        assert again.next("state")["mode"] == "pause"

        begun = time.monotonic()
        os.kill(server.process.pid, signal.SIGTERM)
        server.process.wait(20)
        assert time.monotonic() - begun < 8  # the stream does not hold it up for 10 s
        again.close()
        log = server.log()
        assert f"/api/classes/{code}/events" in log  # every request is logged here
        assert not [secret for secret in (teacher, *tokens) if secret in log]
    with serving(tmp_path) as server:
        status, found = _call(server, "GET", f"/{code}", token=tokens[3])
        assert (status, found["mode"], found["role"]) == (200, "pause", "participant")
        last = Stream(server, code, tokens[3])
        last.next("state")
        _call(server, "DELETE", f"/{code}", token=teacher)
        assert last.next("end") == {"ended": True}
        with pytest.raises(EOFError):
            last.next("never")
        last.close()

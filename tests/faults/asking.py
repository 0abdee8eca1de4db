"""Shared by the tests of faults: requests to a real server, and raw connections."""

import http.client
import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import psutil

from scripts.live import UNCHECKED, Server

TIMEOUT_S = 20.0


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]  # names in lower case
    body: bytes

    def error(self) -> dict[str, Any]:
        """The error, after checking its format."""
        document: dict[str, dict[str, Any]] = json.loads(self.body)
        assert list(document) == ["error"]
        assert list(document["error"]) == ["code", "message", "field", "limit"]
        assert self.headers["x-content-type-options"] == "nosniff"
        assert "content-security-policy" in self.headers
        return document["error"]


def ask(
    server: Server,
    path: str = "/healthz",
    *,
    body: object = None,
    headers: dict[str, str] | None = None,
    timeout: float = TIMEOUT_S,
) -> Answer:
    """Send one request on a new connection.

    Raises:
        OSError, http.client.HTTPException: the connection broke.
    """
    secure = server.address.startswith("https")
    connection = (
        http.client.HTTPSConnection("127.0.0.1", server.port, timeout=timeout, context=UNCHECKED)
        if secure
        else http.client.HTTPConnection("127.0.0.1", server.port, timeout=timeout)
    )
    sent = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", **(headers or {})}
    try:
        connection.request("GET" if sent is None else "POST", path, sent, headers)
        return _read(connection.getresponse())
    finally:
        connection.close()


def raw(server: Server, sent: bytes = b"") -> socket.socket:
    """A connection on which `sent` has been sent."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT_S)
    connection.sendall(sent)
    return connection


def read(connection: socket.socket) -> Answer:
    """Read the next answer."""
    response = http.client.HTTPResponse(connection)
    response.begin()
    return _read(response)


def closed(connection: socket.socket) -> bool:
    """Whether the server closes it, within TIMEOUT_S."""
    try:
        while connection.recv(65_536):
            pass
    except ConnectionError:
        pass
    except TimeoutError:
        return False
    return True


def until(holds: Callable[[], object], seconds: float = TIMEOUT_S) -> bool:
    """Wait for a condition; returns whether it became true."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def runs(pid: int) -> bool:
    """Whether a process is still running (a zombie is not)."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@contextmanager
def many(n: int, open_one: Callable[[], socket.socket]) -> Iterator[list[socket.socket]]:
    """Open n connections, and close them at the end."""
    with ExitStack() as stack:
        yield [stack.enter_context(open_one()) for _ in range(n)]


def _read(response: http.client.HTTPResponse) -> Answer:
    headers = {name.lower(): value for name, value in response.getheaders()}
    return Answer(response.status, headers, response.read())

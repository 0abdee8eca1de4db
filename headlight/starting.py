"""`connect` to a server, or `start` one that ends with this process."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from headlight.client import Client
from headlight.errors import StartError
from headlight.http.connection import PATIENCE_S
from headlight.progress import Progress

READY_S = 180.0  # for a slow machine that imports torch for the first time
_LOOK_S = 0.1  # between two looks at whether it is ready
_STOP_S = 20.0  # a server finishes its requests before it ends
_LOG_LINES = 15  # in an error message


def connect(address: str = "http://127.0.0.1:8000", **options: Any) -> Client:
    """The client of a server that is running.

    `options` are those of `Client`: `password`, `model`, `patience_s`.

    Raises:
        UnreachableError: nothing answers at the address.
        ServerError: what answers is not a Headlight server.
    """
    client = Client(address, **options)
    client.check()
    return client


def start(
    models: Sequence[str | Path] = (),
    *,
    port: int | None = None,
    ready_s: float = READY_S,
    patience_s: float = PATIENCE_S,
    **settings: Any,
) -> Client:
    """Start a server on this machine, and give its client. It ends with this process.

    Args:
        models: checkpoints to serve besides the shipped model, as folders or hub ids, or as
            `NAME=LOCATION`. The first is then the model of requests that name none.
        port: by default one that is free.
        ready_s: the seconds that it has to become ready.
        patience_s: as for `Client`.
        settings: the server's settings in lower case, as in the README: `max_texts=64`.

    >>> with headlight.start() as hl:
    ...     run = hl.trace("The cat sat.")

    Raises:
        StartError: it ended, or was not ready in time; the message has what it printed.
    """
    named = [str(model) for model in models]
    server = _Server(named, port or free_port(), settings)
    try:
        server.wait(ready_s)
    except BaseException:  # Ctrl+C, too
        server.stop()
        raise
    client = Client(server.address, model=_name(named[0]) if named else None, patience_s=patience_s)
    arguments = [repr(named)] if named else []
    arguments += [f"{name}={value!r}" for name, value in settings.items()]
    client.owns(server.stop, f"headlight.start({', '.join(arguments)})")
    return client


class _Server:
    """A process `headlight serve`.

    Its standard input is a pipe from this process. When this process ends, however it does, the
    pipe closes, and the server stops.
    """

    def __init__(self, models: Sequence[str], port: int, settings: Mapping[str, Any]) -> None:
        self.address = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "headlight", "serve", "--host", "127.0.0.1"]
        command += ["--port", str(port), *(f"--model={model}" for model in models)]
        variables = {f"HEADLIGHT_{name.upper()}": str(value) for name, value in settings.items()}
        self._log = tempfile.TemporaryFile("a+b")
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=self._log,
            stderr=self._log,
            env={**os.environ, **variables, "HEADLIGHT_STOP_WITH_STDIN": "true"},
            process_group=0,  # Ctrl+C is for this process alone
        )
        self.stop = partial(_stop, self._process, self._log, os.getpid())

    def wait(self, seconds: float) -> None:
        """Wait until it is ready.

        Raises:
            StartError: it ended, or was not ready in time.
        """
        end = time.monotonic() + seconds
        with Progress("Starting a server") as progress:
            while not self._is_ready():
                progress.at(0)
                if self._process.poll() is not None:
                    raise self._error("The server ended before it was ready")
                if time.monotonic() > end:
                    raise self._error(
                        f"The server was not ready after {seconds:g} s; a slow machine may need a "
                        "larger `ready_s`"
                    )
                time.sleep(_LOOK_S)

    def _is_ready(self) -> bool:
        try:
            with _OPENER.open(f"{self.address}/readyz", timeout=_STOP_S):
                return True
        except (URLError, OSError):
            return False

    def _error(self, message: str) -> StartError:
        """What happened, with the last lines that it printed."""
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").splitlines()[-_LOG_LINES:]
        printed = ". It printed:\n" + "\n".join(lines) if lines else "."
        return StartError(message + printed, code="not_started")


_OPENER = build_opener(ProxyHandler({}))  # a proxy does not reach this machine


def _stop(process: "subprocess.Popen[bytes]", log: BinaryIO, owner: int) -> None:
    if os.getpid() != owner:  # a fork of the process that started it
        return
    assert process.stdin is not None
    process.stdin.close()
    process.terminate()
    try:
        process.wait(_STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    log.close()


def _name(model: str) -> str:
    """The name that the server gives a model: NAME in NAME=LOCATION, else the location's end."""
    name, given, _ = model.partition("=")
    return name if given else model.rstrip("/").rsplit("/", 1)[-1]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
    return port

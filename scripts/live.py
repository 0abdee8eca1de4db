"""A server in a process of its own, and a Chromium: for tests, benchmarks and the screenshot."""

import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import IO, Protocol

import psutil
from playwright.sync_api import Browser, BrowserType, sync_playwright

BROWSERS = (
    *("chromium-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome", "google-chrome-stable"),
)
# Chromium refuses its sandbox to root (a container, CI), and asks after updates unless told not to.
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
UNCHECKED = ssl.create_default_context()  # certificates of tests are signed by nobody
UNCHECKED.check_hostname, UNCHECKED.verify_mode = False, ssl.CERT_NONE
ROOT = Path(__file__).parent.parent
TIMEOUT_S = 60  # seconds for the model to load


class Process(Protocol):
    """What a subprocess.Popen offers, as far as it is used here."""

    @property
    def pid(self) -> int: ...
    @property
    def returncode(self) -> int | None: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def send_signal(self, number: int, /) -> None: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...


def spawned(
    command: Sequence[str], output: IO[bytes], environment: Mapping[str, str], folder: Path
) -> Process:
    """Start a command; its output is appended to a file."""
    return subprocess.Popen(command, stdout=output, stderr=output, env=environment, cwd=folder)


launch = spawned  # the tests have a faster way


@dataclass(frozen=True)
class Server:
    """A running `headlight serve`."""

    address: str
    process: Process
    output: IO[bytes]

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def log(self) -> str:
        """The output so far."""
        self.output.seek(0)
        return self.output.read().decode()

    def workers(self) -> set[int]:
        """The process ids of the workers."""
        return {child.pid for child in psutil.Process(self.process.pid).children()}


@contextmanager
def serving(**settings: str) -> Iterator[str]:
    """The address of a running `headlight serve`, on a free port.

    `settings` are HEADLIGHT_* variables, without the prefix, in lower case.

    Raises:
        RuntimeError: it exited, or was not ready in time; the message has its output.
    """
    with running(settings=settings, until="/healthz") as server:
        yield server.address


@contextmanager
def running(
    *options: str,
    settings: Mapping[str, str] = MappingProxyType({}),
    environment: Mapping[str, str] = MappingProxyType({}),
    around: Sequence[str] = (),
    until: str = "/readyz",
    timeout_s: float = TIMEOUT_S,
    root: Path = ROOT,
) -> Iterator[Server]:
    """A server as `serving` starts it, with all there is to know of it.

    `options` are those of the command line, `environment` holds variables that are not settings,
    `around` is a command that runs the one that it is given. It is ready when it answers `until`,
    within `timeout_s`. `root` is the folder of the project whose files it serves.

    Raises:
        RuntimeError: it exited, or was not ready in time; the message has its output.
    """
    port = _freed.pop() if _freed and _free_again(_freed[-1]) else free_port()
    command = [*around, sys.executable, "-m", "server.cli", "serve", "--port", str(port), *options]
    variables = {f"HEADLIGHT_{name.upper()}": value for name, value in settings.items()}
    address = f"{'https' if 'certfile' in settings else 'http'}://127.0.0.1:{port}"
    variables |= environment
    with started(command, address, until, variables, timeout_s, root) as server:
        yield server
    _freed.append(port)


# Ports of servers that have ended: a browser has compiled what the next one serves there.
_freed: list[int] = []


@contextmanager
def started(
    command: Sequence[str],
    address: str,
    until: str,
    environment: Mapping[str, str],
    timeout_s: float = TIMEOUT_S,
    root: Path = ROOT,
) -> Iterator[Server]:
    """A server in a process of its own that answers `until` at `address`; it ends with the block.

    Raises:
        RuntimeError: it exited, or was not ready in time; the message has its output.
    """
    with tempfile.NamedTemporaryFile("a+b") as log:  # appended to, wherever it is read
        process = launch(command, log, {**os.environ, **environment}, root)
        server = Server(address, process, log)
        try:
            if not _ready(address + until, process, timeout_s):
                raise RuntimeError(f"The server did not start:\n{server.log()}")
            yield server
        finally:
            process.terminate()
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
                raise


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _free_again(port: int) -> bool:
    """Whether a server may listen there again: connections that have just ended are no obstacle."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return True
    return False


@contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    """Chromium or Chrome from the PATH; else the one that Playwright downloaded."""
    with sync_playwright() as playwright, another(playwright.chromium, *flags) as browser:
        yield browser


@contextmanager
def another(kind: BrowserType, *flags: str) -> Iterator[Browser]:
    """One more, of a Playwright that runs already."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    browser = kind.launch(executable_path=path, args=[*FLAGS, *flags])
    yield browser
    browser.close()


def _ready(url: str, process: Process, timeout_s: float) -> bool:
    end = time.monotonic() + timeout_s
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5, context=UNCHECKED):
                return True
        except OSError:
            time.sleep(0.1)
    return False

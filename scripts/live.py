"""A server in a process of its own, and a Chromium: for tests, benchmarks and the screenshot."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Chromium refuses its sandbox to root (a container, CI), and asks after updates unless told not to.
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
PATIENCE = 60  # seconds for the model to load


@contextmanager
def serving(**settings: str) -> Iterator[str]:
    """The address of a running `headlight serve`, on a free port.

    `settings` are HEADLIGHT_* variables, without the prefix, in lower case.

    Raises:
        RuntimeError: it ended, or was not ready in time; with what it printed.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {f"HEADLIGHT_{name.upper()}": v for name, v in settings.items()}
    command = [sys.executable, "-m", "server.cli", "serve", "--port", str(port)]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=log, env=environment, cwd=Path(__file__).parent.parent
        )
        try:
            if not _ready(f"http://127.0.0.1:{port}/healthz", process):
                log.seek(0)
                raise RuntimeError(f"The server did not start:\n{log.read().decode()}")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(timeout=20)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium or Chrome from the PATH; else the one that Playwright downloaded."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def _ready(url: str, process: "subprocess.Popen[bytes]") -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return True
        except OSError:
            time.sleep(0.1)
    return False

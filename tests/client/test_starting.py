"""`headlight.start` and `headlight.connect`."""

import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import psutil
import pytest

import headlight

ROOT = Path(__file__).parents[2]
# Starts a server, says where, and waits to be killed.
PROGRAM = """
import headlight, time
hl = headlight.start(log_level="warning")
print(hl.address, flush=True)
time.sleep(600)
"""


def until(true: Callable[[], bool]) -> None:
    """Wait for something that happens within a minute."""
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def answers(address: str) -> bool:
    try:
        headlight.connect(address).close()
    except headlight.UnreachableError:
        return False
    return True


def test_a_server_ends_with_the_process_that_started_it_however_that_ends() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        address = program.stdout.readline().strip()
        servers = psutil.Process(program.pid).children(recursive=True)
        assert len(servers) >= 2  # the supervisor, and a worker
        assert answers(address)
        program.send_signal(signal.SIGKILL)
        program.wait()
        until(lambda: not any(server.is_running() for server in servers))
        assert not answers(address)


def test_a_block_ends_its_server_and_a_run_outlives_the_block() -> None:
    with headlight.start(max_texts=2) as hl:
        run = hl.trace("The cat sat.")
        assert str(run).splitlines()[2] == "hl = headlight.start(max_texts=2)"
        assert answers(hl.address)
    assert not answers(hl.address)
    assert run.tokens[1] == "The"
    with pytest.raises(headlight.UnreachableError, match="closed"):
        _ = run.pattern


def test_the_error_of_a_server_that_cannot_start_is_shown() -> None:
    with pytest.raises(headlight.StartError, match=r"HEADLIGHT_WORKERS: .* less than or equal"):
        headlight.start(workers=1_000)


def test_an_address_where_nothing_answers_says_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(headlight.UnreachableError, match=r"headlight\.start\(\)") as caught:
        headlight.connect(f"127.0.0.1:{port}")
    assert f"http://127.0.0.1:{port}" in caught.value.message


class Other(BaseHTTPRequestHandler):
    """Another web server, which has a page for everything."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"Hello")

    def log_message(self, *_: object) -> None:
        pass


def test_another_server_is_told_apart() -> None:
    with HTTPServer(("127.0.0.1", 0), Other) as other:
        threading.Thread(target=other.handle_request).start()
        with pytest.raises(headlight.ServerError, match="Check the address"):
            headlight.connect(f"http://127.0.0.1:{other.server_port}")


def test_a_password_opens_the_server_that_asks_for_one(tmp_path: Path) -> None:
    from scripts import live

    with live.serving(password="open sesame") as address:
        with pytest.raises(headlight.RequestError) as caught:
            headlight.connect(address).models()
        assert caught.value.code == "password_required"
        with headlight.connect(address, password="open sesame") as hl:
            assert hl.models()[0]["name"] == "shipped"

"""The folder in which workers share their metrics: missing, full, or deleted."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.live import Server, running
from tests.faults.asking import ask, until

SHORT = {"texts": ["the cat sat"]}


def use(server: Server) -> None:
    """Both workers answer, and count new things."""
    for n in range(8):
        assert ask(server, "/api/trace", body=SHORT).status == 200
        assert ask(server, f"/nothing/{n}").status == 404
        assert ask(server, "/api/trace", body={"texts": []}).status == 422
    metrics = ask(server, "/metrics")
    assert metrics.status == 200
    assert b"headlight_requests_total" in metrics.body


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 8 MB."""
    command = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(tmp_path)]
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root on Linux can mount a small disk")
    mounted = subprocess.run(command, capture_output=True, text=True)
    if mounted.returncode != 0:
        pytest.skip(f"this container mounts no disks: {mounted.stderr.strip()}")
    yield tmp_path
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def test_a_disk_that_fills_costs_nothing_and_a_new_worker_counts_alone(small_disk: Path) -> None:
    with running("--workers", "2", environment={"TMPDIR": str(small_disk)}) as server:
        until(lambda: server.log().count("startup complete") == 2)
        before = server.workers()
        with pytest.raises(OSError), (small_disk / "rest").open("wb", buffering=0) as file:
            while file.write(bytes(65_536)):
                pass
        use(server)
        assert server.workers() == before
        os.kill(before.pop(), 9)
        assert until(lambda: server.log().count("startup complete") == 3)
        use(server)
        assert before < server.workers()
        assert server.log().count("the shared folder cannot be used") == 1


def test_a_lost_folder_costs_metrics_alone(tmp_path: Path) -> None:
    with running("--workers", "2", environment={"TMPDIR": str(tmp_path)}) as server:
        until(lambda: server.log().count("startup complete") == 2)
        before = server.workers()
        [folder] = tmp_path.iterdir()
        shutil.rmtree(folder)
        use(server)
        assert server.workers() == before
        os.kill(before.pop(), 9)
        assert until(lambda: server.log().count("startup complete") == 3)
        use(server)
    assert server.process.returncode == 0


def test_a_full_disk_at_start_costs_metrics_alone(tmp_path: Path) -> None:
    """Files may only grow to a few bytes, which has the same effect as a full disk."""
    limited = 'ulimit -f 64; exec "$@"'
    begin = time.monotonic()
    with running(
        "--workers", "2", environment={"TMPDIR": str(tmp_path)}, around=["sh", "-c", limited, "sh"]
    ) as server:
        use(server)
        log = server.log()
        assert log.count("Started server process") == 2  # no worker died
        assert log.count("the shared folder cannot be used") == 2
    assert time.monotonic() - begin < 60

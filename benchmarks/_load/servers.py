"""The servers under test. With several cores, a server gets the first and the typists the last."""

import os
import shutil
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psutil
from prometheus_client.parser import text_string_to_metric_families

from scripts.live import free_port, started
from scripts.pack import pack

CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
SAMPLE_S = 0.2


@dataclass(frozen=True)
class Server:
    """A running server with all its processes."""

    name: str
    address: str
    process: psutil.Process

    def everyone(self) -> list[psutil.Process]:
        return [self.process, *self.process.children(recursive=True)]

    def cpu_s(self) -> float:
        """Processor time so far, of all processes."""
        return float(sum(sum(each.cpu_times()[:2]) for each in self.everyone()))

    def cpu_s_by_process(self) -> dict[int, float]:
        return {each.pid: sum(each.cpu_times()[:2]) for each in self.everyone()}

    def loop_cpu_s(self) -> float:
        """Processor time so far, of the event loops alone: each is its process's first thread."""
        return float(
            sum(
                thread.user_time + thread.system_time
                for each in self.everyone()
                for thread in each.threads()
                if thread.id == each.pid
            )
        )

    def rss_mb(self) -> float:
        """Resident memory of all processes; memory that workers share is counted for each."""
        return float(sum(each.memory_info().rss for each in self.everyone()) / 1e6)

    def counters(self) -> dict[str, float]:
        """Headlight's counters, summed over labels, without the requests for /metrics."""
        with urllib.request.urlopen(f"{self.address}/metrics", timeout=30) as answer:
            families = text_string_to_metric_families(answer.read().decode())
        return {
            family.name: sum(
                each.value
                for each in family.samples
                if each.name.endswith("_total") and each.labels.get("route") != "/metrics"
            )
            for family in families
            if family.type == "counter"
        }


@contextmanager
def headlight(*, workers: int = 1, pinned: bool = True, **settings: str) -> Iterator[Server]:
    """`headlight serve` with its defaults, except for the number of workers."""
    pack()  # as visitors get it
    port = free_port()
    command = [sys.executable, "-m", "server.cli", "serve", "--port", str(port)]
    environment = {f"HEADLIGHT_{name.upper()}": value for name, value in settings.items()}
    environment["HEADLIGHT_WORKERS"] = str(workers)
    with _running("Headlight", command, port, environment, pinned) as server:
        yield server


@contextmanager
def naive(*, workers: int = 1, pinned: bool = True) -> Iterator[Server]:
    """The simple server that one might write instead: benchmarks/_naive.py under uvicorn."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "benchmarks._naive:app", "--port", str(port)]
    command += ["--workers", str(workers), "--log-level", "warning"]
    with _running("naive", command, port, {}, pinned) as server:
        yield server


@contextmanager
def _running(
    name: str, command: list[str], port: int, environment: dict[str, str], pinned: bool
) -> Iterator[Server]:
    address = f"http://127.0.0.1:{port}"
    prefix = on_core(CORES[0]) if pinned else []
    with started([*prefix, *command], address, "/healthz", environment) as server:
        yield Server(name, address, psutil.Process(server.process.pid))


def on_core(core: int) -> list[str]:
    """The prefix of a command that pins it to one core; empty if that is not possible."""
    taskset = shutil.which("taskset")
    return [taskset, "-c", str(core)] if taskset and len(CORES) > 1 else []


@contextmanager
def staying_away(pinned: bool = True) -> Iterator[None]:
    """Run this process on the last core only, out of the server's way."""
    pinned = pinned and len(CORES) > 1
    if pinned:
        os.sched_setaffinity(0, {CORES[-1]})
    try:
        yield
    finally:
        if pinned:
            os.sched_setaffinity(0, set(CORES))


class Highest:
    """The highest memory of a server within the block, sampled."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.rss_mb = 0.0

    def __enter__(self) -> "Highest":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while True:
            try:
                self.rss_mb = max(self.rss_mb, self._server.rss_mb())
            except psutil.NoSuchProcess:  # a worker that just ended
                pass
            if self._done.wait(SAMPLE_S):
                return

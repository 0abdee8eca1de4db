"""The server of the class, with what befalls it."""

import asyncio
import os
import signal
import sys
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import psutil
from prometheus_client.parser import text_string_to_metric_families

from scripts.live import Server, free_port, started


class House:
    """A server with two workers or more that can be restarted on the same port and folder."""

    def __init__(self, folder: Path, workers: int, people: int) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, "-m", "server.cli", "serve", "--port", str(self.port)]
        self._environment = {
            "HEADLIGHT_WORKERS": str(workers),
            "HEADLIGHT_CLASSES": "on",
            "HEADLIGHT_CLASS_STORE": str(folder),
            "HEADLIGHT_CLASS_PEOPLE": str(people + 10),
        }
        self._stack = ExitStack()
        self._server: Server | None = None
        self._cpu_s = self._computed = 0.0  # of the servers that were stopped

    def __enter__(self) -> "House":
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _start(self) -> None:
        running = started(self._command, self.address, "/readyz", self._environment)
        self._server = self._stack.enter_context(running)

    @property
    def server(self) -> Server:
        assert self._server is not None
        return self._server

    def kill_a_worker(self) -> None:
        os.kill(min(self.server.workers()), signal.SIGKILL)

    async def restart(self) -> float:
        """Stop the server as an operator would, and start it again; returns the seconds."""
        self._cpu_s, self._computed = self.cpu_s(), await asyncio.to_thread(self.computed)
        begin = time.monotonic()
        await asyncio.to_thread(self._stack.close)
        await asyncio.to_thread(self._start)
        return time.monotonic() - begin

    def cpu_s(self) -> float:
        """Processor time of all processes so far."""
        parent = psutil.Process(self.server.process.pid)
        everyone = [parent, *parent.children(recursive=True)]
        return self._cpu_s + float(sum(sum(each.cpu_times()[:4]) for each in everyone))

    def rss_mb(self) -> float:
        """Memory of the largest worker."""
        sizes = [psutil.Process(each).memory_info().rss for each in self.server.workers()]
        return float(max(sizes) / 1e6)

    def computed(self) -> float:
        """Traces computed so far."""
        with urllib.request.urlopen(f"{self.address}/metrics", timeout=30) as answer:
            families = text_string_to_metric_families(answer.read().decode())
        found: float = sum(
            sample.value
            for family in families
            if family.name == "headlight_traces_computed"
            for sample in family.samples
            if sample.name.endswith("_total")
        )
        return self._computed + found

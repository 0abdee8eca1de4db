"""Memory that was freed goes back to the system, where the C library can do that."""

import asyncio
import ctypes
import platform
import subprocess
import sys
from types import SimpleNamespace

import pytest
import uvicorn

from server.http.serving import allocator, worker

HEAP = """
import ctypes, psutil
from server.http.serving.allocator import return_free_pages
malloc, free = ctypes.CDLL(None).malloc, ctypes.CDLL(None).free
malloc.restype, free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
resident = lambda: psutil.Process().memory_info().rss
blocks = [malloc(1 << 16) for _ in range(1_600)]
for block in blocks:
    ctypes.memset(block, 1, 1 << 16)
for block in blocks[:-1]:  # the last one keeps the heap from shrinking
    free(block)
before = resident()
assert return_free_pages()
print(before - resident())
"""

THREADS = """
import ctypes
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from server.http.serving.allocator import keep_little
C = ctypes.CDLL(None)
C.malloc.restype = ctypes.c_void_p
together = Barrier(8)
def allocated(size):
    together.wait()  # each in a thread of its own
    return C.malloc(size)
assert keep_little()
with ThreadPoolExecutor(8) as threads:
    assert all(threads.map(allocated, [1 << 12] * 8))
C.malloc_info(0, ctypes.c_void_p.in_dll(C, "stdout"))
C.fflush(None)
"""

GELUS = """
from server.cli import _before
_before(version=False)
import psutil, torch
resident = lambda: psutil.Process().memory_info().rss
def run(lengths):
    for n in lengths:
        torch.nn.functional.gelu(torch.zeros(n, 64))
run(range(1, 200))
before = resident()
run(range(200, 1000))
print(resident() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries lack it")
def test_pages_below_a_block_that_stays_are_returned() -> None:
    ran = subprocess.run([sys.executable, "-c", HEAP], capture_output=True, text=True, check=True)
    assert int(ran.stdout) > 80 * 1024**2


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries lack it")
def test_threads_share_two_heaps() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", THREADS], capture_output=True, text=True, check=True
    )
    assert ran.stdout.count("<heap nr=") == allocator.HEAPS  # nine without a limit


@pytest.mark.long
def test_what_is_compiled_for_a_shape_is_not_kept_for_hours() -> None:
    ran = subprocess.run([sys.executable, "-c", GELUS], capture_output=True, text=True, check=True)
    assert int(ran.stdout) < 40 * 1024**2  # 250 MB without a limit


def test_without_glibc_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    assert not allocator.return_free_pages()
    assert not allocator.keep_little()


def test_a_worker_returns_memory_after_requests_and_once_more_with_its_garbage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    collected: list[bool] = []

    async def ticked(self: uvicorn.Server, counter: int) -> bool:
        return False

    monkeypatch.setattr(uvicorn.Server, "on_tick", ticked)
    monkeypatch.setattr(worker, "return_memory", lambda *, collect: collected.append(collect))
    server = worker.Server.__new__(worker.Server)
    state = SimpleNamespace(total_requests=5, connections=[])
    vars(server).update(server_state=state, _n_trimmed=0, _n_collected=0)

    async def run() -> None:
        for counter in range(1, 3 * worker.TICKS_PER_COLLECTION):
            await server.on_tick(counter)
        await asyncio.get_running_loop().shutdown_default_executor()

    asyncio.run(run())
    assert sorted(collected) == [False, True]  # and nothing while nobody asks

"""The process that runs programs: `python -m server.programs.runner`, a JSON object a line.

It imports torch once and forks for every run, so that a run starts at once, knows nothing of the
server or of other runs, and whatever becomes of it ends with it.
"""

import json
import os
import random
import resource
import select
import signal
import sys
import time
from pathlib import Path
from typing import Any

import torch

from model.message import Message, packed, unpacked
from server.programs.checks import outcome

CPU_S = 3  # of a run
WALL_S = 6.0
MEMORY_BYTES = 512 * 1024**2  # beside what a run shares with this process
ANSWER_BYTES = 1024**2
STATM = Path("/proc/self/statm")

# Uses what imports more, or opens files, when it is first used: a run may not.
WARM_UP = """
import torch
from torch import nn
from einops import rearrange, repeat, reduce
x = torch.randn(2, 3, 4)
print(x, torch.tensor([1, 2]), torch.tensor([True]))
y = rearrange(x, "a b c -> b (a c)")
y = repeat(x, "a b c -> a b c d", d=2)
y = reduce(x, "a b c -> a c", "mean")
y = torch.einsum("abc, adc -> abd", x, x)
y = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.ReLU(), nn.GELU())(x)
y = nn.functional.scaled_dot_product_attention(x, x, x)
y = nn.functional.cross_entropy(x[0], torch.tensor([0, 1, 1]))
histogram(x)
"""

TOO_LONG = Message("The program was stopped after {n} s of computing. Does a loop end?", n=CPU_S)
ENDED = Message("The program ended in the middle: it needs more memory or time than it may have.")


def main() -> None:
    """Answer requests until the server closes its end."""
    torch.set_num_threads(1)
    outcome(WARM_UP, None, [])
    for line in sys.stdin:
        answer = _run(json.loads(line))
        sys.stdout.write(json.dumps(packed(answer)) + "\n")
        sys.stdout.flush()


def _run(asked: dict[str, Any]) -> dict[str, Any]:
    """Fork, and read what the child says until it ends or its time is over."""
    reads, writes = os.pipe()
    seed = random.getrandbits(32) if asked["seed"] is None else asked["seed"]
    child = os.fork()
    if child == 0:
        os.close(reads)
        _child(asked, seed, writes)
    os.close(writes)
    said, is_late = _read(reads)
    if is_late or len(said) > ANSWER_BYTES:
        os.kill(child, signal.SIGKILL)
    os.close(reads)
    _, status = os.waitpid(child, 0)
    if status == 0 and len(said) <= ANSWER_BYTES:
        answer: dict[str, Any] = json.loads(said, object_hook=unpacked)
        return answer
    out_of_time = is_late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU)
    message = TOO_LONG if out_of_time else ENDED
    error = {"line": None, "message": message}
    return {"values": [], "printed": "", "histograms": [], "error": error, "checks": []}


def _read(pipe: int) -> tuple[bytes, bool]:
    """What comes out of a pipe, and whether its time was over before its end."""
    said, until = b"", time.monotonic() + WALL_S
    while len(said) <= ANSWER_BYTES:
        ready, _, _ = select.select([pipe], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            return said, True
        piece = os.read(pipe, 65_536)
        if not piece:
            break
        said += piece
    return said, False


def _child(asked: dict[str, Any], seed: int, pipe: int) -> None:
    """Run under limits, and end without what Python does at its end."""
    status = 1
    try:
        _limit()
        told = outcome(asked["code"], asked["solution"], asked["checks"], seed)
        answer = json.dumps(packed(told))
        with os.fdopen(pipe, "wb") as output:
            output.write(answer.encode())
        status = 0
    finally:
        os._exit(status)


def _limit() -> None:
    """No files, no processes, little memory and time."""
    for number in (0, 1, 2):  # the pipe to the server belongs to the parent alone
        os.dup2(os.open(os.devnull, os.O_RDWR), number)
    limits = {
        resource.RLIMIT_CPU: CPU_S,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: 0,
    }
    if hasattr(resource, "RLIMIT_NPROC"):
        limits[resource.RLIMIT_NPROC] = 0
    taken = _address_space()
    if taken is not None:
        limits[resource.RLIMIT_AS] = taken + MEMORY_BYTES
    for kind, most in limits.items():
        _, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        # the soft limit of time ends it with a signal of its own, the hard one with no notice
        over = most + 1 if kind == resource.RLIMIT_CPU and hard == resource.RLIM_INFINITY else most
        resource.setrlimit(kind, (most, over))


def _address_space() -> int | None:
    """Bytes of this process' address space; None where the system does not tell."""
    try:
        return int(STATM.read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return None


if __name__ == "__main__":
    main()

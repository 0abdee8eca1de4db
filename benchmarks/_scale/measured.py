"""Costs, and load on two cores, measured on this machine with the tools of benchmarks/load.py."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from statistics import fmean, median
from typing import Any

import psutil

from benchmarks._load import joining, measures, recorded, servers
from benchmarks._load.measures import Effort
from benchmarks._load.recorded import Sent
from benchmarks._load.servers import Server
from benchmarks._load.typists import Outcomes, Typist, one_after_another
from benchmarks._scale.costs import Costs
from scripts.live import chromium

ROOMS = ((200, 2.0), (50, 0.5))  # people, seconds between one's keys
TOGETHER = measures.CROWD - 1  # share a pass, while the answer to the last is on its way
UNDISTURBED = 0.98  # of the keystrokes of a single person


def measure(effort: Effort) -> dict[str, Any]:
    """Everything as JSON: `costs`, and the measurements, named as in benchmarks/load.py."""
    _report("other load on this machine")
    others = psutil.cpu_percent(interval=2) / 100 * (psutil.cpu_count() or 1)
    _report("forward passes")
    passes = _passes(max(10, effort.keystrokes // 8))
    _report("one worker")
    with servers.headlight() as server:
        with chromium() as browser:
            keystroke = recorded.keystroke(browser, server.address)
            visit = recorded.visit(browser, server.address)
        with servers.staying_away():
            quiet = _memory(server)
            found = _keystrokes(server, keystroke, effort)
            hit_ms = measures.remembered_ms(server, keystroke, effort)
            overload = measures.overload(server, keystroke, effort)
            joined = joining.joining(server, visit, effort)
            loaded = _memory(server)
    _report("refusals")
    refusal_ms = measures.refusal(keystroke, effort)["cpu_ms"]
    _report("two workers")
    with servers.headlight(workers=2, pinned=False) as server:
        rooms = [
            measures.typing(server, keystroke, people, every_s, effort, real=False)
            for people, every_s in ROOMS
        ]
    pass_ms = passes["passes_alone"]
    batched_ms = max(0.0, (8 * passes["pass_together"] - pass_ms) / 7)
    shared_ms = (pass_ms + (TOGETHER - 1) * batched_ms) / TOGETHER
    rest_ms = max(0.0, found["cpu_ms"] - found["loop_ms"] - shared_ms)
    costs = Costs(
        loop_ms=found["loop_ms"],
        pass_ms=pass_ms,
        batched_ms=batched_ms,
        rest_ms=rest_ms,
        wake_ms=max(0.0, found["alone_ms"] - found["loop_ms"] - pass_ms - rest_ms),
        hit_ms=hit_ms,
        refusal_ms=refusal_ms,
        visit_ms=joined["cpu_ms_per_visitor"],
        visit_requests=joined["requests"],
        spread=found["spread"],
        delay_ms=found["delay_ms"],
        client_ms=found["client_ms"],
        request_bytes=found["request_bytes"],
        answer_bytes=found["answer_bytes"],
        visit_bytes=joined["bytes_per_visitor"],
        fixed_mb=quiet["parent_mb"],
        worker_mb=loaded["worker_mb"],
    )
    return {
        "cores": len(servers.CORES),
        "others": others,  # cores that were busy with something else before we began
        "requests_per_keystroke": len(keystroke),
        "costs": asdict(costs),
        "overload": overload,
        "rooms": rooms,
        "joining": joined,
    }


def _keystrokes(server: Server, sent: Sequence[Sent], effort: Effort) -> dict[str, Any]:
    """The cost of a keystroke at a worker that a crowd keeps busy, and at one with a single user.

    A busy worker has its code and weights in the processor's caches, and never sleeps.
    """

    async def run(crowd: int, n: int) -> tuple[Outcomes, list[Typist]]:
        async with measures.crowd(server, sent, measures.strangers(crowd)) as people:
            return await one_after_another(people, lambda done: done >= n), people

    asyncio.run(run(measures.CROWD, 100))  # warms up
    cpu_s, loop_s = server.cpu_s(), server.loop_cpu_s()
    outcomes, people = asyncio.run(run(measures.CROWD, 4 * effort.keystrokes))
    n = len(outcomes.of("answered"))
    cpu_ms = (server.cpu_s() - cpu_s) / n * 1000
    loop_ms = (server.loop_cpu_s() - loop_s) / n * 1000
    cpu_s = server.cpu_s()
    alone, _ = asyncio.run(run(1, effort.keystrokes))
    alone_ms = (server.cpu_s() - cpu_s) / len(alone.all) * 1000
    client_ms = alone.client_cpu_s / len(alone.all) * 1000
    # the slowest ones were interrupted by something else on this machine
    times = sorted(each.seconds * 1000 for each in alone.of("answered"))
    times = times[: max(1, round(UNDISTURBED * len(times)))]
    return {
        "cpu_ms": cpu_ms,
        "loop_ms": loop_ms,
        "spread": tuple(each / fmean(times) for each in times),
        "client_ms": client_ms,
        "alone_ms": alone_ms,
        "delay_ms": max(0.0, median(times) - alone_ms - client_ms),
        "request_bytes": sum(each.client.sent_bytes for each in people) / n,
        "answer_bytes": sum(each.client.received_bytes for each in people) / n,
    }


def _passes(repeats: int) -> dict[str, float]:
    """The results of benchmarks/batching.py, on the core of the servers."""
    command = [*servers.on_core(servers.CORES[0]), sys.executable, "-m", "benchmarks.batching"]
    command += ["--repeats", str(repeats)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: dict[str, float] = json.loads(printed.splitlines()[-1])
    return found


def _memory(server: Server) -> dict[str, float]:
    """Resident memory of the process that starts the workers, and of the largest worker."""
    sizes = {each.pid: each.memory_info().rss / 1e6 for each in server.everyone()}
    workers = {each.pid for each in psutil.Process(server.process.pid).children()}
    largest = max((sizes[pid] for pid in workers), default=max(sizes.values()))
    return {"parent_mb": sizes[server.process.pid], "worker_mb": largest}


def _report(what: str) -> None:
    print(f"measuring: {what}", file=sys.stderr, flush=True)

"""How many machines do learners need?

Measures the cost of a keystroke, a refusal, a cached answer and a visit on this machine; then
simulates workers and people with those costs, event by event (with simpy; the queue is the
server's own). First it measures one worker at every load, two rooms with two workers, and 200
visitors, like benchmarks/load.py, and prints the simulated values next to the measured ones; those
that differ by more than 15% are marked. Then it simulates what cannot be measured here: machines
with more cores, and 1,000, 10,000 and 1,000,000 learners.

Why: people who plan a workshop have to know what to rent. A machine is full when the p99 of a
keystroke exceeds 300 ms or somebody is refused; the recommendation leaves 30% of that free.

How: learners type a key every 2 s without a pause, no text is in the server's cache, and each
learner always uses the same worker, chosen at random. A page has one request in flight, then
requests the newest text, and repeats a refused request. All cores are as fast as this machine's.
Run, on an idle machine with two cores or more:

    python -m benchmarks.scale            # about 8 minutes; prints the tables
    python -m benchmarks.scale --write    # and writes them into docs/scale.md
    python -m benchmarks.scale --quick    # two minutes, less precise
    python -m benchmarks.scale --measured FILE   # only simulates, from the output of an earlier run

The last line is JSON, with all results.
"""

import argparse
import json
import os
import platform
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # the servers inherit it
os.environ.setdefault("OMP_NUM_THREADS", "1")

from rich.console import Console

from benchmarks._load.measures import Effort
from benchmarks._scale import machines, report
from benchmarks._scale.compared import compare
from benchmarks._scale.costs import Costs
from benchmarks._scale.measured import measure
from benchmarks._scale.run import Room
from benchmarks._scale.worker import Limits
from server.settings import Settings

CORES = (2, 4, 8, 16)
LEARNERS = (1_000, 10_000, 1_000_000)
CLASS = 30
QUIET = 0.1  # cores
DOCUMENT = Path("docs/scale.md")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--quick", action="store_true", help="two minutes, less precise")
    arguments.add_argument(
        "--write", action="store_true", help="write the tables into the document"
    )
    arguments.add_argument("--measured", type=Path, help="the output of an earlier run")
    given = arguments.parse_args()
    effort = Effort.quick() if given.quick else Effort()
    if given.measured is None:
        found = {"effort": asdict(effort), **measure(effort)}
        found["where"] = _where(found["others"])
    else:
        found = json.loads(given.measured.read_text(encoding="utf-8").splitlines()[-1])["measured"]
    costs = Costs.read(found["costs"])
    took = found["effort"]
    figures = compare(found, costs, took["seconds"], took["typing_s"])
    grids = [report.costs_grid(costs), report.compared_grid(figures)]
    seconds, many = (10.0, 1_000) if given.quick else (20.0, 10_000)
    grids += simulated(costs, seconds, many)

    console = Console(width=None if os.isatty(1) else 120)
    for grid in grids:
        grid.print(console)
    if found["others"] > QUIET:
        console.print("The machine was busy with something else: measure again when it is idle.")
    near = sum(figure.agrees for figure in figures)
    console.print(f"{near} of {len(figures)} figures are within 15% of what was measured.")
    if given.write:
        report.write(grids, found["where"], DOCUMENT)
    tables = {grid.name: grid.rows for grid in grids}
    print(json.dumps({"benchmark": "scale", "measured": found, "tables": tables}))


def simulated(costs: Costs, seconds: float, many: int) -> list[report.Grid]:
    """What cannot be measured here. `many`: learners that are simulated at once, at most."""
    settings = Settings()
    answers = max(1, int(settings.answer_cache_bytes / max(1.0, costs.answer_bytes)))
    room = Room(people=1, seconds=seconds, limits=Limits(settings.queue_size, answers))
    fast = replace(room, every_s=0.5)
    by_cores = [machines.machine(costs, cores, room) for cores in CORES]
    quick = [machines.machine(costs, cores, fast) for cores in CORES]
    plans = [machines.plan(costs, learners, by_cores[-1], room, many) for learners in LEARNERS]
    shares = {
        workers: (
            machines.remembered(costs, CLASS, workers, by_text=False),
            machines.remembered(costs, CLASS, workers, by_text=True),
        )
        for workers in CORES
    }
    return [
        report.machines_grid(by_cores, quick),
        report.plans_grid(plans, CORES[-1]),
        report.routing_grid(shares, CLASS),
    ]


def _where(others: float) -> str:
    """When and on what this was measured, and whether it can be trusted."""
    busy = f", while something else kept {others:.1f} of them busy" if others > QUIET else ""
    return f"Measured on {date.today():%d %B %Y}, {_processor()}{busy}."


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{os.cpu_count()} cores, {names[0] if names else platform.machine()}"


if __name__ == "__main__":
    main()

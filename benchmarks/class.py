"""Does a live class hold 200 people on one small machine, whatever happens?

Plays a lesson with simulated pages that do what the real ones do: everyone joins within 5 s, the
teacher types sentences letter by letter (each page follows and asks for the trace), everyone votes
in two rounds and draws a pattern. A third of the connections are cut at random moments, a tenth of
the pages sit behind a proxy that holds event streams back, one worker is killed during a vote, and
the server is restarted during a drawing. It measures how long a join takes, and how long a change
of the teacher's takes to reach each page; and it counts what must not happen: people lost or
doubled, votes and drawings that are not exactly those that were sent, pages that stay behind.

Why: in a class, nobody can come and repair a phone. Aims: the p95 of joining 1 s; of a change the
median 500 ms and the p99 1 s, outside the restart; nobody lost, nothing double. Run:

    python -m benchmarks.class                  # about a minute and a half
    python -m benchmarks.class --minutes 20     # the length of a lesson
    python -m benchmarks.class --pages 8        # with real pages in Chromium among them

The last line is JSON, with the aims.
"""

import argparse
import asyncio
import json
import os
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # the server inherits it
os.environ.setdefault("OMP_NUM_THREADS", "1")

import psutil

from benchmarks._class.figures import AIMS, lines, spread
from benchmarks._class.house import House
from benchmarks._class.lesson import opened
from benchmarks._class.pages import Pages
from scripts.pack import pack

QUIET = 0.1  # cores


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--people", type=int, default=200)
    arguments.add_argument("--minutes", type=float, default=1.0)
    arguments.add_argument("--workers", type=int, default=2)
    arguments.add_argument("--cut", type=float, default=0.3, help="share of connections cut")
    arguments.add_argument("--buffered", type=float, default=0.1, help="share behind a proxy")
    arguments.add_argument("--pages", type=int, default=0, help="real pages in Chromium")
    arguments.add_argument("--seed", type=int, default=0)
    given = arguments.parse_args()
    if given.pages:
        pack()  # as visitors get it
    others = busy_cores()
    with (
        tempfile.TemporaryDirectory() as folder,
        House(Path(folder, "classes"), given.workers, given.people + given.pages) as house,
    ):
        found = asyncio.run(lesson(house, given))
    found["others_cores"] = others
    for line in lines(found):
        print(line)
    if others > QUIET:
        print("The machine was busy with something else: measure again when it is idle.")
    print(json.dumps({"benchmark": "class", **found, "aims": AIMS}))


async def lesson(house: House, given: argparse.Namespace) -> dict[str, float]:
    begin, cpu, own = time.perf_counter(), house.cpu_s(), time.process_time()
    async with opened(
        house,
        given.people,
        60 * given.minutes,
        cut=given.cut,
        buffered=given.buffered,
        seed=given.seed,
    ) as (script, proxies):
        pages = Pages(house.address, script.code, given.pages)
        browsing = asyncio.create_task(asyncio.to_thread(pages.run)) if given.pages else None
        await asyncio.to_thread(pages.opened.wait) if browsing else None
        await script.give()
        found = await script.figures()
        if browsing:
            pages.over.set()
            await browsing
            found |= {
                "pages": given.pages,
                "pages_behind": pages.behind(script.sentences[-1]),
                "pages_errors": len(pages.errors),
                **spread("page", pages.latencies_ms(script.changes)),
            }
    took = time.perf_counter() - begin
    return {
        **found,
        "connections": sum(proxy.connections for proxy in proxies),
        "cut": sum(proxy.was_cut for proxy in proxies),
        "seconds": took,
        "server_cores": (house.cpu_s() - cpu) / took,
        "client_cores": (time.process_time() - own) / took,
        "worker_mb": house.rss_mb(),
    }


def busy_cores() -> float:
    """The cores that other work keeps busy before anything starts."""
    return float(psutil.cpu_percent(1.0) / 100 * (psutil.cpu_count() or 1))


if __name__ == "__main__":
    main()

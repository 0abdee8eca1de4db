"""What does a class cost, and what happens when it is too large?

Prints one table with these measurements, and next to them those of a simple server that one might
write instead (benchmarks/_naive.py: eager attention, and JSON with every head's pattern, q, k, v):

- the processor time of an answered keystroke at 16 tokens, relative to a bare forward pass;
- throughput, latency and refusals at 0.5 to 10 times the load that one worker can serve;
- with two workers and a real page in Chromium: a room of 200 people with a key every 2 s each, and
  a room of 50 with two keys a second each;
- a class that types the same text as its teacher;
- a first visit, a reload, and 200 visitors within 5 s;
- memory, the cost of a refusal, and what one hostile client can do to the others.

Why: this tool is made for workshops. Targets on 2 cores: 3 bare passes per keystroke; 85% of the
peak throughput at any load; in the rooms no refusals, a p99 of 300 ms and a page below 500 ms; a
first picture after 0.8 s, or 0.4 s on a reload; 30 ms of processor time per visitor, and 10 s until
all 200 have their picture.

How: the page's requests for a keystroke and for a visit are recorded in Chromium, and then sent by
a separate process. With two cores, one worker gets the first and the typists the last; in the
rooms, both workers, the typists and the page share all cores. People type sentences of the shipped
model's grammar, letter by letter. Each keystroke is sent when it is due and timed from then, even
if the one before is still unanswered. Run, on an idle machine:

    python -m benchmarks.load [--quick]

The last line is JSON, with all results and targets.
"""

import argparse
import json
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # the servers inherit it
os.environ.setdefault("OMP_NUM_THREADS", "1")

from benchmarks._load import hostile, joining, measures, recorded, servers
from benchmarks._load.measures import Effort
from benchmarks._load.recorded import Sent
from benchmarks._load.report import AIMS, print_table
from scripts.live import chromium

ROOMS = ((200, 2.0), (50, 0.5))  # people, seconds between one's keys
CLASS = 30
NAIVE = (Sent("POST", "/trace", "application/json", 0, {}, text_field="text"),)
UNANNOTATED = (replace(NAIVE[0], path="/trace-unannotated"),)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--quick", action="store_true", help="a few minutes, and less exact")
    effort = Effort.quick() if arguments.parse_args().quick else Effort()
    found: dict[str, Any] = {"benchmark": "load", "cores": len(servers.CORES)}
    found["bare_pass_ms"] = measures.bare_pass_ms(5 * effort.keystrokes)
    found["bare_batched_ms"] = measures.bare_pass_ms(effort.keystrokes, texts_at_once=8)

    with servers.headlight() as server:
        with chromium() as browser:
            keystroke = recorded.keystroke(browser, server.address)
            visit = recorded.visit(browser, server.address)
            found["visit"] = joining.opening(browser, server, effort)
        with servers.staying_away():
            found["headlight"] = one_worker(server, keystroke, effort)
            found["remembered_ms"] = measures.remembered_ms(server, keystroke, effort)
            found["class"] = measures.same_text(server, keystroke, CLASS, effort)
            found["joining"] = joining.joining(server, visit, effort)
    with servers.naive() as server, servers.staying_away():
        found["naive"] = one_worker(server, NAIVE, effort)
        slower = measures.keystroke(server, UNANNOTATED, effort)
        found["naive"]["unannotated_cpu_ms"] = slower["cpu_ms"]

    with servers.headlight(workers=2, pinned=False) as server:
        found["headlight"]["rooms"] = rooms(server, keystroke, effort, real=True)
    with servers.naive(workers=2, pinned=False) as server:
        found["naive"]["rooms"] = rooms(server, NAIVE, effort, real=False)
    found["refusal"] = measures.refusal(keystroke, effort)
    found["hostile"] = hostile.everything(keystroke, effort.typing_s, effort.hostile)
    print_table(found)
    print(json.dumps({**found, "aims": AIMS}))


def one_worker(server: servers.Server, sent: Sequence[Sent], effort: Effort) -> dict[str, Any]:
    """What a keystroke costs one worker, and what it does when too many come."""
    return {
        "keystroke": measures.keystroke(server, sent, effort),
        "rss_mb": server.rss_mb(),
        "overload": measures.overload(server, sent, effort),
    }


def rooms(
    server: servers.Server, sent: Sequence[Sent], effort: Effort, *, real: bool
) -> list[dict[str, Any]]:
    """Rooms full of people, one after the other."""
    return [
        measures.typing(server, sent, people, every_s, effort, real) for people, every_s in ROOMS
    ]


if __name__ == "__main__":
    main()

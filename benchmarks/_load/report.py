"""Prints the results of benchmarks/load.py as one table, with their targets."""

from collections.abc import Sequence
from typing import Any

AIMS = {
    "passes_per_keystroke": 3,
    "requests_per_keystroke": 1,
    "least_share_of_peak": 0.85,
    "room_refused": 0,
    "room_p99_ms": 300,
    "room_page_ms": 500,
    "cold_ms": 800,
    "warm_ms": 400,
    "cold_requests": 15,
    "warm_requests": 5,
    "cpu_ms_per_visitor": 30,
    "picture_last_s": 10,
    "refusal_share": 1,
    "back_s": 1,
}
# What one hostile client can do, by the names of hostile.py.
HOSTILE = {
    "frozen_ms": "20 KB of hostile text: server unresponsive for ms",
    "beside_p50_ms": "during long computations: keystroke p50 ms",
    "beside_p99_ms": "during long computations: keystroke p99 ms",
    "beside_refused": "during long computations: keystrokes refused",
    "left_cpu_s": "long computation, client disconnected: CPU s after",
    "back_s": "killed worker: answers again after s",
    "many_mb": "requests for large mechanisms: max MB",
    "unread_mb": "15 clients that do not read answers: max MB",
    "idle_healthz_ms": "1,050 idle connections: slowest /healthz ms",
}

LEVEL = {
    "answered_per_s": "answered/s",
    "share_of_peak": "share of the peak",
    "p50_ms": "p50 ms of answers",
    "p99_ms": "p99 ms of answers",
    "retry_after_least": "Retry-After s, min",
    "retry_after_most": "Retry-After s, max",
    "client_cpu": "typists' own core, busy",
    "client_late_ms": "typists late, max ms",
}


def print_table(found: dict[str, Any]) -> None:
    """One row per figure: Headlight, the naive server, the target."""
    bare = found["bare_pass_ms"]
    print(f"\n{'':<56}{'Headlight':>12}{'naive':>12}{'aim':>8}")
    _row("bare forward pass, 16 tokens: CPU ms", bare, bare)
    batched = found["bare_batched_ms"]
    _row("bare forward pass, a text in batches of 8: CPU ms", batched, batched)
    both = [found["headlight"], found["naive"]]
    ours, theirs = ([each["keystroke"][key] for key in ("cpu_ms", "requests")] for each in both)
    _row("keystroke: CPU ms", ours[0], theirs[0])
    loops = [each["keystroke"]["loop_ms"] for each in both]
    _row("  of it in the event loop: HTTP and JSON", *loops)
    _row("  of it a bare pass", bare, bare)
    _row(
        "  of it all else: recording, deriving, encoding",
        ours[0] - loops[0] - bare,
        theirs[0] - loops[1] - bare,
    )
    _row("keystroke that was answered before: CPU ms", found["remembered_ms"], None)
    _row("keystroke: CPU ms, no return annotation", None, found["naive"]["unannotated_cpu_ms"])
    _row("keystroke: CPU, bare passes", ours[0] / bare, theirs[0] / bare, "passes_per_keystroke")
    _row("keystroke: requests", ours[1], theirs[1], "requests_per_keystroke")
    _row("keystroke: median ms, alone", *(each["keystroke"]["median_ms"] for each in both))
    _row("one worker: keystrokes/s", *(each["overload"]["capacity_per_s"] for each in both))
    answer_ms, refusal_ms = found["headlight"]["keystroke"]["cpu_ms"], found["refusal"]["cpu_ms"]
    _row("a refusal: CPU ms", refusal_ms, None)
    _row("a refusal: CPU, of an answer's", refusal_ms / answer_ms, None, "refusal_share")
    for levels in zip(*(each["overload"]["levels"] for each in both), strict=True):
        load = f"load × {levels[0]['factor']:g}"
        aim = "least_share_of_peak" if levels[0]["factor"] >= 1 else None
        costs = [each["cpu_ms"] for each in levels]
        _row(f"{load}, open loop: CPU ms an answer", *costs)
        _level(f"{load}, open loop", levels, None)
        _level(f"{load}, as the page asks", [each["pages"] for each in levels], aim)
    for ours, theirs in zip(*(each["rooms"] for each in both), strict=True):
        room = f"{ours['people']} people, a key every {ours['every_s']:g} s: "
        _row(
            f"{room}refused, share",
            _share(ours, "refused"),
            _share(theirs, "refused"),
            "room_refused",
        )
        _row(f"{room}lost, share", _share(ours, "lost"), _share(theirs, "lost"), "room_refused")
        _row(f"{room}p50 ms", ours["p50_ms"], theirs["p50_ms"])
        _row(f"{room}p99 ms", ours["p99_ms"], theirs["p99_ms"], "room_p99_ms")
        _row(f"{room}page, median ms", ours["page_median_ms"], None)
        _row(f"{room}page, worst ms", ours["page_worst_ms"], None, "room_page_ms")
        _row(f"{room}server's cores", ours["server_cpu"], theirs["server_cpu"])
    alike = found["class"]
    _row(f"class of {alike['people']}, own texts: CPU ms a key", alike["apart_cpu_ms"], None)
    _row(f"class of {alike['people']}, teacher's text: CPU ms a key", alike["alike_cpu_ms"], None)
    for name, hits in alike["alike_hits"].items():
        _row(f"  {name} a key", hits, None)
    visit, joining = found["visit"], found["joining"]
    for name, words in (("cold", "first visit"), ("warm", "reload")):
        _row(f"{words}: picture after ms", visit[f"{name}_ms"], None, f"{name}_ms")
        _row(f"{words}: requests", visit[f"{name}_requests"], None, f"{name}_requests")
    n = joining["visitors"]
    _row("a visitor: CPU ms", joining["cpu_ms_per_visitor"], None, "cpu_ms_per_visitor")
    _row(f"{n} join: last picture after s", joining.get("picture_last_s"), None, "picture_last_s")
    _row(f"{n} join: failed", joining["failed"], None)
    _row("memory, quiet: MB", *(each["rss_mb"] for each in both))
    _row("memory, max under overload: MB", *(each["overload"]["highest_rss_mb"] for each in both))
    hostile = found["hostile"]
    for name, words in HOSTILE.items():
        _row(words, hostile[name], None, name if name in AIMS else None)


def _level(load: str, both: Sequence[dict[str, Any]], aim: str | None) -> None:
    """The rows of one level of load."""
    for key, words in LEVEL.items():
        ours, theirs = (each[key] for each in both)
        _row(f"{load}: {words}", ours, theirs, aim if key == "share_of_peak" else None)
    for kind in ("refused", "lost"):
        ours, theirs = (_share(each, kind) for each in both)
        _row(f"{load}: {kind}, share", ours, theirs)


def _row(words: str, ours: float | None, theirs: float | None, aim: str | None = None) -> None:
    wanted = "" if aim is None else f"{AIMS[aim]:g}"
    print(f"{words:<56}{_cell(ours):>12}{_cell(theirs):>12}{wanted:>8}")


def _cell(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.2f}"


def _share(level: dict[str, Any], kind: str) -> float:
    return float(level[kind] / max(1, level["sent"]))

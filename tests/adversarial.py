"""Texts that a hostile reader might send, and a bound on the work that each step spends on them."""

import gc
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# What is repeated. Each has undone somebody's regular expression, normaliser or byte-pair merge.
# The tests of the JavaScript read the same file.
KINDS: dict[str, str] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
N = 20_000  # characters, which is what the server lets pass
# Four times the text takes a linear step 4 times as long, a quadratic one 16 times. What is over
# before anybody could notice is not compared: noise would decide.
FACTOR, UNNOTICED_S = 9.0, 0.15
TRIES = 4


def filled(unit: str, n: int, before: str, after: str) -> str:
    """`n` characters of a kind, between two others."""
    repeated = (unit * n)[: n - len(before) - len(after)]
    return before + repeated + after


def is_linear(step: Callable[[str], Any], unit: str) -> bool:
    """Whether a step's work grows with the text, no faster.

    Processor time of this thread alone, so that a busy machine changes little; and the best of a
    few tries, which it cannot make better.
    """
    return any(_grows_evenly(step, unit) for _ in range(TRIES))


def _grows_evenly(step: Callable[[str], Any], unit: str) -> bool:
    whole = _seconds(step, _text(unit, N))
    if whole < UNNOTICED_S:
        return True
    # a pause in the short run would pass for slow work: the best of three has none
    quarter = min(_seconds(step, _text(unit, N // 4)) for _ in range(3))
    return whole < FACTOR * quarter


def _text(unit: str, n: int) -> str:
    """Of one kind, between two characters that make a pattern for all of it fail."""
    return "x" + (unit * n)[: n - 2] + "\x01"


def _seconds(step: Callable[[str], Any], text: str) -> float:
    gc.disable()  # it looks at what other tests left, too
    try:
        start = time.thread_time()
        step(text)
        return time.thread_time() - start
    finally:
        gc.enable()

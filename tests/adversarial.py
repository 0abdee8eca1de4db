"""Texts that an attacker might send, and a check that each step takes linear time for them."""

import gc
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests import sweeps

# The repeated part. Each one has broken some regular expression, normaliser or byte-pair merge.
# The tests of the JavaScript read the same file.
KINDS: dict[str, str] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
N = 20_000 if sweeps.is_whole else 5_000  # characters: the server lets the former pass
# With four times the text a linear step takes 4 times as long, a quadratic one 16 times. Steps that
# are too short to notice are not compared, because noise would decide.
FACTOR, UNNOTICED_S = 9.0, N / 130_000
TRIES = 4


def filled(unit: str, n: int, before: str, after: str) -> str:
    """`n` characters: a repeated unit between two other strings."""
    repeated = (unit * n)[: n - len(before) - len(after)]
    return before + repeated + after


def is_linear(step: Callable[[str], Any], unit: str) -> bool:
    """Whether the time of a step grows at most linearly with the text.

    It measures the processor time of this thread, which a busy machine hardly changes, and takes
    the best of a few tries.
    """
    return any(_grows_evenly(step, unit) for _ in range(TRIES))


def _grows_evenly(step: Callable[[str], Any], unit: str) -> bool:
    whole = _seconds(step, _text(unit, N))
    if whole < UNNOTICED_S:
        return True
    # a pause would make the short run look slow: the best of three has none
    quarter = min(_seconds(step, _text(unit, N // 4)) for _ in range(3))
    return whole < FACTOR * quarter


def _text(unit: str, n: int) -> str:
    """Of one kind, between two characters that make a pattern for all of it fail."""
    return "x" + (unit * n)[: n - 2] + "\x01"


def _seconds(step: Callable[[str], Any], text: str) -> float:
    gc.disable()  # because it also scans what other tests left
    try:
        start = time.thread_time()
        step(text)
        return time.thread_time() - start
    finally:
        gc.enable()

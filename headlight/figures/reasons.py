"""Why a cell is blocked: the words and the hatching of each bit of `blocked_by`.

The page's rows are in static/js/state/masks.js; tests compare the two.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Reason:
    """A mask that blocks cells."""

    bit: int
    words: str  # as they stand after "blocked by"
    angle: str  # the direction of its hatching
    hatch: str  # the same for matplotlib: the more often it is repeated, the denser
    apart: int  # points between two strokes, if it is not repeated


# The first that a cell has is the one that is drawn.
REASONS = (
    Reason(8, "your painted mask", "cross", "x", 24),
    Reason(2, "the padding mask", "down", "\\", 24),
    Reason(16, "the model’s own mask", "dots", ".", 12),
    Reason(1, "the causal mask", "up", "/", 24),
    Reason(4, "the window", "level", "-", 12),
)


def explain(bits: int) -> str:
    """What blocks a cell: "the padding mask and the causal mask"; "" if nothing does."""
    words = [reason.words for reason in REASONS if bits & reason.bit]
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def drawn(blocked: NDArray[np.uint8]) -> Iterator[tuple[Reason, NDArray[np.bool_]]]:
    """Each reason that is to be drawn, with its cells."""
    left = blocked != 0
    for reason in REASONS:
        cells = left & (blocked & reason.bit != 0)
        if cells.any():
            yield reason, cells
        left &= ~cells

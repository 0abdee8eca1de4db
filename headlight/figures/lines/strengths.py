"""How strong each line is, as on the page (static/js/views/lines/strengths.js); tests compare."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headlight.errors import RequestError
from headlight.figures.panel import Array, Panel

LEVELS = 16  # of opacity: all lines of one level and colour are one path
MAX_LINES = 4000  # nobody could tell more apart


@dataclass(frozen=True)
class Group:
    """Lines of one head and one strength."""

    series: int  # the place of the head
    level: int  # 1 to LEVELS
    ends: Array  # (line, 2): the row of the query, the key


@dataclass(frozen=True)
class Drawn:
    """The lines of some heads, the strongest last, so that they are in front."""

    full: float  # the weight of the darkest line
    least: float  # the smallest weight that is drawn
    total: int  # lines with any weight at all
    count: int  # lines that are drawn
    groups: tuple[Group, ...]
    cut: bool  # whether some are left out because there are too many


def lines_of(panels: Sequence[Panel], most: int = MAX_LINES) -> Drawn:
    """The lines that are strong enough to be seen.

    Raises:
        RequestError: there are negative numbers, which lines cannot show.
    """
    if panels[0].difference or panels[0].measure.scale == "signed":
        raise RequestError(
            "Lines cannot show negative numbers. Draw another `tensor`, or view='heatmap'.",
            field="view",
        )
    weights = np.stack([np.where(panel.blocked, 0, panel.values) for panel in panels]).astype(float)
    full = float(weights.max(initial=0))
    total = int((weights > 0).sum())
    levels = np.floor(LEVELS * weights / (full or 1) + 0.5).astype(int)  # [head, query, key]
    counts = np.bincount(levels.ravel(), minlength=LEVELS + 1)
    lowest, count = LEVELS + 1, 0
    while lowest > 1 and (count == 0 or count + counts[lowest - 1] <= most):
        lowest -= 1
        count += int(counts[lowest])
    # equal weights have one level: if there are too many of them, draw every second, third, …
    every = -(-count // most) or 1
    places = np.argwhere(levels >= lowest)[every - 1 :: every]
    chosen = levels[tuple(places.T)]
    groups = tuple(
        Group(series, level, places[(chosen == level) & (places[:, 0] == series), 1:])
        for level in range(lowest, LEVELS + 1)
        for series in range(len(panels))
        if ((chosen == level) & (places[:, 0] == series)).any()
    )
    least = float(weights[tuple(places.T)].min(initial=full))
    cut = every > 1 or bool(counts[1:lowest].any())
    return Drawn(full, least, total, len(places), groups, cut)

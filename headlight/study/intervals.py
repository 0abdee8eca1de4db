"""Means over sentences or texts, with their intervals."""

from typing import Any, NamedTuple

import numpy as np

RESAMPLES = 2_000  # for an interval (bootstrap: Efron & Tibshirani 1993, chapter 13)


class Interval(NamedTuple):
    """A share, and between which two values it lies in 95% of samples, drawn with replacement.

    Of a single sentence or text the ends are NaN.
    """

    value: float
    low: float
    high: float

    def __repr__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"


def interval(effects: Any, gaps: Any) -> Interval:
    """Σ effect / Σ gap, each of one sentence or text."""
    return Interval(
        *(float(each[0]) for each in ratios(np.array(effects)[:, None], np.array(gaps)))
    )


def ratios(effects: Any, gaps: Any, *, resamples: int = RESAMPLES) -> tuple[Any, Any, Any]:
    """Σ effect / Σ gap of each column, over the rows that have it, and the ends of its interval."""
    known = ~np.isnan(effects)
    sums, totals = np.nan_to_num(effects), known * gaps[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums.sum(0) / totals.sum(0)
        if resamples == 0 or len(gaps) < 2 or not known.any():
            return means, np.full_like(means, np.nan), np.full_like(means, np.nan)
        n = len(gaps)
        drawn = np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), size=resamples)
        ends = np.full((2, len(means)), np.nan)
        some = known.any(0)
        each = (drawn @ sums[:, some]) / (drawn @ totals[:, some])
        ends[:, some] = np.nanquantile(each, [0.025, 0.975], axis=0)
    return means, *ends

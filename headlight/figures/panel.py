"""What a figure draws of one head: plain numbers and words, wherever they come from."""

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from headlight.figures.measures import MEASURES, Measure, range_of
from headlight.request.masks import Kind

Array: TypeAlias = NDArray[Any]


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One head, or the difference of two.

    `values` and `blocked` are (query, key). `blocked` holds bits, as `blocked_by`; 0 is open.
    """

    values: Array
    blocked: NDArray[np.uint8]
    queries: tuple[str, ...]  # labels
    keys: tuple[str, ...]
    layer: int
    head: int
    kind: Kind = "self"
    measure: Measure = field(default_factory=lambda: MEASURES["pattern"])
    difference: bool = False  # of two runs
    muted: bool = False
    caption: tuple[str, ...] = ()  # paragraphs
    bounds: tuple[float, float] | None = None  # of the colour scale, where heads share one
    first: int = 0  # the position of the first query, where only some rows are drawn

    @property
    def range(self) -> tuple[float, float]:
        """The numbers at both ends of the colour scale."""
        return self.bounds or range_of(self.measure, self.values, difference=self.difference)

    @property
    def unit(self) -> str:
        """What the numbers are called."""
        return f"difference\nof {self.measure.unit}" if self.difference else self.measure.unit

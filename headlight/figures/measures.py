"""What is drawn: a row for each tensor of queries and keys, as the page names them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from headlight.errors import RequestError
from headlight.facts import facts


@dataclass(frozen=True)
class Measure:
    """A tensor of queries and keys."""

    name: str  # in the API
    scale: Literal["share", "signed", "size"]  # 0 to 1; about 0, to both sides; from 0 up
    unit: str  # what its numbers are called
    about: str  # in a caption
    lines: str = ""  # what lines show of it; "": it has negative numbers


MEASURES: Mapping[str, Measure] = {
    row["name"]: Measure(
        row["name"],
        row["scale"],
        row["unit"],
        row["about"].removesuffix(".") or row["label"],
        row["lines"] or "",
    )
    for row in facts("matrices")
    if row["of"] == "head"
}


def measure_of(tensor: str) -> Measure:
    try:
        return MEASURES[tensor]
    except KeyError:
        raise RequestError(
            f"Expected one of {', '.join(MEASURES)}; got {tensor!r}.", field="tensor"
        ) from None


def range_of(measure: Measure, values: NDArray[Any], *, difference: bool) -> tuple[float, float]:
    """The numbers at both ends of the colour scale. A signed scale is symmetric about zero."""
    if measure.scale == "share" and not difference:
        return 0.0, 1.0
    most = float(np.abs(values).max(initial=0)) or 1.0
    return (0.0, most) if measure.scale == "size" and not difference else (-most, most)

"""What a figure draws of one head: plain numbers and words, wherever they come from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from headlight.application import facts
from headlight.errors import RequestError
from headlight.languages import Language, language
from headlight.request.masks import Kind

Array: TypeAlias = NDArray[Any]


@dataclass(frozen=True)
class Measure:
    """A tensor of queries and keys that can be drawn, as the page names it."""

    name: str  # in the API
    label: str  # in a title
    scale: Literal["share", "signed", "size"]  # 0 to 1; about 0, to both sides; from 0 up
    unit: str  # what its numbers are called
    row: str  # what a query does with its keys
    about: str  # in a caption
    lines: str = ""  # what lines show of it; "": it has negative numbers


@cache
def measures(said: Language) -> Mapping[str, Measure]:
    """All of them, in a language."""
    return {row["name"]: _measure(row, said) for row in facts("matrices") if row["of"] == "head"}


def _measure(row: Mapping[str, Any], said: Language) -> Measure:
    names = ("label", "unit", "row", "about", "lines")
    words = {name: said.gettext(row[name]) if row[name] else "" for name in names}
    words["about"] = re.sub("[.。]$", "", words["about"]) or words["label"]
    return Measure(name=row["name"], scale=row["scale"], **words)


def measure_of(tensor: str, said: Language) -> Measure:
    known = measures(said)
    if tensor not in known:
        raise RequestError(f"Expected one of {', '.join(known)}; got {tensor!r}.", field="tensor")
    return known[tensor]


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
    measure: Measure = field(default_factory=lambda: measures(language("en"))["pattern"])
    language: Language = field(default_factory=lambda: language("en"))
    difference: bool = False  # of two runs
    muted: bool = False
    caption: tuple[str, ...] = ()  # paragraphs
    bounds: tuple[float, float] | None = None  # of the colour scale, where heads share one
    first: int = 0  # the position of the first query, where only some rows are drawn

    @property
    def range(self) -> tuple[float, float]:
        """The numbers at both ends of the colour scale."""
        return self.bounds or _range_of(self.measure, self.values, difference=self.difference)

    @property
    def unit(self) -> str:
        """What the numbers are called."""
        unit = self.measure.unit
        if not self.difference:
            return unit
        return self.language.gettext("difference\nof {unit}", unit=unit)


def _range_of(measure: Measure, values: NDArray[Any], *, difference: bool) -> tuple[float, float]:
    """The numbers at both ends of the colour scale. A signed scale is symmetric about zero."""
    if measure.scale == "share" and not difference:
        return 0.0, 1.0
    most = float(np.abs(values).max(initial=0)) or 1.0
    return (0.0, most) if measure.scale == "size" and not difference else (-most, most)

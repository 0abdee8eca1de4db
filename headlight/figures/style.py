"""How a figure looks: the options that all of them take."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from headlight.figures.colours import Palette, Scale, palette


class Options(TypedDict, total=False):
    """The options of `Run.plot`, with their defaults."""

    title: str | bool  # True: the name of the head
    caption: str | bool  # False: none; True: the text, the model and its edits
    values: bool  # False; True: the numbers in the cells
    colorbar: bool  # True
    legend: bool  # True: what the hatching means
    dark: bool  # False
    scale: Scale  # "blue"; or "sea", which has several hues
    log: bool  # False; True: a logarithmic colour scale
    transparent: bool  # False: the ground has the colour of the page
    fontsize: float  # 8 points
    width: float | None  # inches; None: as wide as it needs. Only where the figure is made here
    height: float | None  # inches


@dataclass(frozen=True, kw_only=True)
class Style:
    """The options of a figure."""

    title: str | bool = True
    caption: str | bool = False
    values: bool = False
    colorbar: bool = True
    legend: bool = True
    dark: bool = False
    scale: Scale = "blue"
    log: bool = False
    transparent: bool = False
    fontsize: float = 8.0
    width: float | None = None
    height: float | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> "Style":
        return cls(**options)

    @property
    def palette(self) -> Palette:
        return palette(self.dark, self.scale)

    @property
    def ground(self) -> str:
        return "none" if self.transparent else self.palette.panel

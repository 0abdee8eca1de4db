"""How a figure looks."""

from dataclasses import dataclass
from typing import get_args

from headlight.errors import RequestError
from headlight.figures.colours import Palette, Scale, Steps, palette


@dataclass(frozen=True, kw_only=True)
class Style:
    """The options of a figure that change nothing of what it shows."""

    title: str | bool = True
    caption: str | bool = False
    values: bool = False
    colorbar: bool = True
    legend: bool = True
    dark: bool = False
    scale: Scale = "blue"
    steps: Steps = "linear"
    transparent: bool = False
    fontsize: float = 8.0
    width: float | None = None
    height: float | None = None

    def __post_init__(self) -> None:
        if self.steps not in get_args(Steps):
            expected = ", ".join(get_args(Steps))
            raise RequestError(f"Expected one of {expected}; got {self.steps!r}.", field="steps")

    @property
    def palette(self) -> Palette:
        return palette(self.dark, self.scale)

    @property
    def ground(self) -> str:
        return "none" if self.transparent else self.palette.panel

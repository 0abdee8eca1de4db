"""How a figure looks."""

from dataclasses import dataclass

from headlight.figures.colours import Palette, Scale, palette


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
    log: bool = False
    transparent: bool = False
    fontsize: float = 8.0
    width: float | None = None
    height: float | None = None

    @property
    def palette(self) -> Palette:
        return palette(self.dark, self.scale)

    @property
    def ground(self) -> str:
        return "none" if self.transparent else self.palette.panel

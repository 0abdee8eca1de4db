"""How a figure looks, and the sizes and fonts that journals and conferences take."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, NamedTuple, get_args

from headlight.errors import RequestError
from headlight.extras import needs
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


class Width(NamedTuple):
    """Of figures, in inches: in one column, and across the page."""

    column: float
    page: float


# from their style files and guides for authors, of 2026
WIDTHS: Mapping[str, Width] = {
    "acl": Width(3.03, 6.3),
    "icml": Width(3.25, 6.75),
    "iclr": Width(5.5, 5.5),
    "ieee": Width(3.5, 7.16),
    "nature": Width(3.5, 7.2),
    "neurips": Width(5.5, 5.5),
}
POINTS = 8.0  # of text, in all of them readable beside the caption

_width: ContextVar[float | None] = ContextVar("width", default=None)


@contextmanager
def journal(name: str, *, wide: bool = False) -> Iterator[float]:
    """Draw within: tables as wide as a column, or `wide` as the page, with text of 8 points.

    Text stays text in PDF and SVG (TrueType). It gives the width in inches, for `run.save(…,
    width=…)`.

    Raises:
        ImportError: matplotlib is not installed.
        RequestError: there is no such journal.
    """
    if name not in WIDTHS:
        raise RequestError(f"Expected one of {', '.join(WIDTHS)}; got {name!r}.", field="name")
    with needs("matplotlib", "figures"):
        import matplotlib as mpl
    width = WIDTHS[name].page if wide else WIDTHS[name].column
    settings: dict[Any, Any] = dict.fromkeys(
        ("font.size", "axes.titlesize", "axes.labelsize", "legend.fontsize"), POINTS
    )
    settings |= dict.fromkeys(("xtick.labelsize", "ytick.labelsize"), POINTS - 1)
    settings |= {
        "pdf.fonttype": 42,
        "ps.fonttype": 42,
        "svg.fonttype": "none",
        "savefig.dpi": 300,
        "lines.linewidth": 1.0,
    }
    token = _width.set(width)
    try:
        with mpl.rc_context(settings):
            yield width
    finally:
        _width.reset(token)


def fitted(size: tuple[float, float]) -> tuple[float, float]:
    """A size with the width of the journal that is drawn for, if there is one."""
    width = _width.get()
    return size if width is None else (width, size[1] * width / size[0])

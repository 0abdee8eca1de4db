"""A matplotlib figure that is saved with its text as text, and is as large as what it shows."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import Formatter
from matplotlib.transforms import Bbox

POINTS = 72.0  # per inch
PAD = 0.04  # inches around everything
DPI = 300  # of pixels in a saved file, unless the caller says otherwise

# Text as text, which can be selected and searched: TrueType fonts in PDF, <text> in SVG.
_TEXT: dict[Any, Any] = {"pdf.fonttype": 42, "ps.fonttype": 42, "svg.fonttype": "none"}
_TEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "←": r"$\leftarrow$",
        "→": r"$\rightarrow$",
        "−": r"$-$",
        "·": r"$\cdot$",
        "×": r"$\times$",
        "‖": r"$\Vert$",
    }
)


class Paper(Figure):
    """A figure whose files have text as text, and whose pixels are fine enough for print."""

    def savefig(self, fname: Any, **options: Any) -> None:
        """As `Figure.savefig`, with the colours of the figure and 300 dots per inch."""
        options = {"dpi": DPI, "facecolor": self.get_facecolor(), **options}
        ending = options.get("format") or str(fname).rpartition(".")[2]
        with mpl.rc_context(_TEXT), tex_escaped(self, ending in ("pgf", "tex")):
            super().savefig(fname, **options)


@contextmanager
def tex_escaped(figure: Figure, pgf: bool) -> Iterator[None]:
    """Write all text so that TeX prints it as it is: tokens may be `$` or `\\`."""
    texts: list[Text] = [
        text
        for text in figure.findobj(Text)
        if isinstance(text, Text) and (pgf or text.get_usetex())
    ]
    before = [text.get_text() for text in texts]
    for text, plain in zip(texts, before, strict=True):
        text.set_text(plain.translate(_TEX))
    axes: list[Any] = figure.findobj(Axis) if pgf else []
    for axis in axes:  # which writes its labels anew whenever it is drawn
        axis.major.formatter = _Escaped(axis.major.formatter)
    try:
        yield
    finally:
        for axis in axes:
            axis.major.formatter = axis.major.formatter.plain
        for text, plain in zip(texts, before, strict=True):
            text.set_text(plain)


class _Escaped(Formatter):
    """Labels of an axis for TeX."""

    def __init__(self, plain: Formatter) -> None:
        self.plain = plain

    def format_ticks(self, values: list[float]) -> list[str]:
        return [label.translate(_TEX) for label in self.plain.format_ticks(values)]


def size_of(axes: Axes) -> tuple[float, float]:
    """The width and height of axes, in points."""
    box = axes.get_window_extent()
    figure = axes.get_figure(root=True)
    assert figure is not None
    scale = POINTS / figure.dpi
    return box.width * scale, box.height * scale


def set_size(axes: Axes, width: float, height: float) -> None:
    """Give the only axes of a figure a size in points, for now at its lower left corner."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    wide, high = figure.get_size_inches() * POINTS
    axes.set_position((0.0, 0.0, width / wide, height / high))


def around(figure: Figure) -> Bbox:
    """The box around everything in a figure, in inches."""
    return figure.get_tightbbox()


def fit(figure: Figure, width: float | None = None, height: float | None = None) -> None:
    """Make a figure as large as what it shows; or so large, with what it shows in the middle."""
    box = around(figure)
    old = figure.get_size_inches()
    new = (width or box.width + 2 * PAD, height or box.height + 2 * PAD)
    left = (new[0] - box.width) / 2 - box.x0
    down = (new[1] - box.height) / 2 - box.y0
    for axes in figure.axes:
        place = axes.get_position(original=True)
        axes.set_position(
            (
                (place.x0 * old[0] + left) / new[0],
                (place.y0 * old[1] + down) / new[1],
                place.width * old[0] / new[0],
                place.height * old[1] / new[1],
            )
        )
    figure.set_size_inches(*new)

"""One head on matplotlib axes, as the page draws it."""

from collections.abc import Sequence
from math import ceil
from typing import Any

from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Patch
from matplotlib.ticker import ScalarFormatter
from matplotlib.transforms import Bbox

from headlight.figures import words
from headlight.figures.cells import (
    are_vectors,
    cell_for,
    draw_cells,
    draw_hatching,
    draw_numbers,
)
from headlight.figures.panel import Panel
from headlight.figures.paper import POINTS, around, fit, set_size, size_of
from headlight.figures.style import Style
from headlight.languages import Language

_TURN = 60  # degrees by which labels along the top are turned
_STEP = 1.1  # of the font size: what a label needs along its axis
_SMALLEST = 0.75  # of the font size: before labels are left out, they are drawn smaller
_BAR = (0.8, 1.2)  # of the font size: the width of the colour bar, and its distance from the cells
_MIN_BAR = 5.0  # of the font size: its height
PASSES = 3  # until the cells fill the width that is asked for


def draw(axes: Axes, panel: Panel, style: Style) -> None:
    """Draw a head on axes."""
    mesh = draw_cells(axes, panel, style, vectors=are_vectors([panel]))
    entries = draw_hatching(axes, panel, style)
    draw_labels(axes, panel, style)
    if style.values:
        draw_numbers(axes, panel, style, mesh)
    if style.colorbar:
        draw_colorbar(axes, panel, style, mesh)
    if style.title:
        draw_title(axes, words.title(panel) if style.title is True else style.title, style)
    if style.legend and entries:
        draw_legend(axes, entries, style)
    if style.caption:
        paragraphs = panel.caption if style.caption is True else [style.caption]
        draw_caption(axes, paragraphs, style)


def figure_of(panel: Panel, style: Style, figure: Figure) -> Axes:
    """Draw a head alone on a figure, which becomes as large as it needs."""
    rows, cols = panel.values.shape
    cell = cell_for(panel, style)
    for last in reversed(range(PASSES if style.width or style.height else 1)):
        figure.clear()
        axes = figure.add_subplot()
        set_size(axes, cols * cell, rows * cell)
        draw(axes, panel, style)
        if not last:
            break
        box = around(figure)
        rest = (box.width * POINTS - cols * cell, box.height * POINTS - rows * cell)
        room = [
            (side * POINTS - more - 6) / n
            for side, more, n in ((style.width, rest[0], cols), (style.height, rest[1], rows))
            if side
        ]
        cell = max(1.0, min(room))
    figure.set_facecolor(style.ground)
    fit(figure, style.width, style.height)
    return axes


def draw_labels(axes: Axes, panel: Panel, style: Style) -> None:
    """The tokens down the side and along the top, and the titles of the axes."""
    colours = style.palette
    width, height = size_of(axes)
    rows, cols = panel.values.shape
    cell = min(width / cols, height / rows)
    size = max(_SMALLEST * style.fontsize, min(style.fontsize, cell / _STEP))
    axes.set_facecolor(colours.panel)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.tick_params(length=0, pad=2, labelsize=size, labelcolor=colours.text)
    axes.set_xticks(*ticks(panel.keys, width / cols, size))
    axes.set_yticks(*ticks(panel.queries, height / rows, size))
    for tick in axes.get_xticklabels():
        tick.set(rotation=_TURN, ha="left", va="bottom", rotation_mode="anchor")
    for tick in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        tick.set_parse_math(False)  # a token may be $
    queries, keys = words.axis_titles(panel.language, panel.kind)
    axes.set_ylabel(queries, loc="top", fontsize=style.fontsize, color=colours.faint, labelpad=2)
    axes.set_xlabel(keys, loc="left", fontsize=style.fontsize, color=colours.faint, labelpad=2)
    for spine in axes.spines.values():
        spine.set(color=colours.line, linewidth=0.6)


def ticks(labels: Sequence[str], cell: float, size: float) -> tuple[range, list[str]]:
    """Every label, or every second, third, … if they would overlap."""
    step = max(1, ceil(_STEP * size / cell - 0.01))
    places = range(0, len(labels), step)
    return places, [words.shorten(labels[place]) for place in places]


def draw_colorbar(axes: Axes, panel: Panel, style: Style, mesh: QuadMesh) -> None:
    """The colour scale with its numbers, to the right of the cells."""
    width, height = size_of(axes)
    wide, gap = (factor * style.fontsize for factor in _BAR)
    high = min(height, max(height / 2, _MIN_BAR * style.fontsize))
    box = (1 + gap / width, 1 - high / height, wide / width, high / height)
    format_ = None if isinstance(mesh.norm, LogNorm) else _Pointed(panel.language)
    bar = axes.figure.colorbar(mesh, cax=axes.inset_axes(box), format=format_)
    assert bar.solids is not None  # a mesh has one
    bar.solids.set(edgecolor="face", rasterized=False)
    bar.outline.set(edgecolor=style.palette.line, linewidth=0.6)
    look: dict[str, Any] = {"labelsize": style.fontsize, "labelcolor": style.palette.faint}
    bar.ax.tick_params(length=0, pad=2, which="both", **look)
    bar.ax.minorticks_off()
    moved = style.steps != "linear" and panel.range[0] == 0
    unit = words.unit(panel, style.steps if moved else "linear")
    bar.ax.set_xlabel(unit, loc="left", fontsize=style.fontsize, color=style.palette.faint)


class _Pointed(ScalarFormatter):
    """The numbers of a scale, with the language's decimal point."""

    def __init__(self, language: Language) -> None:
        super().__init__()
        self._language = language

    def __call__(self, x: float, pos: int | None = None) -> str:
        return self._language.pointed(super().__call__(x, pos))


def draw_title(axes: Axes, title: str, style: Style) -> None:
    look: dict[str, Any] = {
        "fontsize": 1.2 * style.fontsize,
        "color": style.palette.text,
        "fontweight": "bold",
    }
    top = axes.xaxis.get_tightbbox()
    figure = axes.get_figure(root=True)
    assert figure is not None
    own = axes.get_window_extent()
    above = 0.0 if top is None else (top.ymax - own.ymax) * POINTS / figure.dpi
    # matplotlib's own place above the labels changes with the resolution
    place: dict[str, Any] = {"loc": "left", "y": 1.0, "pad": above + 0.6 * style.fontsize}
    axes.set_title(title, parse_math=False, **place, **look)


def draw_legend(axes: Axes, entries: Sequence[Patch], style: Style, *, below: float = 0.4) -> None:
    """What the hatching means: under the cells, by so many font sizes."""
    axes.legend(
        handles=entries,
        loc="upper left",
        bbox_to_anchor=(0, -below * style.fontsize / size_of(axes)[1]),
        borderaxespad=0,
        borderpad=0,
        frameon=False,
        fontsize=style.fontsize,
        labelcolor=style.palette.faint,
        handlelength=1.2,
        handleheight=1.2,
        handletextpad=0.6,
    )


def draw_caption(
    axes: Axes, paragraphs: Sequence[str], style: Style, under: Bbox | None = None
) -> None:
    """Paragraphs under a box in inches, by default that of the axes, and as wide as it is."""
    figure = axes.get_figure(root=True)
    assert isinstance(figure, Figure)
    box = _scaled(under, POINTS) if under else _scaled(axes.get_tightbbox(), POINTS / figure.dpi)
    own = _scaled(axes.get_window_extent(), POINTS / figure.dpi)
    width = max(box.width, 24 * style.fontsize)
    lines = [line for text in paragraphs for line in wrapped(text, width, style.fontsize)]
    axes.annotate(
        "\n".join(lines),
        (0, 0),
        (box.x0 - own.x0, box.y0 - own.y0 - 0.6 * style.fontsize),
        xycoords="axes fraction",
        textcoords="offset points",
        ha="left",
        va="top",
        fontsize=style.fontsize,
        color=style.palette.faint,
        parse_math=False,
        annotation_clip=False,
    )


def _scaled(box: Bbox | None, factor: float) -> Bbox:
    assert box is not None
    return Bbox(box.get_points() * factor)


def wrapped(text: str, width: float, size: float) -> list[str]:
    """A paragraph in lines that are at most so many points wide."""
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=size)
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        wide, _, _ = text_to_path.get_text_width_height_descent(longer, font, ismath=False)
        if lines and wide <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines

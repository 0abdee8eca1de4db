"""The cells of a head on matplotlib axes: colours, hatching, numbers."""

import warnings
from collections.abc import Sequence
from math import ceil
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import ListedColormap, LogNorm, Normalize, PowerNorm
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path

from headlight.figures import words
from headlight.figures.colours import DECADES, oklab
from headlight.figures.merged import MergedMesh
from headlight.figures.panel import Array, Panel
from headlight.figures.paper import size_of
from headlight.figures.reasons import blocked_by, drawn
from headlight.figures.style import Style

MAX_VECTORS = 128 * 128  # cells of a figure; more are pixels
MAX_GAPS = 48  # tokens: more cells stand without gaps
_HATCH_LINE = 0.6  # points
_APART = (3.5, 6.0)  # points between two strokes: every cell that can be seen has one
_SIDE = 370.0  # points: the longer side of all cells
_LARGEST = 2.4  # of the font size: the side of a cell
_DARKEST_LIGHT = 0.62  # lightness: on darker cells a light number is easier to read
_SIGNED = 0.85  # of that size: numbers with a sign are longer
_NUMBER = (0.75, 2.3, 1.3)  # of the font size: that of the numbers; the cell that one needs


class FigureWarning(UserWarning):
    """A figure does not have everything that was asked for."""


def draw_cells(axes: Axes, panel: Panel, style: Style, *, vectors: bool = True) -> QuadMesh:
    """The cells in the colours of the page, with (0, 0) at the upper left."""
    rows, cols = panel.values.shape
    table = style.palette.diverging if panel.range[0] < 0 else style.palette.sequential
    gaps = max(rows, cols) <= MAX_GAPS
    edges = np.meshgrid(np.arange(cols + 1) - 0.5, np.arange(rows + 1) - 0.5)
    kind = MergedMesh if vectors else QuadMesh
    mesh = kind(
        np.stack(edges, axis=-1),
        array=panel.values,
        cmap=ListedColormap(table / 255),
        norm=_norm(panel, style),
        edgecolors=style.palette.panel if gaps else "none",
        linewidth=0.4 if gaps else 0.0,
        antialiased=gaps,  # without gaps, smoothed edges would be seams
        rasterized=not vectors,
    )
    axes.add_collection(mesh, autolim=False)
    axes.set(xlim=(-0.5, cols - 0.5), ylim=(rows - 0.5, -0.5), aspect="equal")
    return mesh


def are_vectors(panels: Sequence[Panel]) -> bool:
    """Whether the cells are drawn one by one; says so if they are not."""
    cells = sum(panel.values.size for panel in panels)
    if cells > MAX_VECTORS:
        warnings.warn(
            f"The figure has {cells:,} cells, more than {MAX_VECTORS:,}: they are saved as pixels, "
            "also in PDF and SVG. Text and hatching remain vectors. Draw fewer `rows`, or a "
            "shorter text, for cells as vectors.",
            FigureWarning,
            stacklevel=4,
        )
    return cells <= MAX_VECTORS


def _norm(panel: Panel, style: Style) -> Normalize:
    low, high = panel.range
    if low == 0 and style.steps == "log":
        return LogNorm(high * 10.0**-DECADES, high, clip=True)
    if low == 0 and style.steps == "root":
        return PowerNorm(0.5, low, high, clip=True)
    return Normalize(low, high)


def draw_hatching(axes: Axes, panel: Panel, style: Style) -> list[Patch]:
    """The hatching of blocked cells. Returns an entry of a legend for each reason."""
    rows, cols = panel.values.shape
    width, height = size_of(axes)
    apart = max(_APART[0], min(_APART[1], width / cols, height / rows))
    entries: list[Patch] = []
    with mpl.rc_context({"hatch.linewidth": _HATCH_LINE}):
        for reason, cells in drawn(panel.blocked):
            hatch = reason.hatch * ceil(reason.apart / apart)
            look: dict[str, Any] = {"hatch": hatch, "edgecolor": style.palette.hatch}
            axes.add_patch(PathPatch(_outline(cells), facecolor="none", linewidth=0, **look))
            entries.append(_entry(blocked_by(reason, panel.language), look, style))
    return entries


def _entry(label: str, look: dict[str, Any], style: Style) -> Patch:
    return Patch(facecolor=style.ground, linewidth=0.5, label=label, **look)


def _outline(cells: Array) -> Path:
    """Cells (query, key) as rectangles, one for each run of a row."""
    edges = np.diff(np.pad(cells.astype(np.int8), ((0, 0), (1, 1))))
    vertices, codes = [], []
    for row in range(len(cells)):
        starts, stops = (np.flatnonzero(edges[row] == sign) - 0.5 for sign in (1, -1))
        for left, right in zip(starts, stops, strict=True):
            top, bottom = row - 0.5, row + 0.5
            vertices += [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
            codes += [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
    return Path(vertices, codes)


def draw_numbers(axes: Axes, panel: Panel, style: Style, mesh: QuadMesh) -> None:
    """The numbers in the cells, if they fit. A blocked cell has none where it is 0."""
    rows, cols = panel.values.shape
    width, height = size_of(axes)
    size, wide, high = (factor * style.fontsize for factor in _NUMBER)
    if panel.range[0] < 0:
        size *= _SIGNED
    if width / cols < wide or height / rows < high:
        warnings.warn(
            "The cells are too small for their numbers, which are left out. Choose a larger "
            "`width`, a smaller `fontsize`, or fewer `rows`.",
            FigureWarning,
            stacklevel=4,
        )
        return
    lightness = oklab(255 * mesh.to_rgba(panel.values)[..., :3].reshape(-1, 3))[:, 0]
    inks = [style.palette.panel, style.palette.text]
    on_dark, on_light = reversed(inks) if style.dark else inks
    for at, value in enumerate(panel.values.flat):
        row, col = divmod(at, cols)
        if value == 0 and panel.blocked[row, col]:
            continue
        ink = on_light if lightness[at] > _DARKEST_LIGHT else on_dark
        text = words.brief(panel.language, float(value))
        axes.text(col, row, text, ha="center", va="center", fontsize=size, color=ink)


def cell_for(panel: Panel, style: Style) -> float:
    """The side of a cell in points where there is room: for a page of 6.5 inches with labels."""
    longer: int = max(panel.values.shape)
    least = _NUMBER[1] * style.fontsize if style.values else 0.0
    return max(least, min(_SIDE / longer, _LARGEST * style.fontsize))

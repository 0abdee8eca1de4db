"""Heads as small multiples: those of a layer with their tokens, or those of all layers."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from numpy.typing import NDArray

from headlight.figures import words
from headlight.figures.cells import are_vectors, draw_cells, draw_hatching
from headlight.figures.heatmap import (
    draw_caption,
    draw_colorbar,
    draw_labels,
    draw_legend,
    draw_title,
)
from headlight.figures.panel import Panel
from headlight.figures.paper import POINTS, around, fit
from headlight.figures.style import Style

_WIDTH = 400.0  # points: all heads, without labels and the colour bar
_ACROSS = 4  # heads of a single layer in a row
_SIDES = (14.0, 60.0)  # points: the smallest and the largest head of a layer among others
_GAP = 3.0  # points between two heads
_NAME = 1.6  # of the font size: the line with the name of a head
_READABLE = 0.85  # of the font size: cells whose tokens are named
_VEIL = 0.75  # opacity


def figure_of(layers: Sequence[Sequence[Panel]], style: Style, figure: Figure) -> NDArray[Any]:
    """Draw heads on a figure, which becomes as large as it needs. Returns axes [layer, head].

    A layer alone gives axes [head].
    """
    panels = _with_one_scale(layers)
    single = len(panels) == 1
    rows = [panels[0][at : at + _ACROSS] for at in range(0, len(panels[0]), _ACROSS)]
    placed = _Placed(rows if single else panels, style, figure, named=single)
    every = placed.axes
    first = every[0][0]
    if style.colorbar:
        draw_colorbar(every[0][-1], panels[0][-1], style, placed.mesh)
    if style.legend and placed.entries:
        draw_legend(every[-1][0], list(placed.entries.values()), style, below=_NAME + 0.4)
    if style.title:
        title = _title(panels, single) if style.title is True else style.title
        draw_title(first, title, style)
    if style.caption:
        paragraphs = panels[0][0].caption if style.caption is True else [style.caption]
        draw_caption(first, paragraphs, style, around(figure))
    figure.set_facecolor(style.ground)
    fit(figure, style.width, style.height)
    return _as_array(every, single)


class _Placed:
    """Heads in rows."""

    def __init__(
        self, rows: Sequence[Sequence[Panel]], style: Style, figure: Figure, *, named: bool
    ) -> None:
        self.entries: dict[str, Patch] = {}
        self.axes: list[list[Axes]] = []
        self._style, self._figure, self._named = style, figure, named
        across = max(map(len, rows))
        side = (style.width * POINTS - 70 if style.width else _WIDTH) / across - _GAP
        self._side = side if named else min(_SIDES[1], max(_SIDES[0], side))
        vectors = are_vectors([panel for row in rows for panel in row])
        for down, row in enumerate(rows):
            self.axes.append([])
            for right, panel in enumerate(row):
                axes = self._place(panel, down, right)
                self.mesh = draw_cells(axes, panel, style, vectors=vectors)
                if named:
                    for entry in draw_hatching(axes, panel, style):
                        self.entries[str(entry.get_label())] = entry
                if panel.muted:
                    self._mute(axes, panel)
                self._name(axes, panel, down, right)
                self.axes[-1].append(axes)

    def _place(self, panel: Panel, down: int, right: int) -> Axes:
        n_queries, n_keys = panel.values.shape
        wide, high = self._figure.get_size_inches() * POINTS
        tall = self._side * n_queries / n_keys
        name = _NAME * self._style.fontsize if self._named else 0.0
        x, y = right * (self._side + _GAP), -(down + 1) * (tall + _GAP + name)
        return self._figure.add_axes((x / wide, y / high, self._side / wide, tall / high))

    def _name(self, axes: Axes, panel: Panel, down: int, right: int) -> None:
        """The tokens or the numbers along the outer edges, and a head's own name."""
        style, colours = self._style, self._style.palette
        readable = self._side / panel.values.shape[1] >= _READABLE * style.fontsize
        draw_labels(axes, panel, replace(style, fontsize=_READABLE * style.fontsize))
        look: dict[str, Any] = {"fontsize": style.fontsize, "color": colours.faint}
        if not (self._named and readable):
            axes.set(xticks=[], yticks=[])
        if not self._named or down > 0:
            axes.set(xticks=[], xlabel="")
        if not self._named or right > 0:
            axes.set(yticks=[], ylabel="")
        if self._named:
            axes.text(
                0.5,
                -0.02,
                panel.language.gettext("head {head}", head=panel.head),
                ha="center",
                va="top",
                transform=axes.transAxes,
                **look,
            )
            return
        if down == 0:
            axes.set_xlabel(str(panel.head), loc="center", **look)
        if right == 0:
            named: dict[str, Any] = {"rotation": 0, "ha": "right", "va": "center"}
            axes.set_ylabel(f"L{panel.layer}", y=0.5, **named, **look)

    def _mute(self, axes: Axes, panel: Panel) -> None:
        colours = self._style.palette
        place: dict[str, Any] = {"transform": axes.transAxes, "zorder": 3}
        axes.add_patch(
            Rectangle((0, 0), 1, 1, color=colours.panel, alpha=_VEIL, linewidth=0, **place)
        )
        look: dict[str, Any] = {"fontsize": 0.85 * self._style.fontsize, "color": colours.text}
        axes.text(
            0.5, 0.5, panel.language.gettext("muted"), ha="center", va="center", **place, **look
        )


def _with_one_scale(layers: Sequence[Sequence[Panel]]) -> list[list[Panel]]:
    """The same panels, with the colours of the strongest."""
    ranges = [panel.range for row in layers for panel in row]
    bounds = (min(low for low, _ in ranges), max(high for _, high in ranges))
    return [[replace(panel, bounds=bounds) for panel in row] for row in layers]


def _title(layers: Sequence[Sequence[Panel]], single: bool) -> str:
    panel = layers[0][0]
    if single:
        name = words.layer_name(panel.language, panel.kind, panel.layer)
    else:
        name = words.all_heads(panel)
    return words.difference(panel.language, name) if panel.difference else name


def _as_array(rows: list[list[Axes]], single: bool) -> NDArray[Any]:
    across = max(map(len, rows))
    if single:
        found = np.empty(sum(map(len, rows)), object)
        found[:] = [axes for row in rows for axes in row]
        return found
    found = np.full((len(rows), across), None, object)
    for index, row in enumerate(rows):
        found[index, : len(row)] = row
    return found

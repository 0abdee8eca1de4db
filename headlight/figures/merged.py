"""Cells that vector files hold as few strokes: runs of one colour, without seams between them.

Viewers smooth the edges of shapes, so two that merely touch let the ground shine through. Here each
shape reaches under those that are drawn after it: in a row, a run of a colour goes on under the
higher colours beside it; and the rows in between, drawn first, are twice as high.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.collections import QuadMesh
from matplotlib.path import Path
from matplotlib.transforms import Bbox, IdentityTransform
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.int_]


def runs_of(levels: Array) -> Iterator[tuple[int, int, Array]]:
    """The runs (parity, level, (run, [row, start, stop))) of (row, col) levels, as drawn."""
    for parity in (0, 1):
        rows = levels[parity::2]
        for level in np.unique(rows).tolist():
            sides = np.diff(np.pad((rows >= level).astype(np.int8), ((0, 0), (1, 1))))
            places, starts = np.nonzero(sides == 1)
            stops = np.nonzero(sides == -1)[1]
            own = np.pad(np.cumsum(rows == level, axis=1), ((0, 0), (1, 0)))
            needed = own[places, stops] > own[places, starts]
            runs = np.stack([2 * places + parity, starts, stops], axis=1)
            yield parity, level, runs[needed]


class MergedMesh(QuadMesh):
    """A mesh of straight rows and columns that is drawn as runs, except in pixels."""

    def draw(self, renderer: RendererBase) -> None:
        """Draw on what a figure is saved to: strokes, or cells where that has pixels."""
        figure = self.get_figure(root=True)
        points = figure is not None and figure.dpi == 72  # as in PDF and SVG, but not in PGF
        if isinstance(renderer, RendererAgg) or not points:
            super().draw(renderer)
        elif self.get_visible():
            self._draw_runs(renderer)
            self.stale = False

    def _draw_runs(self, renderer: RendererBase) -> None:
        corners = np.asarray(self.get_coordinates())
        flat = self.get_transform().transform(corners.reshape(-1, 2))
        grid = flat.reshape(corners.shape).round(2)  # so that numbers are short in the file
        x, y = grid[0, :, 0], grid[:, 0, 1]
        high = abs(float(y[-1] - y[0])) / (len(y) - 1)
        gc = renderer.new_gc()
        cells, shown = Bbox([[x[0], min(y)], [x[-1], max(y)]]), self.get_clip_box()
        gc.set_clip_rectangle(Bbox.intersection(cells, shown) if shown else cells)
        gc.set_capstyle("butt")
        for parity, level, runs in runs_of(self._levels()):
            row, start, stop = runs.T
            middle = ((y[row] + y[row + 1]) / 2).round(2)
            gc.set_linewidth((2 - parity) * high)
            gc.set_foreground(self.cmap(level))
            _stroke(renderer, gc, [x[start], middle], [x[stop], middle])
        width = float(np.ravel(self.get_linewidth())[0])
        if width:  # lines between the cells
            gc.set_linewidth(float(np.asarray(renderer.points_to_pixels(width))))
            gc.set_foreground(tuple(np.reshape(self.get_edgecolor(), (-1, 4))[0]))
            ends = [np.full(len(x), side) for side in (y[0], y[-1])]
            _stroke(renderer, gc, [x, ends[0]], [x, ends[1]])
            ends = [np.full(len(y), side) for side in (x[0], x[-1])]
            _stroke(renderer, gc, [ends[0], y], [ends[1], y])
        gc.restore()

    def _levels(self) -> Array:
        """The place of each cell's colour in the table."""
        n = self.cmap.N
        shares = np.clip(np.ma.filled(self.norm(np.asarray(self.get_array())), 0), 0, 1)
        levels: Array = np.minimum((shares * n).astype(int), n - 1)
        return levels


def _stroke(renderer: Any, gc: Any, starts: Sequence[Any], stops: Sequence[Any]) -> None:
    """Straight lines, each from (x, y) to (x, y), as one path."""
    vertices = np.stack([*starts, *stops], axis=1).reshape(-1, 2)
    codes = [Path.MOVETO, Path.LINETO] * (len(vertices) // 2)
    renderer.draw_path(gc, Path(vertices, codes), IdentityTransform())

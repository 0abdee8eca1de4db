"""`Run.figure`: a head as a plotly figure, which says of each cell what the page says."""

from typing import TYPE_CHECKING, Any

import numpy as np

from headlight.extras import needs
from headlight.figures import reading, words
from headlight.figures.colours import DECADES
from headlight.figures.colours import Steps as ColourSteps
from headlight.figures.content import Content
from headlight.figures.lines.interactive import lines_figure
from headlight.figures.panel import Panel
from headlight.figures.reasons import blocked_by, drawn
from headlight.figures.style import Style
from headlight.http.steps import Steps

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_CELL, _LONGEST = 34, 620  # pixels: the side of a cell where there is room, and of all cells
_STEPS = 32  # of the colour scale
# The strokes in a blocked cell, as [x1, y1, x2, y2] from its centre; y runs down.
_STROKES = {
    "up": [(-0.5, 0.5, 0.5, -0.5)],
    "down": [(-0.5, -0.5, 0.5, 0.5)],
    "level": [(-0.5, 0.0, 0.5, 0.0)],
    "cross": [(-0.25, -0.25, 0.25, 0.25), (-0.25, 0.25, 0.25, -0.25)],
    "dots": [(-0.04, 0.0, 0.04, 0.0)],
}


def figure(subject: Any, layer: int, head: int, what: Content, style: Style) -> Steps["Figure"]:
    """One head."""
    with needs("plotly", "plotly"):
        from plotly.graph_objects import Figure
    if what.view == "lines":
        panels = yield from reading.overlaid(subject, layer, head, what)
        ink_first = (layer, head) not in what.overlay
        return Figure(**lines_figure(panels, style, ink_first=ink_first))
    panel = yield from reading.panel(subject, layer, head, what)
    return Figure(
        data=[_cells(panel, style), *_hatching(panel, style)], layout=_layout(panel, style)
    )


def _cells(panel: Panel, style: Style) -> dict[str, Any]:
    low, high = panel.range
    colours = style.palette
    bar = {
        "title": {"text": panel.unit.replace("\n", "<br>"), "side": "bottom"},
        "outlinecolor": colours.line,
        "thickness": 10,
        "tickfont": {"color": colours.faint},
    }
    return {
        "type": "heatmap",
        "z": panel.values,
        "zmin": low,
        "zmax": high,
        "colorscale": _scale(panel, style),
        "colorbar": bar,
        "showscale": style.colorbar,
        "xgap": 1,
        "ygap": 1,
        "customdata": _said(panel),
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def _said(panel: Panel) -> list[list[str]]:
    """What the page says of each cell."""
    return [
        [
            words.cell(
                panel,
                (panel.first + row, query),
                (col, key),
                float(panel.values[row, col]),
                int(panel.blocked[row, col]),
            )
            for col, key in enumerate(panel.keys)
        ]
        for row, query in enumerate(panel.queries)
    ]


def _scale(panel: Panel, style: Style) -> list[list[Any]]:
    """The colours by their share of the range; steps that are not linear move them."""
    signed = panel.range[0] < 0
    table = style.palette.diverging if signed else style.palette.sequential
    scale: list[list[Any]] = []
    for step in range(_STEPS + 1):
        place = step / _STEPS
        red, green, blue = table[round(255 * place)].tolist()
        share = place if signed else share_at(place, style.steps)
        scale.append([share, f"rgb({red}, {green}, {blue})"])
    return scale


def share_at(place: float, steps: ColourSteps) -> float:
    """The share of the range at a place on the scale, both from 0 to 1."""
    if steps == "root":
        return place**2
    return 10 ** (DECADES * (place - 1)) if steps == "log" and place > 0 else place


def _hatching(panel: Panel, style: Style) -> list[dict[str, Any]]:
    """A trace of strokes for each reason, which is an entry of the legend."""
    traces = []
    for reason, cells in drawn(panel.blocked):
        x: list[float | None] = []
        y: list[float | None] = []
        for row, col in np.argwhere(cells).tolist():
            for x1, y1, x2, y2 in _STROKES[reason.angle]:
                x += [col + x1, col + x2, None]
                y += [row + y1, row + y2, None]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "x": x,
                "y": y,
                "hoverinfo": "skip",
                "line": {"color": style.palette.hatch, "width": 1},
                "name": blocked_by(reason, panel.language),
                "showlegend": style.legend,
            }
        )
    return traces


def _layout(panel: Panel, style: Style) -> dict[str, Any]:
    rows, cols = panel.values.shape
    colours = style.palette
    queries, keys = words.axis_titles(panel.language, panel.kind)
    cell = min(_CELL, _LONGEST / max(rows, cols))
    axis = {"showgrid": False, "zeroline": False, "ticks": "", "linecolor": colours.line}
    title = words.title(panel) if style.title is True else style.title or ""
    return {
        "template": "none",
        "separators": panel.language.separators,
        "title": {"text": words.escaped(title), "x": 0.02},
        "paper_bgcolor": "rgba(0, 0, 0, 0)" if style.transparent else colours.panel,
        "plot_bgcolor": colours.panel,
        "font": {"color": colours.text, "size": round(1.4 * style.fontsize)},
        "width": round(cell * cols + 240),
        "height": round(cell * rows + 220),
        "margin": {"l": 110, "t": 130, "r": 130, "b": 90},
        "legend": {"orientation": "h", "x": 0, "y": -0.02, "yanchor": "top"},
        "xaxis": {**axis, **_ticks(panel.keys), "side": "top", "tickangle": -60}
        | {"title": keys, "range": [-0.5, cols - 0.5], "constrain": "domain"},
        "yaxis": {**axis, **_ticks(panel.queries), "title": queries}
        | {"range": [rows - 0.5, -0.5], "scaleanchor": "x", "constrain": "domain"},
    }


def _ticks(labels: tuple[str, ...]) -> dict[str, Any]:
    texts = [words.escaped(words.shorten(label)) for label in labels]
    return {"tickvals": list(range(len(labels))), "ticktext": texts}

"""Heads as lines in a plotly figure: a token under the pointer says what it looks at."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from headlight.figures import words
from headlight.figures.lines.series import colours_of
from headlight.figures.lines.strengths import LEVELS, lines_of
from headlight.figures.panel import Array, Panel
from headlight.figures.style import Style

_ROW, _HIGH, _WIDE = 22, 900, 420  # pixels: of a token where there is room; all of them; the lines


def lines_figure(panels: Sequence[Panel], style: Style, *, ink_first: bool) -> dict[str, Any]:
    """The data and the layout of a figure. The first head is the selected one."""
    drawn = lines_of(panels)
    colours = colours_of(panels, style.palette, ink_first=ink_first)
    named = dict(colours.legend) if len(panels) > 1 else {}
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": [None],
            "y": [None],
            "name": name,
            "line": {"color": colour},
        }
        for colour, name in named.items()
    ]
    for group in drawn.groups:
        ends = np.column_stack([group.ends, np.full(len(group.ends), np.nan)])
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "hoverinfo": "skip",
                "showlegend": False,
                "x": [0, 1, None] * len(ends),
                "y": ends.ravel(),
                "line": {"color": colours.each[group.series], "width": 1.5},
                "opacity": group.level / LEVELS,
            }
        )
    weights = np.sum([panel.values for panel in panels], axis=0)
    queries = _places(panels[0].queries, panels[0].first)
    keys = _places(panels[0].keys, 0)
    traces += [
        _tokens(0, panels[0], queries, keys, weights, style),
        _tokens(1, panels[0], keys, queries, weights.T, style),
    ]
    note = words.lines_notes(panels, drawn, colours.by) if style.colorbar else ""
    return {"data": traces, "layout": _layout(panels, style, note)}


def _places(labels: Sequence[str], first: int) -> list[str]:
    return [f"{first + index} {words.escaped(label)}" for index, label in enumerate(labels)]


def _tokens(
    x: int,
    panel: Panel,
    tokens: list[str],
    others: list[str],
    weights: Array,
    style: Style,
) -> dict[str, Any]:
    """The tokens of one side; each says which tokens of the other it goes with most."""
    said = []
    for token, row in zip(tokens, weights, strict=True):
        strongest = [at for at in np.argsort(-row, kind="stable")[:5] if row[at] > 0]
        listed = [
            f"{others[at]} <b>{words.exact(panel.language, float(row[at]))}</b>" for at in strongest
        ]
        said.append("<br>".join(words.with_most(panel, f"<b>{token}</b>", listed, is_key=bool(x))))
    labels = [token.partition(" ")[2] for token in tokens]
    return {
        "type": "scatter",
        "mode": "markers+text",
        "showlegend": False,
        "x": [x] * len(tokens),
        "y": list(range(len(tokens))),
        "text": labels,
        "textposition": "middle right" if x else "middle left",
        "marker": {"color": style.palette.faint, "size": 4},
        "customdata": said,
        "hovertemplate": "%{customdata}<extra></extra>",
        "cliponaxis": False,
    }


def _layout(panels: Sequence[Panel], style: Style, note: str) -> dict[str, Any]:
    n = max(panels[0].values.shape)
    colours = style.palette
    title = words.lines_title(panels) if style.title is True else style.title or ""
    hidden = {"showgrid": False, "zeroline": False, "showticklabels": False}
    beside: dict[str, Any] = {"showarrow": False, "font": {"color": colours.faint}, "yref": "paper"}
    queries, keys = words.side_names(panels[0].language, panels[0].kind)
    return {
        "template": "none",
        "title": {"text": words.escaped(title), "x": 0.02},
        "paper_bgcolor": "rgba(0, 0, 0, 0)" if style.transparent else colours.panel,
        "plot_bgcolor": "rgba(0, 0, 0, 0)",
        "font": {"color": colours.text, "size": round(1.4 * style.fontsize)},
        "width": _WIDE + 240,
        "height": round(min(_HIGH, _ROW * n)) + 190,
        "margin": {"l": 120, "t": 100, "r": 120, "b": 90},
        "showlegend": style.legend,
        "legend": {"orientation": "h", "x": 0, "y": -0.02, "yanchor": "top"},
        "xaxis": {**hidden, "range": [0, 1]},
        "yaxis": {**hidden, "range": [n - 0.5, -0.5]},
        "annotations": [
            {**beside, "text": queries, "x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom"},
            {**beside, "text": keys, "x": 1, "y": 1, "xanchor": "right", "yanchor": "bottom"},
            {**beside, "text": note, "x": 0, "y": 0, "xanchor": "left", "yanchor": "top"}
            | {"yshift": -40},
        ],
    }

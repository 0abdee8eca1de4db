"""Heads as lines on matplotlib axes, as the page draws them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path
from matplotlib.transforms import ScaledTranslation

from headlight.figures import words
from headlight.figures.heatmap import (
    PASSES,
    draw_caption,
    draw_legend,
    draw_title,
    ticks,
    wrapped,
)
from headlight.figures.lines.series import colours_of
from headlight.figures.lines.strengths import LEVELS, Drawn, lines_of
from headlight.figures.panel import Panel
from headlight.figures.paper import POINTS, around, fit, set_size, size_of
from headlight.figures.style import Style

_WIDE, _NARROW = 26, 8  # of the font size: the lines, where there is room, and at least
_TITLE = 1.05  # of the width of the lines: a longer title is broken
_ROW = 1.45  # of the font size: a token, where there is room
_HIGH = 560.0  # points: all tokens
_SMALLEST = 0.75  # of the font size: before labels are left out, they are drawn smaller
_LINE = (0.11, 0.07)  # of the font size: the width of a line; where tokens stand close
_APART = (0.15, 0.6)  # between the lines of two heads: of the font size; of a row, for all heads


def figure_of(panels: Sequence[Panel], style: Style, figure: Figure, *, ink_first: bool) -> Axes:
    """Draw heads on a figure, which becomes as large as it needs. The first is the selected one."""
    n = max(panels[0].values.shape)
    wide, high = _WIDE * style.fontsize, min(_HIGH, n * _ROW * style.fontsize)
    for last in reversed(range(PASSES if style.width or style.height else 1)):
        figure.clear()
        axes = figure.add_subplot()
        set_size(axes, wide, high)
        draw(axes, panels, style, ink_first=ink_first)
        if last:
            box = around(figure)
            if style.width:
                wide += (style.width - box.width) * POINTS - 6
            if style.height:
                high += (style.height - box.height) * POINTS - 6
            wide, high = max(wide, _NARROW * style.fontsize), max(high, float(n))
    figure.set_facecolor(style.ground)
    fit(figure, style.width, style.height)
    return axes


def draw(axes: Axes, panels: Sequence[Panel], style: Style, *, ink_first: bool) -> None:
    """Draw heads on axes: x runs from the queries at 0 to the keys at 1, y down the tokens."""
    drawn = lines_of(panels)
    colours = colours_of(panels, style.palette, ink_first=ink_first)
    row = size_of(axes)[1] / max(panels[0].values.shape)
    _draw_lines(axes, drawn, colours.each, row, style)
    _draw_tokens(axes, panels, row, style)
    if style.title:
        title = words.lines_title(panels) if style.title is True else style.title
        room = _TITLE * size_of(axes)[0]
        draw_title(axes, "\n".join(wrapped(title, room, 1.2 * style.fontsize)), style)
    if style.legend and len(panels) > 1:
        entries: list[Patch] = [Patch(color=one, label=name) for one, name in colours.legend]
        draw_legend(axes, entries, style)
    paragraphs = [words.lines_notes(panels, drawn, colours.by)] if style.colorbar else []
    if style.caption:
        paragraphs += panels[0].caption if style.caption is True else [style.caption]
    if paragraphs:
        draw_caption(axes, paragraphs, style)


def _draw_lines(axes: Axes, drawn: Drawn, colours: Sequence[str], row: float, style: Style) -> None:
    """A path for each head and strength. Lines of several heads run beside each other."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    width = _LINE[0 if row > 0.6 * style.fontsize else 1] * style.fontsize
    apart = min(_APART[0] * style.fontsize, _APART[1] * row / len(colours))
    for group in drawn.groups:
        n = len(group.ends)
        vertices = np.stack([np.tile([0.0, 1.0], n), group.ends.ravel()], axis=1)
        down = (group.series - (len(colours) - 1) / 2) * apart / POINTS
        shift = ScaledTranslation(0, -down, figure.dpi_scale_trans)
        look: dict[str, Any] = {"edgecolor": colours[group.series], "linewidth": width}
        path = Path(vertices, [Path.MOVETO, Path.LINETO] * n)
        axes.add_patch(
            PathPatch(
                path,
                facecolor="none",
                alpha=group.level / LEVELS,
                transform=axes.transData + shift,
                clip_on=False,
                **look,
            )
        )


def _draw_tokens(axes: Axes, panels: Sequence[Panel], row: float, style: Style) -> None:
    """Both columns of tokens, what they are, and on request what each key gets."""
    panel, colours = panels[0], style.palette
    size = max(_SMALLEST * style.fontsize, min(style.fontsize, row / 1.1))
    n = max(panel.values.shape)
    axes.set(xlim=(0, 1), ylim=(n - 0.5, -0.5), facecolor=colours.panel)
    for spine in axes.spines.values():
        spine.set_visible(False)
    look: dict[str, Any] = {"length": 0, "pad": 0.5 * style.fontsize, "labelsize": size}
    axes.tick_params(labelcolor=colours.text, **look)
    axes.set_yticks(*ticks(panel.queries, row, size))
    right = axes.secondary_yaxis("right")
    right.tick_params(labelcolor=colours.text, **look)
    places, labels = ticks(panel.keys, row, size)
    if style.values:
        received = np.sum([one.values for one in panels], axis=(0, 1))
        labels = [
            f"{label}  {words.exact(panel.language, float(received[place]))}"
            for place, label in zip(places, labels, strict=True)
        ]
    right.set_yticks(places, labels)
    right.spines["right"].set_visible(False)
    names = list(words.side_names(panel.language, panel.kind))
    if style.values:
        names[1] += f" ({words.sum_caption(len(panel.values), panels)})"
    axes.xaxis.tick_top()
    axes.set_xticks([0, 1], names)
    axes.tick_params("x", labelcolor=colours.faint, length=0, labelsize=style.fontsize, pad=2)
    left_name, right_name = axes.get_xticklabels()
    left_name.set_horizontalalignment("left")
    right_name.set_horizontalalignment("right")
    for tick in (*axes.get_yticklabels(), *right.get_yticklabels()):
        tick.set_parse_math(False)  # a token may be $

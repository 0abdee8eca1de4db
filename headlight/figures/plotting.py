"""`Run.plot`: what a run looked at, on matplotlib axes."""

from typing import TYPE_CHECKING, Any

from headlight.errors import RequestError
from headlight.extras import needs
from headlight.figures import reading
from headlight.figures.content import Content
from headlight.figures.style import Style
from headlight.http.steps import Steps

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

EXTRA = "figures"


def plot(
    subject: Any,
    layer: int | None,
    head: int | None,
    ax: "Axes | None",
    what: Content,
    style: Style,
) -> Steps[Any]:
    """One head on axes, by default on those of a new figure; or several heads on such a figure."""
    with needs("matplotlib", EXTRA):
        import matplotlib.pyplot as plt

        from headlight.figures import fonts, heatmap
        from headlight.figures.lines import drawn as lines
        from headlight.figures.paper import Paper
    if ax is None:
        return (yield from draw(subject, layer, head, plt.figure(FigureClass=Paper), what, style))
    if layer is None or head is None:
        raise RequestError("Several heads need a figure of their own: leave out `ax`.", field="ax")
    if what.view == "lines":
        panels = yield from reading.overlaid(subject, layer, head, what)
        with fonts.readable(panels, style) as (panels, style):
            lines.draw(ax, panels, style, ink_first=(layer, head) not in what.overlay)
    else:
        panel = yield from reading.panel(subject, layer, head, what)
        with fonts.readable(panel, style) as (panel, style):
            heatmap.draw(ax, panel, style)
    return ax


def draw(
    subject: Any,
    layer: int | None,
    head: int | None,
    figure: "Figure",
    what: Content,
    style: Style,
    *,
    by_viewer: bool = False,
) -> Steps[Any]:
    """A head, all heads of a layer, or all heads, on a figure, which becomes as large as it needs.

    `by_viewer`: whoever shows it chooses the fonts. Returns the axes: an array of them, unless it
    is one head.
    """
    from headlight.figures import fonts, grid, heatmap
    from headlight.figures.lines import drawn as lines

    if head is None:
        if what.view == "lines":
            raise RequestError("Lines show one head: give its `layer` and `head`.", field="view")
        panels: Any = yield from reading.grid(subject, layer, what)
        with fonts.readable(panels, style, by_viewer=by_viewer) as (panels, style):
            return grid.figure_of(panels, style, figure)
    if layer is None:
        raise RequestError(f"Head {head} of which layer?", field="layer")
    if what.view == "lines":
        panels = yield from reading.overlaid(subject, layer, head, what)
        ink_first = (layer, head) not in what.overlay
        with fonts.readable(panels, style, by_viewer=by_viewer) as (panels, style):
            return lines.figure_of(panels, style, figure, ink_first=ink_first)
    panel = yield from reading.panel(subject, layer, head, what)
    with fonts.readable(panel, style, by_viewer=by_viewer) as (panel, style):
        return heatmap.figure_of(panel, style, figure)

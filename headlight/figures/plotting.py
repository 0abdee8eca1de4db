"""`Run.plot`: what a run looked at, on matplotlib axes."""

from typing import TYPE_CHECKING, Any, Unpack

from headlight.figures import reading
from headlight.figures.missing import needs
from headlight.figures.style import Options, Style
from headlight.http.steps import Steps
from headlight.request.masks import Kind

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot(
    subject: Any,
    layer: int,
    head: int,
    ax: "Axes | None" = None,
    *,
    kind: Kind | None = None,
    text: int = 0,
    tensor: str = "pattern",
    rows: reading.Rows = None,
    **options: Unpack[Options],
) -> Steps["Axes"]:
    """One head on axes, by default on those of a new figure."""
    style = Style.of(options)
    with needs("matplotlib", "headlight[figures]"):
        import matplotlib.pyplot as plt

        from headlight.figures import heatmap
        from headlight.figures.paper import Paper
    panel = yield from reading.panel(
        subject, layer, head, kind=kind, text=text, tensor=tensor, rows=rows
    )
    if ax is None:
        return heatmap.figure_of(panel, style, plt.figure(FigureClass=Paper))
    heatmap.draw(ax, panel, style)
    return ax

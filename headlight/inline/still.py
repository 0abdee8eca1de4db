"""The still picture of a head, for places that run no scripts."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from headlight.figures import reading
from headlight.figures.content import Content
from headlight.figures.panel import Panel
from headlight.figures.style import Style
from headlight.http.steps import Steps

_DPI = 110
_TOKENS = 64  # with more, it would be larger than the page that it stands for


def still(subject: Any, view: Mapping[str, Any]) -> Steps[bytes | None]:
    """The heatmap of a run's head as a PNG; None without matplotlib, or with too many tokens."""
    layer, head = int(view.get("layer", 0)), int(view.get("head", 0))
    kind = view.get("kind") or subject._documents[0]["kind"]  # as the page does
    return png_of((yield from reading.panel(subject, layer, head, Content(kind=kind))))


def png_of(panel: Panel) -> bytes | None:
    """A heatmap as a PNG; None without matplotlib, or with too many tokens."""
    try:
        from headlight.figures import fonts, heatmap
        from headlight.figures.paper import Paper
    except ImportError:
        return None
    if max(panel.values.shape) > _TOKENS:
        return None
    figure = Paper()
    with fonts.readable(panel, Style()) as (panel, style):
        heatmap.figure_of(panel, style, figure)
    file = BytesIO()
    figure.savefig(file, format="png", dpi=_DPI)
    return file.getvalue()

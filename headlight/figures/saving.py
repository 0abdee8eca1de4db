"""Pictures of a run as files, for `Run.save`: SVG, PDF, PNG and PGF."""

import warnings
from io import BytesIO
from typing import Any

from headlight.errors import HeadlightError
from headlight.extras import needs
from headlight.figures.content import parted
from headlight.figures.plotting import EXTRA, draw
from headlight.http.steps import Steps


def picture(
    subject: Any,
    ending: str,
    *,
    layer: int | None = None,
    head: int | None = None,
    dpi: float | None = None,
    **options: Any,
) -> Steps[bytes]:
    """A head, all heads of a layer, or all heads, as the content of a file."""
    with needs("matplotlib", EXTRA):
        from headlight.figures.fonts import LACKING
        from headlight.figures.paper import DPI, Paper
    figure = Paper()
    by_viewer = ending == ".svg"
    yield from draw(subject, layer, head, figure, *parted(options), by_viewer=by_viewer)
    file = BytesIO()
    try:
        with warnings.catch_warnings():
            if by_viewer:
                warnings.filterwarnings("ignore", LACKING)
            figure.savefig(file, format=ending.removeprefix("."), dpi=dpi or DPI)
    except (FileNotFoundError, RuntimeError) as error:
        if ending != ".pgf":
            raise
        raise HeadlightError(
            "PGF needs LaTeX, which measures the text. Install TeX Live, or save as PDF. "
            f"({error})",
            code="missing_latex",
        ) from None
    return file.getvalue()

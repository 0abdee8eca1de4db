"""Figures for papers: heads as matplotlib axes and as plotly figures, in the page's colours.

`Run.plot`, `Run.figure` and `Run.save` call what is here. Importing it imports no plotting library.
"""

from headlight.figures.panel import Panel
from headlight.figures.style import WIDTHS, journal

__all__ = ["WIDTHS", "Panel", "journal"]

"""Which colour each head has, as on the page (static/js/views/lines/heads.js)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from headlight.figures import words
from headlight.figures.colours import Palette
from headlight.figures.panel import Panel


@dataclass(frozen=True)
class Colours:
    """The colour of each head, and the legend: colours with their names."""

    each: tuple[str, ...]
    legend: tuple[tuple[str, str], ...]
    by: str  # what has a colour of its own: "head", "layer" or "layers"


def colours_of(panels: Sequence[Panel], palette: Palette, *, ink_first: bool) -> Colours:
    """Colours that tell the heads apart. The selected head has that of text if it comes first.

    If there are more heads than colours, the heads of a layer share one; if there are more layers
    than colours, those of several neighbouring layers do.
    """
    own = [(palette.text, words.short_head_name(panels[0]))] if ink_first else []
    beside = panels[len(own) :]
    n = len(palette.categories)
    layers = sorted({panel.layer for panel in beside})
    shared = ceil(len(layers) / n)
    if len(beside) <= n:
        by, places = "head", list(range(len(beside)))
        names = [words.short_head_name(panel) for panel in beside]
    else:
        by = "layer" if shared == 1 else "layers"
        places = [layers.index(panel.layer) // shared for panel in beside]
        names = [
            words.group_name(
                panels[0].language,
                layers[place * shared : (place + 1) * shared],
                places.count(place),
            )
            for place in sorted(set(places))
        ]
    each = [*(colour for colour, _ in own), *(palette.categories[place] for place in places)]
    legend = [*own, *zip(palette.categories, names, strict=False)]
    return Colours(tuple(each), tuple(legend), by)

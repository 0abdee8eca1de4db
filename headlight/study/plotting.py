"""The map of a study: its means by layer, with matplotlib."""

from typing import TYPE_CHECKING

import numpy as np

from headlight.extras import needs
from headlight.figures.colours import palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from headlight.study.study import Study

EXTRA = "figures"


def drawn(study: "Study", ax: "Axes | None") -> "Axes":
    """Draw the means, around 0, on axes or on those of a new figure.

    Raises:
        ImportError: matplotlib is not installed.
    """
    with needs("matplotlib", EXTRA):
        import matplotlib.pyplot as plt
        from matplotlib.colors import ListedColormap
    table = study.table
    by = "head" if study.by == "head" else "role"
    rows = list(dict.fromkeys((row["kind"], row["layer"]) for row in table))
    columns = list(dict.fromkeys(row[by] for row in table))
    means = np.full((len(rows), len(columns)), np.nan)
    if ax is None:
        size = (2.5 + 0.5 * len(columns), 1.8 + 0.4 * len(rows))
        _, ax = plt.subplots(figsize=size, layout="constrained")
    for row in table:
        y, x = rows.index((row["kind"], row["layer"])), columns.index(row[by])
        means[y, x] = np.nan if row["restored"] is None else row["restored"]
        if row["low"] is not None and row["low"] <= 0 <= row["high"]:
            ax.plot(x, y, ".", color="0.5", markersize=3)
    reach = np.nanmax(np.abs(means), initial=1e-9)
    colours = ListedColormap(palette().diverging / 255)
    image = ax.imshow(means, cmap=colours, vmin=-reach, vmax=reach, aspect="auto")
    ax.set_xticks(
        range(len(columns)), [str(name) for name in columns], rotation=90 * (by == "role")
    )
    ax.set_yticks(range(len(rows)), [_layer(*row) for row in rows])
    ax.set_xlabel(by)
    assert ax.figure is not None
    ax.figure.colorbar(image, ax=ax, label="restored")
    n = sum(study.pairs.columns["follows"])
    ax.set_title(f"{study.at}, {n} pairs", fontsize="medium")
    return ax


def _layer(kind: str, layer: int) -> str:
    return f"L{layer}" if kind == "self" else f"{kind} L{layer}"

"""Pictures of tables: maps of heads or tokens by layer, sums of parts, and curves."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from headlight.errors import RequestError
from headlight.extras import needs
from headlight.figures.colours import palette
from headlight.figures.plotting import EXTRA
from headlight.figures.style import fitted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from headlight.frames import Table

# what a map shows of a table with several numbers, the first that it has
VALUES = ("restored", "change", "cosine", "estimate")
ACROSS = ("head", "role", "position")
PARTS = 12  # of a sum that have a bar of their own
_GAP = 0.15  # between two patterns, as a share of one
_END = 40  # of the 256 colours: how far the bars are from the ends


def drawn(table: "Table", value: str | None, text: int, ax: "Axes | None") -> "Axes":
    """Draw a table on axes, or on those of a new figure.

    Raises:
        ImportError: matplotlib is not installed.
        RequestError: the table has no picture, or no such number.
    """
    rows = [row for row in table if row.get("text", text) == text]
    if not rows:
        raise RequestError(f"The table has no rows of text {text}.", field="text")
    names = set(table.columns)
    across = next((name for name in ACROSS if name in names), None)
    with needs("matplotlib", EXTRA):
        import matplotlib.pyplot as plt
    if {"curve", "method"} <= names:
        draw, size = _curves, (6.0, 4.0)
    elif {"kind", "site", "value"} <= names and value is None:
        draw, size = _sum, (5.0, 0.6 + 0.28 * min(len(rows), PARTS + 1))
    elif next(iter(table.columns)) == "step":
        draw, size = _training(value, table), (6.0, 4.0)
    elif {"side", "x", "y"} <= names and value is None:
        rows = list(table)
        draw, size = _plane, (5.0, 4.5)
    elif "layer" in names and across is not None:
        value = _value(value, table)
        wide, high = (len({row[name] for row in rows}) for name in (across, "layer"))
        draw, size = _map(across, value), (2.5 + 0.5 * wide, 1.8 + 0.4 * high)
    else:
        raise RequestError(
            "This table has no picture of its own: expected one of heads, roles or positions by "
            "layer, of attribution, of curves, or of training; its columns are "
            f"{', '.join(table.columns)}.",
            code="no_picture",
        )
    if ax is None:
        _, ax = plt.subplots(figsize=fitted(size), layout="constrained")
    draw(ax, rows)
    return ax


def _value(value: str | None, table: "Table") -> str:
    found = value or next((name for name in VALUES if name in table.columns), None)
    if found is None or found not in table.columns:
        raise RequestError(
            f"Expected the column to draw, one of {', '.join(table.columns)}; got {value!r}.",
            field="value",
        )
    return found


def _map(across: str, value: str) -> Any:
    def draw(ax: "Axes", rows: Sequence[Mapping[str, Any]]) -> None:
        from matplotlib.colors import ListedColormap

        layers = list(dict.fromkeys((row.get("kind", "self"), row["layer"]) for row in rows))
        places = list(dict.fromkeys(row[across] for row in rows))
        numbers = np.full((len(layers), len(places)), np.nan)
        for row in rows:
            y, x = layers.index((row.get("kind", "self"), row["layer"])), places.index(row[across])
            numbers[y, x] = np.nan if row[value] is None else row[value]
            if row.get("low") is not None and row["low"] <= 0 <= row["high"]:
                ax.plot(x, y, ".", color=palette().faint, markersize=3)
        reach = np.nanmax(np.abs(numbers), initial=1e-9)
        colours = ListedColormap(palette().diverging / 255)
        image = ax.imshow(numbers, cmap=colours, vmin=-reach, vmax=reach, aspect="auto")
        turned = 90 * any(isinstance(place, str) for place in places)
        ax.set_xticks(range(len(places)), [str(place) for place in places], rotation=turned)
        ax.set_yticks(range(len(layers)), [_layer(*layer) for layer in layers])
        ax.set_xlabel(across)
        assert ax.figure is not None
        ax.figure.colorbar(image, ax=ax, label=value)

    return draw


def _sum(ax: "Axes", rows: Sequence[Mapping[str, Any]]) -> None:
    """The largest parts of a logit, each from where the one before it ends."""
    ranked = sorted(rows, key=lambda row: -abs(row["value"]))
    parts = [(_part(row), row["value"]) for row in ranked[:PARTS]]
    rest = ranked[PARTS:]
    if rest:
        parts.append((f"{len(rest)} others", sum(row["value"] for row in rest)))
    low, high = palette().diverging[_END] / 255, palette().diverging[-_END] / 255
    start = 0.0
    for y, (_, value) in enumerate(parts):
        ax.barh(y, value, left=start, color=high if value > 0 else low)
        start += value
    ax.axvline(start, color=palette().faint, linewidth=0.8)
    ax.set_yticks(range(len(parts)), [name for name, _ in parts])
    ax.invert_yaxis()
    ax.set_xlabel("logit")


def _training(value: str | None, table: "Table") -> Any:
    """What was measured at the steps of a training run: every curve, or one."""
    names = [name for name in table.columns if name != "step"]
    chosen = names if value is None else [_value(value, table)]

    def draw(ax: "Axes", rows: Sequence[Mapping[str, Any]]) -> None:
        steps = [row["step"] for row in rows]
        for n, name in enumerate(chosen):
            values = [np.nan if row[name] is None else row[name] for row in rows]
            colour = palette().categories[n % len(palette().categories)]
            ax.plot(steps, values, label=name.replace("_", " "), color=colour)
        ax.set_xscale("symlog", linthresh=max(1, min((step for step in steps if step), default=1)))
        ax.set_xlabel("step")
        ax.legend(frameon=False)

    return draw


def strip(
    each: Sequence[npt.NDArray[np.float32]], steps: Sequence[int], ax: "Axes | None"
) -> "Axes":
    """Patterns of a head side by side, one for each step of a training run."""
    with needs("matplotlib", EXTRA):
        import matplotlib.pyplot as plt
        from matplotlib.colors import ListedColormap
    n_query, n_key = each[0].shape
    gap = max(1, round(n_key * _GAP))
    picture = np.full((n_query, len(each) * (n_key + gap) - gap), np.nan)
    starts = [n * (n_key + gap) for n in range(len(each))]
    for start, pattern in zip(starts, each, strict=True):
        picture[:, start : start + n_key] = pattern
    if ax is None:
        size = fitted((1.2 * len(each) + 0.4, 1.2 * n_query / n_key + 0.6))
        _, ax = plt.subplots(figsize=size, layout="constrained")
    ax.imshow(picture, cmap=ListedColormap(palette().sequential / 255), vmin=0, vmax=1)
    middles = [start + (n_key - 1) / 2 for start in starts]
    ax.set_xticks(middles, [f"{step:,}" for step in steps])
    ax.set_yticks([])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_xlabel("step")
    return ax


def _curves(ax: "Axes", rows: Sequence[Mapping[str, Any]]) -> None:
    """The deletion curve of each method, and its insertion curve as a dashed line."""
    methods = list(dict.fromkeys(row["method"] for row in rows))
    categories = palette().categories
    own = {"ablation": palette().text, "random": palette().faint}  # the references
    for n, method in enumerate(methods):
        colour = own.get(method, categories[n % len(categories)])
        for curve, style in (("deletion", "-"), ("insertion", "--")):
            points = [row for row in rows if (row["method"], row["curve"]) == (method, curve)]
            ax.plot(
                [row["tokens"] for row in points],
                [row["logit"] for row in points],
                style,
                color=colour,
                label=method if curve == "deletion" else None,
            )
    ax.set_xlabel("tokens removed (dashed: put back)")
    ax.set_ylabel("logit")
    ax.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1.02, 1.0))


def _plane(ax: "Axes", rows: Sequence[Mapping[str, Any]]) -> None:
    """Queries as rings and keys as dots; both axes have one scale, so that distances are true."""
    query, key = palette().categories[:2]
    for side, colour, filled in (("query", query, False), ("key", key, True)):
        points = [row for row in rows if row["side"] == side]
        ax.scatter(
            [row["x"] for row in points],
            [row["y"] for row in points],
            s=14,
            facecolors=colour if filled else "none",
            edgecolors=colour,
            linewidths=0.8,
            alpha=0.7,
            label={"query": "queries", "key": "keys"}[side],
        )
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel("first component")
    ax.set_ylabel("second component")
    ax.legend(fontsize="small")


def _part(row: Mapping[str, Any]) -> str:
    if row["head"] is not None:
        site = "" if str(row["site"]).startswith("layers.") else f"{row['site']} "
        return f"{site}L{row['layer']}H{row['head']}"
    name = str(row["kind"]).replace("_", " ")
    return name if row["layer"] is None else f"{name} {row['layer']}"


def _layer(kind: str, layer: int) -> str:
    return f"L{layer}" if kind == "self" else f"{kind} L{layer}"

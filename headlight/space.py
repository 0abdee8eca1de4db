"""The queries and keys of a head in one plane."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from headlight.frames import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Space:
    """Where the queries and keys of a head lie in a plane.

    Attributes:
        points: a row for each query and each key: `side`, `text`, `position`, `token`, `special`,
            `x`, `y`, and `norm`, its length in the whole space.
        method: `pca`, the two main components, or `tsne`.
        shares: of the variance along x and y. What is left is not in the picture. None of t-SNE.
        correlation: how far distances in the plane order q·k (Spearman's rank correlation); None:
            there are too few pairs.
        sentences: the texts, where they are none of the run.
    """

    site: str
    layer: int
    head: int
    points: Table
    method: str
    shares: tuple[float, float] | None
    correlation: float | None
    sentences: Sequence[str] | None

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> "Space":
        """As the API sends it."""
        return cls(
            site=found["site"],
            layer=found["layer"],
            head=found["head"],
            points=Table.of(found["points"]),
            method=found["method"],
            shares=found["shares"] and tuple(found["shares"]),
            correlation=found["correlation"],
            sentences=found["sentences"],
        )

    def plot(self, *, ax: "Axes | None" = None) -> "Axes":
        """Draw the plane with matplotlib, and give the axes."""
        axes = self.points.plot(ax=ax)
        axes.set_title(str(self), fontsize="small")
        return axes

    def __str__(self) -> str:
        told = "" if self.correlation is None else f", order of q·k {self.correlation:.2f}"
        held = "t-SNE" if self.shares is None else f"{sum(self.shares):.0%} of the variance"
        return f"L{self.layer}H{self.head}: {held}{told}"

    def __repr__(self) -> str:
        return f"<space of {self}; {len(self.points)} points>"

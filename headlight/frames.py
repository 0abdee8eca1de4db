"""Tables: rows that become a data frame where pandas or polars is installed."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, overload

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LIBRARIES = ("pandas", "polars")
_SHOWN = 10  # rows, when a table is printed,
_WIDTH = 100  # and characters of each


class Table(Sequence[dict[str, Any]]):
    """Rows with the same columns.

    >>> table = Table({"head": [0, 1], "share": [0.25, 0.5]})
    >>> table[1]
    {'head': 1, 'share': 0.5}
    >>> table.columns["share"]
    [0.25, 0.5]
    >>> table
       head  share
    0     0   0.25
    1     1    0.5
    """

    def __init__(self, columns: Mapping[str, Sequence[Any]]) -> None:
        self.columns = dict(columns)

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]], names: Sequence[str] = ()) -> "Table":
        """A table of rows; the columns are `names`, or those of the first row."""
        found = names or (list(rows[0]) if rows else [])
        return cls({name: [row[name] for row in rows] for name in found})

    def to_frame(self, library: Literal["pandas", "polars"] | None = None) -> Any:
        """The rows as a data frame: of pandas where it is installed, else of polars.

        Raises:
            ImportError: neither is installed.
        """
        for name in LIBRARIES if library is None else (library,):
            if find_spec(name) is not None:
                return import_module(name).DataFrame(self.columns)
        wanted = " or ".join(LIBRARIES) if library is None else library
        raise ImportError(
            f"A data frame needs {wanted}. Install it, or read `columns`, a dict of lists."
        )

    def plot(self, value: str | None = None, *, text: int = 0, ax: "Axes | None" = None) -> "Axes":
        """Draw the table with matplotlib, and give the axes.

        Tables with a layer and a head, a role or a position are maps of one number, `value`, around
        0; a dot marks an interval that holds 0. Attribution is a sum of its largest parts, and
        explanation curves are curves.

        Raises:
            ImportError: matplotlib is not installed.
            RequestError: a table of this kind has no picture (code "no_picture").
        """
        from headlight.figures.tables import drawn

        return drawn(self, value, text, ax)

    def _repr_html_(self) -> str:
        """The first rows, for notebooks."""
        heads = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(_shown(cell))}</td>' for cell in row.values())}</tr>"
            for row in islice(self, 2 * _SHOWN)
        )
        more = len(self) - 2 * _SHOWN
        left = f"<p>… and {more:,} more rows</p>" if more > 0 else ""
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{left}"

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> "Table": ...
    def __getitem__(self, index: int | slice) -> "dict[str, Any] | Table":
        some = {name: values[index] for name, values in self.columns.items()}
        return Table(some) if isinstance(index, slice) else some

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for row in zip(*self.columns.values(), strict=True):
            yield dict(zip(self.columns, row, strict=True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.columns == other.columns

    def __repr__(self) -> str:
        shown = {
            "": list(map(str, range(min(len(self), _SHOWN)))),
            **{name: [_shown(v) for v in values[:_SHOWN]] for name, values in self.columns.items()},
        }
        widths = [max(len(name), *map(len, cells), 0) for name, cells in shown.items()]
        lines = [list(shown), *map(list, zip(*shown.values(), strict=True))]
        text = [
            "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
            for line in lines
        ]
        if len(text[0]) > _WIDTH:
            text = [f"{line[: _WIDTH - 2]} …" for line in text]
        more = len(self) - _SHOWN
        return "\n".join([*text, *([f"… and {more:,} more rows"] if more > 0 else [])])


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else repr(value)

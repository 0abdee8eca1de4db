"""What a figure shows, and how it looks: the options that `plot`, `figure` and `save` take."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeAlias, TypedDict, get_args

from headlight.errors import RequestError
from headlight.figures.colours import Scale, Steps
from headlight.figures.style import Style
from headlight.names import check_names
from headlight.request.masks import Kind
from headlight.run.look import Units

View: TypeAlias = Literal["heatmap", "lines"]
VIEWS = get_args(View)
Rows: TypeAlias = "tuple[int, int] | None"  # query rows [start, stop)


class Options(TypedDict, total=False):
    """All options, with their defaults."""

    view: View  # "heatmap"; or "lines" between queries and keys
    kind: Kind | None  # of sites, in an encoder–decoder; None: the only one
    text: int  # 0: which of the texts
    tensor: str  # "pattern"; or "scores", "norms", "value_weighted"
    rows: tuple[int, int] | None  # only these query rows, [start, stop)
    units: Units  # "pieces", the model's tokens; or "words", of patterns
    language: str  # "en"; or another of the page's: "ar", "de", "es", "zh-Hans"
    overlay: Sequence[tuple[int, int]]  # (): other heads (layer, head), with view="lines"

    title: str | bool  # True: the name of the head
    caption: str | bool  # False: none; True: the text, the model and its edits
    values: bool  # False; True: the numbers in the cells, or beside the tokens
    colorbar: bool  # True: the scale; of lines, a sentence
    legend: bool  # True: what the hatching means, or the colours of lines
    dark: bool  # False
    scale: Scale  # "blue"; or "sea", which has several hues
    steps: Steps  # "linear"; or "root" or "log", which tell small weights apart
    log: bool  # the old name of steps="log"
    transparent: bool  # False: the ground has the colour of the page
    fontsize: float  # 8 points
    width: float | None  # inches; None: as wide as it needs. Only where the figure is made here
    height: float | None  # inches


@dataclass(frozen=True, kw_only=True)
class Content:
    """What is read of a run, besides the layer and the head."""

    view: View = "heatmap"
    kind: Kind | None = None
    text: int = 0
    tensor: str = "pattern"
    rows: Rows = None
    units: Units = "pieces"
    language: str = "en"
    overlay: Sequence[tuple[int, int]] = ()

    def __post_init__(self) -> None:
        if self.view not in VIEWS:
            raise RequestError(
                f"Expected one of {', '.join(VIEWS)}; got {self.view!r}.", field="view"
            )
        if self.units not in get_args(Units):
            raise RequestError(
                f"Expected one of {', '.join(get_args(Units))}; got {self.units!r}.", field="units"
            )
        if self.overlay and self.view != "lines":
            raise RequestError("Only lines overlay heads: view='lines'.", field="overlay")


_WHAT = tuple(field.name for field in fields(Content))


def parted(options: Mapping[str, Any]) -> tuple[Content, Style]:
    """What is shown, and how it looks.

    Raises:
        UnknownNameError: there is no such option.
    """
    check_names(options, Options.__annotations__)
    named = dict(options)
    if named.pop("log", False):
        named.setdefault("steps", "log")
    what = {name: value for name, value in named.items() if name in _WHAT}
    return Content(**what), Style(**{n: v for n, v in named.items() if n not in what})

"""`headlight figure --view …` of what an analysis finds: the pictures that its tables draw."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from model.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from headlight import Run

View = Literal[
    "heatmap",
    "lines",
    "attribution",
    "mutes",
    "patching",
    "paths",
    "curves",
    "space",
    "film",
]  # those after `lines` are of CHARTS


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a chart is of."""

    token: str | None = None  # the answer; None: the likeliest
    against: str | None = None
    clean: str | None = None
    layer: int | None = None
    head: int | None = None

    @property
    def answer(self) -> dict[str, Any]:
        return {"token": self.token, "against": self.against}

    @property
    def place(self) -> tuple[int, int]:
        """
        Raises:
            InputError: no head is named.
        """
        if self.layer is None or self.head is None:
            raise InputError("This view is of one head: give --layer and --head.")
        return self.layer, self.head

    @property
    def sentence(self) -> str:
        """
        Raises:
            InputError: there is none to patch from.
        """
        if self.clean is None:
            raise InputError("This view patches from another sentence: give it with --clean.")
        return self.clean


CHARTS: Mapping[str, Callable[["Run", Asked], "Axes"]] = {
    "attribution": lambda run, asked: run.attribution(**asked.answer).plot(),
    "mutes": lambda run, asked: run.mute_effects(token=asked.token).plot(),
    "patching": lambda run, asked: run.patching(
        asked.sentence, at="head", by="head", **asked.answer
    ).plot(),
    "paths": lambda run, asked: run.graph(**asked.answer).plot(),
    "curves": lambda run, asked: run.explanation_curves(**asked.answer).plot(),
    "space": lambda run, asked: run.space(*asked.place).plot(),
    "film": lambda run, asked: run.over().plot(*asked.place),
}


def draw(
    view: str,
    text: str,
    model: str | None,
    request: Mapping[str, Any],
    asked: Asked,
    output: Path,
    *,
    transparent: bool,
    fontsize: float,
    width: float | None,
    dpi: float,
) -> None:
    """Start a server of the model, ask it, and save the picture.

    Raises:
        ImportError: matplotlib is not installed.
        HeadlightError: of the client or the model: the file's ending is unknown; something is
            missing, or refused.
    """
    import headlight
    from headlight.extras import needs
    from headlight.figures.plotting import EXTRA
    from headlight.run.save import PICTURES

    if output.suffix not in PICTURES:
        endings = ", ".join(PICTURES)
        raise InputError(f"Expected a name that ends with {endings}; got {output.name!r}.")
    with needs("matplotlib", EXTRA):
        import matplotlib.pyplot as plt
    with (
        headlight.start([] if model is None else [model]) as hl,
        plt.rc_context({"font.size": fontsize, "svg.fonttype": "none", "pdf.fonttype": 42}),
    ):
        figure = CHARTS[view](hl.trace(text, **request), asked).get_figure(root=True)
        assert figure is not None
        if width is not None:
            own_width, own_height = figure.get_size_inches()
            figure.set_size_inches(width, own_height * width / own_width)
        figure.savefig(output, dpi=dpi, transparent=transparent)
        plt.close(figure)

"""A head on matplotlib axes, as it is in the files that are saved of it."""

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from headlight.errors import RequestError
from headlight.figures import Panel
from headlight.figures.cells import MAX_VECTORS, FigureWarning
from headlight.figures.colours import palette
from headlight.figures.content import parted
from headlight.figures.heatmap import draw, figure_of
from headlight.figures.panel import measure_of
from headlight.figures.paper import Paper, tex_escaped
from headlight.figures.style import Style
from headlight.languages import language
from tests.unit.figures.reopened import cell_at, pdf_texts, pixels, saved, svg_texts

pytestmark = pytest.mark.long

VALUES = np.array([[0.5, 0.5, 0.0], [0.1, 0.0, 0.9]])
PANEL = Panel(
    values=VALUES,
    blocked=np.array([[0, 0, 1], [0, 8, 0]], np.uint8),
    queries=("the", "$x$"),
    keys=("Maria", "déjà", "disestablishmentarian"),
    layer=2,
    head=3,
    caption=("Text: “the $x$”", "Pattern · model tiny"),
)


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


def head(panel: Panel = PANEL, **options: Any) -> Axes:
    return figure_of(panel, Style(**options), Paper())


@pytest.mark.parametrize("dark", [False, True])
def test_each_cell_has_the_colour_of_its_number(dark: bool) -> None:
    axes = head(dark=dark)
    image = pixels(axes, dpi=300)
    table = palette(dark).sequential.astype(int)
    for query, key in [(0, 0), (0, 1), (1, 0), (1, 2)]:
        found = cell_at(axes, image, query, key)[:3]
        expected = table[round(255 * VALUES[query, key])]
        assert np.abs(np.array(found) - expected).max() <= 3, (query, key)
    assert image[0, 0].tolist()[:3] == table[0].tolist()  # the ground


def test_a_blocked_cell_is_hatched_and_an_open_one_is_not() -> None:
    axes = head()
    image = pixels(axes, dpi=300)
    hatch = np.array([0x8A, 0x94, 0xA6])

    def strokes(query: int, key: int) -> int:
        places = np.linspace(-0.35, 0.35, 60)
        found = [cell_at(axes, image, query + d, key) for d in places]
        found += [cell_at(axes, image, query, key + d) for d in places]
        return sum(np.abs(np.array(one[:3]) - hatch).max() < 40 for one in found)

    assert min(strokes(0, 2), strokes(1, 1)) > 3
    assert max(strokes(0, 0), strokes(1, 2)) == 0


@pytest.mark.parametrize(("ending", "texts"), [("svg", svg_texts), ("pdf", pdf_texts)])
def test_text_stays_text(ending: str, texts: Any) -> None:
    found = texts(saved(head(caption=True, values=True, width=4), ending))
    expected = ["the", "$x$", "Maria", "déjà", "disestablis…", "Layer 2 · head 3", "keys →"]
    expected += ["← queries", "weight", "0.90", "blocked by the causal mask", "Text: “the $x$”"]
    assert not {*expected, "blocked by your painted mask"} - {*found}
    assert found.count("0.00") == 1  # on the colour bar; blocked cells have no number


def test_cells_are_vectors_unless_they_are_too_many() -> None:
    assert b"<image" not in saved(head(), "svg")
    n = 1 + int(MAX_VECTORS**0.5)
    tokens = ("a",) * n
    many = Panel(
        values=np.eye(n),
        blocked=np.zeros((n, n), np.uint8),
        queries=tokens,
        keys=tokens,
        layer=0,
        head=0,
    )
    with pytest.warns(FigureWarning, match="16,641 cells.*pixels"):
        axes = head(many)
    content = saved(axes, "svg")
    assert content.count(b"<image") == 1 and "Layer 0 · head 0" in svg_texts(content)


def test_a_difference_is_symmetric_about_the_ground() -> None:
    values = np.array([[0.25, -0.5, 0.0], [0.5, 0.0, 0.0]])
    changed = Panel(**{**vars(PANEL), "values": values, "difference": True})
    axes = head(changed)
    image = pixels(axes, dpi=300)
    table = palette().diverging.astype(int)
    for query, key, place in [(0, 1, 0), (1, 0, 255), (0, 0, 191), (1, 2, 128)]:
        found = np.array(cell_at(axes, image, query, key)[:3])
        assert np.abs(found - table[place]).max() <= 3, (query, key)
    assert axes.get_title("left") == "Layer 2 · head 3 (difference)"


def test_a_figure_is_as_large_as_it_needs_or_as_is_asked_for() -> None:
    small, wide = head(), head(width=5)
    assert wide.figure.get_size_inches()[0] == 5  # type: ignore[union-attr]
    assert wide.get_window_extent().width > 1.5 * small.get_window_extent().width
    for axes in (small, wide, head(caption=True, dark=True, values=True, width=4)):
        image = pixels(axes)[..., :3].astype(int)
        border = [image[0], image[-1], image[:, 0], image[:, -1]]
        assert all(np.all(edge == image[0, 0]) for edge in border)  # nothing is cut
        assert len(image) == pytest.approx(144 * axes.figure.get_size_inches()[1], abs=1)  # type: ignore[union-attr]


def test_a_transparent_figure_has_no_ground() -> None:
    image = pixels(head(transparent=True))
    assert image[0, 0, 3] == 0
    assert pixels(head())[0, 0].tolist() == [255, 255, 255, 255]


def test_numbers_that_do_not_fit_are_left_out_with_a_warning() -> None:
    with pytest.warns(FigureWarning, match="too small"):
        axes = head(values=True, width=1.6)
    assert "0.90" not in svg_texts(saved(axes, "svg"))


def test_scores_have_both_signs_and_a_log_scale_its_decades() -> None:
    scores = Panel(
        **{**vars(PANEL), "values": 3 * VALUES - 1, "measure": measure_of("scores", language("en"))}
    )
    assert head(scores).collections[0].get_clim() == pytest.approx((-1.7, 1.7))
    assert head(steps="log").collections[0].get_clim() == pytest.approx((1e-4, 1))


def test_steps_that_are_not_linear_tell_small_weights_apart() -> None:
    """The place of a share: linear, its square root, or its logarithm over four decades."""
    for steps, place in (("linear", 0.01), ("root", 0.1), ("log", 0.5)):
        norm = head(steps=steps).collections[0].norm
        assert list(np.asarray(norm(np.array([0.01, 1.0])))) == pytest.approx([place, 1.0]), steps
    assert parted({"log": True})[1].steps == "log"  # its name before
    assert parted({"log": False})[1].steps == "linear"
    with pytest.raises(RequestError, match="linear, root, log"):
        Style(steps=cast(Any, "cube"))


def test_labels_are_escaped_for_tex_while_a_pgf_is_written() -> None:
    axes = head()
    figure = axes.get_figure(root=True)
    assert isinstance(figure, Figure)

    def labels() -> list[str]:
        return axes.yaxis.get_major_formatter().format_ticks([0, 1])

    with tex_escaped(figure, True):
        assert labels() == ["the", r"\$x\$"]
        assert axes.get_title("left") == r"Layer 2 $\cdot$ head 3"
    assert labels() == ["the", "$x$"] and axes.get_title("left") == "Layer 2 · head 3"


def test_axes_of_a_larger_figure_are_drawn_on() -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(6, 3), layout="constrained")
    draw(right, PANEL, Style())
    figure.canvas.draw()
    assert len(left.collections) == 0 and len(right.collections) == 1
    assert [tick.get_text() for tick in right.get_yticklabels()] == ["the", "$x$"]
    assert figure.get_size_inches().tolist() == [6, 3]

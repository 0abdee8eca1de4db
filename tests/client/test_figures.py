"""Figures of a run."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from numpy.typing import NDArray

from headlight import Client, RequestError, Run

TEXT = "Maria saw herself in the mirror."


@pytest.fixture(scope="module")
def run(hl: Client) -> Run:
    return hl.trace(TEXT)


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


def cells(axes: Axes) -> NDArray[Any]:
    [mesh] = axes.collections
    found = mesh.get_array()
    assert found is not None
    return found


def legend(axes: Axes) -> list[str]:
    found = axes.get_legend()
    return [] if found is None else [text.get_text() for text in found.get_texts()]


def test_a_run_draws_a_head_with_its_tokens_and_masks(run: Run) -> None:
    axes = run.plot(2, 3)
    np.testing.assert_allclose(cells(axes), run.pattern[2, 3], atol=1e-6)
    keys = [tick.get_text() for tick in axes.get_xticklabels()]
    assert keys == [token.strip() for token in run.tokens]
    assert legend(axes) == ["blocked by the causal mask"]


def test_a_part_of_a_text_among_several(hl: Client, run: Run) -> None:
    several = hl.trace(["Hi", TEXT])
    axes = several.plot(2, 3, text=1, rows=(2, 5), tensor="scores")
    np.testing.assert_allclose(cells(axes), run.site("layers.2").scores[3, 2:5], atol=1e-4)
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["saw", "herself", "in"]


def test_a_difference_of_runs_hatches_what_is_blocked_in_both(run: Run) -> None:
    edited = run.block(query="saw", key="Maria").mute((2, 3)).trace()
    axes = edited.compare(run).plot(2, 3, caption=True)
    np.testing.assert_allclose(cells(axes), (edited.pattern - run.pattern)[2, 3], atol=1e-6)
    assert legend(axes) == ["blocked by the causal mask"]  # the painted cell was open before
    caption = axes.texts[-1].get_text().replace("\n", " ")
    assert "painted: 1 place blocked · muted: L2·H3, minus model shipped" in caption
    assert edited.plot(2, 3).get_title("left") == "Layer 2 · head 3 (muted)"


@pytest.mark.parametrize(
    ("place", "options", "field", "words"),
    [
        ((2, 8), {}, "head", "heads 0 to 7; got 8"),
        ((7, 0), {}, "layer", "layers 0, 1, 2; got 7"),
        ((2, 3), {"kind": "cross"}, "kind", "\"self\"; got 'cross'"),
        ((2, 3), {"tensor": "q"}, "tensor", "pattern, scores"),
        ((2, 3), {"rows": (3, 9)}, "rows", "from 0 to 8"),
        ((2, 3), {"text": 1}, "text", "has 1 texts; got 1"),
    ],
)
def test_a_mistake_is_explained(
    run: Run, place: tuple[int, int], options: dict[str, object], field: str, words: str
) -> None:
    with pytest.raises(RequestError, match=words) as caught:
        run.plot(*place, **options)  # type: ignore[arg-type]
    assert caught.value.field == field

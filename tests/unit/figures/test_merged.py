"""Cells as runs of one colour, as vector files hold them."""

import re

import numpy as np
import pytest
from numpy.typing import NDArray

from headlight.figures import Panel
from headlight.figures.heatmap import figure_of
from headlight.figures.merged import runs_of
from headlight.figures.panel import measure_of
from headlight.figures.paper import Paper
from headlight.figures.style import Style
from headlight.languages import language
from tests.unit.figures.reopened import saved

pytestmark = pytest.mark.long

SIZES = [(1, 1), (2, 7), (7, 3), (12, 12)]


def levels_of(shape: tuple[int, int]) -> NDArray[np.int_]:
    return np.random.default_rng(0).integers(0, 4, shape)


@pytest.mark.parametrize("shape", SIZES)
def test_runs_in_their_order_paint_every_cell(shape: tuple[int, int]) -> None:
    levels = levels_of(shape)
    painted = np.full((2 * shape[0] + 2, shape[1]), -1)  # half rows, with one more at either end
    for parity, level, runs in runs_of(levels):
        for row, start, stop in runs:
            top = 2 * row + 1
            painted[top - (1 - parity) : top + 2 + (1 - parity), start:stop] = level
    np.testing.assert_array_equal(painted[1:-1:2], levels)
    np.testing.assert_array_equal(painted[2:-1:2], levels)


@pytest.mark.parametrize("shape", SIZES)
def test_a_run_reaches_under_the_colours_drawn_after_it(shape: tuple[int, int]) -> None:
    levels = levels_of(shape)
    every = [(level, *run) for _, level, runs in runs_of(levels) for run in runs.tolist()]
    for row in range(shape[0]):
        for col in range(shape[1] - 1):
            lower = levels[row, col : col + 2].min()
            under = [one for one in every if one[:2] == (lower, row)]
            assert any(start <= col and col + 2 <= stop for *_, start, stop in under)


def test_even_numbers_without_order_stay_below_a_megabyte() -> None:
    n = 128
    panel = Panel(
        values=np.random.default_rng(0).normal(size=(n, n)),
        blocked=np.zeros((n, n), np.uint8),
        queries=("a",) * n,
        keys=("b",) * n,
        layer=0,
        head=0,
        measure=measure_of("scores", language("en")),
    )
    axes = figure_of(panel, Style(), Paper())
    svg, pdf = saved(axes, "svg"), saved(axes, "pdf")
    assert b"<image" not in svg and b"/Subtype /Image" not in pdf
    assert max(len(svg), len(pdf)) < 1_000_000
    equal = Panel(**{**vars(panel), "values": np.zeros((n, n))})
    assert len(re.findall(b"<path", saved(figure_of(equal, Style(), Paper()), "svg"))) < 300

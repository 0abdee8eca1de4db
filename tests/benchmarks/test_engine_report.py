"""The report of benchmarks/engine.py: medians, ratios of page to server, aims; nothing timed."""

import pytest

from benchmarks.engine import AIMS, PLACES, TOKENS, figures, lines

TIMES = {
    ("server", 16): [40.0, 50.0, 90.0],
    ("server", 64): [80.0],
    ("page", 16): [20.0, 10.0, 30.0],
    ("page", 64): [120.0],
}
TABS = {"server": 100.0, "page": 150.0}


def test_figures_are_medians_and_ratios_of_page_to_server() -> None:
    assert figures(TIMES, TABS, [250.0, 350.0, 260.0], 5.5) == {
        "server_16_ms": 50.0,
        "server_64_ms": 80.0,
        "page_16_ms": 20.0,
        "page_64_ms": 120.0,
        "ratio_16": 0.4,
        "ratio_64": 1.5,
        "server_tab_mb": 100.0,
        "page_tab_mb": 150.0,
        "slowed_16_ms": 260.0,
        "file_mb": 5.5,
    }


@pytest.mark.parametrize(("file_mb", "words"), [(6.0, "aim 6: met"), (6.1, "aim 6: not met")])
def test_a_line_says_whether_the_aim_is_met(file_mb: float, words: str) -> None:
    [line] = [line for line in lines(figures(TIMES, TABS, [1.0], file_mb)) if "file_mb" in line]
    assert line.endswith(words)


def test_each_aim_is_a_figure_of_what_is_measured() -> None:
    measured = {(place, tokens): [1.0] for place in PLACES for tokens in TOKENS}
    assert AIMS.keys() <= figures(measured, TABS, [1.0], 1.0).keys()

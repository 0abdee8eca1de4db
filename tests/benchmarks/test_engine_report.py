"""The report of benchmarks/engine.py: medians, ratios of page to server, aims; nothing timed."""

import pytest

from benchmarks.engine import AIMS, PLACES, SLOW, TOKENS, Key, figures, lines

TIMES = {
    ("server", 16): [Key(40.0, 0.0), Key(50.0, 0.0), Key(90.0, 60.0)],
    ("server", 64): [Key(80.0, 0.0)],
    ("page", 16): [Key(20.0, 0.0), Key(10.0, 0.0), Key(30.0, 0.0)],
    ("page", 64): [Key(120.0, 0.0)],
}
SLOWED = {
    "slowed": [Key(250.0, 200.0), Key(350.0, 150.0), Key(260.0, 190.0)],
    "slowed_start": [Key(220.0, 60.0)],
}
TABS = {"server": 100.0, "page": 150.0}


def test_figures_are_medians_and_ratios_of_page_to_server() -> None:
    assert figures(TIMES, TABS, SLOWED, 5.5) == {
        "server_16_ms": 50.0,
        "server_64_ms": 80.0,
        "page_16_ms": 20.0,
        "page_64_ms": 120.0,
        "ratio_16": 0.4,
        "ratio_64": 1.5,
        "server_tab_mb": 100.0,
        "page_tab_mb": 150.0,
        "slowed_16_ms": 260.0,
        "slowed_pause_ms": 190.0,
        "slowed_start_16_ms": 220.0,
        "slowed_start_pause_ms": 60.0,
        "file_mb": 5.5,
    }


@pytest.mark.parametrize(("file_mb", "words"), [(6.0, "aim 6: met"), (6.1, "aim 6: not met")])
def test_a_line_says_whether_the_aim_is_met(file_mb: float, words: str) -> None:
    [line] = [line for line in lines(figures(TIMES, TABS, SLOWED, file_mb)) if "file_mb" in line]
    assert line.endswith(words)


def test_each_aim_is_a_figure_of_what_is_measured() -> None:
    key = Key(1.0, 0.0)
    measured = {(place, tokens): [key] for place in PLACES for tokens in TOKENS}
    slow = {name: [key] for name in SLOW}
    assert AIMS.keys() <= figures(measured, TABS, slow, 1.0).keys()

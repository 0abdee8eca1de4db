"""The report of benchmarks/client.py, and one small run of it; nothing timed."""

import pytest

import headlight
from benchmarks.client import AIMS, BATCH, figures, lines, measure, sentences
from model.core.checkpoint import SHIPPED
from model.sources.native import NativeSource
from scripts import live

pytestmark = pytest.mark.long

SECONDS = {"passes": [2.0, 3.0], "transfer": [0.5, 0.5], "client": [4.0, 5.0]}


def test_the_ratio_is_the_client_to_passes_plus_transfer() -> None:
    assert figures("minilm", SECONDS, 3.5) == {
        "minilm_passes_s": 5.0,
        "minilm_transfer_s": 1.0,
        "minilm_client_s": 9.0,
        "minilm_ratio": 1.5,
        "minilm_grown_mb": 3.5,
    }


@pytest.mark.parametrize(("ratio", "words"), [(1.3, "aim 1.3: met"), (1.31, "aim 1.3: not met")])
def test_a_line_says_whether_the_aim_is_met(ratio: float, words: str) -> None:
    [line] = lines({"minilm_ratio": ratio})
    assert line.endswith(words)


def test_each_aim_is_a_figure_of_what_is_measured() -> None:
    measured = {**figures("small", SECONDS, 0.0), **figures("minilm", SECONDS, 0.0)}
    assert AIMS.keys() <= measured.keys()


def test_a_round_takes_the_same_texts_each_way() -> None:
    texts = sentences(BATCH + 1)
    with live.serving() as address, headlight.connect(address, model="shipped") as hl:
        seconds, _ = measure(hl, NativeSource("shipped", SHIPPED), texts)
    assert {part: len(each) for part, each in seconds.items()} == dict.fromkeys(seconds, 1)
    assert {part for part in seconds if not part.endswith("_clock")} == set(SECONDS)
    assert all(seconds[f"{part}_clock"][0] > 0 for part in SECONDS)

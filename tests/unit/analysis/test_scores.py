"""Head scores: worked by hand, and cases in which they are undefined."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor

from model.analysis import METRICS, HeadScores, Score, head_scores, sink_share
from model.analysis.metrics import MetricName
from model.errors import InputError, NumericsError
from model.masks.mask import Mask
from model.masks.rules import Cell, MaskSettings
from model.sources.native import NativeSource
from model.sources.source import Inputs
from tests.unit.analysis.building import BOS, COMMA, PAD, stored, trace_of

NAMES = [metric.name for metric in METRICS]
HEADS = 3

# --- by hand ------------------------------------------------------------------------------------

IDS = [BOS, 5, 6, COMMA, 5, 6]
PATTERN = torch.tensor(
    [
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.5, 0.5, 0.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        [0.25, 0.25, 0.25, 0.25, 0.0, 0.0],
        [0.0, 0.3, 0.7, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.1, 0.8, 0.1, 0.0],
    ]
)


def by_name(
    ids: list[int], pattern: Tensor, mask: Mask | None = None, specials: bool = False
) -> dict[MetricName, Score]:
    """The scores of one head on one text."""
    site = stored(pattern[None, None], mask)
    (head,) = head_scores(trace_of(ids, sites=(site,)), 0, specials=specials)
    return head.scores


def causal(n: int, **settings: Any) -> Mask:
    return Mask(n, n, MaskSettings(causal=True, **settings))


ENTROPIES = [
    math.log(2),
    0.0,
    math.log(4),
    -0.3 * math.log(0.3) - 0.7 * math.log(0.7),
    -0.2 * math.log(0.1) - 0.8 * math.log(0.8),
]


@pytest.mark.parametrize(
    ("name", "plain", "with_specials"),
    [
        # of queries 2 to 5; query 1 only has [BOS] before it
        ("previous_token", (1.0 + 0.25 + 0.0 + 0.1) / 4, (0.5 + 1.0 + 0.25 + 0.0 + 0.1) / 5),
        ("same_token", (0.3 + 0.1) / 2, (0.3 + 0.1) / 2),  # 4 looks for 1, 5 looks for 2
        ("induction", (0.7 + 0.8) / 2, (0.7 + 0.8) / 2),  # 4 looks for 2, 5 looks for 3
        ("first_token", (0.5 + 0.25) / 5, (0.5 + 0.25) / 5),
        ("entropy", sum(ENTROPIES) / 5, sum(ENTROPIES) / 6),
        (
            "normalised_entropy",
            sum(e / math.log(n) for e, n in zip(ENTROPIES, range(2, 7), strict=True)) / 5,
            sum(e / math.log(n) for e, n in zip(ENTROPIES, range(2, 7), strict=True)) / 5,
        ),
        ("distance", (0.5 + 1.0 + 1.5 + 2.3 + 2.0) / 5, (0.5 + 1.0 + 1.5 + 2.3 + 2.0) / 6),
        ("mean_offset", (0.5 + 1.0 + 1.5 + 2.3 + 2.0) / 5, (0.5 + 1.0 + 1.5 + 2.3 + 2.0) / 6),
        ("special_mass", (0.5 + 0.25) / 5, (1.0 + 0.5 + 0.25) / 6),
        ("punctuation_mass", (0.25 + 0.0 + 0.8) / 3, (0.25 + 0.0 + 0.8) / 3),  # queries 3, 4, 5
    ],
)
def test_a_text_worked_by_hand(name: MetricName, plain: float, with_specials: float) -> None:
    for specials, expected in ((False, plain), (True, with_specials)):
        found = by_name(IDS, PATTERN, causal(6), specials)[name]
        assert found.reason is None
        assert found.value == pytest.approx(expected, rel=1e-6)


def test_a_head_that_looks_to_both_sides_has_a_distance_and_no_offset() -> None:
    pattern = torch.tensor(
        [
            [0.2, 0.3, 0.5, 0.0],
            [0.5, 0.0, 0.1, 0.4],
            [0.6, 0.0, 0.0, 0.4],
            [0.0, 0.5, 0.5, 0.0],
        ]
    )
    found = by_name([BOS, 5, 6, PAD], pattern)
    assert found["next_token"].value == pytest.approx(0.1)
    assert found["next_token"].over == 1
    assert found["distance"].value == pytest.approx((0.5 + 0.1 + 0.8 + 1.2 + 0.4) / 2)
    assert found["mean_offset"].value == pytest.approx((0.5 - 0.1 - 0.8 + 1.2 - 0.4) / 2)
    special = by_name([BOS, 5, 6, PAD], pattern, specials=True)["next_token"]
    assert special.value == pytest.approx((0.3 + 0.1) / 2)
    assert special.over == 2
    blocked = by_name([BOS, 5, 6, 4], pattern, causal(4))["next_token"]
    assert blocked.reason == "the masks block every cell that it reads"


def test_over_counts_the_queries() -> None:
    found = by_name(IDS, PATTERN, causal(6))
    expected = {
        "previous_token": 4,
        "same_token": 2,
        "induction": 2,
        "first_token": 5,
        "entropy": 5,
        "normalised_entropy": 5,
        "next_token": 0,
        "distance": 5,
        "mean_offset": 5,
        "special_mass": 5,
        "punctuation_mass": 3,
    }
    assert {name: found[name].over for name in expected} == expected
    found = by_name(IDS, PATTERN, causal(6), specials=True)
    assert (found["previous_token"].over, found["entropy"].over) == (5, 6)
    assert (found["first_token"].over, found["normalised_entropy"].over) == (5, 5)


def test_a_query_whose_cells_are_blocked_says_nothing_which_is_not_zero() -> None:
    # query 4 may not look at its earlier self, in key 1: only query 5 is left
    mask = causal(6, blocked=(Cell(query=4, key=1),))
    pattern = PATTERN.clone()
    pattern[4] = torch.tensor([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    score = by_name(IDS, pattern, mask)["same_token"]
    assert score.over == 1
    assert score.value == pytest.approx(0.1)
    # without query 5 there is none, and the reason is the mask, not the text
    both = causal(6, blocked=(Cell(query=4, key=1), Cell(query=5)))
    pattern[5] = 0.0
    score = by_name(IDS, pattern, both)["same_token"]
    assert score == Score(None, 0, "the masks block every cell that it reads")


# --- what is not defined ------------------------------------------------------------------------

BLOCKED = Mask(4, 4, MaskSettings(blocked=(Cell(),)))
OPEN = Mask(4, 4)


@pytest.mark.parametrize(
    ("ids", "mask", "specials", "reasons"),
    [
        ([PAD] * 4, OPEN, True, dict.fromkeys(NAMES, "the text is only padding")),
        (
            [BOS, PAD, PAD, PAD],
            OPEN,
            False,
            dict.fromkeys(NAMES, "the text has only special tokens, which do not count here"),
        ),
        (
            [4, PAD, PAD, PAD],
            Mask(4, 4, MaskSettings(causal=True)),
            False,
            {
                "previous_token": "no scored token has another before it",
                "next_token": "no scored token has another after it",
                "same_token": "no token occurs twice",
                "induction": "no token occurs twice with another in between",
                "first_token": "no scored token comes after the first",
                "normalised_entropy": "no query may look at two keys",
                "special_mass": "the text has no special token",
                "punctuation_mass": "the text has no punctuation",
            },
        ),
        (
            [BOS, 5, COMMA, 4],
            OPEN,
            False,
            {
                "same_token": "no token occurs twice",
                "induction": "no token occurs twice with another in between",
            },
        ),
        (
            [BOS, COMMA, 5, 5],
            OPEN,
            False,
            {"induction": "no token occurs twice with another in between"},
        ),
        (
            [BOS, COMMA, COMMA, COMMA],
            BLOCKED,
            False,
            dict.fromkeys(NAMES, "the masks block every cell that it reads")
            | {"normalised_entropy": "no query may look at two keys"},
        ),
    ],
)
def test_an_undefined_score_is_none_with_a_reason(
    ids: list[int], mask: Mask, specials: bool, reasons: dict[str, str]
) -> None:
    pattern = torch.zeros(4, 4) if mask is BLOCKED else torch.eye(4)
    found = by_name(ids, pattern, mask, specials)
    assert {name: score.reason for name, score in found.items() if score.reason} == reasons
    for score in found.values():
        if score.reason is None:
            assert score.over > 0 and score.value is not None and math.isfinite(score.value)
        else:
            assert (score.value, score.over) == (None, 0)


def test_between_two_texts_only_what_needs_no_common_places_is_scored() -> None:
    g = torch.Generator().manual_seed(3)
    pattern = torch.rand(1, HEADS, 3, 4, generator=g).softmax(-1)
    site = stored(pattern, kind="cross", query_tokens="target_tokens")
    trace = trace_of([5, COMMA, BOS, PAD], sites=(site,), targets=[[4, 5, 5]])
    for scores in head_scores(trace, 0):
        reasons = {name for name, score in scores.scores.items() if score.reason}
        placed = {"previous_token", "next_token", "same_token", "induction"}
        assert reasons >= placed | {"distance", "mean_offset"}
        assert not reasons & {"first_token", "special_mass", "punctuation_mass"}
        assert scores.scores["induction"].reason == "queries and keys come from two texts"
        head = pattern[0, scores.head]
        for key, name in ((0, "first_token"), (1, "punctuation_mass"), (2, "special_mass")):
            score = scores.scores[name]
            assert score.over == 3
            assert score.value == pytest.approx(head[:, key].mean().item())


def test_attention_to_padding_is_neither_special_nor_punctuation() -> None:
    pattern = torch.tensor([[0.5, 0.5, 0.0], [0.25, 0.5, 0.25], [0.0, 0.75, 0.25]])
    found = by_name([PAD, BOS, 4], pattern)
    assert found["special_mass"].value == pytest.approx(0.75)
    assert found["first_token"].value == pytest.approx(0.75)  # the first real one
    assert found["previous_token"].value is None  # [BOS] is not sought
    assert by_name([PAD, 4, 5], pattern, specials=True)["previous_token"] == Score(0.75, 1, None)


@pytest.mark.parametrize("text", [-1, 1])
def test_a_text_that_is_not_there_is_refused(source: NativeSource, text: int) -> None:
    with pytest.raises(InputError, match="texts 0 to 0"):
        head_scores(source.trace(Inputs(("a cat",))), text)


def test_a_pattern_that_is_not_finite_raises() -> None:
    with pytest.raises(NumericsError):
        by_name([4, 5], torch.tensor([[1.0, 0.0], [math.nan, 0.5]]))


# --- sinks and the table ------------------------------------------------------------------------


def test_sink_share_is_of_the_heads_that_have_a_score() -> None:
    values = [0.31, 0.3, 0.9, None]
    heads = [
        HeadScores("layers.0", 0, head, {"first_token": Score(value, 1, None)})
        for head, value in enumerate(values)
    ]
    assert sink_share(heads) == pytest.approx(2 / 3)
    assert sink_share(heads[3:]) is None
    assert sink_share([]) is None


def test_the_table_names_every_metric_once() -> None:
    assert len(set(NAMES)) == len(NAMES)
    for metric in METRICS:
        assert metric.label and metric.definition.endswith(".") and metric.source

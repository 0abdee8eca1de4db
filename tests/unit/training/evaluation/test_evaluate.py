"""The results for a checkpoint: which row counts, which goals are reached, and the table."""

import io
import json
from dataclasses import asdict

import pytest
import torch
from rich.console import Console

from model.training.evaluation import evaluate as evaluation
from model.training.evaluation.evaluate import Best, Measure, Relation, Report, table
from model.training.grammar.grammar import Row

TOKEN, PREDICTING = Best(0.7, 1, 2), Best(0.9, 0, 3)


def relation(counts: Row, token: Best | None = TOKEN, goal: float = 0.8) -> Relation:
    return Relation("id", "verb → subject", token, PREDICTING, counts, goal, "300 sentences")


@pytest.mark.parametrize(
    ("counts", "best", "reached"),
    [("token", TOKEN, False), ("predicting", PREDICTING, True), ("either", PREDICTING, True)],
)
def test_the_row_that_counts_decides(counts: Row, best: Best, reached: bool) -> None:
    assert relation(counts).best == best
    assert relation(counts).reached is reached
    assert relation(counts).at_token is (best == TOKEN)


def test_either_row_counts_with_the_better_one() -> None:
    better = Best(0.95, 2, 2)
    assert relation("either", token=better).best == better
    assert relation("either", token=better).at_token


def test_shares_are_to_be_large_and_nats_small() -> None:
    assert Measure("agreement", 0.98, "share", 0.98, "").reached
    assert not Measure("agreement", 0.97, "share", 0.98, "").reached
    assert Measure("KL", 0.02, "nats", 0.03, "").reached
    assert not Measure("KL", 0.04, "nats", 0.03, "").reached
    assert Measure("KL", 0.04, "nats", None, "").reached is None


def test_the_best_head_is_named_by_layer_and_head() -> None:
    scores = torch.tensor([[0.125, 0.25, 0.5], [0.25, 0.75, 0.5]])
    assert evaluation._best(scores) == Best(0.75, 1, 1)


def test_the_table_shows_every_figure_and_what_is_missed() -> None:
    report = Report(
        [relation("token")],
        [Measure("agreement", 0.985, "share", 0.98, "x"), Measure("KL", 0.04, "nats", None, "y")],
    )
    printed = io.StringIO()
    Console(width=200, file=printed).print(table(report))
    text = printed.getvalue()
    for cell in (
        "0.700 L1H2",
        "0.900 L0H3",
        "≥ 0.80 token",
        " no ",
        "0.985",
        " yes ",
        "0.040 nats",
    ):
        assert cell in text
    assert json.loads(json.dumps(asdict(report)))["relations"][0]["token"]["value"] == 0.7

"""Explanations of a prediction and other attention, through a real server."""

from itertools import pairwise

import pytest

from headlight import Client, RequestError

TEXTS = ["The dogs near the cabinet", "The cat"]
METHODS = (
    "weight norm_weight rollout flow attribution gradient_input integrated_gradients "
    "mean_ablation ablation"
).split()


def test_a_row_for_each_token_and_a_column_for_each_method(hl: Client) -> None:
    run = hl.trace(TEXTS)
    rows = run.explanations(steps=4)
    assert list(rows.columns) == ["text", "key", *METHODS]
    assert [(row["text"], row["key"]) for row in rows] == [
        (text, key) for text, n in enumerate((6, 3)) for key in range(n)
    ]
    assert sum(row["weight"] for row in rows if row["text"] == 0) == pytest.approx(1, abs=1e-5)
    alone = hl.trace(TEXTS[1]).explanations(steps=4)
    for a, b in zip(list(rows)[6:], alone, strict=True):
        for name in ("weight", "ablation", "gradient_input"):
            assert a[name] == pytest.approx(b[name], abs=1e-4)


def test_ablation_is_the_drop_of_the_logit(hl: Client) -> None:
    run = hl.trace(TEXTS[0])
    id = run.predictions[0]["id"]
    rows = run.explanations(token=id, layer=1, head=2, steps=4)
    blocked = hl.trace(TEXTS[0], masks={"blocked": [{"key": 2}]})
    drop = run.logits[-1][id] - blocked.logits[-1][id]
    assert rows[2]["ablation"] == pytest.approx(drop, abs=1e-4)
    pattern = run.site("layers.1").pattern[2][-1]
    assert [row["head_weight"] for row in rows] == pytest.approx(pattern.tolist(), abs=1e-6)


def test_methods_curves_and_agreement_are_of_the_same_explanations(hl: Client) -> None:
    run = hl.trace(TEXTS[0])
    methods = run.explanation_methods(steps=4)
    assert [one["name"] for one in methods] == METHODS
    assert [one["role"] for one in methods][-2:] == ["second reference", "reference"]
    curves = run.explanation_curves(steps=4)
    for one in methods:
        here = [
            row["logit"]
            for row in curves
            if (row["method"], row["curve"]) == (one["name"], "deletion")
        ]
        assert len(here) == 7
        area = sum((a + b) / 2 for a, b in pairwise(here)) / 6
        assert one["deletion_area"] == pytest.approx(area, abs=1e-5)
    assert {row["method"] for row in curves} == {*METHODS, "random"}
    tau = run.explanation_agreement(specials=False, by="size", steps=4)
    assert [row["method"] for row in tau] == METHODS
    assert tau[0]["n_tokens"] == 5
    assert tau[0]["chance"] == 1  # of 120 orders, 2 have |τ| = 1, and 10 have at least 0.8
    few = hl.trace(TEXTS[1]).explanation_agreement(steps=4)
    assert (few[0]["n_tokens"], few[0]["chance"]) == (3, None)
    assert tau[8]["weight"] == tau[0]["ablation"]


def test_another_pattern_keeps_the_answer(hl: Client) -> None:
    rows = hl.trace(TEXTS[0]).other_attention(layer=1, head=2, steps=10)
    assert len(rows) == 6
    assert sum(row["pattern"] for row in rows) == pytest.approx(1, abs=1e-5)
    assert sum(row["other"] for row in rows) == pytest.approx(1, abs=1e-5)
    assert rows[0]["found"] and rows[0]["tvd"] <= 0.05 and rows[0]["jsd"] >= 0.1
    none = hl.trace(TEXTS[0]).other_attention(layer=1, head=2, steps=1, epsilon=0.0)
    assert {row["other"] for row in none} == {None} and not none[0]["found"]


def test_what_is_not_there_is_said(hl: Client) -> None:
    with pytest.raises(RequestError, match="layers 0 to 2"):
        hl.trace(TEXTS[0]).explanations(layer=7)
    with pytest.raises(RequestError, match="at most 64 tokens"):
        hl.trace("cat " * 70).explanations()


def test_old_names_warn_and_give_the_same(hl: Client) -> None:
    run = hl.trace(TEXTS[0])
    with pytest.warns(FutureWarning, match="`court` is now called `explanations`"):
        assert run.court(steps=4).columns == run.explanations(steps=4).columns
    with pytest.warns(FutureWarning, match="`explanation_curves`"):
        old = run.court_curves(steps=4).columns
    new = run.explanation_curves(steps=4).columns
    assert old.pop("witness") == new.pop("method")
    assert old == new
    assert "view=court" in run.link(view="court")  # the page still reads it

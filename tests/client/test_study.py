"""Studies: the patch bench over many pairs, by role, with intervals, through a real server."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headlight import Client, RequestError, Table
from headlight.interventions import patch
from headlight.study import (
    Circuit,
    Pair,
    Study,
    pairs_of,
    read_pairs,
)
from headlight.study.circuit import tasks_of
from headlight.study.pairs import Span
from headlight.study.roles import aligned, roles_of
from headlight.study.study import follows
from headlight.tokens import Token

CLEAN, CORRUPTED = "The {A} saw", "The {B} saw"
FILL = {"A": ["woman", "girl", "queen"], "B": ["man", "boy", "king"]}


def agreeing(n: int) -> list[Pair]:
    """Pairs whose answer agrees with a noun."""
    return pairs_of(CLEAN, CORRUPTED, FILL, answer=" herself", wrong=" himself", n=n)


def token(text: str, start: int, *, special: bool = False) -> Token:
    given = {name: None for name in Token.__slots__}
    end = start if special else start + len(text)
    return Token.of({**given, "text": text, "start": start, "end": end, "special": special})


def tokens(*texts: str) -> list[Token]:
    found, at = [token("[BOS]", 0, special=True)], 0
    for text in texts:
        found.append(token(text, at))
        at += len(text)
    return found


def test_templates_make_pairs_that_differ() -> None:
    pairs = pairs_of(CLEAN, CORRUPTED, FILL, n=9, answer=" {A}")
    assert len({(pair.clean, pair.corrupted) for pair in pairs}) == 9
    assert all(pair.answer == f" {pair.clean.split()[1]}" for pair in pairs)
    assert pairs == pairs_of(CLEAN, CORRUPTED, FILL, n=9, answer=" {A}")
    assert pairs != pairs_of(CLEAN, CORRUPTED, FILL, n=9, answer=" {A}", seed=1)
    same = {"A": ["Mary", "John"], "B": ["John", "Mary"]}
    both = pairs_of("{A} and {B}, {B}", "{A} and {B}, {A}", same, n=2)
    assert {pair.clean for pair in both} == {"Mary and John, John", "John and Mary, Mary"}
    assert both[0].spans[0][2].role == "B (2)" and both[0].spans[1][2].role == "B (2)"
    with pytest.raises(RequestError, match="make 9 different pairs; expected 10") as caught:
        pairs_of(CLEAN, CORRUPTED, FILL, n=10)
    assert caught.value.code == "too_few_pairs"
    with pytest.raises(RequestError, match=r"words for the slot \{B\}; got none"):
        pairs_of(CLEAN, CORRUPTED, {"A": ["x"]})
    for template in ("The {A", "The }", "The {}", "The {A.x}", "The {A!r}", "The {A:9}"):
        with pytest.raises(RequestError, match="Expected slots with names"):
            pairs_of(template, CORRUPTED, FILL)
    [doubled] = pairs_of("The {{{A}}}", "The", {"A": ["x"]}, n=1)
    assert doubled.clean == "The {x}"


def test_tokens_are_aligned_by_role_and_not_by_position() -> None:
    one = tokens("When", " Mary", " and", " Jo", "hn", " and", " Mary")
    other = tokens("When", " Rob", "ert", " and", " Ann", " and", " Ann")
    spans = (Span(5, 9, "A"), Span(14, 18, "B"), Span(23, 27, "A (2)"))
    assert roles_of(one, spans) == [
        *("[BOS]", "“When”", "A", "“and”", "B −1", "B", "“and” (2)", "A (2)")
    ]
    there = (Span(5, 11, "A"), Span(16, 19, "B"), Span(24, 27, "B (2)"))
    pair = Pair("", "", spans=(spans, there))
    pairs, roles = aligned(pair, one, other)
    assert pairs == [(0, 0), (1, 1), (2, 3), (3, 4), (5, 5), (6, 6)]
    assert [roles[at] for _, at in pairs] == ["[BOS]", "“When”", "A", "“and”", "B", "“and” (2)"]
    assert roles_of(one, ())[-2:] == ["-2", "-1"]


def test_means_are_those_of_the_pairs_one_by_one(hl: Client) -> None:
    pairs = agreeing(5)
    study = hl.study(pairs)
    assert repr(study) == "<study of 5 pairs, 0 of which do not follow the rule>"
    assert study.pairs.columns["answer"] == ["herself"] * 5 and not len(study.exceptions)
    added, gap = np.zeros((3, 8)), 0.0
    for pair in pairs:  # each as a caller would ask for it
        alone = hl.trace(pair.corrupted).patching(
            pair.clean, at="head", by="head", token=" herself", against=" himself"
        )
        gap += alone[0]["clean"] - alone[0]["corrupted"]
        for row in alone:
            added[row["layer"], row["head"]] += row["metric"] - row["corrupted"]
    table = study.table
    assert len(table) == 24
    for row in table:
        expected = added[row["layer"], row["head"]] / gap
        assert row["restored"] == pytest.approx(expected, abs=1e-5)
        assert row["low"] - 1e-9 <= row["restored"] <= row["high"] + 1e-9
        assert row["n"] == 5 and 0 <= row["share"] <= 1
    best = max(table, key=lambda row: row["restored"])
    assert best["low"] > 0.05 and best["share"] == 1, "some head carries it in every pair"
    (alone,) = {row["low"] for row in hl.study(pairs[:1]).table}
    assert alone is None  # one pair has no interval


def test_positions_are_roles_and_exceptions_are_told(hl: Client) -> None:
    pairs = agreeing(4)
    wrong = Pair("The man saw", "The woman saw", " herself", " himself", pairs[0].spans)
    study = hl.study([*pairs, wrong], at="resid_pre", by="position")
    assert [row["pair"] for row in study.exceptions] == [4]
    assert study.exceptions[0]["clean_text"] == "The man saw"
    roles = dict.fromkeys(study.table.columns["role"])
    assert list(roles) == ["[BOS]", "“The”", "A", "“saw”"]
    first = {row["role"]: row for row in study.table if row["layer"] == 0}
    assert first["A"]["restored"] == pytest.approx(1, abs=1e-4)  # all that differs
    assert first["“The”"]["restored"] == pytest.approx(0, abs=1e-4)


def told(clean: float, corrupted: float) -> dict[str, object]:
    ids = {"token": {"id": 1}, "against": {"id": 2}}
    return {"clean": clean, "corrupted": corrupted, "pairs": [[0, 0], [1, 2]], **ids}


def test_a_pair_follows_the_rule_or_does_not() -> None:
    answers = {(2.0, 1.0): True, (2.0, 3.0): False, (-1.0, -2.0): False}
    assert {key: follows(told(*key)) for key in answers} == answers
    pairs = [Pair("a b", "a x b")] * 3
    study = Study("head", "head", "logit_difference", tuple(told(*key) for key in answers))
    (task,) = tasks_of(pairs, study)
    assert (task.answer, task.wrong, task.gap) == (1, 2, 1.0)
    assert task.aligned == ((0, 0), (2, 1)), "from the corrupted sentence to the clean one"


def test_a_study_goes_on_where_it_stopped(hl: Client, tmp_path: Path) -> None:
    pairs = agreeing(3)
    path = tmp_path / "study.jsonl"
    hl.study(pairs[:2], keep=path)
    lines = path.read_text().splitlines()
    assert len(lines) == 2
    forged = json.loads(lines[0])
    forged["result"]["clean"] = 99.0  # would show that it was read, not asked again
    path.write_text("\n".join([json.dumps(forged), lines[1], '{"key": "cut o']) + "\n")
    study = hl.study(pairs, keep=path)
    assert study.pairs[0]["clean"] == 99.0
    assert study.pairs[1]["clean"] != 99.0 and len(study.pairs) == 3
    assert hl.study(pairs, keep=path, at="mlp", by="position").pairs[0]["clean"] != 99.0
    other = hl.study(pairs[:1], keep=path, model="sister")  # keeps nothing of this one
    assert other.pairs[0]["clean"] not in (99.0, study.pairs[0]["clean"])


def test_pairs_are_read_from_a_file(tmp_path: Path, hl: Client) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"clean": "a b", "corrupted": "a c", "answer": " d"}\n\n')
    assert read_pairs(path) == [Pair("a b", "a c", " d")]
    path.write_text('{"clean": "a b"}\n')
    with pytest.raises(RequestError, match=r"Line 1 of pairs\.jsonl is no pair"):
        read_pairs(path)
    study = hl.study([("The woman saw", "The man saw")], exact=0)
    (role,) = {row["head"] for row in study.table if row["head"] == 0}
    assert role == 0 and study.table[0]["restored"] is None
    assert study.table[0]["estimate"] is not None


@pytest.mark.parametrize(
    ("pairs", "field", "words"),
    [
        ([], "pairs", "at least one pair"),
        (["The woman saw"], "pairs", "Expected a pair as"),
        ([("a", "b", "c")], "pairs", "Expected a pair as"),
        ([Pair("a b", "a c", " not one token")], "token", "expected one"),
        ([("The woman saw", "The man saw"), ("half \ud800", "a")], "pairs.1", "surrogate"),
    ],
)
def test_what_is_no_pair_is_said(hl: Client, pairs: list[object], field: str, words: str) -> None:
    with pytest.raises(RequestError, match=words) as caught:
        hl.study(pairs)
    assert caught.value.field == field


def test_tables_of_analyses_draw_themselves(hl: Client) -> None:
    pytest.importorskip("matplotlib")
    run = hl.trace("Maria saw herself in the old")
    effects = run.mute_effects()
    (image,) = effects.plot().get_images()
    expected = np.reshape(effects.columns["change"], (3, 8))
    np.testing.assert_allclose(np.asarray(image.get_array()), expected)
    (image,) = run.scores.plot("previous_token").get_images()
    assert np.asarray(image.get_array()).shape == (3, 8)
    parts = run.attribution()
    bars = parts.plot()
    assert len(bars.patches) == 13 and bars.get_xlabel() == "logit"
    (end,) = {float(at) for at in np.asarray(bars.get_lines()[-1].get_xdata())}
    assert end == pytest.approx(sum(parts.columns["value"]), abs=1e-4)
    assert bars.get_yticklabels()[-1].get_text() == f"{len(parts) - 12} others"
    curves = run.explanation_curves()
    methods = set(curves.columns["method"])
    assert len(curves.plot().get_lines()) == 2 * len(methods)
    with pytest.raises(RequestError, match="no picture of its own") as caught:
        run.predictions.plot()
    assert caught.value.code == "no_picture"
    with pytest.raises(RequestError, match="Expected the column to draw"):
        effects.plot("nothing")
    with pytest.raises(RequestError, match="no rows of text 3"):
        effects.plot(text=3)
    html = run.predictions._repr_html_()
    assert html.count("<tr>") == 1 + len(run.predictions) and "<script" not in html
    assert "&lt;b&gt;" in Table({"a": ["<b>"]})._repr_html_()


def test_the_map_of_a_study(hl: Client) -> None:
    pytest.importorskip("matplotlib")
    study = hl.study(agreeing(3))
    axes = study.plot()
    (image,) = axes.get_images()
    expected = np.reshape(study.table.columns["restored"], (3, 8))
    np.testing.assert_allclose(np.asarray(image.get_array()), expected)
    low, high = image.get_clim()
    assert low == -high and axes.get_title() == "head, 3 pairs"


FOUND = pairs_of(
    "When {A} and {B} went to the {place}, {B} gave a {thing} to",
    "When {A} and {B} went to the {place}, {A} gave a {thing} to",
    {
        "A": ["Mary", "John", "Lucy", "Robert"],
        "B": ["Tom", "Maria", "Peter"],
        "place": ["store", "park"],
        "thing": ["drink", "book"],
    },
    answer=" {A}",
    wrong=" {B}",
    n=9,
)


def test_a_circuit_is_found_from_pairs_alone_and_holds_for_others(
    hl: Client, tmp_path: Path
) -> None:
    circuit = hl.find_circuit(FOUND, keep=tmp_path / "kept.jsonl")
    assert len(circuit.heads) < 0.2 * circuit.n_heads == 0.2 * 24
    assert circuit.faithfulness.value >= 0.9 and circuit.held_out.value >= 0.8
    assert circuit.held_out.low <= circuit.held_out.value <= circuit.held_out.high
    assert circuit.without.value < 0.1, "complete: without these heads nothing is left"
    # on held-out pairs by hand: every other head is that of the corrupted sentence
    kept = {(head.layer, head.place) for head in circuit.heads}
    left, gaps = 0.0, 0.0
    for pair in FOUND[-3:]:
        edits = [
            patch(pair.corrupted, layer=layer, head=head)
            for layer in range(3)
            for head in range(8)
            if (layer, head) not in kept
        ]
        leads = []
        for run in (
            hl.trace(pair.clean).intervene(*edits).trace(),
            hl.trace(pair.clean),
            hl.trace(pair.corrupted),
        ):
            logits = run.logits[-1]
            right, wrong = (hl.trace(text or "").tokens[1].id for text in (pair.answer, pair.wrong))
            leads.append(float(logits[right] - logits[wrong]))
        left, gaps = left + leads[0] - leads[2], gaps + leads[1] - leads[2]
    assert circuit.held_out.value == pytest.approx(left / gaps, abs=1e-3)
    added = [row for row in circuit.steps if row["step"] == "add"]
    assert added[-1]["faithfulness"] >= 0.9 > added[-2]["faithfulness"]
    assert {(row["layer"], row["head"]) for row in circuit.table} == kept
    assert all(row["loses"] > 0 for row in circuit.table)
    circuit.save(tmp_path / "circuit.json")
    assert Circuit.load(tmp_path / "circuit.json") == circuit
    assert repr(circuit).startswith(f"<circuit of {len(kept)} of 24 heads (L0H5")


def test_a_circuit_that_cannot_be_found_is_said(hl: Client) -> None:
    with pytest.raises(
        RequestError, match="pairs follow the rule, and 1 of them are held"
    ) as caught:
        hl.find_circuit(FOUND[:3])
    assert caught.value.code == "too_few_pairs"
    with pytest.raises(RequestError, match="a goal above 0"):
        hl.find_circuit(FOUND, goal=0.0)
    with pytest.raises(RequestError, match=r"expected 5\.00\. Choose a lower goal") as caught:
        hl.find_circuit(FOUND, goal=5.0)
    assert caught.value.code == "goal_not_reached"


def test_what_was_not_measured_has_no_interval_and_the_rest_has_its_own(hl: Client) -> None:
    rows = hl.study(agreeing(4), exact=5).table
    measured = [row for row in rows if row["n"] > 1]
    assert len(measured) >= 4
    assert all(row["low"] <= row["restored"] <= row["high"] for row in measured)
    left = [row for row in rows if row["n"] == 0]
    assert left and all(row["restored"] is row["low"] is row["high"] is None for row in left)


def test_attribution_of_many_sentences_is_their_share_of_the_lead(
    hl: Client, tmp_path: Path
) -> None:
    pairs = agreeing(5)
    found = hl.means(pairs, keep=tmp_path / "kept")
    sentences = {pair.clean for pair in pairs}
    assert len(sentences) == 3  # one that stands in several pairs counts once
    sums: dict[tuple[str, int | None, int | None], float] = {}
    lead = 0.0
    for text in sentences:
        rows = hl.trace(text).attribution(token=" herself", against=" himself")
        lead += sum(row["value"] for row in rows)
        for row in rows:
            key = row["kind"], row["layer"], row["head"]
            sums[key] = sums.get(key, 0.0) + row["value"]
    assert {row["n"] for row in found.table} == {3}
    for row in found.table:
        assert row["mean"] == pytest.approx(
            sums[row["kind"], row["layer"], row["head"]] / lead, abs=1e-4
        )
        assert row["low"] <= row["mean"] + 1e-9 and row["mean"] <= row["high"] + 1e-9
    sizes = [abs(row["mean"]) for row in found.table]
    assert sizes == sorted(sizes, reverse=True)
    assert list(hl.means(pairs, keep=tmp_path / "kept").table) == list(found.table)
    assert len((tmp_path / "kept").read_text().splitlines()) == 3


def test_mutes_of_many_sentences_are_means_in_nats(hl: Client) -> None:
    pairs = agreeing(3)
    found = hl.means(pairs, "mutes")
    changes = [
        {
            (row["layer"], row["head"]): row["change"]
            for row in hl.trace(pair.clean).mute_effects(token=" herself")
        }
        for pair in pairs
    ]
    for row in found.table:
        expected = np.mean([each[row["layer"], row["head"]] for each in changes])
        assert row["mean"] == pytest.approx(expected, abs=1e-4)
    pytest.importorskip("matplotlib")
    assert found.plot().get_title() == "mutes, 3 sentences"


def sender(row: Mapping[str, Any]) -> str:
    """The part that an edge begins at, as means name it."""
    layer = row["sender_layer"]
    if row["sender_head"] is not None:
        return f"L{layer}H{row['sender_head']}"
    return str(row["sender"]) if layer is None else f"{row['sender']} {layer}"


def named(edge: Mapping[str, Any], roles: Mapping[str, str]) -> list[str]:
    """Both ends of an edge of the API, as means name them."""
    found = []
    for end in (edge["sender"], edge["receiver"]):
        part, role = end["part"], roles[str(end["position"])]
        columns = part or {"kind": "logit", "layer": None, "head": None}
        own = {"sender": columns["kind"], "sender_layer": columns["layer"]}
        found.append(f"{sender({**own, 'sender_head': columns['head']})} at {role}")
    return found


def test_paths_of_many_sentences_go_from_role_to_role(hl: Client) -> None:
    pairs = agreeing(3)
    found = hl.means(pairs, "paths")
    rows = list(found.table)
    assert any(" at A" in row["sender"] for row in rows)
    into = [row for row in rows if row["through"] == "logit"]
    assert all(row["receiver"] == "logit at “saw”" for row in into)
    lead = moved = 0.0
    best = max(into, key=lambda row: row["mean"])
    for pair in pairs:
        run = hl.trace(pair.clean)
        lead += sum(row["value"] for row in run.attribution(token=" herself", against=" himself"))
        edges = run.paths(token=" herself", against=" himself")
        moved += sum(
            row["moved"]
            for row in edges
            if row["receiver"] == "logit" and best["sender"].startswith(f"{sender(row)} at ")
        )
    assert best["mean"] == pytest.approx(moved / lead, abs=0.02)
    # an edge that some sentences do not list carries nothing there, but their leads count
    leads = [result["lead"] for result in found.results]
    assert lead == pytest.approx(sum(leads), abs=1e-3)
    rare = next(row for row in rows if row["n"] == 1)
    [moves] = [
        edge["moved"]
        for result in found.results
        for edge in result["edges"]
        if [edge["through"], *named(edge, result["roles"])]
        == [rare["through"], rare["sender"], rare["receiver"]]
    ]
    assert rare["mean"] == pytest.approx(moves / sum(leads), abs=1e-5)
    with pytest.raises(RequestError, match="no map"):
        found.plot()
    with pytest.raises(RequestError, match="one of attribution, mutes, paths"):
        hl.means(pairs, "wishes")  # type: ignore[arg-type]


def test_a_study_of_another_answer(hl: Client) -> None:
    pairs = [
        ("Mary saw herself in the mirror.", "Mary saw the mirror in herself."),
        ("The cat sat on the mat.", "The mat sat on the cat."),
    ]
    by_hand = hl.trace([text for pair in pairs for text in pair], answer="loss").measured()
    found = hl.study(pairs, answer="loss")
    for n, row in enumerate(found.pairs):
        assert (row["answer"], row["wrong"], row["follows"]) == ("this text", "another text", True)
        clean, corrupted = (np.exp(-by_hand[2 * n + side]) for side in (0, 1))
        assert row["clean"] == pytest.approx(np.log(clean / (1 - clean)), abs=1e-3)
        assert row["corrupted"] == pytest.approx(np.log(corrupted / (1 - corrupted)), abs=1e-3)
    [alone] = [one for one in found.table if (one["layer"], one["head"]) == (0, 2)]
    assert alone["restored"] is not None
    mutes = hl.means(pairs, "mutes", answer={"kind": "similarity", "texts": ["The dog ran."]})
    assert {row["answer"] for row in mutes.pairs} == {"The dog ran."}
    assert max(abs(row["mean"]) for row in mutes.table) > 1e-3
    same = hl.study([("a cat", "a cat")], answer="loss")
    assert [row["follows"] for row in same.pairs] == [False]  # nothing to bring back

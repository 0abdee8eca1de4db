"""Circuits of edges, found from pairs alone, beside what the API says of each pair."""

import json
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headlight import Client, RequestError
from headlight.study import EdgeCircuit, pairs_of
from tests.client.test_study import agreeing


def edges_of(hl: Client, text: str, asked: dict[str, Any]) -> Any:
    body = {"texts": [text], "select": {"layers": []}, "analyse": {"edges": asked}}
    call = urllib.request.Request(
        f"{hl.address}/api/trace", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    return json.loads(urllib.request.urlopen(call).read())["edges"]


def ends_of(edge: Mapping[str, Any]) -> tuple[str, str, str]:
    def name(part: Any) -> str:
        if part is None or part["kind"] == "embedding":
            return "logit" if part is None else "tokens"
        layer, head = part["layer"], part["head"]
        return f"mlp {layer}" if head is None else f"L{layer}H{head}"

    return name(edge["sender"]), name(edge["receiver"]), edge["through"]


def test_a_circuit_of_edges_is_found_from_pairs_alone(hl: Client, tmp_path: Path) -> None:
    names, clean = ["Mary", "John", "Anna", "Tom", "Lucy", "Ben"], "When {A} and {B} went to the"
    pairs = pairs_of(
        f"{clean} {{place}}, {{B}} gave a {{thing}} to",
        f"{clean} {{place}}, {{A}} gave a {{thing}} to",
        {"A": names, "B": names, "place": ["store", "park"], "thing": ["book", "ball"]},
        answer=" {A}",
        wrong=" {B}",
        n=9,
        seed=4,
    )
    found = hl.find_edges(pairs, goal=0.95, keep=tmp_path / "edges.jsonl")
    assert len(found.edges) < 0.05 * found.n_edges and found.n_edges == 802
    assert found.faithfulness.value >= 0.95 and found.held_out.value >= 0.9
    assert abs(found.without.value) < 0.1  # nothing else does it
    assert {"L0H5", "L0H4", "L2H3"} <= set(found.heads)
    assert ("tokens", "L0H5", "v") in found.edges and ("mlp 2", "logit", "logit") in found.edges
    assert str(found.edges[0]) == "mlp 2 → logit"
    assert [row["edges"] for row in found.steps if row["step"] == "add"][:3] == [1, 2, 3]
    estimates = found.table.columns["mean"]
    assert estimates == sorted(estimates, reverse=True) and 0 < estimates[-1] < estimates[0] < 1
    # what is left on the held-out pairs, asked by hand
    effects, gaps = [], []
    for pair in pairs[-3:]:
        words = [str(pair.answer), str(pair.wrong)]
        token, against = (hl.trace(word).tokens[-1].id for word in words)
        asked = {"corrupted": pair.corrupted, "token": token, "against": against, "listed": 900}
        [told] = edges_of(hl, pair.clean, asked)
        ids = [edge["id"] for edge in told["edges"] if ends_of(edge) in found.edges]
        assert len(ids) == len(found.edges)
        [told] = edges_of(hl, pair.clean, {**asked, "sets": [ids], "without": [ids]})
        effects.append([lead - told["corrupted"] for lead in told["leads"]])
        gaps.append(told["clean"] - told["corrupted"])
    shares = np.sum(effects, axis=0) / sum(gaps)
    assert (found.held_out.value, found.without.value) == pytest.approx(tuple(shares), abs=1e-5)
    found.save(tmp_path / "circuit.json")
    assert EdgeCircuit.load(tmp_path / "circuit.json") == found
    with pytest.raises(RequestError, match="a goal above 0"):
        hl.find_edges(pairs, goal=0.0)
    with pytest.raises(RequestError, match="Choose a lower goal"):
        hl.find_edges(pairs[:4], goal=9.0, keep=tmp_path / "edges.jsonl")


def test_tokens_are_aligned_by_role_in_sentences_of_different_lengths(hl: Client) -> None:
    fill = {"A": ["woman", "girl", "queen"], "B": ["man", "boy", "king"]}
    pairs = pairs_of(
        "The {A} saw", "The old {B} saw", fill, answer=" herself", wrong=" himself", n=6
    )
    found = hl.find_edges(pairs, goal=0.8)
    assert found.faithfulness.value >= 0.8 and found.n_edges == 802


def test_edges_of_pairs_without_a_named_answer_are_of_the_likeliest_tokens(hl: Client) -> None:
    pairs = [(pair.clean, pair.corrupted) for pair in agreeing(6)]
    found = hl.find_edges(pairs, goal=0.8)
    assert found.faithfulness.value >= 0.8
    assert found.edges == hl.find_edges(agreeing(6), goal=0.8).edges
    one, other = hl.trace("The woman saw"), hl.trace("The man saw")
    assert [run.predictions[0]["token"] for run in (one, other)] == ["herself", "himself"]

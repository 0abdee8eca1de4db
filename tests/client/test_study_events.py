"""POST /api/study, from which the page takes its studies, beside what the client finds itself."""

import json
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError

import pytest

from headlight import Client
from headlight.study import Pair, pairs_of

ASKED: dict[str, Any] = {
    "clean": "The {A} saw",
    "corrupted": "The {B} saw",
    "fill": {"A": ["woman", "girl", "queen"], "B": ["man", "boy", "king"]},
    "answer": " herself",
    "wrong": " himself",
    "n": 4,
}


def events(address: str, asked: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    with posted(address, asked) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        for block in response.read().decode().strip().split("\n\n"):
            name, data = block.split("\n")
            yield name.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def posted(address: str, asked: dict[str, Any]) -> Any:
    headers = {"Content-Type": "application/json"}
    url, body = f"{address}/api/study", json.dumps(asked).encode()
    return urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=60)


def refused(address: str, asked: dict[str, Any]) -> tuple[str, str]:
    with pytest.raises(HTTPError) as caught:
        posted(address, asked)
    error = json.loads(caught.value.read())["error"]
    return error["code"], error["field"]


def made() -> list[Pair]:
    rest = dict(ASKED)
    return pairs_of(rest.pop("clean"), rest.pop("corrupted"), rest.pop("fill"), **rest)


def test_a_study_is_what_the_client_finds(address: str, hl: Client) -> None:
    told = list(events(address, {"templates": ASKED}))
    names = [name for name, _ in told if name != "beat"]
    assert names[0] == "begin" and names[-2:] == ["table", "end"] and names.count("pair") == 4
    assert told[0][1] == {"model": "shipped", "of": "patching", "n": 4}
    expected = hl.study(made())
    table = next(data for name, data in reversed(told) if name == "table")
    assert table["n"] == 4
    for row, own in zip(table["rows"], expected.table, strict=True):
        assert (row["layer"], row["head"], row["n"]) == (own["layer"], own["head"], own["n"])
        assert (row["mean"], row["low"], row["high"], row["estimate"]) == pytest.approx(
            (own["restored"], own["low"], own["high"], own["estimate"]), abs=1e-5
        )
    pairs = [data for name, data in told if name == "pair"]
    for n, (data, pair, row) in enumerate(zip(pairs, made(), expected.pairs, strict=True)):
        about = data["pair"]
        assert about["pair"] == n
        assert (about["clean"], about["corrupted"]) == (pair.clean, pair.corrupted)
        assert about["lead"] == pytest.approx(row["clean"], abs=1e-5)
        assert about["corrupted_lead"] == pytest.approx(row["corrupted"], abs=1e-5)
        assert about["follows"] is row["follows"] is True
        assert len(data["rows"]) == len(table["rows"])


def test_roles_and_what_is_asked_of_clean_sentences_alone(address: str, hl: Client) -> None:
    asked = {"templates": {**ASKED, "n": 2}, "at": "resid_pre", "by": "position", "exact": 0}
    table = [data for name, data in events(address, asked) if name == "table"][-1]
    assert {row["role"] for row in table["rows"]} >= {"A", "“saw”"}
    assert all(row["mean"] is None and row["estimate"] is not None for row in table["rows"])
    for of in ("attribution", "mutes", "paths"):
        given = [vars(pair) for pair in made()[:2]]
        pairs = [{name: pair[name] for name in ("clean", "corrupted")} for pair in given]
        pairs += pairs[:1]  # a sentence that counts once
        told = list(events(address, {"pairs": pairs, "of": of}))
        rows = [data for name, data in told if name == "table"][-1]["rows"]
        expected = hl.means([(pair.clean, pair.corrupted) for pair in made()[:2]], of).table
        assert len(rows) == len(expected)
        assert [row["mean"] for row in rows] == pytest.approx(expected.columns["mean"], abs=1e-5)
        begun, pairs_told = told[0][1]["n"], [data for name, data in told if name == "pair"]
        assert begun == len(pairs_told) == len({pair["clean"] for pair in pairs})
        first = pairs_told[0]["pair"]
        assert first["follows"] and first["corrupted"] is first["corrupted_lead"] is None


def test_a_circuit_is_searched_and_each_step_is_told(address: str, hl: Client) -> None:
    asked = {"templates": {**ASKED, "n": 6}, "of": "circuit", "goal": 0.8}
    told = list(events(address, asked))
    rest = dict(ASKED) | {"n": 6}
    pairs = pairs_of(rest.pop("clean"), rest.pop("corrupted"), rest.pop("fill"), **rest)
    expected = hl.find_edges(pairs, goal=0.8)
    assert told[-1][0] == "end" and told[-2][0] == "circuit"
    found = told[-2][1]
    assert found["n_edges"] == expected.n_edges
    assert [(edge["sender"], edge["receiver"], edge["through"]) for edge in found["edges"]] == list(
        expected.edges
    )
    for name in ("faithfulness", "held_out", "without"):
        assert found[name] == pytest.approx(list(getattr(expected, name)), abs=1e-5)
    assert [data for name, data in told if name == "step"] == [
        {**row, "faithfulness": pytest.approx(row["faithfulness"], abs=1e-5)}
        for row in expected.steps
    ]
    table = [data for name, data in told if name == "table"][-1]
    means = [row["mean"] for row in table["rows"]]
    assert table["n"] == 6 and means == sorted(means, reverse=True) and "sender" in table["rows"][0]
    assert sum(name == "pair" for name, _ in told) == 6


def test_pairs_that_break_the_rule_are_told_and_left_out(address: str) -> None:
    usual = {"answer": " herself", "wrong": " himself"}
    pairs = [
        {"clean": "The woman saw", "corrupted": "The man saw", **usual},
        {"clean": "The man saw", "corrupted": "The woman saw", **usual},
    ]
    told = list(events(address, {"pairs": pairs}))
    follows = [data["pair"]["follows"] for name, data in told if name == "pair"]
    assert follows == [True, False]
    assert [data["n"] for name, data in told if name == "table"][-1] == 1
    assert [len(data["rows"]) > 0 for name, data in told if name == "pair"] == [True, False]


def test_what_is_wrong_is_said_before_it_begins_or_as_an_event(address: str) -> None:
    assert refused(address, {})[0] == "invalid_value"
    assert refused(address, {"templates": ASKED, "pairs": [ASKED]})[0]
    assert refused(address, {"templates": {**ASKED, "fill": {}}}) == (
        "missing_field",
        "templates.fill.A",
    )
    assert refused(address, {"templates": {**ASKED, "clean": "The {A"}}) == (
        "invalid_value",
        "templates.clean",
    )
    assert refused(address, {"templates": {**ASKED, "n": 90}}) == ("too_few_pairs", "templates.n")
    assert refused(address, {"pairs": []})[1] == "pairs"
    assert refused(address, {"templates": ASKED, "model": "nobody"})[0] == "unknown_model"
    told = list(events(address, {"templates": {**ASKED, "answer": " her self"}}))
    name, data = told[-1]
    assert name == "error" and data["status"] == 422
    assert "as 4 tokens" in data["error"]["message"]
    long = {"clean": "猫" * 1_900, "corrupted": "The woman"}
    name, data = list(events(address, {"pairs": [{"clean": "A", "corrupted": "B"}, long]}))[-1]
    assert name == "error" and data["error"]["field"] == "pairs.1"


def test_a_study_that_was_stopped_goes_on(address: str) -> None:
    asked = {"templates": {**ASKED, "n": 9, "seed": 3}}
    with posted(address, asked) as response:
        while response.readline() != b"event: pair\n":
            pass
    again = list(events(address, asked))
    assert [name for name, _ in again if name == "pair"] == ["pair"] * 9
    before = looked(address)
    list(events(address, asked))  # all of it is known now
    assert looked(address) - before == 2  # the ids of both answers


def looked(address: str) -> float:
    """How often the server has looked for a trace."""
    metrics = urllib.request.urlopen(f"{address}/metrics").read()
    return sum(
        float(line.rpartition(" ")[2])
        for line in metrics.decode().splitlines()
        if line.startswith(("headlight_cache_hits_total", "headlight_cache_misses_total"))
    )


def test_another_answer_is_studied(address: str, hl: Client) -> None:
    pairs = [("Mary saw herself in the mirror.", "Mary saw the mirror in herself.")]
    given = [{"clean": clean, "corrupted": corrupted} for clean, corrupted in pairs]
    asked = {"pairs": given, "answer": {"kind": "entropy"}}
    told = [data for name, data in events(address, asked) if name == "pair"]
    [row] = hl.study(pairs, answer="entropy").pairs
    assert told[0]["pair"]["answer"] == "sure" and told[0]["pair"]["follows"]
    assert told[0]["pair"]["lead"] == pytest.approx(row["clean"], abs=1e-5)
    like = {"kind": "similarity", "texts": []}
    assert refused(address, {"pairs": given, "answer": like})[1] == "answer.texts"

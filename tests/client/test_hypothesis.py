"""Statements about a head, held against all queries of some texts, through a real server."""

import numpy as np
import pytest

from headlight import Client, RequestError
from headlight.study import hypothesis
from headlight.tokens import Token

TEXTS = [
    "Maria saw herself in the old mirror near the green hill.",
    "The cat sat on the mat and the dogs ran to the house.",
    "When Mary and John went to the store, John gave a drink to Mary.",
]


def test_a_statement_is_held_against_every_query(hl: Client) -> None:
    run = hl.trace(TEXTS)
    found = hypothesis(run, {-1}, layer=0, head=2)  # labelled "previous token"
    shares, chances, queries = [], [], 0
    for text in TEXTS:
        one = hl.trace(text)
        pattern = one.site("layers.0").pattern[2]
        n = len(one.tokens)  # the first is special
        shares.append([pattern[query, query - 1] for query in range(1, n)])
        chances.append(np.mean([1 / (query + 1) for query in range(1, n)]))
        queries += n - 1
    means = [np.mean(each) for each in shares]
    assert found.share.value == pytest.approx(np.mean(means), abs=1e-6)
    assert min(means) - 1e-6 <= found.share.low <= found.share.value <= found.share.high
    assert found.chance == pytest.approx(np.mean(chances))
    expected = (np.mean(means) - found.chance) / (1 - found.chance)
    assert found.explained.value == pytest.approx(expected, abs=1e-6) and expected > 0.5
    assert (found.n, found.speaks) == (queries, 1.0)
    assert sum(found.deciles.columns["n"]) == queries and len(found.deciles) == 10
    active = found.deciles.columns["active"]
    assert active == sorted(active)
    assert found.deciles.columns["share"][-1] > 0.5, "also where the head does most"
    worst = found.misses[0]
    assert worst["elsewhere"] == max(found.misses.columns["elsewhere"])
    pattern = run[worst["text"]].site("layers.0").pattern[2]
    assert worst["weight"] == pytest.approx(
        max(
            weight
            for key, weight in enumerate(pattern[worst["query"]])
            if key not in (0, worst["query"] - 1)
        ),
        abs=1e-6,
    )


def test_a_wrong_statement_is_at_chance(hl: Client) -> None:
    run = hl.trace(TEXTS)
    wrong = hypothesis(run, {-3}, layer=0, head=2)
    assert wrong.explained.high < 0.05
    even = hypothesis(run, {-1}, layer=0, head=0)
    assert abs(even.explained.value) < 0.1


def test_a_statement_may_speak_of_few_queries(hl: Client) -> None:
    def same(tokens: list[Token]) -> list[list[bool]]:
        """Each word looks at itself, where it stood before."""
        texts = [token.strip().lower() for token in tokens]
        return [
            [key < query and texts[key] == texts[query] for key in range(len(texts))]
            for query in range(len(texts))
        ]

    found = hypothesis(hl.trace(TEXTS), same, layer=0, head=5)
    assert 0 < found.speaks < 0.5 and found.n < 15
    assert len(found.deciles) == min(10, found.n)
    assert repr(found).startswith("<hypothesis: share ")
    alone = hypothesis(hl.trace(TEXTS[1]), same, layer=0, head=5)
    assert np.isnan(alone.share.low) and alone.share.value > 0  # one text has no interval


def test_what_cannot_be_held_against_anything_is_said(hl: Client) -> None:
    run = hl.trace(TEXTS)
    with pytest.raises(RequestError, match="marks none, or all") as caught:
        hypothesis(run, {5}, layer=0, head=2)  # ahead, which the mask hides
    assert caught.value.code == "nothing_marked"
    with pytest.raises(RequestError, match="heads 0 to 7; got 8"):
        hypothesis(run, {-1}, layer=0, head=8)
    with pytest.raises(RequestError, match=r"has the sites layers\.0"):
        hypothesis(run, {-1}, layer=9, head=0)

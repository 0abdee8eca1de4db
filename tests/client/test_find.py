"""Heads that look where a function says, against plain loops."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import headlight
from headlight import Client, RequestError
from headlight.http.connection import Connection

TEXTS = ["The keys near the old cabinet are old.", "Maria saw the cat."]


def before(tokens: Sequence[str]) -> list[list[bool]]:
    n = len(tokens)
    return [[key == query - 1 for key in range(n)] for query in range(n)]


def test_heads_are_ranked_by_what_exceeds_chance(hl: Client) -> None:
    run = hl.trace(TEXTS)
    found = headlight.find_heads(run, before)
    assert len(found) == 24
    assert (found[0]["site"], found[0]["head"]) == ("layers.0", 2)  # the previous-token head
    lifts = found.columns["lift"]
    assert lifts == sorted(lifts, reverse=True)
    for row in (found[0], found[9], found[-1]):
        shares, chances = [], []
        for one in run:
            pattern = one.site(row["site"]).pattern[row["head"]]
            n = len(one.tokens)
            shares.append(sum(float(pattern[i][i - 1]) for i in range(1, n)) / (n - 1))
            chances.append(sum(1 / (i + 1) for i in range(1, n)) / (n - 1))
        assert row["share"] == pytest.approx(sum(shares) / 2, abs=1e-5)
        assert row["chance"] == pytest.approx(sum(chances) / 2, abs=1e-5)
        assert row["lift"] == pytest.approx(row["share"] - row["chance"])
        assert row["over"] == sum(len(one.tokens) - 1 for one in run)


def test_a_picture_or_a_set_of_offsets_says_the_same_as_a_function(hl: Client) -> None:
    run = hl.trace(TEXTS)
    assert headlight.find_heads(run, {-1}) == headlight.find_heads(run, before)
    both = headlight.find_heads(run, {-1, -2})
    assert both == headlight.find_heads(
        run,
        lambda tokens: [
            [key in (q - 1, q - 2) for key, _ in enumerate(tokens)] for q, _ in enumerate(tokens)
        ],
    )
    one = hl.trace(TEXTS[1])
    picture = np.eye(len(one.tokens), k=-1)
    assert headlight.find_heads(one, picture) == headlight.find_heads(one, before)
    with pytest.raises(RequestError, match="Expected a matrix of"):
        headlight.find_heads(run, picture)  # of the other text
    with pytest.raises(RequestError, match="Expected a matrix that marks"):
        headlight.find_heads(run, set())


def test_a_match_is_of_one_text_of_the_run(hl: Client) -> None:
    run = hl.trace(TEXTS)
    n = len(run[1].tokens)
    cells = [(query, query - 1) for query in range(1, n)]
    found = run.match(cells, text=1)
    assert len(found) == 24
    alone = headlight.find_heads(hl.trace(TEXTS[1]), before)
    for mine, theirs in zip(found, alone, strict=True):
        assert (mine["site"], mine["head"]) == (theirs["site"], theirs["head"])
        assert mine["lift"] == pytest.approx(theirs["lift"], abs=1e-5)
        assert (mine["over"], mine["reason"]) == (n - 1, None)
    assert {row["reason"] for row in run.match([(0, 0)])} == {
        "where a query has paint, every key that it may look at is painted"
    }
    with pytest.raises(RequestError, match="texts 0 to 1; got 2"):
        run.match(cells, text=2)
    with pytest.raises(RequestError, match="at least 1"):
        run.match([])


@pytest.mark.parametrize(
    ("matrix", "code"),
    [
        ([[True]], "invalid_matrix"),
        (True, "invalid_matrix"),
        ([[0] * 6] * 6, "nothing_marked"),
        ([[1] * 6] * 6, "nothing_marked"),
        ([[0], [0, 1]], "invalid_matrix"),
    ],
)
def test_a_matrix_that_finds_nothing_is_refused(hl: Client, matrix: object, code: str) -> None:
    with pytest.raises(RequestError, match="Expected a matrix") as caught:
        headlight.find_heads(hl.trace(TEXTS[1]), lambda tokens: matrix)
    assert caught.value.code == code


def test_the_patterns_are_fetched_together(hl: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """One by one, each site of each text would be a request."""
    run, asked = hl.trace(TEXTS), []
    trace = Connection.trace

    def counted(connection: Connection, body: Any) -> Any:
        asked.append(body)
        return trace(connection, body)

    monkeypatch.setattr(Connection, "trace", counted)
    first = headlight.find_heads(run, {-1})
    assert len(asked) == 1
    assert headlight.find_heads(run, {-1}) == first and len(asked) == 1  # all is here now
    run.fetch("pattern", "blocked_by")
    assert len(asked) == 1

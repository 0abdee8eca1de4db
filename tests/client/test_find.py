"""Heads that look where a function says, against plain loops."""

from collections.abc import Sequence

import pytest

import headlight
from headlight import Client, RequestError

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

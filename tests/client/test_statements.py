"""Statements of what heads do, held against other texts than they were chosen on."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from headlight import Client
from headlight.study import STATEMENTS, hypothesis, statements
from headlight.study.find import matrix_of, painted
from headlight.tokens import Token
from tests.client.test_study import tokens


def test_statements_are_chosen_on_some_texts_and_held_against_others(hl: Client) -> None:
    texts = ["The cat sat on the mat, and the dog sat on the log.", "The man saw the old dog."]
    others = ["The boy saw the girl, and the girl saw the boy.", "The queen sat on the old mat."]
    one, other = hl.trace(texts), hl.trace(others)
    rows = statements(one, other)
    assert [(row["layer"], row["head"]) for row in rows] == [
        (layer, head) for layer in range(3) for head in range(8)
    ]
    for row in rows:
        told = hypothesis(other, STATEMENTS[row["looks_at"]], layer=row["layer"], head=row["head"])
        assert (row["explained"], row["speaks"]) == (told.explained.value, told.speaks)
        if row["also"] is not None:
            assert row["also"] != row["looks_at"]
    [before] = [row for row in rows if (row["layer"], row["head"]) == (0, 2)]
    assert before["looks_at"] in ("the token before", "one of the three tokens before")
    assert before["explained"] > 0.5 > before["chance"]
    # the best of some queries only counts for the others, too
    few = statements(one, other, {"itself": {0}, "none": {-40}})
    assert {row["looks_at"] for row in few} == {"itself"}


def test_a_statement_that_speaks_of_few_queries_is_a_second_one(hl: Client) -> None:
    one = hl.trace("The cat sat on the mat, and the dog sat on the log.")
    looks = one.pattern[0, 2]
    best = int((looks - np.eye(len(looks)))[2:].max(axis=1).argmax()) + 2

    def one_query(tokens: Sequence[Token]) -> NDArray[np.bool_]:
        found = np.zeros((len(tokens), len(tokens)), dtype=bool)
        found[best, int(looks[best].argmax())] = True
        return found

    [row] = [
        row
        for row in statements(one, one, {"before": {-1}, "one query": one_query})
        if (row["layer"], row["head"]) == (0, 2)
    ]
    assert (row["looks_at"], row["also"]) == ("before", "one query")
    assert row["also_explained"] > row["explained"] and row["also_speaks"] < 0.1


def test_each_statement_marks_what_it_says() -> None:
    given = tokens("the", " cat", ",", " the", " Cat")
    marked = {
        name: [sorted(np.flatnonzero(row)) for row in matrix_of(painted(wanted, given), len(given))]
        for name, wanted in STATEMENTS.items()
    }
    assert marked["the token before"][1:] == [[0], [1], [2], [3], [4]]
    assert marked["the first token"] == [[0]] * 6
    assert marked["the same token earlier"] == [[], [], [], [], [1], [2]]
    assert marked["what followed the same token earlier"] == [[], [], [], [], [2], [3]]
    assert marked["the last punctuation mark"] == [[], [], [], [3], [3], [3]]
    assert marked["one of the three tokens before"][5] == [2, 3, 4]

"""Statements of what heads do, held against other texts than they were chosen on."""

import numpy as np

from headlight import Client
from headlight.study import STATEMENTS, hypothesis, statements
from headlight.study.find import matrix_of, painted
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

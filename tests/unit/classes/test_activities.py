"""What each kind of activity takes, hides and counts."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from server.classes.activities import KINDS, Said
from server.classes.activities.board import name_of
from server.classes.activities.drawing import shares
from server.classes.activities.kind import percent

TRUTH = [[1.0, 0.0, 0.0], [0.9, 0.1, 0.0], [0.0, 1.0, 0.0]]
QUESTIONS: dict[str, dict[str, Any]] = {
    "vote": {"text": "Which?", "choices": ["a", "b", "c"], "correct": 2},
    "drawing": {"text": "Draw.", "tokens": ["a", "b", "c"], "causal": True, "truth": TRUTH},
    "hunt": {"text": "Find.", "truth": [[1, 2], [0, 3]]},
    "detective": {"text": "Who?", "options": ["x", "y"], "correct": 0},
    "bets": {"text": "Bet.", "layer": 0, "head": 1, "token": "a", "before": 0.7, "truth": 0.2},
    "wall": {"text": "Show."},
    "board": {"text": "Ask."},
    "work": {},
    "questions": {},
}
ANSWERS: dict[str, dict[str, Any]] = {
    "vote": {"choice": 1},
    "drawing": {"cells": [[3, 0, 0], [1, 1, 0], [0, 0, 2]]},
    "hunt": {"layer": 1, "head": 2, "cell": [3, 1], "effect": -12.5},
    "detective": {"choice": 0},
    "bets": {"after": 0.25},
    "board": {"text": "Why?"},
    "work": {"choice": "text=a&layer=1", "thumb": [[0, 255], [7, 9]]},
    "wall": {"choice": "text=a&layer=1", "sentence": "Look here.", "thumb": [[0, 255], [7, 9]]},
    "questions": {"place": "inspector:grid", "note": "Why so dark?"},
}


def question(kind: str) -> Any:
    return KINDS[kind].Question.model_validate(QUESTIONS[kind])


def said(kind: str, answer: dict[str, Any], person: str = "p", at: int = 0, **more: Any) -> Said:
    return Said(
        KINDS[kind].Answer.model_validate(answer), person, more.pop("item", "0"), at, **more
    )


def results(kind: str, *rounds: list[Said], started: int = 0) -> Any:
    return KINDS[kind].results(question(kind), list(rounds), started)


def test_every_kind_is_tried_here() -> None:
    assert set(QUESTIONS) == set(ANSWERS) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [0, 1, 500])
def test_results_of_nobody_one_and_many(kind: str, n: int) -> None:
    answers = [said(kind, ANSWERS[kind], f"p{index}", index) for index in range(n)]
    found = results(kind, answers, [])
    if "n" in found:
        assert found["n"] in (n, [n, 0], 0)  # drawings, hunts and bets show the last round
    again = results(kind, answers, [])
    assert found == again


@pytest.mark.parametrize("kind", KINDS)
def test_private_fields_are_hidden_until_the_reveal(kind: str) -> None:
    row, asked = KINDS[kind], question(kind)
    hidden, shown = (row.public(asked, revealed=revealed) for revealed in (False, True))
    assert not row.private & hidden.keys()
    assert row.private <= shown.keys()
    assert not ({"truth", "correct"} & set(asked.model_dump())) - row.private


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wrong", [{}, {"more": 1}, {"choice": "1"}, {"after": float("nan")}])
def test_answers_of_another_form_are_refused(kind: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        KINDS[kind].Answer.model_validate({**wrong, "extra": None})


@pytest.mark.parametrize(("kind", "field"), [("vote", "choices"), ("detective", "options")])
def test_answers_to_choose_from_differ(kind: str, field: str) -> None:
    asked = {**QUESTIONS[kind], field: ["same", "other", "same"]}
    with pytest.raises(ValidationError, match="differ; got “same” more than once"):
        KINDS[kind].Question.model_validate(asked)


@pytest.mark.parametrize(
    ("kind", "answer", "words"),
    [
        ("vote", {"choice": 3}, "expected one of 0 to 2; got 3"),
        ("detective", {"choice": 2}, "expected one of 0 to 1; got 2"),
        ("drawing", {"cells": [[1]]}, "expected 3 rows of 3 cells"),
        ("drawing", {"cells": [[0, 1, 0], [0] * 3, [0] * 3]}, "above the diagonal"),
        ("wall", {**ANSWERS["wall"], "thumb": [[1], [1, 2]]}, "rows of one length"),
        ("board", {"text": "a", "up": "0" * 12}, "a text or a vote"),
        ("board", {}, "a text or a vote"),
    ],
)
def test_answers_that_the_question_rules_out(kind: str, answer: Any, words: str) -> None:
    row = KINDS[kind]
    row.check(question(kind), row.Answer.model_validate(ANSWERS[kind]))
    with pytest.raises(ValueError, match=words):
        row.check(question(kind), row.Answer.model_validate(answer))


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("vote", {"correct": 3}),
        ("detective", {"correct": 2}),
        ("drawing", {"truth": [[1.0]]}),
        ("drawing", {"tokens": ["a"] * 9}),
        ("bets", {"truth": 1.1}),
        ("hunt", {"truth": []}),
        ("wall", {"text": " "}),
    ],
)
def test_questions_that_make_no_sense_are_refused(kind: str, change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        KINDS[kind].Question.model_validate({**QUESTIONS[kind], **change})


@given(st.lists(st.integers(0, 2), max_size=40), st.lists(st.integers(0, 2), max_size=40))
def test_votes_add_up_in_any_order(first: list[int], second: list[int]) -> None:
    rounds = [[said("vote", {"choice": each}) for each in chosen] for chosen in (first, second)]
    found = results("vote", *rounds)
    assert found["n"] == [len(first), len(second)]
    assert found["rounds"] == [
        [each.count(index) for index in range(3)] for each in (first, second)
    ]
    mixed = [random.Random(0).sample(each, len(each)) for each in rounds]
    assert results("vote", *mixed) == found


SHADES = st.integers(0, 3)
DRAWINGS = st.tuples(SHADES, SHADES, SHADES, SHADES, SHADES, SHADES).map(
    lambda cell: {"cells": [[cell[0], 0, 0], [cell[1], cell[2], 0], [cell[3], cell[4], cell[5]]]}
)


@given(st.lists(DRAWINGS, max_size=30), st.randoms())
def test_drawings_are_averaged_in_any_order(drawn: list[Any], order: random.Random) -> None:
    found = results("drawing", [said("drawing", each) for each in drawn])
    mixed = order.sample(drawn, len(drawn))
    assert results("drawing", [said("drawing", each) for each in mixed]) == found
    for row in found["average"]:
        assert 0 <= sum(row) < 1 + 1e-9


def test_rows_of_a_drawing_are_shares() -> None:
    assert shares([[3, 1], [0, 0]]) == [[0.75, 0.25], [0.0, 0.0]]


def test_the_commonest_mistake_is_marked() -> None:
    right = {"cells": [[3, 0, 0], [3, 0, 0], [0, 3, 0]]}
    diagonal = {"cells": [[3, 0, 0], [3, 0, 0], [0, 0, 3]]}
    first = {"cells": [[3, 0, 0], [3, 0, 0], [3, 0, 0]]}
    drawn = [said("drawing", each) for each in (right, diagonal, diagonal, first)]
    found = results("drawing", drawn)
    assert found["average"][2] == [0.25, 0.25, 0.5]
    assert found["difference"][2] == [0.25, -0.75, 0.5]
    # three of four gave the second token too little; two of them the third too much
    assert found["mistake"] == {"query": 2, "key": 1, "share": 0.75, "too": "little"}
    assert results("drawing", [said("drawing", right)])["mistake"] is None


def test_the_typical_drawings_stand_for_those_that_are_like_them() -> None:
    right = {"cells": [[3, 0, 0], [3, 0, 0], [0, 3, 0]]}
    nearly = {"cells": [[3, 0, 0], [3, 1, 0], [0, 3, 0]]}  # a twelfth of the weight elsewhere
    first = {"cells": [[3, 0, 0], [3, 0, 0], [3, 0, 0]]}
    drawn = [said("drawing", each) for each in (first, right, nearly, right)]
    found = results("drawing", drawn)["typical"]
    assert [each["n"] for each in found] == [3, 1]
    assert found[1]["cells"] == shares(first["cells"])
    many = [said("drawing", right)] * 30 + [said("drawing", first)] * 200
    assert [each["n"] for each in results("drawing", many)["typical"]] == [200, 30]
    assert results("drawing", [])["typical"] == []


def test_the_evidence_of_a_find_is_checked() -> None:
    asked = {**QUESTIONS["hunt"], "cells": [[3, 1], [4, 1]]}
    elsewhere = {**ANSWERS["hunt"], "cell": [3, 2]}
    wrong = {**ANSWERS["hunt"], "head": 9}
    kind = KINDS["hunt"]
    given = [said("hunt", each) for each in (ANSWERS["hunt"], elsewhere, wrong)]
    found = kind.results(kind.Question.model_validate(asked), [given], 0)
    assert [each["shown"] for each in found["finds"]] == [True, False, True]
    assert found["evidence"] == 1, "only a right head counts"
    assert results("hunt", given)["evidence"] is None, "these cells are not known"
    public = kind.public(kind.Question.model_validate(asked), revealed=False)
    assert "cells" not in public and "truth" not in public


def test_the_most_wanted_question_comes_first_and_nobodys_own_vote_counts() -> None:
    def asked(person: str, item: str, at: int, **answer: str) -> Any:
        return said("board", answer, person, at, item=item)

    first, second = name_of("a", "q1"), name_of("b", "q1")
    given = [
        asked("a", "q1", 1, text="Old?"),
        asked("b", "q1", 2, text="New?"),
        asked("b", "up-1", 3, up=second),  # one's own
        asked("c", "up-1", 4, up=second),
        asked("c", "up-2", 5, up=second),  # twice
        asked("a", "up-1", 6, up="0" * 12),  # for none
    ]
    found = results("board", given)["asked"]
    assert [(each["id"], each["ups"]) for each in found] == [(second, 1), (first, 0)]


def test_the_first_right_find_counts() -> None:
    wrong = {**ANSWERS["hunt"], "head": 9}
    finds = [
        said("hunt", ANSWERS["hunt"], "late", 9_000),
        said("hunt", wrong, "wrong", 2_000),
        said("hunt", {**ANSWERS["hunt"], "layer": 0, "head": 3}, "early", 4_500),
    ]
    found = results("hunt", finds, started=1_000)
    assert [each["person"] for each in found["finds"]] == ["wrong", "early", "late"]
    assert [each["right"] for each in found["finds"]] == [False, True, True]
    assert (found["first"], found["finds"][1]["after_s"]) == (1, 3.5)


def test_bets_close_to_the_truth() -> None:
    found = results("bets", [said("bets", {"after": bet}) for bet in (0.0, 0.15, 0.25, 0.26, 1.0)])
    assert found["bins"] == [1, 1, 2, 0, 0, 0, 0, 0, 0, 1]
    assert (found["closest"], found["median"]) == (0.4, 0.25)


def test_finds_on_a_wall_are_the_latest_first_and_say_whether_they_are_hidden() -> None:
    finds = [
        said("wall", ANSWERS["wall"], "a", 1),
        said("wall", ANSWERS["wall"], "b", 2, hidden=True),
        said("wall", ANSWERS["wall"], "c", 3, item="two"),
    ]
    found = results("wall", finds)["finds"]
    assert [(each["person"], each["item"], each["hidden"]) for each in found] == [
        ("c", "two", False),
        ("b", "0", True),
        ("a", "0", False),
    ]


def test_a_person_counts_once_at_a_place() -> None:
    there = {"place": "learn/masks#why", "note": ""}
    marks = [
        said("questions", ANSWERS["questions"], "a", 1),
        said("questions", ANSWERS["questions"], "a", 2, item="1"),
        said("questions", there, "a", 3, item="2"),
        said("questions", there, "b", 4),
    ]
    found = results("questions", marks)
    assert found["places"] == {"inspector:grid": 1, "learn/masks#why": 2}
    assert len(found["notes"]) == 2


def test_a_share_reads_as_none_or_all_only_if_it_is() -> None:
    said = [percent(share) for share in (0, 0.004, 0.005, 0.5, 0.994, 0.995, 1)]
    assert said == ["0%", "less than 1%", "less than 1%", "50%", "99%", "more than 99%", "100%"]

"""What a lesson's question shows in a class, and once its answer is revealed."""

from base64 import urlsafe_b64decode
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from server.classes.ready import games, ready_questions
from server.pages.learning.content import Content
from server.pages.learning.links import pairs

FIGURE = {
    "link": "?text=The+cat&text=A%26B&layer=1&muted=0.1&causal=true",
    "caption": "A head.",
    "switches": [
        {
            "name": "Muted",
            "options": [
                {"label": "one", "set": ""},
                {"label": "two", "set": "muted=0.1&muted=2.3"},
            ],
        },
        {
            "name": "Mask",
            "options": [{"label": "on", "set": ""}, {"label": "own", "set": "without=causal"}],
        },
    ],
}
ASKED = {
    "ask": "Which?",
    "options": ["a", "b"],
    "answer": 1,
    "because": "It is b.",
    "figure": "one",
    "set": {"Muted": "two", "Mask": "own"},
}


def test_the_switches_of_a_figure_stand_at_the_answer_once_it_is_revealed(tmp_path: Path) -> None:
    read = {"title": "T", "summary": "S", "figures": {"one": FIGURE}, "questions": [ASKED]}
    lesson: Any = SimpleNamespace(content=Content.model_validate(read))
    [vote] = ready_questions([lesson], tmp_path)  # where no model is, so that there are no games
    question = vote["question"]
    assert question["choice"] == f"{FIGURE['link'][1:]}&depth=start"
    assert question["why"] == "It is b."
    assert question["reveals"] == (
        "text=The+cat&text=A%26B&layer=1&depth=start&muted=0.1&muted=2.3"
    )


def test_a_bet_shows_the_head_that_it_is_about() -> None:
    bets = [each["question"] for each in games(None) if each["kind"] == "bets"]
    assert bets
    for asked in bets:
        sealed = dict(pairs(asked["choice"]))["quiz"]
        shown = dict(pairs(urlsafe_b64decode(sealed + "==").decode()))
        assert (int(shown["layer"]), int(shown["head"])) == (asked["layer"], asked["head"])
        assert shown["closed"] == "1", "its label stays hidden"

"""What a class learnt, from its answers to the same questions before and after."""

import random
import re
from typing import Any

import pytest

from tests.api.classes.conftest import Caller, Joining
from tests.api.classes.test_files import file

pytestmark = pytest.mark.long


def asked(teacher: Caller, steps: list[dict[str, Any]], rights: dict[Caller, int]) -> None:
    """Ask the questions of an occasion; each person has so many right, the first ones."""
    for number, step in enumerate(steps):
        name = teacher.ask("POST", "/activities", step["activity"])["id"]
        right = step["activity"]["question"]["correct"]
        for person, n in rights.items():
            choice = right if number < n else (right + 1) % 2
            person.ask("PUT", f"/answers/{name}/0", {"choice": choice})


def test_the_gain_of_a_class_is_that_of_its_answers(teacher: Caller, join: Joining) -> None:
    steps = teacher.ask("GET", "/plans")["plans"]["study"]["steps"]
    occasions = {
        name: [step for step in steps if said(step) == name]
        for name in ("before", "after", "later")
    }
    assert [len(each) for each in occasions.values()] == [7, 7, 7]
    texts = [[step["activity"]["question"]["text"] for step in each] for each in occasions.values()]
    assert texts[0] == texts[1] == texts[2]

    people = [join(f"Word {n}") for n in range(6)]
    asked(teacher, occasions["before"], dict(zip(people, (0, 1, 2, 3, 4, 4), strict=True)))
    refused = teacher.ask("PATCH", "/activities/a1", {"phase": "revealed"}, status=409)
    assert refused["error"]["code"] == "study"
    # one comes back with another device and the same word, one has left before the end
    other = join("WORD 1")
    after = dict(zip((people[0], other, *people[2:5]), (7, 5, 6, 3, 7), strict=True))
    asked(teacher, occasions["after"], after)
    page = file(teacher, "report.html")
    told = page[page.index("What was learnt") :].partition("</section>")[0]
    before, then = 10 / 35, 28 / 35
    assert "5 people answered all questions both times." in told
    assert f"Before, {before:.0%} of the answers were right, then {then:.0%}." in told
    gain = (then - before) / (1 - before)
    [low, high] = re.findall(r"95% interval (-?[\d.]+) to (-?[\d.]+)", told)[0]
    assert f"Normalised gain: {gain:.2f}" in told and float(low) < gain < float(high)
    low_, high_ = resampled([0, 1, 2, 3, 4], [7, 5, 6, 3, 7])
    assert float(low) == pytest.approx(low_, abs=0.05)
    assert float(high) == pytest.approx(high_, abs=0.05)
    assert "Word 1" not in page


def said(step: dict[str, Any]) -> str | None:
    occasion: str | None = step.get("activity", {}).get("question", {}).get("study")
    return occasion


def resampled(before: list[int], after: list[int]) -> tuple[float, float]:
    """The same interval, drawn in another way."""
    draw = random.Random(1)
    found = []
    for _ in range(4_000):
        who = [draw.randrange(5) for _ in range(5)]
        a, b = (sum(each[one] for one in who) / 35 for each in (before, after))
        found.append((b - a) / (1 - a))
    found.sort()
    return found[100], found[3_900]

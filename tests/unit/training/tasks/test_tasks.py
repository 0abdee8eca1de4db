"""The tasks of training by hand: what follows from what, checked by other means than they use."""

import re
from random import Random

import pytest

from model.errors import InputError
from model.training.tasks.tasks import HELD_OUT, MAX_LINES, TASKS, Task, own_text, task_of

EVERY_TASK = pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))


def right(task: str, line: str, at: int) -> str:
    """The answer at a place of a line, worked out from what stands before it."""
    before = line[:at]
    if task in ("copy", "reverse", "sorting"):
        word, _, said = before.partition(">")
        asked = {"copy": word, "reverse": word[::-1], "sorting": "".join(sorted(word))}[task]
        return asked[len(said)]
    if task == "previous":
        return before[-2]
    if task == "induction":
        return before[before.index(before[-1]) + 1]
    if task == "brackets":
        while before != (shorter := re.sub(r"\(\)|\[\]|\{\}", "", before)):
            before = shorter
        return {"(": ")", "[": "]", "{": "}"}[before[-1]]
    if task == "addition":
        one, other, said = re.split(r"[+=]", before)
        return str(int(one) + int(other)).zfill(3)[2 - len(said)]
    return max("ab", key=before.count)


@EVERY_TASK
def test_each_answer_follows_from_what_stands_before_it(task: Task) -> None:
    random = Random(1)
    for size in task.sizes:
        for _ in range(50):
            line, asked = task.draw(random, size)
            assert set(line) <= set(task.characters)
            assert asked and list(asked) == sorted(set(asked))
            for at in asked:
                assert right(task.id, line, at) == line[at], (line, at)


@EVERY_TASK
def test_held_out_lines_are_never_drawn_for_training(task: Task) -> None:
    size = task.sizes[-1]
    shown, kept = (
        {next(task.examples(Random(seed), size, held_out=held)).line for seed in range(300)}
        for held in (False, True)
    )
    assert not shown & kept
    assert all(map(task.is_held_out, kept)) and not any(map(task.is_held_out, shown))


@EVERY_TASK
def test_chance_is_what_guessing_among_the_answers_gives(task: Task) -> None:
    random = Random(2)
    examples = [task.draw(random, task.sizes[0]) for _ in range(2_000)]
    answers = {line[at] for line, asked in examples for at in asked}
    assert 1 / len(answers) == pytest.approx(task.chance)


def test_lines_of_ones_own_are_held_out_whole() -> None:
    lines = [f"line {n:02}, with some words" for n in range(40)]
    task = own_text("\n".join([*lines, "", "  "]))
    assert [line for line in lines if task.is_held_out(line)] == lines[::HELD_OUT]
    line, asked = next(task.examples(Random(1), 1, held_out=True))
    assert line in lines and asked == tuple(range(len(line)))
    assert task.best is None  # nobody knows how well a text can be told
    assert task.chance == "".join(lines).count(" ") / sum(map(len, lines))  # the commonest one


@pytest.mark.parametrize("text", ["", "one line", "the same\n" * 50])
def test_too_few_lines_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=f"Expected {HELD_OUT} to {MAX_LINES:,} different lines"):
        own_text(text)


def test_too_many_lines_are_refused() -> None:
    with pytest.raises(InputError, match="different lines"):
        own_text("\n".join(map(str, range(MAX_LINES + 1))))


def test_an_unknown_task_is_refused_with_the_names_of_all() -> None:
    with pytest.raises(InputError, match="Expected one of copy, reverse"):
        task_of("copi")

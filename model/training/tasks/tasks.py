"""Small tasks that a small transformer learns in about a minute: what it reads, and what is asked.

Each example is a line of characters. At some of its places the next character follows from what
stands before it, and only these are asked. A tenth of all lines, chosen by their checksum, is never
shown in training: the accuracy is measured on those.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple
from zlib import crc32

from model.errors import InputError
from model.message import Message

LETTERS = "abcdefghijklmnop"
HELD_OUT = 10  # one line in so many is held out
MAX_LINES, MAX_LINE = 2_000, 64  # of one's own text


class Example(NamedTuple):
    """A line, and the places in it whose character is asked for, given those before it."""

    line: str
    asked: tuple[int, ...]


@dataclass(frozen=True)
class Task:
    """One task: how its examples are drawn, and how well a model can do it."""

    id: str
    name: str
    about: str
    draw: Callable[[Random, int], Example]
    sizes: range  # of the examples: lines of a batch have one size
    characters: str
    chance: float  # the accuracy of guessing among the answers that can come
    goal: float  # the accuracy at which a training ends
    best: float | None = 1.0  # the best that is possible; None: nobody knows
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the network that learns it
    is_held_out: Callable[[str], bool] = lambda line: crc32(line.encode()) % HELD_OUT == 0

    def examples(self, random: Random, size: int, *, held_out: bool) -> Iterator[Example]:
        """Endless examples of one size, all held out or none."""
        while True:
            example = self.draw(random, size)
            if self.is_held_out(example.line) == held_out:
                yield example


def _after(prompt: str, answer: str) -> Example:
    """An answer after what it follows from: all of it is asked."""
    return Example(prompt + answer, tuple(range(len(prompt), len(prompt) + len(answer))))


def _copy(random: Random, size: int) -> Example:
    word = "".join(random.choices(LETTERS[:8], k=size))
    return _after(f"{word}>", word)


def _reverse(random: Random, size: int) -> Example:
    word = "".join(random.choices(LETTERS[:8], k=size))
    return _after(f"{word}>", word[::-1])


def _sort(random: Random, size: int) -> Example:
    word = "".join(random.choices(LETTERS[:8], k=size))
    return _after(f"{word}>", "".join(sorted(word)))


def _previous(random: Random, size: int) -> Example:
    """Two letters, then the first of them again: it stands just before the present one."""
    pairs = [random.choices(LETTERS, k=2) for _ in range(size)]
    line = "".join(first + second + first for first, second in pairs)
    return Example(line, tuple(range(2, len(line), 3)))


def _induction(random: Random, size: int) -> Example:
    """Different letters, then a piece of that line: what follows a letter is what followed it."""
    line = "".join(random.sample(LETTERS, k=size))
    start = random.randrange(size - 4)
    piece = line[start : start + 5]
    return _after(line + piece[0], piece[1:])


def _brackets(random: Random, size: int) -> Example:
    """Nested brackets of three kinds: which one closes?"""
    closing = {"(": ")", "[": "]", "{": "}"}
    line, open_, asked = "", "", []
    left = size  # pairs that are still to be opened
    while left or open_:
        if left and (not open_ or (len(open_) < 4 and random.random() < 0.5)):
            one = random.choice("([{")
            line, open_, left = line + one, open_ + one, left - 1
        else:
            asked.append(len(line))
            line, open_ = line + closing[open_[-1]], open_[:-1]
    return Example(line, tuple(asked))


def _addition(random: Random, size: int) -> Example:
    """Two numbers of two digits; the sum begins with its units, as one adds on paper."""
    one, other = random.randrange(100), random.randrange(100)
    return _after(f"{one:02}+{other:02}=", f"{one + other:03}"[::-1])


def _majority(random: Random, size: int) -> Example:
    votes = "".join(random.choices("ab", k=2 * size + 1))
    return _after(f"{votes}?", max("ab", key=votes.count))


_ROWS = (
    Task(
        "copy",
        Message("Copy"),
        Message("Letters, then the same letters again."),
        _copy,
        range(3, 9),
        LETTERS[:8] + ">",
        1 / 8,
        0.99,
    ),
    Task(
        "reverse",
        Message("Reverse"),
        Message("Letters, then the same letters backwards."),
        _reverse,
        range(3, 9),
        LETTERS[:8] + ">",
        1 / 8,
        0.99,
    ),
    Task(
        "previous",
        Message("Previous token"),
        Message(
            "Two letters, then the first of them again: it stands just before the present one."
        ),
        _previous,
        range(3, 7),
        LETTERS,
        1 / 16,
        0.99,
        settings={"n_layers": 1, "n_heads": 1, "d_mlp": 0},
    ),
    Task(
        "induction",
        Message("Induction"),
        Message(
            "Different letters, then a piece of that line: what follows a letter is what "
            "followed it before."
        ),
        _induction,
        range(6, 13),
        LETTERS,
        1 / 16,
        0.95,
        settings={"n_heads": 1, "d_model": 64, "d_head": 32, "d_mlp": 0},
    ),
    Task(
        "brackets",
        Message("Brackets"),
        Message("Nested brackets of three kinds: which one closes?"),
        _brackets,
        range(4, 9),
        "()[]{}",
        1 / 3,
        0.98,
    ),
    Task(
        "addition",
        Message("Addition"),
        Message(
            "Two numbers of two digits and their sum of three, backwards, as one adds on paper: "
            "47+25=270."
        ),
        _addition,
        range(1, 2),
        "0123456789+=",
        1 / 10,
        0.98,
    ),
    Task(
        "sorting",
        Message("Sorting"),
        Message("Letters, then the same letters in the order of the alphabet."),
        _sort,
        range(3, 9),
        LETTERS[:8] + ">",
        1 / 8,
        0.98,
    ),
    Task(
        "majority",
        Message("Majority"),
        Message("Votes for a or b, then which of them has more."),
        _majority,
        range(2, 8),
        "ab?",
        1 / 2,
        0.98,
        settings={"n_layers": 1, "n_heads": 1, "positions": "none"},
    ),
)
TASKS: Mapping[str, Task] = {row.id: row for row in _ROWS}


def task_of(id: str, text: str | None = None) -> Task:
    """A task by its name, or that of one's own text.

    Raises:
        InputError: there is no such task, or the text is too short or too long.
    """
    if text is not None:
        return own_text(text)
    if id not in TASKS:
        raise InputError(
            f"There is no task {id!r:.40}. Expected one of {', '.join(TASKS)}.", field="task"
        )
    return TASKS[id]


def own_text(text: str) -> Task:
    """Lines of one's own, read character by character; every next character is asked.

    Raises:
        InputError: there are fewer than two different lines, or too many, or one is too long.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    pieces = [line[at : at + MAX_LINE] for line in lines for at in range(0, len(line), MAX_LINE)]
    if len(set(pieces)) < HELD_OUT or len(pieces) > MAX_LINES:
        raise InputError(
            f"Expected {HELD_OUT} to {MAX_LINES:,} different lines; got {len(set(pieces)):,}.",
            field="text",
        )
    held_out = set(sorted(set(pieces))[::HELD_OUT])
    return Task(
        "text",
        Message("My own text"),
        Message("Lines of a text, character by character."),
        lambda random, size: _whole(random.choice(pieces)),
        range(1, 2),
        "".join(sorted(set("".join(pieces)))),
        _share_of_commonest(pieces),
        goal=1.0,
        best=None,
        is_held_out=held_out.__contains__,
    )


def _whole(line: str) -> Example:
    return Example(line, tuple(range(len(line))))


def _share_of_commonest(pieces: list[str]) -> float:
    text = "".join(pieces)
    return max(map(text.count, set(text))) / len(text)

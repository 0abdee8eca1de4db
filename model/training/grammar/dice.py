"""Random choices, and which pairs of words training never shows."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import TypeVar
from zlib import crc32

T = TypeVar("T")
HELD_OUT_SHARE = 0.1


class Dice:
    """Draws from one random generator."""

    def __init__(self, rng: Random) -> None:
        self._random = rng.random

    def chance(self, share: float) -> bool:
        return self._random() < share

    def pick(self, items: Sequence[T]) -> T:
        return items[int(self._random() * len(items))]

    def favour(self, items: Sequence[T]) -> T:
        """One of the items; earlier ones are more frequent, the last is a third as frequent as in
        a uniform draw.

        Facts about the items (such as the gender of a name) are learned sooner if some items are
        frequent (Zucchet et al. 2025, How do language models learn facts?).
        """
        return items[int(len(items) * self._random() ** 3)]

    def choices(self, people: Sequence[str], values: Sequence[str]) -> list[tuple[str, str]]:
        """Three or four different people, each with something different."""
        count = 3 + int(self._random() * 2)
        names, left = list(people), list(values)
        pairs = []
        for _ in range(count):
            name = names.pop(int(self._random() * len(names)))
            pairs.append((name, left.pop(int(self._random() * len(left)))))
        return pairs


def weighted(table: dict[T, int]) -> tuple[T, ...]:
    """Each entry as many times as its weight says, to pick from."""
    return tuple(item for item, weight in table.items() for _ in range(weight))


@cache
def is_held_out(one: str, other: str) -> bool:
    """Whether training never shows these two together: nouns in the singular, verbs as listed."""
    return crc32(f"{one} {other}".encode()) / 2**32 < HELD_OUT_SHARE

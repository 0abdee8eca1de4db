"""Keeps the best examples of each head while texts pass by: cells with the highest scores.

A head has at most one example from each text, and one of each pair of tokens.
"""

from collections.abc import Iterable
from dataclasses import dataclass

STRONGEST = "strongest"  # the kind of example that every head has; the others are metrics
KEPT = 5


@dataclass(frozen=True, slots=True)
class Example:
    """A cell of a text's pattern; `value` is what it was chosen for, `weight` its attention."""

    value: float
    weight: float
    text: int
    query: int
    key: int
    query_token: str
    key_token: str

    @property
    def pair(self) -> tuple[str, str]:
        return self.query_token.strip().lower(), self.key_token.strip().lower()


def better(kept: list[Example], new: Example) -> list[Example]:
    """The examples to keep, highest first; of equal ones, the earlier."""
    if len(kept) == KEPT and new.value <= kept[-1].value:
        return kept
    same = next((one for one in kept if one.pair == new.pair), None)
    if same is not None and same.value >= new.value:
        return kept
    others = [one for one in kept if one is not same]
    return sorted([*others, new], key=lambda one: (-one.value, one.text))[:KEPT]


def texts_of(examples: Iterable[Example]) -> list[int]:
    """The texts that the examples are from."""
    return sorted({example.text for example in examples})

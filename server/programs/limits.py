"""What a program may have at most, and what stops it, in words for the person who wrote it."""

from typing import Any

from torch import Tensor

from model.message import Message

MAX_STEPS = 200_000  # nodes that are walked
MAX_NUMBERS = 1_000_000  # of one tensor
MAX_ITEMS = 100_000  # of a list, a range or a text
MAX_DEPTH = 30  # of calls within calls
MAX_BITS = 2_048  # of an integer


class Refused(Exception):
    """The program uses something that lessons do not have, or more than they may: a Message."""


def check_items(count: int) -> None:
    """Refuse a list or a text of that many items, if they are too many."""
    if count > MAX_ITEMS:
        raise Refused(
            Message(
                "Lists and texts may have at most {most} items here; got {n}.",
                most=MAX_ITEMS,
                n=count,
            )
        )


def check_numbers(count: int) -> None:
    """Refuse a tensor of that many numbers, if they are too many."""
    if count > MAX_NUMBERS:
        raise Refused(
            Message(
                "A tensor may have at most {most} numbers here; this one would have {n}.",
                most=MAX_NUMBERS,
                n=count,
            )
        )


def small(value: Any) -> Any:
    """The value, if it is not too large."""
    if isinstance(value, Tensor):
        check_numbers(value.numel())
    elif isinstance(value, str | list | tuple | dict):
        check_items(len(value))
    return value

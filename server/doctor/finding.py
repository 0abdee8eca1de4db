"""One thing that `headlight doctor` found."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from server.settings import Settings

State = Literal["ok", "warning", "problem"]


@dataclass(frozen=True)
class Finding:
    """A line of the report. A problem keeps `headlight serve` from doing what it was asked to."""

    name: str
    state: State
    found: str  # a sentence or a part of one
    advice: str = ""  # what to do, in a sentence


Check = Callable[[Settings], Iterable[Finding]]

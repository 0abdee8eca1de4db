"""A piece of work that somebody asked for, and how it ends before its time."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal

from model.sources.source import Inputs


class Cancelled(Exception):
    """Nobody wants the result any more."""


@dataclass(frozen=True)
class Together:
    """How a job can be prepared with others: `run` takes what all of an equal `key` work on."""

    key: Hashable
    inputs: Inputs
    run: Callable[[Sequence[Inputs]], None]


@dataclass(eq=False)
class Job:
    """Work for one participant.

    `cost` is what it will take, in milliseconds of processor time, estimated. Jobs with an equal
    `key` never run at the same time, so that the second finds what the first remembered. Before it
    runs, a job is prepared together with others that happen to wait and whose `together` fits.
    """

    work: Callable[[], Any]
    cost: float
    participant: str = ""
    key: Hashable = None
    together: Together | None = None  # None: it is done alone
    preparation: Literal["none", "running", "done"] = "none"
    limit_s: float | None = None  # that it may run; None: as long as the settings say
    future: Future[Any] = field(default_factory=Future)
    done: int = 0  # of `total` steps; 0 of 0: it cannot be told
    total: int = 0
    cancelled: Exception | None = None  # why it is to end at its next slice
    start_tag: float = 0.0  # set by the queue that it waits in
    finish_tag: float = 0.0
    lent_s: float = 0.0  # while it ran, given to others
    began: float | None = None  # None: it waits

    @property
    def active_s(self) -> float:
        """Seconds that it has run for, without those that it gave to others."""
        return 0.0 if self.began is None else time.monotonic() - self.began - self.lent_s

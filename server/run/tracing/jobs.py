"""Units of work for the worker threads."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal

from model.sources.source import Inputs


class Cancelled(Exception):
    """Nobody is waiting for the result any more."""


@dataclass(frozen=True)
class Batchable:
    """How to prepare a job in a batch: `run` takes the inputs of all jobs with an equal `key`."""

    key: Hashable
    inputs: Inputs
    run: Callable[[Sequence[Inputs]], None]


@dataclass(eq=False)
class Job:
    """Work for one participant.

    `cost` is an estimate in milliseconds of processor time. Jobs with an equal `key` never run at
    the same time, so that the second finds the first one's result in the cache. Before a job runs,
    it is prepared in one batch with waiting jobs whose `batchable` has the same key.
    """

    work: Callable[[], Any]
    cost: float
    participant: str = ""
    key: Hashable = None
    batchable: Batchable | None = None  # None: it runs alone
    preparation: Literal["none", "running", "done"] = "none"
    limit_s: float | None = None  # time limit; None: the one from the settings
    future: Future[Any] = field(default_factory=Future)
    done: int = 0  # steps done out of `total`; 0 of 0: unknown
    total: int = 0
    cancelled: Exception | None = None  # raised at its next slice
    start_tag: float = 0.0  # set by the queue
    finish_tag: float = 0.0
    waited_s: float = 0.0  # time in which it waited for other jobs to run
    began: float | None = None  # None: still waiting

    @property
    def active_s(self) -> float:
        """Seconds that it has run, not counting those in which it waited for other jobs."""
        return 0.0 if self.began is None else time.monotonic() - self.began - self.waited_s

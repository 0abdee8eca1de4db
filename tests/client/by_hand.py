"""Does the steps of a client with replies written by hand, without a server."""

from collections.abc import Iterable
from typing import Any

from headlight.errors import HeadlightError
from headlight.http.steps import PAUSED, Pause, Reply, Steps, T


def done(steps: Steps[T], replies: Iterable[Reply | HeadlightError]) -> tuple[T, list[Any]]:
    """The result of steps, with these replies, and what they did."""
    step, taken, given = next(steps), [], iter(replies)
    while True:
        taken.append(step)
        reply = PAUSED if isinstance(step, Pause) else next(given)
        try:
            step = steps.throw(reply) if isinstance(reply, HeadlightError) else steps.send(reply)
        except StopIteration as end:
            return end.value, taken

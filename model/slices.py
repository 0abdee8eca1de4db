"""Long work in slices: between two of them, whoever runs it may stop it or let others go first.

`model` calls `end_slice` wherever work may go on for long: after each layer of a stack, each
generated token, each pass of the mute effects. What happens then is for the caller to say, with
`sliced`; in a notebook nothing does.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# done and total: what has been done of what, in whole steps; 0 of 0: it cannot be told
EndSlice = Callable[[int, int], None]

_end_slice: ContextVar[EndSlice | None] = ContextVar("end_slice", default=None)


def end_slice(done: int = 0, total: int = 0) -> None:
    """Say that a slice of work is over. May raise, to stop the rest."""
    ended = _end_slice.get()
    if ended is not None:
        ended(done, total)


@contextmanager
def sliced(ended: EndSlice) -> Iterator[None]:
    """Within it, `ended` is called between slices."""
    token = _end_slice.set(ended)
    try:
        yield
    finally:
        _end_slice.reset(token)

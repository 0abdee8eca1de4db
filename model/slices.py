"""Long work is cut into slices; between two slices the caller can stop it or let other work run.

`model` calls `end_slice` in everything that may take long: after each layer, each generated token,
each pass of the mute effects. The caller sets what happens then with `sliced`; without it, as in a
notebook, nothing happens.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# (done, total) in whole steps; (0, 0) if progress is unknown
EndSlice = Callable[[int, int], None]

_end_slice: ContextVar[EndSlice | None] = ContextVar("end_slice", default=None)


def end_slice(done: int = 0, total: int = 0) -> None:
    """Mark the end of a slice of work. May raise an error, to stop the work."""
    callback = _end_slice.get()
    if callback is not None:
        callback(done, total)


@contextmanager
def sliced(callback: EndSlice) -> Iterator[None]:
    """Call `callback` after each slice of the work inside the `with` block."""
    token = _end_slice.set(callback)
    try:
        yield
    finally:
        _end_slice.reset(token)

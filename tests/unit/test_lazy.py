"""Properties that are computed once."""

import threading
from collections.abc import Callable

from model.lazy import lazy

TIMEOUT_S = 10


class Text:
    def __init__(self) -> None:
        self.n_computed = 0
        self.meanwhile: Callable[[], None] = lambda: None

    @lazy
    def length(self) -> int:
        """How long it is."""
        self.n_computed += 1
        self.meanwhile()
        return 7


def test_it_is_computed_once_for_each_object() -> None:
    text, other = Text(), Text()
    assert (text.length, text.length, other.length) == (7, 7, 7)
    assert (text.n_computed, other.n_computed) == (1, 1)
    assert Text.length.__doc__ == "How long it is."


def test_it_holds_up_nobody_while_it_is_computed() -> None:
    """Between two slices of it, another thread may compute that of another object."""
    text, other = Text(), Text()

    def wait_for_other() -> None:
        thread = threading.Thread(target=lambda: other.length, daemon=True)
        thread.start()
        thread.join(TIMEOUT_S)
        assert not thread.is_alive()

    text.meanwhile = wait_for_other
    assert text.length == 7

"""What all tests share: the order of their files (`--dist loadfile`, in the Makefile), the log."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
# Folders with the slowest files start first: else one process is busy long after the others.
SLOW = ("cluster", "browser", "faults", "unit/training", "unit/test_wheel")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put slow folders first. A folder's tests stay together, because they share a browser."""
    items.sort(key=lambda item: _turn(item.path.relative_to(TESTS).as_posix()))


def _turn(path: str) -> int:
    return next((turn for turn, folder in enumerate(SLOW) if path.startswith(folder)), len(SLOW))


@pytest.fixture(autouse=True)
def log_of_the_test() -> Iterator[None]:
    """Undo what `headlight serve` set up in a test: its log goes to an output that closes then."""
    log = logging.getLogger("headlight")
    before = log.handlers[:], log.level, log.propagate
    yield
    log.handlers[:], log.level, log.propagate = before

"""The order in which the processes take files of tests (`--dist loadfile`, in the Makefile)."""

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
# Folders with the slowest files start first: else one process is busy long after the others.
SLOW = ("cluster", "browser", "faults", "unit/training")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put slow folders first. A folder's tests stay together, because they share a browser."""
    items.sort(key=lambda item: _turn(item.path.relative_to(TESTS).as_posix()))


def _turn(path: str) -> int:
    return next((turn for turn, folder in enumerate(SLOW) if path.startswith(folder)), len(SLOW))

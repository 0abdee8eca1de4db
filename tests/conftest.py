"""What all tests share: the order of their files (`--dist loadfile`, in the Makefile), the log."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts import live
from tests import nursery, sweeps
from tests.processor_time import ProcessorTime

TESTS = Path(__file__).parent
# Folders with the slowest files start first: else one process is busy long after the others.
SLOW = ("cluster", "browser", "faults", "unit/training", "unit/test_wheel")


# Files that may take more processor time than others (s), and why.
LONG: dict[str, float] = {}


def pytest_addoption(parser: pytest.Parser) -> None:
    about = "the long sweeps too, whole: all families, pairs, links, random requests"
    parser.addoption("--all", action="store_true", help=about)


@pytest.fixture(scope="session")
def everything() -> bool:
    """Whether a sweep is whole (`make test-all`) or a fixed sample of it (`make test`)."""
    return sweeps.is_whole


def pytest_configure(config: pytest.Config) -> None:
    live.launch = nursery.launch
    sweeps.is_whole = config.getoption("--all")
    config.pluginmanager.register(ProcessorTime(LONG))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put slow folders first, and leave out what only `make test-all` runs.

    A folder's tests stay together, because they share a browser.
    """
    if not config.getoption("--all"):
        left = [item for item in items if item.get_closest_marker("sweep")]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if not item.get_closest_marker("sweep")]
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

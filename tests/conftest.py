"""What all tests share: the order of their files (`--dist loadfile`, in the Makefile), the log."""

import gc
import logging
import os
from collections.abc import Iterator
from pathlib import Path

import jaxtyping
import pytest

import scripts.shapes  # noqa: F401 - jaxtyping looks it up by name, in modules that are imported later
from scripts import live
from tests import nursery, sweeps
from tests.processor_time import ProcessorTime

TESTS = Path(__file__).parent
# Models that somebody has fetched on this machine would be in every list, and a probe that another
# test left would be read: nothing is kept below a file.
os.environ["HEADLIGHT_CACHE"] = str(Path(__file__) / "no-cache")
# Nor is anything trained in the home of whoever runs the tests: those of training name a folder.
os.environ["HEADLIGHT_TRAINING_STORE"] = str(Path(__file__) / "no-training")
# Folders with the slowest files start first: else one process is busy long after the others.
# Ray's cluster waits until the others have read what they need from the disk.
SLOW = ("browser", "unit/test_growing", "faults", "unit/training", "unit/test_wheel", "cluster")

# Tests that ask a server or a client. A check of every shape would take a third of their time, and
# tests/unit runs the same code with checks; `make test-all` checks here, too.
ASKING = ("api", "browser", "client", "cluster", "faults")

# Files that may take more processor time than others (s, on an idle machine), and why.
LONG: dict[str, float] = {
    # each run is trained by a process, which imports torch
    "api/test_training.py": 65,
    # each lesson of the course opens a page, and follows its links into the inspector
    "browser/test_learn.py": 90,
    # each file that is opened has the model inside, and compiles its scripts anew
    "browser/test_export.py": 80,
    "browser/test_export_course.py": 25,
    # the page's own engine, without a cache, in pages that must be new
    "browser/test_engine.py": 50,
    # plain and packed pages, walked through from a cold cache
    "browser/test_packed.py": 50,
    # kernels run the notebooks, and pages show them
    "browser/test_notebooks.py": 45,
    # copies of the project, with a server for each
    "browser/test_recipes.py": 25,
    # six families of checkpoints, and what goes wrong with them
    "browser/test_pretrained.py": 35,
    # several people, each with a browser of their own
    "browser/test_class_follow.py": 25,
    "browser/test_class_desk.py": 25,
    "browser/test_class_plans.py": 35,
    # long computations, and texts of thousands of tokens
    "browser/test_busy.py": 35,
    "browser/test_big.py": 25,
    # every program of the documents and the docstrings: studies and searches of circuits, too
    "client/test_docs.py": 45,
    # many edits, each with what the API says of it
    "browser/test_paint.py": 30,
    "browser/test_save.py": 30,
    "browser/test_back.py": 28,
    "browser/test_scratch.py": 28,
    "browser/test_inside.py": 35,
    "browser/test_figures.py": 25,
    # every example, every depth, every view, in several windows
    "browser/test_gallery.py": 30,
    "browser/test_depths.py": 28,
    "browser/test_everyone.py": 28,
    "browser/test_workspace.py": 28,
    "browser/test_inspector.py": 28,
    "browser/test_compare.py": 25,
    # a Ray cluster starts, loses a replica, and ends
    "cluster/test_cluster.py": 50,
    # every view in languages that no cache holds yet, and people with browsers of their own
    "browser/test_languages.py": 30,
    # a sample of the families, with all that is followed through each
    "unit/sources/pretrained/test_stream.py": 45,
    # a class of each kind of architecture, built, saved and loaded
    "unit/sources/pretrained/test_architectures.py": 30,
    # a real language model, beside Transformers' own run of it
    "unit/sources/pretrained/test_smollm2.py": 45,
    # two models are evaluated, each on 3,000 sentences
    "unit/training/test_shipped_languages.py": 30,
    # builds the wheel, installs it, and runs its commands in processes of their own
    "unit/test_wheel.py": 40,
    # the quick tests of a whole copy, and all of node's
    "unit/test_growing.py": 150,
    # all analyses of three models, with another request at each of their slices
    "api/test_isolation.py": 60,
    # files with models are measured, packed and read, and a network is trained
    "api/test_export.py": 30,
    # the whole course is written twice, and its programs are run
    "api/test_export_course.py": 35,
    # many clients, on servers with two workers each
    "faults/test_isolation.py": 30,
    # measures memory and time of many requests
    "api/test_memory_told.py": 25,
    "unit/test_linear_time.py": 25,
}


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


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what stays: a million objects of torch and the tests."""
    gc.collect()
    gc.freeze()


def _turn(path: str) -> int:
    return next((turn for turn, folder in enumerate(SLOW) if path.startswith(folder)), len(SLOW))


@pytest.fixture(autouse=True)
def shapes_of_tensors(request: pytest.FixtureRequest) -> None:
    """Whether the shapes in signatures are checked (scripts/shapes.py)."""
    folder = request.path.relative_to(TESTS).parts[0]
    jaxtyping.config.update("jaxtyping_disable", folder in ASKING and not sweeps.is_whole)


@pytest.fixture(autouse=True)
def what_a_command_sets() -> Iterator[None]:
    """Undo what commands set in a test, or the next test's settings would be theirs.

    Their options become variables, and the log goes to an output that closes.
    """
    log = logging.getLogger("headlight")
    log_before = log.handlers[:], log.level, log.propagate
    before = dict(os.environ)
    yield
    log.handlers[:], log.level, log.propagate = log_before
    for name in os.environ.keys() - before.keys():
        del os.environ[name]
    os.environ.update(before)

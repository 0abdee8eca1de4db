"""Can a page that computes by itself keep up with the server on the same machine?

Measures in Chromium, with the shipped model: milliseconds from a key to the frame with the pictures
that it asked for, at 16 and at 64 tokens, where the server answers and where the page computes with
its own engine (`engine=page` in the address); the ratio of the two; and the memory of the tab after
the typing. Both pages are open, and a key in one follows a key in the other, so that other work on
the machine slows both alike. Then the same key on a slow processor, as in a phone: the processes of
the page, with the worker that the engine runs in, run for a moment and stand still for five.
(Chromium's own throttle would spare the worker.) That key is measured in Full and in Start, with
the longest task after its picture, for which a next key would wait: panels and, in Full, plotly
follow the picture. Last, the size of the one HTML file that `headlight export` writes.

Why: a phone in a class, or a file on a disk, has no server; it should not feel slower. Here the
server is next door, with no network in between, which is the hardest comparison. Aims: at 16 tokens
the page is as quick as the server, a slow processor shows the picture within 300 ms, and the file
takes at most 6 MB. Run:

    python -m benchmarks.engine [--repeats 15]

The last line is JSON, with the aims.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from string import ascii_lowercase
from typing import NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page

from benchmarks.first_view import memory_mb
from benchmarks.interaction import PICTURE, opened, settle, text_of
from scripts.live import ROOT, chromium, serving
from scripts.pack import pack

PLACES: Mapping[str, Mapping[str, str]] = {"server": {}, "page": {"engine": "page"}}
SLOW: Mapping[str, Mapping[str, str]] = {  # by the figure's name
    "slowed": {"engine": "page"},
    "slowed_start": {"engine": "page", "depth": "start"},
}
TOKENS = (16, 64)
SLOWED = 6  # times, as Lighthouse does for a phone
AIMS = {"ratio_16": 1.0, "slowed_16_ms": 300.0, "slowed_start_16_ms": 300.0, "file_mb": 6.0}
BOX = "#sentences textarea"
WARMING = 2  # keys before the measured ones
_MOMENT_S = 0.002  # for which a slowed page runs at a time

# The longest task that began after the last picture, in ms; 0: none took 50 ms.
PAUSE = """() => {
  const [picture] = performance.getEntriesByName("picture");
  const later = seen.tasks.filter(([start]) => start >= picture.startTime);
  return Math.max(0, ...later.map(([start, stop]) => stop - start));
}"""


class Key(NamedTuple):
    """What one key took, in milliseconds."""

    picture_ms: float
    pause_ms: float  # the longest task after the picture


Times = Mapping[tuple[str, int], Sequence[Key]]  # of each place and number of tokens


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--repeats", type=int, default=15, help="keys in each page, up to 24")
    repeats = arguments.parse_args().repeats
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # an idle server leaves the cores alone
    pack()  # what a visitor gets, and what goes into a file
    times: dict[tuple[str, int], list[Key]] = {}
    slow: dict[str, list[Key]] = {}
    tabs: dict[str, float] = {}
    with serving() as address, chromium() as browser:
        for tokens in TOKENS:
            with opened_at(browser, address, PLACES, tokens) as pages:
                times |= {(place, tokens): found for place, found in keys(pages, repeats).items()}
        for name, query in SLOW.items():
            with opened_at(browser, address, {name: query}, TOKENS[0]) as pages, slowed(browser):
                slow |= keys(pages, repeats)
        for place, query in PLACES.items():
            with opened_at(browser, address, {place: query}, TOKENS[0]) as pages:
                keys(pages, repeats)
                tabs[place] = memory_mb(browser)
    found = figures(times, tabs, slow, exported_mb())
    for line in lines(found):
        print(line)
    print(json.dumps({"benchmark": "engine", **found, "aims": AIMS}))


@contextmanager
def opened_at(
    browser: Browser, address: str, queries: Mapping[str, Mapping[str, str]], tokens: int
) -> Iterator[dict[str, Page]]:
    """A page for each query, with a text of so many tokens, [BOS] included, when all of it stands.

    Raises:
        RuntimeError: the answers came from elsewhere.
    """
    pages, asked = {}, {}
    for name, own in queries.items():
        query = {"model": "shipped", "text": text_of(tokens - 1), **own}
        page = opened(browser, f"{address}/?{urlencode(query)}")
        settle(page)
        page.locator(BOX).first.press("End")
        pages[name], asked[name] = page, requests_of(page)
    yield pages
    for name, page in pages.items():
        place = queries[name].get("engine", "server")
        by_server = any("/api/trace" in url for url in asked[name])
        if by_server != (place == "server"):
            raise RuntimeError(f"Expected the answers from the {place}; they came from elsewhere.")
        page.context.close()


def requests_of(page: Page) -> list[str]:
    """The addresses that a page asks for from now on, as they come."""
    found: list[str] = []
    page.on("request", lambda request: found.append(request.url))
    return found


def keys(pages: Mapping[str, Page], repeats: int) -> dict[str, list[Key]]:
    """What each key took, each time after everything has settled.

    Every key makes a text that nobody has asked for before, since both places remember answers. A
    text of 16 tokens has one or two more then.
    """
    times: dict[str, list[Key]] = {place: [] for place in pages}
    for letter in ascii_lowercase[: repeats + WARMING]:
        for place, page in pages.items():
            page.bring_to_front()
            page.locator(BOX).first.press(letter)
            picture_ms = page.evaluate(PICTURE)
            settle(page)
            times[place].append(Key(picture_ms, page.evaluate(PAUSE)))
            page.locator(BOX).first.press("Backspace")
            page.evaluate(PICTURE)
            settle(page)
    return {place: each[WARMING:] for place, each in times.items()}


@contextmanager
def slowed(browser: Browser) -> Iterator[None]:
    """All processes of pages run for a sixth of the time within the block."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    tabs = [process["id"] for process in processes if process["type"] == "renderer"]
    over = threading.Event()
    throttle = threading.Thread(target=_throttle, args=(tabs, over))
    throttle.start()
    try:
        yield
    finally:
        over.set()
        throttle.join()


def _throttle(processes: Sequence[int], over: threading.Event) -> None:
    while not over.is_set():
        began = time.monotonic()
        time.sleep(_MOMENT_S)
        ran = time.monotonic() - began  # more than a moment on a busy machine
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        time.sleep((SLOWED - 1) * ran)
        for process in processes:
            os.kill(process, signal.SIGCONT)


def exported_mb() -> float:
    """The size of the file that `headlight export` writes for the shipped model."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "page.html")
        command = [sys.executable, "-m", "server.cli", "export", "-o", str(file)]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        return file.stat().st_size / 1e6


def figures(
    times: Times, tabs: Mapping[str, float], slow: Mapping[str, Sequence[Key]], file_mb: float
) -> dict[str, float]:
    """The medians, by the name that they have in the JSON, and the ratios of page to server."""
    found = {f"{place}_{tokens}_ms": picture_of(each) for (place, tokens), each in times.items()}
    for tokens in sorted({tokens for _, tokens in times}):
        found[f"ratio_{tokens}"] = found[f"page_{tokens}_ms"] / found[f"server_{tokens}_ms"]
    found |= {f"{place}_tab_mb": each for place, each in tabs.items()}
    for name, each in slow.items():
        found[f"{name}_{TOKENS[0]}_ms"] = picture_of(each)
        found[f"{name}_pause_ms"] = median(key.pause_ms for key in each)
    return {**found, "file_mb": file_mb}


def picture_of(keys: Sequence[Key]) -> float:
    """The median time to the picture."""
    return median(key.picture_ms for key in keys)


def lines(found: Mapping[str, float]) -> list[str]:
    """One line for each figure, with its aim and whether it is met."""
    aims = {
        name: f"  aim {aim:g}: {'met' if found[name] <= aim else 'not met'}"
        for name, aim in AIMS.items()
    }
    return [f"{name:>21}: {value:8.2f}{aims.get(name, '')}" for name, value in found.items()]


if __name__ == "__main__":
    main()

"""One real page in Chromium: the time from key to picture, and the time to open it."""

import threading
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as PageTimeout

from benchmarks._load.recorded import READY, TYPED
from scripts.live import chromium

LOST_MS = 10_000  # the value recorded for a picture that took longer
# Milliseconds from the newest key to its picture: the page sets a mark when it has painted one.
PICTURE = f"""() => new Promise((resolve) => {{
  const look = () => {{
    const mark = performance.getEntriesByName("picture").at(-1);
    if (mark && mark.startTime > window.pressedAt) resolve(mark.startTime - window.pressedAt);
    else if (performance.now() - window.pressedAt > {LOST_MS}) resolve({LOST_MS});
    else setTimeout(look, 5);
  }};
  look();
}})"""
NOTE_KEYS = "addEventListener('keydown', (event) => { window.pressedAt = event.timeStamp; }, true);"
LETTERS = " and the dog ran to her"


def type_slowly(
    address: str, seconds: float, opened: threading.Event, pause_s: float = 1.0
) -> list[float]:
    """Milliseconds from key to picture; a key every `pause_s`, or after each picture if later.

    Sets `opened` when the page is open: starting a browser occupies all cores for a second or two.
    """
    with chromium() as browser:
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        page.add_init_script(NOTE_KEYS)
        page.goto(f"{address}/?text={TYPED.replace(' ', '+')}")
        page.locator(READY).wait_for(state="attached")
        box = page.locator("#sentences textarea").first
        box.press("End")
        opened.set()
        times: list[float] = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            page.keyboard.press(_key(len(times)))
            times.append(float(page.evaluate(PICTURE)))
            page.wait_for_timeout(max(50.0, pause_s * 1000 - times[-1]))
        return times


def _key(place: int) -> str:
    """Types some words, deletes them with backspaces, and repeats."""
    pressed = place % (2 * len(LETTERS))
    letter = LETTERS[pressed] if pressed < len(LETTERS) else "Backspace"
    return "Space" if letter == " " else letter


def openings(
    browser: Browser, address: str, served: Callable[[], float], repeats: int
) -> dict[str, list[float]]:
    """First visits and reloads: ms until the first picture, and requests sent to the server.

    `served` returns the number of requests that the server has received so far.
    """
    found: dict[str, list[float]] = {
        name: [] for name in ("cold_ms", "cold_requests", "warm_ms", "warm_requests")
    }
    for _ in range(repeats):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        page = context.new_page()
        for kind in ("cold", "warm"):
            before = served()
            page.goto(address)
            _settle(page)
            picture: Any = page.evaluate("performance.getEntriesByName('heads')[0].startTime")
            found[f"{kind}_ms"].append(float(picture))
            found[f"{kind}_requests"].append(served() - before)
        context.close()
    return found


def _settle(page: Page) -> None:
    page.locator(READY).wait_for(state="attached")
    try:
        page.wait_for_load_state("networkidle", timeout=5_000)
    except PageTimeout:  # a page that keeps a stream open
        pass

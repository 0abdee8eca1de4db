"""The requests of the page, recorded in Chromium, so that the simulated load is the real one.

Each request is recorded with its wave: a request that was sent after some answer arrived belongs to
the next wave. A replay sends all requests of a wave at once, and waits for them before the next.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import orjson
from playwright.sync_api import Browser, Page
from playwright.sync_api import Request as PageRequest

TYPED = "The old cat near the red boats saw a dog on his green hill"
# As Chromium sends it to a loopback address; Playwright does not report it.
ENCODINGS = "gzip, deflate, br, zstd"
READY = "html[data-state=ready]"
QUIET_MS = 700  # without a request: then the keystroke is complete


@dataclass(frozen=True)
class Sent:
    """One request. A replay puts its own texts into a trace request."""

    method: str
    path: str
    accept: str
    wave: int
    body: dict[str, Any] | None = None  # of a trace
    after_picture: bool = False  # sent after the first picture was shown
    text_field: str = "texts"

    @property
    def headers(self) -> dict[str, str]:
        declared = {} if self.body is None else {"Content-Type": "application/json"}
        return {"Accept": self.accept, "Accept-Encoding": ENCODINGS, **declared}

    def payload(self, text: str) -> bytes | None:
        if self.body is None:
            return None
        texts = [text] if self.text_field == "texts" else text
        return orjson.dumps({**self.body, self.text_field: texts})


def keystroke(browser: Browser, address: str) -> tuple[Sent, ...]:
    """The API requests of one key pressed in a text of about 16 tokens."""
    page = browser.new_context().new_page()
    page.goto(f"{address}/?text={TYPED.replace(' ', '+')}")
    page.locator(READY).wait_for(state="attached")
    page.wait_for_timeout(QUIET_MS)

    def press() -> None:
        box = page.locator("#sentences textarea").first
        box.press("End")
        box.press("s")
        page.locator(READY).wait_for(state="attached")

    sent = _recorded(page, press)
    page.context.close()
    return tuple(each for each in sent if each.path.startswith("/api/"))


def visit(browser: Browser, address: str) -> tuple[Sent, ...]:
    """All requests of a first visit, each file once, the page itself first."""
    page = browser.new_context().new_page()

    def open_it() -> None:
        page.goto(address)
        page.locator(READY).wait_for(state="attached")

    sent = _recorded(page, open_it)
    page.context.close()
    kept = {each.path: each for each in reversed(sent) if each.body is None}
    return tuple(each for each in sent if each.body is not None or kept[each.path] is each)


def _recorded(page: Page, act: Callable[[], None]) -> tuple[Sent, ...]:
    wave, answered, sent = 0, False, list[Sent]()

    def note(request: PageRequest) -> None:
        nonlocal wave, answered
        wave, answered = wave + answered, False
        there = urlsplit(request.url)
        if there.scheme not in ("http", "https"):
            return
        sent.append(
            Sent(
                method=request.method,
                path=there.path + (f"?{there.query}" if there.query else ""),
                accept=request.headers.get("accept", "*/*"),
                wave=wave,
                body=orjson.loads(request.post_data) if request.post_data else None,
            )
        )

    def note_answer(_: PageRequest) -> None:
        nonlocal answered
        answered = True

    page.on("request", note)
    page.on("requestfinished", note_answer)
    act()
    page.wait_for_timeout(QUIET_MS)
    n_before = _requests_before_picture(sent)
    return tuple(replace(each, after_picture=at >= n_before) for at, each in enumerate(sent))


def _requests_before_picture(sent: list[Sent]) -> int:
    """The first picture needs the first wave of traces and everything requested before it."""
    first = next((each.wave for each in sent if each.body is not None), 0)
    return sum(each.wave <= first for each in sent)

"""Real pages in Chromium among the simulated ones, driven by a thread of their own."""

import threading
import time
from dataclasses import dataclass, field

from playwright.sync_api import Browser, Page

from benchmarks._class.people import Changes, text_of
from scripts.live import chromium

BOX = "#sentences textarea"
OPEN_MS = 60_000

# When each sentence was first in the box, in milliseconds since 1970.
WATCH = f"""() => {{
  window.seenAt = {{}};
  const look = () => {{
    const text = document.querySelector("{BOX}")?.value;
    if (text !== undefined && !(text in seenAt)) seenAt[text] = Date.now();
    setTimeout(look, 10);
  }};
  look();
}}"""


@dataclass
class Pages:
    """Pages that join a class and follow it until they are told to stop."""

    address: str
    code: str
    n: int
    seen: list[dict[str, float]] = field(default_factory=list)  # sentence: time.perf_counter()
    errors: list[str] = field(default_factory=list)
    opened: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Open, watch, and read off what each page showed; in a thread."""
        try:
            with chromium() as browser:
                pages = [self._join(browser) for _ in range(self.n)]
                self.opened.set()
                while not self.over.is_set():  # playwright works only while it is called
                    pages[0].wait_for_timeout(200)
                offset = time.perf_counter() - time.time()
                for page in pages:
                    found: dict[str, float] = page.evaluate("seenAt")
                    self.seen.append({text: at / 1000 + offset for text, at in found.items()})
        finally:
            self.opened.set()

    def _join(self, browser: Browser) -> Page:
        context = browser.new_context(viewport={"width": 390, "height": 844})
        context.set_default_timeout(OPEN_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(f"{self.address}/join/{self.code}")
        page.locator("#go").click()
        page.locator(BOX).first.wait_for()
        page.evaluate(WATCH)
        return page

    def latencies_ms(self, changes: Changes) -> list[float]:
        """How long each change of the teacher's took to reach each page."""
        choices = {choice: str(text_of(choice)) for choice in changes.sent_at}
        return changes.latencies_ms(
            {choice: seen[text] for choice, text in choices.items() if text in seen}
            for seen in self.seen
        )

    def behind(self, sentence: str) -> int:
        """The pages that never showed this sentence."""
        return self.n - sum(sentence in each for each in self.seen)

"""Make docs/inspector.webp, the README's picture in motion, from the real page.

Somebody types a sentence, goes through heads, reads a row, and mutes a head that matters.
"""

import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

from scripts.live import chromium, serving

OUT = Path(__file__).parent.parent / "docs" / "inspector.webp"
SHOWN = (960, 600)
TEXT = "Mary near the boys saw"
WAY = (
    "ArrowDown",
    "ArrowLeft",
    "ArrowDown",
    "ArrowRight",
)  # from head 3 of layer 0 to that of layer 2


class Film:
    """Frames of a page, each with how long it is shown."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._frames: list[Image.Image] = []
        self._ms: list[int] = []

    def take(self, ms: int) -> None:
        self.page.locator("html[data-state=ready]").wait_for(state="attached")
        shot = Image.open(io.BytesIO(self.page.screenshot()))
        self._frames.append(shot.convert("RGB").resize(SHOWN, Image.Resampling.LANCZOS))
        self._ms.append(ms)

    def save(self, path: Path) -> None:
        first, *rest = self._frames
        first.save(
            path, save_all=True, append_images=rest, duration=self._ms, loop=0, quality=72, method=6
        )


def main() -> None:
    with serving() as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        page.goto(f"{address}/?depth=full&text={TEXT.split()[0]}&layer=0&head=3")
        film = Film(page)
        film.take(900)
        box = page.locator("#sentences textarea").first
        box.focus()
        page.keyboard.press("End")
        for word in TEXT.split()[1:]:
            page.keyboard.type(f" {word}")
            page.wait_for_timeout(300)
            film.take(350)
        page.keyboard.press("Escape")
        for key in WAY:
            page.keyboard.press(key)
            page.wait_for_timeout(300)
            film.take(600)
        page.keyboard.press("m")
        page.wait_for_timeout(600)
        film.take(2_500)
        film.save(OUT)


if __name__ == "__main__":
    main()

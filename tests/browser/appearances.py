"""A page in either colour scheme and at several widths, without opening it again."""

from collections.abc import Iterator
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests import sweeps

Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, Scheme] = ("light", "dark")
SETTLED = """async () => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  const fading = document.getAnimations().filter((it) => it instanceof CSSTransition);
  await Promise.allSettled(fading.map((it) => it.finished));
}"""


def resize(page: Page, width: int, height: int) -> None:
    """Give it a window of this size, and wait until it has moved its parts to suit."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(SETTLED)


def appearances(page: Page, *widths: int) -> Iterator[tuple[Scheme, int]]:
    """Show it in each scheme at each width: at its own, if none is given.

    A scheme changes colours alone, and all but the colours of an element do not depend on it. So
    `make test` shows each width in the light scheme, and the last one also in the dark one.
    """
    size = page.viewport_size
    assert size
    widths = widths or (size["width"],)
    for width in widths:
        page.set_viewport_size({"width": width, "height": size["height"]})
        for scheme in SCHEMES:
            if scheme == "dark" and width != widths[-1] and not sweeps.is_whole:
                continue
            page.emulate_media(color_scheme=scheme)
            page.evaluate(SETTLED)
            yield scheme, width


def accessible(page: Page, part: str | None = None) -> bool:
    """Whether axe finds nothing wrong with a page, or with a part of it.

    In a dark page it checks the colours alone: all else is the same as in the light one.
    """
    is_there, is_dark = page.evaluate(ASKED)
    rules = {"runOnly": ["color-contrast"]} if is_dark else {}
    axe = Axe("null") if is_there else Axe()
    found = axe.run(page, part, {"resultTypes": ["violations"], **rules})
    assert found.violations_count == 0, found.generate_report()
    return True


ASKED = "() => ['axe' in globalThis, matchMedia('(prefers-color-scheme: dark)').matches]"

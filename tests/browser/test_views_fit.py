"""Every view, with a short, a middling and a long text, in windows from 320 to 1920 pixels."""

import pytest

from server.pages.learning.choices import ONE_OF
from tests import sweeps
from tests.browser.appearances import resize
from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser

WINDOWS = ((1280, 720), (1440, 900), (1920, 1080), (900, 700), (820, 1180), (390, 844), (320, 640))
WORDS = "the old man saw a small dog near the river and".split()
LENGTHS = (10, 45, 309)  # tokens, with [BOS]
VIEWS = [name for name in ONE_OF["view"] if name != "court"]  # the old name of explanations
# What stands out of the view at a side, and no part of it scrolls there to show it.
OUTSIDE = """(name) => {
  const root = document.querySelector(`#${name}-view`);
  const { left, right, width } = root.getBoundingClientRect();
  if (width === 0) return [`${name} has no width`];
  const scrolls = (it) => it !== root.parentElement
    && (getComputedStyle(it).overflowX !== "visible" || scrolls(it.parentElement));
  return [...root.querySelectorAll("*")]
    .filter((it) => it.checkVisibility({ visibilityProperty: true }))
    .filter((it) => !it.closest(".unseen, svg *"))
    .filter((it) => {
      const box = it.getBoundingClientRect();
      const isOut = box.width > 1 && (box.right > right + 1 || box.left < left - 1);
      return isOut && !scrolls(it.parentElement);
    })
    .map((it) => `${it.tagName} ${it.className} ${it.textContent.slice(0, 40)}`);
}"""


def text_of(tokens: int) -> str:
    return "+".join(WORDS[n % len(WORDS)] for n in range(tokens - 1))


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_fits_every_window(inspector: Inspector, view: str) -> None:
    """`make test-all` tries each length; `make test` one of them for each view, in turn."""
    page = inspector.page
    at = VIEWS.index(view) % len(LENGTHS)
    for tokens in LENGTHS if sweeps.is_whole else LENGTHS[at : at + 1]:
        page.set_viewport_size({"width": 1280, "height": 720})
        inspector.open(f"/?depth=full&view={view}&text={text_of(tokens)}&layer=2&head=1")
        for width, height in WINDOWS:
            resize(page, width, height)
            seen = (view, tokens, width)
            aside = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert aside == 0, seen
            assert page.evaluate(OUTSIDE, view) == [], seen
            if width >= 900:  # one window: nothing scrolls but parts of it
                down = page.evaluate("document.documentElement.scrollHeight - innerHeight")
                assert down == 0, seen
    # a long text is refused in words: an explanation of it would take minutes
    inspector.errors = [one for one in inspector.errors if "422" not in one]

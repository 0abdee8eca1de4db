"""The course in the reader's language: every word, and room for it on pages and in diagrams."""

import pytest
from playwright.sync_api import expect

from server.languages.table import LANGUAGES
from tests.browser.appearances import resize
from tests.browser.contexts import Pages
from tests.browser.translated import ASIDE, raw
from tests.lessons import SLUGS
from tests.sweeps import some

pytestmark = pytest.mark.browser


def test_the_glossary_is_in_the_order_of_its_language(pages: Pages, server: str) -> None:
    page = pages()
    page.goto(f"{server}/learn/glossary?lang=de")
    expect(page.locator("html")).to_have_attribute("data-state", "ready")
    terms = page.locator(".glossary dt").all_inner_texts()
    assert terms == page.evaluate("(all) => all.toSorted(new Intl.Collator('de').compare)", terms)
    page.goto(f"{server}/learn/glossary?lang=de#residual-stream")
    expect(page.locator(".term:target dt")).to_contain_text("Residualstrom")


SHEETS = [
    *("/learn", "/learn/glossary", "/learn/teachers", "/learn/teachers/slides"),
    *("/learn/games/cards", "/learn/games/pairs", "/learn/games/bets"),
]
# What a model reads on a sheet: it is English in every language.
READ = (
    "[PAD] [BOS] The king lost his hat boy Anna teacher apples window Ben chose grey cat chases "
    "mouse we hear birds sing"
)


@pytest.mark.parametrize("path", [*SHEETS, *(f"/learn/{slug}" for slug in some(SLUGS, 4))])
def test_every_word_of_the_course_is_translated_and_has_room(
    pages: Pages, server: str, path: str
) -> None:
    page = pages()
    page.goto(f"{server}{path}?lang=en-XA")
    page.wait_for_load_state("networkidle")
    for width in (1440, 390):
        resize(page, width, 900)
        assert page.evaluate(ASIDE) == 0, width
    found = [one for one in raw(page, "EN", "ln") if not any(word in READ for word in one.split())]
    assert found == []


# Labels of a diagram that leave its box or the picture, or lie on others.
CROWDED = """() => [...document.querySelectorAll(".diagram svg")].flatMap((svg) => {
  const { width } = svg.viewBox.baseVal;
  const labels = [...svg.querySelectorAll("text")].filter((it) => !it.getAttribute("transform"))
    .map((it) => ({ said: it.textContent, ...box(it) })).filter(({ wide }) => wide);
  const boxes = [...svg.querySelectorAll("rect.box")].map(box);
  function box(it) {
    const { x, y, width, height } = it.getBBox();
    return { left: x, top: y, right: x + width, low: y + height, wide: width };
  }
  const within = (one, { left, right, top, low }) =>
    between(left, (one.left + one.right) / 2, right) && between(top, (one.top + one.low) / 2, low);
  const between = (low, it, high) => low < it && it < high;
  const over = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 &&
    Math.min(one.low, other.low) - Math.max(one.top, other.top) > 4;
  return labels.filter((one, at) => one.left < -1 || one.right > width + 1 ||
      boxes.some((it) => within(one, it) && one.wide > it.wide + 2) ||
      labels.slice(at + 1).some((other) => over(one, other)))
    .map(({ said }) => said);
})"""


@pytest.mark.parametrize("slug", SLUGS)
def test_labels_of_diagrams_have_room_in_each_language(
    pages: Pages, server: str, slug: str
) -> None:
    page = pages()
    page.route("**/*.js", lambda route: route.abort())  # they are drawn without a script
    for language in LANGUAGES:
        if language.has_course:
            page.goto(f"{server}/learn/{slug}?lang={language.code}", wait_until="commit")
            page.wait_for_load_state("domcontentloaded")
            assert page.evaluate(CROWDED) == [], language.code

"""A quiz: nothing on the page, in its address or in what it saves gives the answer away."""

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from server.api.routes.teachers import JOIN
from server.pages.learning.workshop.games import SUSPECTS, query_of, quiz
from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector, is_extra

pytestmark = pytest.mark.browser

HUNT = "text=The boys behind the tall tree are in the garden.&layer=2&head=1&query=6"
DETECTIVE = "model=scratch&scratch.mechanism=single-head&scratch.mask_applied=after&text=we saw you"
LABELS = "subject|reflexive|pronoun|bracket|previous token|first token|induction|same token|broad"
DONE = "softmax|after|sum to|single-head|modified|changed|mute|own masks"
# Everything that is on the screen or read out: texts, titles, labels, values.
TOLD = """() => {
  const parts = [document.title, location.search];
  for (const each of document.querySelectorAll("body, body *")) {
    if (!each.checkVisibility() || each.closest("#quiz")) continue;
    for (const name of ["title", "aria-label", "placeholder", "alt", "data-words"])
      parts.push(each.getAttribute(name) ?? "");
    if (each.matches("select")) parts.push(each.selectedOptions[0]?.text ?? "");
    for (const node of each.childNodes)
      if (node.nodeType === 3 && !each.matches("option, script, style")) parts.push(node.data);
  }
  return parts.join("\\n");
}"""


def opened(inspector: Inspector, query: str) -> Inspector:
    return inspector.open(f"/?{quote(query, safe='=&.')}&quiz=1")


def told(inspector: Inspector, words: str) -> list[str]:
    """Which of the words the page tells."""
    return sorted(set(re.findall(words, inspector.page.evaluate(TOLD), re.IGNORECASE)))


def is_answer(body: str) -> bool:
    """Whether a request asks what the model does with a head muted."""
    request = json.loads(body)
    return "mute_effects" in request.get("analyse", {}) or request.get("muted", []) != []


def test_no_head_is_named_until_reveal(inspector: Inspector) -> None:
    opened(inspector, HUNT).probed()
    assert told(inspector, LABELS) == []
    inspector.page.get_by_role("button", name="Reveal").click()
    expect(inspector.page.locator("#head-label")).to_contain_text("subject")
    assert {"subject", "reflexive", "first token"} <= set(told(inspector, LABELS))
    assert "quiz" not in inspector.page.url and "layer=2" in inspector.page.url


def test_nothing_says_what_was_done_to_the_model_until_reveal(inspector: Inspector) -> None:
    opened(inspector, DETECTIVE)
    assert told(inspector, DONE) == []
    inspector.page.get_by_role("button", name="Reveal").click()
    assert {"softmax", "after", "sum to"} <= set(told(inspector, DONE))
    assert "scratch.mask_applied=after" in inspector.page.url


def test_the_address_hides_the_settings_and_restores_them(inspector: Inspector) -> None:
    opened(inspector, DETECTIVE)
    expect(inspector.page).to_have_url(re.compile(r"/\?quiz=[\w-]+$"))
    figure = inspector.figure()
    inspector.page.reload()
    inspector.ready()
    assert inspector.figure() == figure
    assert told(inspector, DONE) == []


@pytest.mark.fresh
def test_no_key_reaches_what_is_hidden(inspector: Inspector) -> None:
    opened(inspector, DETECTIVE)
    figure = inspector.figure()
    for key in ("c", "p", "m", "w", "a", "f", "r", "e", "v"):
        inspector.press(*[key] * 4)
        assert told(inspector, DONE) == [], key
        assert inspector.page.locator("dialog[open]").count() == 0, key
        if key != "v":
            assert inspector.figure() == figure, key


def test_a_saved_picture_tells_neither_in_its_caption_nor_in_its_name(
    inspector: Inspector, tmp_path: Path
) -> None:
    for query, words in ((HUNT, LABELS), (DETECTIVE, DONE)):
        opened(inspector, query).page.locator("[data-save=head]").click()
        with inspector.page.expect_download() as download:
            inspector.page.get_by_role("button", name="SVG", exact=True).click()
        saved = Path(tmp_path, download.value.suggested_filename)
        download.value.save_as(saved)
        assert re.findall(words, saved.read_text() + saved.name) == []
        assert query.split("text=")[1].split("&")[0] in saved.read_text()


@pytest.mark.fresh
def test_the_answer_is_not_asked_for_in_advance(inspector: Inspector) -> None:
    asked: list[str] = []
    inspector.page.on("request", lambda request: asked.append(request.post_data or ""))
    inspector.page.clock.install()
    opened(inspector, HUNT + "&right=effects").probed()
    inspector.page.clock.fast_forward(60_000)  # so long that the page asks what muting would do
    with inspector.page.expect_request(is_extra) as muting:
        before = len([body for body in asked if body])
        inspector.page.get_by_role("button", name="Reveal").click()
        inspector.page.clock.fast_forward(60_000)
    assert all(not is_answer(body) for body in asked[:before] if body)
    assert is_answer(muting.value.post_data or "")


def test_muted_heads_of_a_quiz_are_not_shown_until_reveal(inspector: Inspector) -> None:
    page = opened(inspector, HUNT + "&muted=2.1&muted=1.4").page
    expect(page.locator("#next tbody tr").first).to_be_visible()
    assert told(inspector, "muted|unedited|% → ") == []
    assert page.locator(".cell.muted, #next .compared").count() == 0
    page.get_by_role("button", name="Reveal").click()
    expect(page.locator("#quiz")).to_contain_text("Revealed: muted: L2·H1, L1·H4.")
    expect(page.locator(".cell.muted")).to_have_count(2)
    expect(page.locator("#next .compared").first).to_be_visible()


def test_sums_and_remarks_wait_for_reveal(inspector: Inspector) -> None:
    page = opened(inspector, DETECTIVE.replace("mask_applied=after", "causal_diagonal=-1")).page
    assert page.locator("#notice").inner_text() == "" and page.locator("canvas.sums").is_hidden()
    page.get_by_role("button", name="Reveal").click()
    expect(page.locator("#notice")).to_contain_text("every key is blocked")
    expect(page.locator("canvas.sums")).to_be_visible()


REVEALED = {
    "A": "causal mask one too wide",
    "B": "softmax over queries",
    "C": "causal mask on · padding not masked · padded on the left",
    "D": "nothing was changed",
    "E": "masks after the softmax",
    "F": "causal mask off",
    "G": "causal mask one too narrow",
}


@pytest.mark.fresh
def test_reveal_names_every_mistake_of_the_detective_in_start(inspector: Inspector) -> None:
    assert {one.letter for one in SUSPECTS} == set(REVEALED)
    for one in SUSPECTS:
        page = inspector.open(quiz(query_of(one, depth="start"))).page
        assert told(inspector, f"{DONE}|{'|'.join(REVEALED.values())}") == []
        page.get_by_role("button", name="Reveal").click()
        expect(page.locator("#quiz")).to_contain_text(f"Revealed: {REVEALED[one.letter]}")
        expect(page.locator("#quiz")).to_be_visible()
        assert page.locator("html").get_attribute("data-depth") == "start"
        inspector.ready()
        expect(page.locator("#head-label")).to_have_text("")  # its weights are random


@pytest.mark.painted
def test_a_quiz_has_no_way_round(inspector: Inspector) -> None:
    page = inspector.open(JOIN).page
    expect(page.locator("#quiz")).to_be_visible()
    expect(page.locator("html[data-depth=start]")).to_be_attached()
    expect(page.get_by_role("button", name="Reveal")).to_be_hidden()
    thumbnail = page.locator("#grid canvas").first.bounding_box()
    assert thumbnail and thumbnail["width"] > 40, "without words there is room for pictures"
    assert told(inspector, LABELS) == []
    for name in ("Take the tour", "All examples", "Mute"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    page.locator("#chips .chip").nth(3).click(button="right")
    items = page.get_by_role("menuitem")
    expect(items.first).to_be_visible()
    assert items.all_inner_texts() == ["Pin in Lines", "Read its row"]
    page.keyboard.press("Escape")
    sentence = page.locator("textarea").first.input_value()
    page.get_by_role("button", name="Present").click()
    inspector.press("ArrowRight", "ArrowRight")
    expect(page.locator("#present-sentence")).to_contain_text("doctor")
    assert told(inspector, LABELS) == []
    page.keyboard.press("Escape")
    assert page.locator("textarea").first.input_value() == sentence


def test_a_quiz_links_to_no_page_with_labels_until_reveal(inspector: Inspector) -> None:
    page = opened(inspector, HUNT).page
    pages, logo = page.get_by_role("navigation", name="Pages"), page.locator("a.brand")
    expect(logo).to_be_visible()
    expect(page.get_by_role("button", name="Theme")).to_be_visible()
    page.get_by_role("button", name="Help").click()
    expect(page.locator("#help")).to_be_visible()
    expect(page.get_by_role("link").filter(visible=True)).to_have_count(1)
    expect(page.get_by_role("link").filter(visible=True)).to_have_attribute("href", "#grid")
    expect(pages).to_be_hidden()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Reveal").click()
    expect(pages).to_be_visible()
    expect(logo).to_have_attribute("href", "/")


@pytest.mark.parametrize("depth", ["start", "full"])
def test_help_lists_no_key_that_does_nothing_in_a_quiz(inspector: Inspector, depth: str) -> None:
    def keys() -> set[str]:
        page.get_by_role("button", name="Help").click()
        expect(page.locator("#help")).to_be_visible()
        said.append(page.locator("#help").inner_text())
        listed = page.locator("#help dt kbd:visible").all_inner_texts()
        page.keyboard.press("Escape")
        return set(listed)

    silent = set("cpm") | (set("fargwxz{}") if depth == "full" else set())
    page = opened(inspector, f"{HUNT}&depth={depth}").page
    said: list[str] = []
    in_quiz = keys()
    page.get_by_role("button", name="Reveal").click()
    assert in_quiz & silent == set() and {"[", "v", "?"} <= in_quiz
    assert silent <= keys()
    controls = re.compile("(?i)mute a head|why\\?|find a head|inside|beside a head|label under")
    assert controls.findall(said[0]) == [] and controls.search(said[1])


def test_no_control_ranks_the_heads_until_reveal(inspector: Inspector) -> None:
    page = opened(inspector, HUNT).page
    ranks = page.get_by_role("button", name="Mute each head in turn")
    expect(page.locator("#next tbody tr").first).to_be_visible()
    expect(ranks).to_be_hidden()
    page.get_by_role("button", name="Reveal").click()
    expect(ranks).to_be_visible()


def test_axe_is_content_with_a_quiz(inspector: Inspector) -> None:
    opened(inspector, HUNT)
    for _ in appearances(inspector.page, 1440, 390):
        accessible(inspector.page)

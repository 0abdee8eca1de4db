"""A quiz: nothing on the page, in its address or in what it saves gives the answer away."""

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser.appearances import accessible, appearances
from tests.browser.conftest import Inspector

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


@pytest.mark.parametrize("key", ["c", "p", "m", "w", "a", "f", "r", "e", "v"])
def test_no_key_reaches_what_is_hidden(inspector: Inspector, key: str) -> None:
    opened(inspector, DETECTIVE)
    figure = inspector.figure()
    inspector.press(*[key] * 4)
    assert told(inspector, DONE) == []
    assert inspector.page.locator("dialog[open]").count() == 0
    if key != "v":
        assert inspector.figure() == figure


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


def test_the_answer_is_not_asked_for_in_advance(inspector: Inspector) -> None:
    asked: list[str] = []
    inspector.page.on("request", lambda request: asked.append(request.post_data or ""))
    opened(inspector, HUNT + "&right=effects").probed()
    assert [body for body in asked if body and "mute_effects" in json.loads(body)] == []


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

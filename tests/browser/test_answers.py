"""Other answers than the prediction: chosen in a menu, in the address, and in every panel."""

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser
SENTENCE = "/?text=Maria+saw+herself+in+the+mirror.&layer=2&head=3&depth=full"


def answers(page: Page) -> list[str]:
    return parse_qs(urlsplit(page.url).query).get("answer", [])


def test_how_sure_the_model_is_is_asked_of_each_row(inspector: Inspector) -> None:
    page = inspector.open(SENTENCE).page
    chooser = page.locator("#answer-field select")
    expect(chooser.locator("option")).to_have_text(
        ["next token", "how sure it is", "the whole text", "likeness to …", "a probe …"]
    )
    chooser.select_option("entropy")
    said = page.locator("#answer-field").get_by_role("status")
    expect(said).to_have_text(re.compile(r"Entropy \d\.\d\d nats: as unsure as among \d+ equally"))
    expect(page.get_by_role("tab", name="Answer")).to_be_visible()
    expect(page.locator("#next tbody tr")).to_have_count(2)
    expect(page.locator("#next tbody tr", has_text="unsure")).to_have_count(1)
    before = said.text_content()
    page.get_by_role("button", name="Maria", exact=True).click()
    expect(said).not_to_have_text(before or "")
    expect(page.locator("#forecast")).to_contain_text("Answer, read at “Maria”")
    page.wait_for_url("**answer=entropy**")
    page.get_by_role("tab", name="Mute effects").click()
    expect(page.locator("#effects-panel .effects li").first).to_be_visible()
    expect(page.locator("#effects-panel")).to_contain_text("“sure”")
    page.get_by_role("tab", name="Attribution").click()
    expect(page.locator("#attribution-panel")).to_contain_text("“sure”")
    page.locator("#answer-field select").select_option("")
    page.get_by_role("tab", name="Next token").click()
    expect(page.locator("#next tbody tr")).to_have_count(10)
    assert answers(page) == []


def test_sentences_to_compare_with_are_typed(inspector: Inspector) -> None:
    page = inspector.open(SENTENCE).page
    chooser = page.locator("#answer-field select")
    chooser.select_option("similarity")
    dialog = page.get_by_role("dialog", name="Ask something else")
    dialog.get_by_role("button", name="Ask").click()
    expect(dialog.get_by_role("alert")).to_have_text("Type a sentence.")
    dialog.get_by_role("button", name="Cancel").click()
    expect(chooser).to_have_value("")  # nothing was asked
    chooser.select_option("similarity")
    dialog.get_by_label("Sentences").fill("John saw himself in the mirror.\nThe dogs run.")
    dialog.get_by_role("button", name="Ask").click()
    said = page.locator("#answer-field").get_by_role("status")
    expect(said).to_contain_text(re.compile(r"“John saw.*” 0\.\d{3}, “The dogs run\.” 0\.\d{3}"))
    page.wait_for_url("**answer=**")
    assert answers(page) == ["similarity~texts=John saw himself in the mirror.~texts=The dogs run."]
    page.reload()
    expect(said).to_contain_text("Cosines")
    page.get_by_role("button", name="change …").click()
    expect(dialog.get_by_label("Sentences")).to_have_value(
        "John saw himself in the mirror.\nThe dogs run."
    )
    dialog.get_by_role("button", name="Cancel").click()
    expect(chooser).to_have_value("similarity")


def test_a_probe_comes_from_a_file(inspector: Inspector) -> None:
    page = inspector.open(SENTENCE).page
    page.locator("#answer-field select").select_option("probe")
    dialog = page.get_by_role("dialog", name="Ask something else")
    dialog.get_by_role("button", name="Ask").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Choose a file")
    field = dialog.locator("input[type=file]")
    field.set_input_files(
        {"name": "p.json", "mimeType": "application/json", "buffer": b'{"weight": [1]}'}
    )
    expect(dialog.get_by_role("alert")).to_contain_text("p.json has no weights")
    probe = {"weights": [[0.1] * 128, [-0.1] * 128], "layer": 1, "classes": ["up", "down"]}
    field.set_input_files(
        {"name": "p.json", "mimeType": "application/json", "buffer": json.dumps(probe).encode()}
    )
    expect(dialog).to_contain_text("p.json: 2 rows of 128 numbers")
    expect(dialog.get_by_label("After layer")).to_have_value("1")
    dialog.get_by_role("button", name="Ask").click()
    rows = page.locator("#next tbody tr")
    expect(rows).to_have_count(2)
    expect(page.locator("#next tbody")).to_contain_text("down")
    page.reload()
    expect(rows).to_have_count(2)  # the address has it


def test_an_answer_that_a_model_cannot_give_is_not_offered(inspector: Inspector) -> None:
    page = inspector.open("/?text=The+cat&model=scratch&depth=full&answer=entropy").page
    expect(page.locator("#answer-field")).to_be_hidden()


def test_a_link_opens_every_view_with_its_answer(inspector: Inspector) -> None:
    asked = "answer=similarity~texts=The+dogs+run."
    page = inspector.open(
        f"{SENTENCE}&{asked}&view=patch&clean=John+saw+himself+in+the+mirror."
    ).page
    expect(page.locator("#patch-view")).to_contain_text("The dogs run")
    inspector.open(f"{SENTENCE}&{asked}&view=explanations")
    expect(page.locator("#explanations-view")).to_contain_text("The dogs run")
    inspector.open(f"{SENTENCE}&{asked}&depth=start".replace("&depth=full", ""))
    expect(page.locator("#forecast")).to_contain_text("The dogs run")

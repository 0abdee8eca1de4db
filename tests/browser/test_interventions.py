"""Interventions on the page: made in a dialog, listed as chips, in the address, undone."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser
SENTENCE = "/?text=Maria+saw&layer=2&head=3&query=2&depth=full"


def test_an_intervention_is_made_listed_undone_and_removed(inspector: Inspector) -> None:
    page = inspector.open(SENTENCE).page
    page.keyboard.press("i")
    dialog = page.get_by_role("dialog", name="Intervene")
    expect(dialog).to_be_visible()
    dialog.get_by_role("combobox", name="What").select_option(label="Stream before layer 2")
    dialog.get_by_role("combobox", name="Change").select_option("patch")
    dialog.get_by_role("textbox", name="Sentence").fill("Robert saw")
    dialog.get_by_role("button", name="Apply").click()
    chip = page.get_by_role(
        "button", name="Remove: stream before layer 2 ← patch from “Robert saw”"
    )
    expect(chip).to_be_visible()
    expect(page.locator("#next tbody tr").first).to_contain_text("himself")
    page.wait_for_url("**intervention=**")
    asked = parse_qs(urlsplit(page.url).query)["intervention"]
    assert asked == ["patch~resid_pre.2~source=Robert saw"]
    page.keyboard.press("Control+z")
    expect(chip).to_have_count(0)
    expect(page.locator("#next tbody tr").first).to_contain_text("herself")
    page.keyboard.press("Control+Shift+z")
    expect(chip).to_be_visible()
    chip.click()
    expect(page.locator("#interventions")).to_be_hidden()


def test_a_direction_is_added_from_sentences_and_toward_a_token(inspector: Inspector) -> None:
    page = inspector.open("/?text=The+woman+saw&layer=2&head=3&depth=full").page
    first = page.locator("#next tbody tr").first
    expect(first).to_contain_text("herself")
    page.keyboard.press("i")
    dialog = page.get_by_role("dialog", name="Intervene")
    dialog.get_by_role("combobox", name="Change").select_option("add")
    expect(dialog.get_by_label("Toward the token")).to_be_disabled()  # z is no vector of the stream
    dialog.get_by_role("combobox", name="What").select_option(label="Stream after layer 2")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog.get_by_role("alert")).to_have_text("Name a token, or type a sentence.")
    dialog.get_by_label("or from a sentence").fill("The man saw")
    dialog.get_by_label("less another").fill("The woman saw")
    dialog.get_by_role("button", name="In words").click()
    said = dialog.locator("[data-part=words]")
    expect(said).to_contain_text(re.compile(r"speaks for .*“himself”.*, and against .*“herself”"))
    dialog.get_by_label("less another").fill("The woman saw ")
    expect(said).to_have_text("")  # of what is typed, or nothing
    dialog.get_by_label("less another").fill("The woman saw")
    dialog.get_by_role("button", name="Apply").click()
    chip = page.locator("#interventions button").first
    expect(chip).to_contain_text("stream after layer 2 + 1 × (“The man saw” − “The woman saw”)")
    expect(first).to_contain_text("himself")
    page.wait_for_url("**intervention=**")
    asked = parse_qs(urlsplit(page.url).query)["intervention"]
    assert asked == ["add~resid_post.2~factor=1~source=The man saw~minus=The woman saw"]
    chip.click()
    expect(first).to_contain_text("herself")
    page.keyboard.press("i")
    dialog.get_by_role("combobox", name="What").select_option(label="Stream after layer 2")
    token = dialog.get_by_label("Toward the token")
    offered = page.locator("#intervene-tokens option")
    assert "her" in [(each.get_attribute("value") or "").strip() for each in offered.all()]
    token.fill(" john")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog.get_by_role("alert")).to_contain_text("not both")
    for label in ("or from a sentence", "less another"):
        dialog.get_by_label(label).fill("")
    dialog.get_by_role("spinbutton").fill("80")
    dialog.get_by_role("button", name="Apply").click()
    expect(first).to_contain_text("john")
    assert "+ 80 × the direction of “ john”" in chip.inner_text()


def test_a_direction_of_a_token_is_looked_up(inspector: Inspector) -> None:
    page = inspector.open("/?text=The+woman+saw&layer=2&head=3&depth=full").page
    page.keyboard.press("i")
    dialog = page.get_by_role("dialog", name="Intervene")
    dialog.get_by_role("combobox", name="Change").select_option("add")
    by = dialog.locator("[name=of]")
    expect(by).to_be_disabled()  # z is no vector of the stream
    dialog.get_by_role("combobox", name="What").select_option(label="Stream after layer 2")
    dialog.get_by_label("Toward the token").fill("himself and herself")
    by.select_option("ov")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog.get_by_role("alert")).to_contain_text("as 3 tokens; expected one")
    dialog.get_by_label("Toward the token").fill(" man")
    dialog.get_by_role("button", name="In words").click()
    said = dialog.locator("[data-part=words]")
    expect(said).to_contain_text("At the end of the stream it speaks for")
    by.select_option("embedding")
    dialog.get_by_role("button", name="In words").click()
    expect(said).to_contain_text("“man”")  # it is near itself
    dialog.get_by_role("button", name="Apply").click()
    chip = page.locator("#interventions button")
    expect(chip).to_contain_text("a vector of 128 numbers")
    page.wait_for_url("**vector%3D**")
    assert len(page.url) < 3_000
    page.reload()
    expect(chip).to_contain_text("a vector of 128 numbers")


def test_a_number_out_of_range_is_refused_in_words(inspector: Inspector) -> None:
    page = inspector.open(f"{SENTENCE}&intervention=scale~head.1.2~factor=2").page
    page.keyboard.press("i")
    dialog = page.get_by_role("dialog", name="Intervene")
    dialog.get_by_role("combobox", name="Change").select_option("scale")
    dialog.get_by_role("spinbutton").fill("1001")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog.get_by_role("alert")).to_have_text("Type a number from −1000 to 1000.")
    dialog.get_by_role("spinbutton").fill("0.25")
    dialog.get_by_role("button", name="Apply").click()
    expect(page.locator("#interventions")).to_contain_text("layer 2 head 3 × 0.25")

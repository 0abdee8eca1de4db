"""Words in place of pieces: what is drawn, and what a click and a file mean then."""

import csv
import io
import re
from urllib.parse import parse_qs, urlparse

import numpy as np
import pytest
from playwright.sync_api import expect

from headlight import connect
from tests.browser.inspector import FULL, Inspector
from tests.browser.test_pointer import Heatmap

pytestmark = pytest.mark.browser
TEXT = "The walrus near the ivory saw walruses."
OPEN = f"{FULL}&text={TEXT.replace(' ', '+')}&layer=1&head=2"


def test_a_switch_shows_words_and_a_click_reads_the_last_piece(inspector: Inspector) -> None:
    page = inspector.open(OPEN).page
    with connect(inspector.server) as hl:
        run = hl.trace(TEXT)
        words, n = run.words, len(run.tokens)
        expected = run.tensor("pattern", units="words", layers=[1], heads=[2])[0, 0]
    assert len(words) < n
    plot = page.locator("#plot")
    expect(plot).to_have_attribute("aria-label", sized(n))
    page.get_by_role("checkbox", name="Words").check()
    expect(plot).to_have_attribute("aria-label", sized(len(words)))
    page.wait_for_url(lambda url: "units=words" in url)
    # what is kept counts tokens, whatever the picture counts
    walrus = next(index for index, word in enumerate(words) if word.strip() == "walrus")
    heatmap = Heatmap(inspector)
    box = heatmap.cell(walrus + 1, walrus)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    inspector.ready()
    chosen = {
        name: int(value[0])
        for name, value in parse_qs(urlparse(page.url).query).items()
        if name in ("query", "key")
    }
    assert chosen == {"query": words[walrus + 1].stop - 1, "key": words[walrus].stop - 1}
    heatmap.outlined(walrus + 1, walrus)
    expect(page.locator(f".chip[data-place='{chosen['query']}']")).to_have_attribute(
        "aria-pressed", "true"
    )
    # masks are painted on tokens
    page.locator("#paint-menu > summary").click()
    expect(page.locator("#brush input").first).to_be_disabled()
    page.keyboard.press("Escape")
    # a file has what is shown
    page.locator("[data-save=head]").click()
    with page.expect_download() as found:
        page.locator("[data-export=csv]").click()
    rows = [*csv.reader(io.StringIO(found.value.path().read_text("utf-8-sig")))]
    saved = np.array([[float(cell) if cell else 0.0 for cell in row[4:]] for row in rows[1:]])
    np.testing.assert_allclose(saved, expected, atol=1e-5)


def sized(n: int) -> re.Pattern[str]:
    """The label of a picture of so many rows and columns."""
    return re.compile(rf"\b{n} \D+ {n} ")


def test_lines_join_words_and_a_pin_is_a_piece(inspector: Inspector) -> None:
    page = inspector.open(f"{OPEN}&view=lines&units=words").page
    with connect(inspector.server) as hl:
        words = hl.trace(TEXT).words
    table = page.locator("#lines-view details")
    table.locator("summary").click()
    expect(table.locator("tbody tr")).to_have_count(len(words))
    page.get_by_role("checkbox", name="Words").uncheck()
    expect(table.locator("tbody tr")).not_to_have_count(len(words))


def test_the_text_the_row_and_a_comparison_have_words(inspector: Inspector) -> None:
    page = inspector.open(f"{OPEN}&view=text&units=words").page
    with connect(inspector.server) as hl:
        run = hl.trace(TEXT)
        words = run.words
        expected = run.tensor("pattern", units="words", layers=[1], heads=[2])[0, 0]
        pieces = hl.trace(TEXT).tensor("pattern", layers=[1], heads=[2])[0, 0]
    names = [word.strip() for word in words]
    tokens = page.locator(".text-token")
    expect(tokens).to_have_count(len(words))
    assert tokens.all_inner_texts() == names
    last = len(words) - 1
    at = names.index("walruses")
    shares = [token.get_attribute("data-share") for token in tokens.all()]
    for word, share in enumerate(shares):
        value = expected[last, word]
        assert share == ("" if value < 0.01 else f"{100 * value:.0f}%"), names[word]
    tokens.nth(at).click()
    inspector.ready()
    assert f"query={words[at].stop - 1}" in page.url
    # the table beside it
    rows = page.locator("#row tbody tr")
    listed = {
        row.locator("td").first.inner_text(): row.locator("td").last.inner_text()
        for row in rows.all()
    }
    assert len(listed) == at + 1
    for word in range(at + 1):
        assert float(listed[f"{word}{names[word]}"]) == pytest.approx(expected[at, word], abs=6e-5)
    page.get_by_role("checkbox", name="Words").uncheck()
    expect(tokens).to_have_count(len(pieces))
    # this head beside another
    page.get_by_role("checkbox", name="Words").check()
    inspector.view("compare")
    page.get_by_role("button", name="Hold this as A").click()
    page.locator("#grid").focus()
    inspector.press("ArrowRight")
    inspector.ready()
    first = page.locator(".compare-cells tbody tr").first
    with connect(inspector.server) as hl:
        other = hl.trace(TEXT).tensor("pattern", units="words", layers=[1], heads=[3])[0, 0]
    apart = np.abs(other - expected)
    query, key = np.unravel_index(apart.argmax(), apart.shape)
    expect(first.locator("button")).to_contain_text(names[query])
    expect(first.locator("button")).to_contain_text(names[key])
    expect(first.locator("td").last).to_contain_text(f"{apart.max():.4f}")
    first.locator("button").click()
    inspector.ready()
    assert f"query={words[query].stop - 1}" in page.url


def test_there_is_no_switch_where_every_word_is_one_piece(inspector: Inspector) -> None:
    page = inspector.open(f"{FULL}&text=The+cat+sat.").page
    expect(page.locator("#in-words")).to_be_hidden()
    inspector.type(TEXT)
    expect(page.locator("#in-words")).to_be_visible()
    inspector.view("inside")
    expect(page.locator("#in-words")).to_be_hidden()

"""Text: colours, words and saved numbers are those of the API; pointing by any means."""

import csv
import io
import itertools
import json
import re
import urllib.request
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import Locator, expect
from safetensors.numpy import load

from tests.browser.appearances import accessible, appearances
from tests.browser.contexts import Pages
from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser
TEXT = "Mary near the boys saw herself in the mirror."
LINK = f"/?text={quote(TEXT)}&layer=2&head=3&query=5&view=text"
SAW = 5
WORDS = "the old cat sat on the mat a girl saw him".split()
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def server(families: str) -> str:
    return families


def patterns(inspector: Inspector, layer: int, heads: list[int], **request: Any) -> Any:
    """The patterns of some heads of a layer, from the API: (head, query, key)."""
    select = {"tensors": ["pattern"], "layers": [layer], "heads": heads}
    select |= request.pop("select", {})
    call = urllib.request.Request(
        f"{inspector.server}/api/trace",
        json.dumps({"texts": [TEXT], "select": select, **request}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(call) as response:
        answer = json.load(response)
    return np.array(answer["sites"][0]["tensors"]["pattern"][0])


def tokens(inspector: Inspector, paragraph: int = 0) -> Locator:
    return inspector.page.locator(".text-tokens").nth(paragraph).locator(".text-token")


def sentence(inspector: Inspector) -> str:
    return inspector.page.locator(".text-said").inner_text().replace("\u202f", " ")


def drawn(inspector: Inspector, paragraph: int = 0) -> list[dict[str, Any]]:
    """Each token as drawn: the step of its colour on the scale, and the number under it."""
    found: list[dict[str, Any]] = inspector.page.evaluate(
        """(paragraph) => {
          const all = [...document.querySelectorAll(".text-tokens")][paragraph];
          return [...all.querySelectorAll(".text-token")].map((token) => ({
            fill: token.style.backgroundColor,
            hatched: token.style.backgroundImage !== "" && token.style.backgroundImage !== "none"
              && token.style.backgroundImage !== "initial",
            share: token.dataset.share,
          }));
        }""",
        paragraph,
    )
    return found


def scale(inspector: Inspector) -> list[str]:
    """The 256 colours of the page's scale."""
    colours: list[str] = inspector.page.evaluate(
        """async () => {
          const { palette } = await import("/static/js/dom/palette.js");
          const { sequential: table } = palette("light");
          return Array.from({ length: 256 }, (_, step) =>
            `rgb(${table[4 * step]}, ${table[4 * step + 1]}, ${table[4 * step + 2]})`);
        }"""
    )
    return colours


def check_colours(inspector: Inspector, expected: Any, blocked: Any, paragraph: int = 0) -> None:
    """Check that colours and numbers match these weights, and that blocked tokens are hatched."""
    colours = scale(inspector)
    for one, weight, shut in zip(drawn(inspector, paragraph), expected, blocked, strict=True):
        assert one["hatched"] == bool(shut)
        if shut:
            assert one["share"] == ""
            continue
        steps = [step for step, fill in enumerate(colours) if fill == one["fill"]]
        assert any(abs(step - 255 * weight) <= 0.51 for step in steps), (one, weight)
        if weight >= 0.01:
            assert float(one["share"].rstrip("%")) == pytest.approx(100 * weight, abs=0.51)
        else:
            assert one["share"] == ""


def future(n: int, place: int) -> list[bool]:
    return [key > place for key in range(n)]


def choose(inspector: Inspector, name: str) -> None:
    inspector.page.locator(".text-tools label", has_text=name).click()
    inspector.ready()


def test_a_click_reads_a_token_everywhere(inspector: Inspector) -> None:
    inspector.open(LINK)
    tokens(inspector).nth(6).click()
    inspector.ready()
    assert "query=6" in inspector.page.url
    pressed = inspector.page.locator(".chip[aria-pressed='true']")
    assert pressed.get_attribute("data-place") == "6"
    inspector.press("ArrowLeft")  # the arrows still walk the heads
    assert inspector.page.locator("#head-title").inner_text() == "Layer 2 · head 2"


def test_who_looks_at_a_token_and_the_mean_of_the_layer(inspector: Inspector) -> None:
    inspector.open(LINK)
    every = patterns(inspector, 2, list(range(8)))
    choose(inspector, "Is looked at by")
    tokens(inspector).nth(1).hover()
    earlier = [query < 1 for query in range(every.shape[1])]
    check_colours(inspector, every[3][:, 1], earlier)
    assert re.match(r"“Mary” is looked at by “\w+” \(", sentence(inspector))
    choose(inspector, "Layer mean")
    tokens(inspector).nth(1).hover()
    check_colours(inspector, every.mean(0)[:, 1], earlier)
    assert "mean of its 8 heads" in inspector.page.locator(".text-about").inner_text()
    assert "role=key" in inspector.page.url
    assert "over=layer" in inspector.page.url


def test_a_link_restores_all_of_it(inspector: Inspector, pages: Pages) -> None:
    inspector.open(f"{LINK}&over=set&role=key&overlay=1.4&overlay=0.2")
    tokens(inspector).nth(2).click()
    inspector.ready()
    inspector.page.mouse.move(2, 2)
    other = Inspector(pages(1440, 900), inspector.server)
    other.page.goto(inspector.page.url)
    other.ready()
    assert sentence(other) == sentence(inspector)
    assert drawn(other) == drawn(inspector)


def test_the_keyboard_walks_the_tokens(inspector: Inspector) -> None:
    inspector.page.set_viewport_size({"width": 390, "height": 844})
    inspector.open(LINK)
    all_of_them = tokens(inspector)
    assert inspector.page.locator(".text-token[tabindex='0']").count() == 1
    all_of_them.nth(SAW).focus()
    inspector.page.keyboard.press("ArrowRight")
    expect(all_of_them.nth(6)).to_be_focused()
    assert sentence(inspector).startswith("“herself” gives ")
    inspector.page.keyboard.press("Home")
    expect(all_of_them.nth(0)).to_be_focused()
    inspector.page.keyboard.press("ArrowDown")  # the text has several lines here
    below = inspector.page.evaluate("() => document.activeElement.getBoundingClientRect().top")
    first = all_of_them.nth(0).bounding_box()
    assert first
    assert below > first["y"] + 20
    inspector.page.keyboard.press("ArrowUp")
    expect(all_of_them.nth(0)).to_be_focused()
    inspector.page.keyboard.press("End")
    inspector.page.keyboard.press("ArrowRight")  # there is nothing after the last
    expect(all_of_them.last).to_be_focused()
    inspector.press("ArrowLeft", "Enter")
    assert "query=9" in inspector.page.url
    assert inspector.page.locator("#head-title").inner_text() == "Layer 2 · head 3"
    inspector.press("Escape")
    assert "query=" not in inspector.page.url


def test_a_finger_points_and_the_colours_stay(pages: Pages, server: str) -> None:
    inspector = Inspector(pages(390, 844, has_touch=True, is_mobile=True), server).open(LINK)
    tokens(inspector).nth(4).tap()
    inspector.ready()
    [pattern] = patterns(inspector, 2, [3])
    check_colours(inspector, pattern[4], future(len(pattern), 4))
    assert sentence(inspector).startswith("“boys” gives ")
    wide = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert inspector.page.evaluate(wide)
    assert inspector.errors == []


def saved(inspector: Inspector, format: str) -> bytes:
    inspector.page.locator("[data-save=head]").click()
    with inspector.page.expect_download() as found:
        inspector.page.locator(f'[data-export="{format}"]').click()
    inspector.page.keyboard.press("Escape")
    return found.value.path().read_bytes()


def test_saved_files_hold_what_is_shown(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&over=layer")
    every = patterns(inspector, 2, list(range(8)))
    mean = every.mean(0)
    table = list(csv.DictReader(io.StringIO(saved(inspector, "csv").decode("utf-8-sig"))))
    assert len(table) == mean.size
    for line in table:
        query, key = int(line["query"]), int(line["key"])
        told = line["mean weight of 8 heads"]
        assert told == "" if key > query else float(told) == pytest.approx(mean[query, key])
    assert table[SAW * len(mean) + 1]["key token"] == "Mary"
    root = ElementTree.fromstring(saved(inspector, "svg").decode())
    texts = [element.text or "" for element in root.iter(f"{SVG}text")]
    assert "Layer 2 · mean of its 8 heads" in texts
    assert {"Mary", "herself", "mirror", "."} <= set(texts)
    top = f"{100 * mean[SAW].max():.0f}%"
    assert top in texts
    tensors = load(saved(inspector, "safetensors"))
    [name] = [name for name in tensors if name.endswith(".pattern")]
    np.testing.assert_allclose(tensors[name][0], every, atol=1e-6)


def test_a_saved_picture_is_of_the_pattern_whatever_the_heatmap_shows(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&matrix=rollout")
    assert inspector.page.locator("#head-title").inner_text() == "Layer 2 · head 3"
    picture = saved(inspector, "svg").decode()
    assert "Pattern · model Headlight small" in picture
    assert "rollout" not in picture.lower()


def test_a_thousand_tokens_change_colour_and_no_size(inspector: Inspector) -> None:
    text = " ".join(itertools.islice(itertools.cycle(WORDS), 1023))
    more = "&layer=1&head=2&view=text&query=500"
    inspector.open(f"/?model=llama&text={text.replace(' ', '+')}{more}")
    assert tokens(inspector).count() == 1024
    request = {"model": "llama", "texts": [text]}
    select = {"rows": [500, 501]}
    [[row]] = patterns(inspector, 1, [2], select=select, **request)
    check_colours(inspector, row, future(1024, 500))  # exact: it came by the row
    assert "rounded" not in inspector.page.locator(".text-about").inner_text()
    boxes = """() => [...document.querySelectorAll(".text-token")].map((token) => {
      const { x, y, width, height } = token.getBoundingClientRect();
      return [x + scrollX, y + scrollY, width, height].map(Math.round);
    })"""
    before = inspector.page.evaluate(boxes)
    tokens(inspector).nth(40).hover()
    expect(inspector.page.locator(".text-said")).to_contain_text("(token 40) gives")
    expect(inspector.page.locator(".text-about")).not_to_contain_text("rounded")
    [[row]] = patterns(inspector, 1, [2], select={"rows": [40, 41]}, **request)
    check_colours(inspector, row, future(1024, 40))
    assert inspector.page.evaluate(boxes) == before
    choose(inspector, "Layer mean")
    expect(inspector.page.locator(".text-about")).to_contain_text("rounded to 1/255")


def test_axe_finds_nothing(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&over=set&overlay=1.2&overlay=0.4").probed()
    for _ in appearances(inspector.page):
        accessible(inspector.page)

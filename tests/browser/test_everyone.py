"""Accessibility: keyboard only, screen readers, all colour schemes and scales, reduced motion."""

import itertools
import json
import re
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from server.pages.learning.choices import MASK_SHORTCUTS
from tests.browser.appearances import accessible, appearances
from tests.browser.contexts import Pages
from tests.browser.inspector import Inspector, pick

pytestmark = pytest.mark.browser
HERSELF = "Mary near the boys saw herself in the mirror."
VIEWS = ("heatmap", "lines", "inside", "compare", "text")


def trace(inspector: Inspector, request: dict[str, Any]) -> Any:
    body = json.dumps(request).encode()
    call = urllib.request.Request(
        f"{inspector.server}/api/trace", body, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(call) as response:
        return json.load(response)


def announced(inspector: Inspector) -> str:
    return inspector.page.locator("#announce").inner_text()


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_in_any_view(inspector: Inspector, view: str) -> None:
    held = "&against=layer%3D1%26head%3D2" if view == "compare" else ""
    inspector.open(f"/?text=The+cat+sat.&layer=2&head=1&view={view}{held}").probed()
    for _ in appearances(inspector.page):
        accessible(inspector.page)


@pytest.mark.parametrize("opener", ["#colours-open", "#help-open"])
def test_axe_finds_nothing_in_what_opens(inspector: Inspector, opener: str) -> None:
    inspector.open()
    inspector.page.locator(opener).click()
    accessible(inspector.page)


def tab_to(page: Page, selector: str, most: int = 150) -> None:
    """Press Tab until an element has the focus, as somebody without a mouse does."""
    for _ in range(most):
        if page.evaluate("(it) => document.activeElement?.matches(it) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{most} tabs do not reach {selector}")


# What a screen reader finds in each depth, in its order: landmarks, headings, where one moves.
INPUT = ["region Text and masks", "textbox Sentence 1", "group Tokens of sentence 1"]
HEAD = ["region Layer 2 · head 3", "heading Layer 2 · head 3", "application 11 queries down"]
HEADS = ["region All heads", "heading All heads", "grid Attention heads"]
PAGE = [
    "link Skip to the heads",
    "banner",
    "heading Headlight",
    "navigation Pages",
    "main",
    *INPUT,
    *HEAD,
    "list Why cells are blocked",
    "group Explanation",
    *HEADS,
]
READ = {
    "/?depth=start": [
        *PAGE,
        "region Prediction",
        "heading Most likely after “saw”",
    ],
    "/?depth=full": [
        *PAGE,
        "region One row, or all heads ranked",
        "tabpanel Row",
        "region Predictions",
        "tabpanel Next token",
    ],
    "/?depth=present": [
        "banner",
        "main",
        "heading Mary near the boys saw herself in the mirror .",
        *HEAD,
        "group Explanation",
        "region Prediction",
        "heading Most likely after “saw”",
    ],
    "/embed": ["banner", "main", "heading Attention of one head", *HEAD, "list Why cells"],
}
KINDS = {one.split(" ")[0] for order in READ.values() for one in order} - {"group", "link", "list"}
NAMED = ("group Tokens", "group Explanation", "link Skip", "list Why")  # of their kinds, these


@pytest.mark.parametrize("path", READ)
def test_what_is_read_comes_in_order(inspector: Inspector, path: str) -> None:
    page = inspector.open(path).page
    expect(page.locator("#explain p, .head-name").first).to_be_visible()
    lines = re.findall(r"^ *- '?([a-z]+(?: \"[^\"]*)?)", page.locator("body").aria_snapshot(), re.M)
    names = [line.replace('"', "") for line in lines]
    found = [one for one in names if one.split(" ")[0] in KINDS or one.startswith(NAMED)]
    assert len(found) == len(READ[path]), found
    for name, start in zip(found, READ[path], strict=True):
        assert name.startswith(start), found


@pytest.mark.fresh
def test_every_stop_of_the_tab_key_shows_its_focus(inspector: Inspector) -> None:
    inspector.open("/?text=The+cat+sat.&layer=2&head=1").probed()
    page = inspector.page
    seen: list[str] = []
    for _ in range(150):
        page.keyboard.press("Tab")
        stop = page.evaluate(
            """() => {
              const it = document.activeElement;
              if (!it || it === document.body) return null;
              // a radio button is drawn by the span beside it
              const drawn = it.matches("input[type=radio]") ? it.nextElementSibling : it;
              const { outlineStyle, outlineWidth } = getComputedStyle(drawn);
              const { width, height } = drawn.getBoundingClientRect();
              const name = it.id || it.name || it.className || it.textContent.trim();
              const again = (window.stops ??= new Set()).has(it);
              window.stops.add(it);
              const shown = outlineStyle !== "none" && parseFloat(outlineWidth) >= 1;
              return { name, again, shown, size: Math.min(width, height) };
            }"""
        )
        if stop is None or stop["again"]:
            break  # round once
        seen.append(stop["name"])
        assert stop["shown"], f"the focus on {stop['name']} is not seen"
        assert stop["size"] > 4, f"{stop['name']} has the focus and no size"
    assert {"mute", "plot", "row-tab"} <= set(seen)


def test_herself_by_the_keyboard_alone(inspector: Inspector) -> None:
    """Type the sentence, walk to the head that links her to Mary, mute it, read what changed."""
    inspector.open()
    page = inspector.page
    inspector.press("/")
    page.keyboard.press("Control+A")
    page.keyboard.type(HERSELF)
    inspector.ready()
    page.keyboard.press("Escape")
    request = {
        "texts": [HERSELF],
        "select": {"tensors": ["pattern"], "layers": [2], "heads": [3]},
        "predict": {"position": 4},
    }
    before = trace(inspector, request)
    row = before["sites"][0]["tensors"]["pattern"][0][0][5]
    assert max(range(len(row)), key=row.__getitem__) == 1  # “saw” looks at Mary, to say herself
    while "Layer 2" not in page.locator("#head-title").inner_text():
        inspector.press("ArrowDown")
    for _ in range(8):
        inspector.press("ArrowLeft")
    inspector.press("ArrowRight", "ArrowRight", "ArrowRight")
    expect(page.locator("#head-title")).to_have_text("Layer 2 · head 3")
    tab_to(page, ".chip")
    inspector.press("Home", *["ArrowRight"] * 5)
    page.keyboard.press("Enter")
    inspector.ready()
    key, weight = page.locator("#row tbody tr").first.locator("td").all_inner_texts()
    assert key.endswith("Mary")
    assert float(weight) == pytest.approx(row[1], abs=6e-5)
    inspector.press("m")
    after = trace(inspector, {**request, "muted": [[2, 3]], "predict": {"position": 5}})
    likeliest = after["predictions"][0][0]
    assert re.search(r"Layer 2, head 3 muted\..*“saw” looks at “Mary”", announced(inspector))
    assert f"{100 * likeliest['probability']:.1f}%" in announced(inspector)


@pytest.mark.fresh
def test_a_toggle_is_announced_with_what_it_did(inspector: Inspector) -> None:
    inspector.open("/?text=The+cat+sat.&layer=0&head=2&query=1")
    assert announced(inspector) == ""
    inspector.press("c", "c")
    request = {
        "texts": ["The cat sat."],
        "masks": {"causal": False},
        "select": {"layers": [0], "heads": [2]},
        "predict": {"position": 1},
    }
    answer = trace(inspector, request)
    row = answer["sites"][0]["tensors"]["pattern"][0][0][1]
    announcement = announced(inspector)
    assert announcement.startswith("Causal mask off. “The” looks at ")
    assert [float(share) for share in re.findall(r"” (0\.\d{4})", announcement)] == pytest.approx(
        sorted(row, reverse=True)[:3], abs=6e-5
    )
    assert f"{100 * answer['predictions'][0][0]['probability']:.1f}%" in announcement


def test_the_selected_row_is_a_table_that_can_be_read(inspector: Inspector) -> None:
    inspector.open("/?text=The+cat+sat.&layer=0&head=2&query=2")
    table = inspector.page.get_by_role("table").filter(has=inspector.page.locator("#row-title"))
    heads = table.get_by_role("columnheader").all_inner_texts()
    assert heads[0] == "“cat” looks at"
    assert heads[-1] == "weight"
    assert table.get_by_role("row").count() == 1 + 3  # the header; the future is blocked


def test_scales_and_steps_change_the_picture_and_not_the_numbers(inspector: Inspector) -> None:
    inspector.open("/?text=The+cat+sat.&layer=0&head=2")
    figure = inspector.figure()
    bar = inspector.page.locator("#colour-numbers")
    numbers = bar.inner_text().split()
    assert numbers == ["0", "0.5", "1"]
    colours = """() => {
      const { colorscale } = document.querySelector("#plot").data[0];
      return [document.querySelector(".cell canvas").toDataURL(), colorscale.flat().join()];
    }"""
    seen = [inspector.page.evaluate(colours)]
    for key in ("o", "l", "l"):
        inspector.press(key)
        seen.append(inspector.page.evaluate(colours))
        if len(seen) == 3:
            assert bar.inner_text().split() == ["0", "0.25", "1"]  # square roots
        assert inspector.figure() == figure
    for before, after in itertools.pairwise(seen):
        assert before[0] != after[0]  # the thumbnails
        assert before[1] != after[1]  # the head
    assert bar.inner_text().split()[-3:] == ["0.01", "0.1", "1"]
    inspector.page.reload()
    inspector.ready().plotly()
    assert inspector.page.evaluate(colours) == seen[-1]
    expect(inspector.page.locator("input[name=scale][value=sea]")).to_be_checked()


def test_in_forced_colours_what_is_chosen_and_the_data_are_seen(pages: Pages, server: str) -> None:
    page = pages(1280, 720, forced_colors="active")
    ground = "(it, part) => getComputedStyle(it, part).backgroundColor"
    inspector = Inspector(page, server).open("/?depth=start&padding=false&view=text")
    chosen, other = page.locator(".chip[aria-pressed=true]"), page.locator(".chip").first
    assert chosen.evaluate(ground) != other.evaluate(ground)
    views = [page.locator(f"#view input{on} + span").first for on in (":checked", ":not(:checked)")]
    assert views[0].evaluate(ground) != views[1].evaluate(ground)
    on, off = (page.locator(f".switch input{state}") for state in (":checked", ":not(:checked)"))
    assert on.evaluate(ground) != off.evaluate(ground)
    for switch in (on, off):
        knob = switch.evaluate(ground, "::before")
        assert knob != switch.evaluate(ground)
        assert knob != "rgba(0, 0, 0, 0)"
    words = page.locator(".text-token")
    assert len({words.nth(place).evaluate(ground) for place in range(words.count())}) > 1
    inspector.open("/?depth=full")
    for part in (".colour-strip", "#row tbody tr", "#next tbody tr"):
        kept = "(it) => getComputedStyle(it).forcedColorAdjust"
        assert page.locator(part).first.evaluate(kept) == "none", part
    tabs = page.locator("#right-tabs [role=tab]")
    line = "(it) => getComputedStyle(it).borderBottomColor"
    assert tabs.nth(0).evaluate(line) != tabs.nth(1).evaluate(line)


def test_nothing_moves_when_less_motion_is_asked_for(pages: Pages, server: str) -> None:
    page = pages()
    page.emulate_media(reduced_motion="reduce")
    inspector = Inspector(page, server).open()
    moving = inspector.page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((it) => {
          const { transitionDuration, animationName } = getComputedStyle(it);
          return parseFloat(transitionDuration) > 0 || animationName !== "none";
        }).map((it) => it.id || it.className)"""
    )
    assert moving == []


BOUND = """() => [...Array(94)].map((_, i) => String.fromCharCode(33 + i)).filter((key) => {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
  for (const open of document.querySelectorAll("dialog[open]")) open.close();
  document.activeElement.blur();
  return event.defaultPrevented;
})"""


def test_every_key_of_the_help_does_something(inspector: Inspector) -> None:
    """The list has all keys that the page handles, whatever view is looked at."""
    bound = set()
    inspector.open("/?text=The+cat+sat.&layer=1&head=2&query=2")
    inspector.page.keyboard.press("i")  # what it opens comes with the first press
    expect(inspector.page.locator("#intervene")).to_be_visible()
    inspector.page.keyboard.press("Escape")
    for label in ("Heatmap", "Lines", "Inside", "Compare", "Why here"):
        pick(inspector.page.locator("#view").get_by_label(label, exact=True))
        inspector.ready()
        bound |= set(inspector.page.evaluate(BOUND))
    listed = set(inspector.page.locator("#help dt kbd").all_text_contents())
    assert len(bound) > 25
    assert set(MASK_SHORTCUTS.values()) <= bound
    assert bound - {"="} <= listed, (
        f"bound and not listed: {bound - listed}"
    )  # = is + without Shift

"""Lines: the numbers beside the tokens are sums of the API's; several heads; hidden tokens."""

import json
import re
import urllib.request
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Route, expect

from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector, is_extra, looks

pytestmark = pytest.mark.browser
TEXT = "The keys near the old cabinet are on the table."
LINK = "/?text=The+keys+near+the+old+cabinet+are+on+the+table.&layer=2&head=1&query=6&view=lines"


@pytest.fixture(scope="module")
def server(families: str) -> str:
    return families


def pattern(
    inspector: Inspector, layer: int, head: int, tensor: str = "pattern", **request: Any
) -> Any:
    """A head's matrix, from the API."""
    select = {"tensors": [tensor], "layers": [layer], "heads": [head]}
    select |= request.pop("select", {})
    call = urllib.request.Request(
        f"{inspector.server}/api/trace",
        json.dumps({"texts": [TEXT], "select": select, **request}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(call) as response:
        answer = json.load(response)
    return np.array(answer["sites"][0]["tensors"][tensor][0][0])


def table(inspector: Inspector) -> dict[int, list[float]]:
    """The numbers beside the tokens, by the place of their token."""
    root = inspector.page.locator("#lines-view details")
    root.evaluate("details => { details.open = true; }")
    root.locator("tbody tr").first.wait_for()
    rows = [row.split("\t") for row in root.locator("tbody").inner_text().split("\n") if row]
    found = {}
    for name, *values in rows:
        place = re.match(r"\d+", name)
        assert place
        found[int(place[0])] = [float(value) for value in values]
    return found


def same(found: dict[int, list[float]], expected: Any, column: int = -1) -> None:
    assert len(found) == len(expected)
    sums = [values[column] for _, values in sorted(found.items())]
    assert sums == pytest.approx(list(expected), abs=6e-5)


def sentences(inspector: Inspector) -> str:
    return inspector.page.locator("#lines-said").inner_text()


def numbers(inspector: Inspector) -> str:
    return inspector.page.locator(".lines-numbers").inner_text()


def point(inspector: Inspector, side: str, place: int) -> tuple[float, float]:
    """Move down the tokens of a side until the line of numbers is about this one."""
    box = inspector.page.locator(".lines-plot").bounding_box()
    assert box
    x = box["x"] + (100 if side == "query" else box["width"] - 100)
    for y in np.arange(box["y"] + 24, box["y"] + box["height"], 6):
        inspector.page.mouse.move(x, float(y))
        if numbers(inspector).startswith(f"{side} {place} "):
            return x, float(y)
    raise AssertionError(f"no {side} {place} in the picture")


def ink(inspector: Inspector, rgb: str) -> int:
    """The number of pixels of the lines' canvas with exactly this colour."""
    count: int = inspector.page.evaluate(
        """(css) => {
          const canvas = document.querySelector(".lines-all");
          const copy = new OffscreenCanvas(canvas.width, canvas.height);
          const drawing = copy.getContext("2d", { willReadFrequently: true });
          drawing.drawImage(canvas, 0, 0);
          const { data } = drawing.getImageData(0, 0, canvas.width, canvas.height);
          const wanted = css.match(/\\d+/g).map(Number);
          let found = 0;
          for (let i = 0; i < data.length; i += 4)
            if (wanted.every((part, at) => Math.abs(data[i + at] - part) < 12)) found += 1;
          return found;
        }""",
        rgb,
    )
    return count


def category(inspector: Inspector, place: int) -> str:
    css: str = inspector.page.evaluate(
        """(place) => {
          const probe = document.body.appendChild(document.createElement("i"));
          probe.style.color = `var(--cat-${place})`;
          const css = getComputedStyle(probe).color;
          probe.remove();
          return css;
        }""",
        place,
    )
    return css


def test_pinned_tokens_are_summed_as_the_api_says(inspector: Inspector) -> None:
    inspector.open(LINK)
    rows = pattern(inspector, 2, 1)
    same(table(inspector), rows.sum(0))
    for place in (3, 6):
        inspector.page.mouse.click(*point(inspector, "query", place))
    inspector.page.mouse.move(2, 2)
    inspector.ready()
    same(table(inspector), rows[3] + rows[6])
    assert re.match(r"sum of 2 rows \(3 \S+, 6 \S+\): \d+ \S+ \d\.\d{4}", numbers(inspector))
    assert "pinned=3%2C6" in inspector.page.url
    assert "query=6" in inspector.page.url
    inspector.page.reload()
    same(table(inspector.ready()), rows[3] + rows[6])
    inspector.page.mouse.click(*point(inspector, "query", 3))
    inspector.page.mouse.move(2, 2)
    same(table(inspector), rows[6])
    inspector.page.get_by_role("button", name="Unpin the token").click()
    same(table(inspector), rows.sum(0))


def test_pointing_isolates_a_token_and_lights_it_elsewhere(inspector: Inspector) -> None:
    inspector.open(LINK)
    rows = pattern(inspector, 2, 1)
    point(inspector, "query", 6)
    same(table(inspector), rows[6])
    best = int(rows[6].argmax())
    assert re.match(
        rf"query 6 cabinet looks at: {best} \S+ {rows[6][best]:.4f}", numbers(inspector)
    )
    assert inspector.page.locator(".chip.lit").inner_text() == "cabinet"
    expect(inspector.page.locator(".lines-plot")).to_have_class(re.compile("isolated"))
    point(inspector, "key", 2)
    same(table(inspector), rows[:, 2])
    assert numbers(inspector).startswith("key 2 keys gets from: ")
    inspector.page.locator(".chip", has_text="near").hover()
    assert numbers(inspector).startswith("query 3 near looks at: ")


def test_heads_are_drawn_together_each_in_its_colour(inspector: Inspector) -> None:
    asked: list[Any] = []

    def note(route: Route) -> None:
        if not is_extra(route.request):
            asked.append(json.loads(route.request.post_data or "{}"))
        route.continue_()

    inspector.page.route("**/api/trace", note)
    inspector.open(f"{LINK}&overlay=0.2&overlay=1.5&pinned=6")
    selected = [select for one in asked for select in looks(one)]
    mine = [select for select in selected if select.get("heads") == [2, 5]]
    assert [one["layers"] for one in mine] == [[0, 1]]
    rows = [pattern(inspector, *head)[6] for head in ((2, 1), (0, 2), (1, 5))]
    found = table(inspector)
    for column, row in enumerate(rows):
        same(found, row, column)
    same(found, sum(rows))
    head = inspector.page.locator("#lines-view thead").inner_text().strip().split("\t")
    assert head == ["key", "L2 · H1", "L0 · H2", "L1 · H5", "sum of 3 heads"]
    chips = inspector.page.locator(".lines-heads li")
    assert [chip.inner_text().split("\n")[0] for chip in chips.all()] == head[1:4]
    assert min(ink(inspector, category(inspector, place)) for place in (1, 2)) > 5
    assert ink(inspector, category(inspector, 3)) == 0
    inspector.page.get_by_role("button", name="Remove L0 · H2").click()
    inspector.ready()
    same(table(inspector), rows[0] + rows[2])
    assert "overlay=1.5" in inspector.page.url
    assert "overlay=0.2" not in inspector.page.url


def test_heads_past_the_palette_share_the_colour_of_their_layer(inspector: Inspector) -> None:
    inspector.open(LINK)
    inspector.page.get_by_role("button", name="+ layer 2").click()
    inspector.ready().press("ArrowUp", "h")
    colours = inspector.page.locator(".lines-heads i").evaluate_all(
        "all => all.map((one) => one.style.getPropertyValue('--swatch'))"
    )
    assert colours == ["var(--cat-2)"] * 8 + ["var(--cat-1)"]
    assert "each colour stands for a layer" in sentences(inspector)
    total = sum(pattern(inspector, 2, head).sum(0) for head in range(8)) + pattern(
        inspector, 1, 1
    ).sum(0)
    same(table(inspector), total)
    inspector.page.get_by_role("button", name="Clear").click()
    same(table(inspector.ready()), pattern(inspector, 1, 1).sum(0))


def test_hidden_special_tokens_keep_or_lose_their_share(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&pinned=5,7")
    rows = pattern(inspector, 2, 1)
    inspector.page.get_by_label("Hidden", exact=True).check(force=True)
    same(table(inspector), (rows[5] + rows[7])[1:])
    assert "do not sum to 1, because special tokens are hidden" in sentences(inspector)
    inspector.page.get_by_label("Hidden, rest sums to 1").check(force=True)
    kept = rows[[5, 7], 1:]
    same(table(inspector), (kept / kept.sum(1, keepdims=True)).sum(0))
    assert sum(values[0] for values in table(inspector).values()) == pytest.approx(2, abs=1e-3)
    assert "divided by what is left" in sentences(inspector)
    assert "specials=renormalised" in inspector.page.url


def test_the_threshold_leaves_fewer_lines_and_says_so(inspector: Inspector) -> None:
    inspector.open(LINK)
    dark = inspector.page.evaluate("() => document.querySelector('.lines-all').toDataURL().length")
    slider = inspector.page.locator("#lines-mass")
    slider.fill("80")
    assert "until they hold 80% of its weight" in sentences(inspector)
    fewer = inspector.page.evaluate("() => document.querySelector('.lines-all').toDataURL().length")
    assert fewer < dark
    assert "mass=0.8" in inspector.page.url
    same(table(inspector), pattern(inspector, 2, 1).sum(0))  # numbers count every key


def test_every_matrix_has_lines_or_says_why_not(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&matrix=norms&pinned=6")
    same(table(inspector), pattern(inspector, 2, 1, "norms")[6])
    assert "Lines show norms (" in sentences(inspector)
    inspector.open(f"{LINK}&matrix=scores&pinned=6")
    same(table(inspector), pattern(inspector, 2, 1)[6])
    assert "This is the pattern" in sentences(inspector)
    inspector.open(f"{LINK}&matrix=rollout&overlay=0.1&pinned=6")
    assert sum(values[0] for values in table(inspector).values()) == pytest.approx(1, abs=1e-3)
    assert "Rollout covers all heads together" in sentences(inspector)


def test_the_keyboard_walks_pins_and_clears(inspector: Inspector) -> None:
    inspector.open(LINK)
    rows = pattern(inspector, 2, 1)
    inspector.page.locator(".lines-plot").focus()
    inspector.press("ArrowDown", "ArrowDown", "ArrowDown", "Enter", "ArrowDown")
    assert numbers(inspector).startswith("query 3 near looks at: ")
    inspector.press("Enter", "ArrowRight")
    assert numbers(inspector).startswith("key 3 near gets from: ")
    same(table(inspector), rows[:, 3])
    inspector.page.locator(".lines-plot").focus()
    inspector.press("Tab")
    same(table(inspector), rows[2] + rows[3])
    inspector.page.locator(".lines-plot").focus()
    inspector.press("ArrowDown", "Escape")
    same(table(inspector), rows.sum(0))
    assert "Layer 2 · head 1" in inspector.page.locator("#head-title").inner_text()


def test_what_is_refused_is_said_beside_the_heads(inspector: Inspector) -> None:
    def refuse(route: Route) -> None:
        asked = json.loads(route.request.post_data or "{}")
        if "overlays" not in asked.get("parts", {}):
            return route.continue_()
        error = {"code": "x", "message": "Seven is refused.", "field": "parts.overlays.heads"}
        return route.fulfill(status=500, json={"error": error | {"limit": None}})

    inspector.page.route("**/api/trace", refuse)
    inspector.open(f"{LINK}&overlay=0.7&pinned=6")
    expect(inspector.page.locator("#lines-trouble")).to_contain_text("Some heads cannot be drawn")
    assert inspector.page.locator("#problem").is_hidden()
    inspector.errors.clear()  # Chromium itself logs the 500
    assert "1 overlaid head is not drawn yet." in sentences(inspector)
    same(table(inspector), pattern(inspector, 2, 1)[6])
    inspector.page.unroute("**/api/trace")
    inspector.page.locator("#lines-trouble button").click()
    inspector.ready()
    expect(inspector.page.locator("#lines-trouble")).to_be_hidden()
    same(table(inspector), pattern(inspector, 2, 1)[6] + pattern(inspector, 0, 7)[6])


def test_cross_attention_runs_from_the_target_to_the_source(inspector: Inspector) -> None:
    link = "/?model=t5&text=the+old+cat+sat&target=a+girl&kind=cross&view=lines&layer=1&head=2"
    inspector.open(f"{link}&pinned=0,1&overlay=0.1")
    asked: dict[str, Any] = {
        "model": "t5",
        "texts": ["the old cat sat"],
        "targets": ["a girl"],
        "select": {"kinds": ["cross"]},
    }
    rows = pattern(inspector, 1, 2, **asked), pattern(inspector, 0, 1, **asked)
    assert rows[0].shape[0] != rows[0].shape[1]
    same(table(inspector), sum(one[:2].sum(0) for one in rows))
    point(inspector, "key", 2)
    same(table(inspector), sum(one[:, 2] for one in rows))
    lit = inspector.page.locator(".chip.lit")
    assert lit.evaluate_all("all => all.map((chip) => chip.dataset.axis)") == ["tokens"]


def test_the_segment_filter_makes_the_rest_pale_and_sums_only_its_rows(
    inspector: Inspector,
) -> None:
    link = "/?model=bert&text=the+old+cat&pair=sat+down&view=lines&layer=0&head=1&segments=BA"
    inspector.open(link)
    rows = pattern(inspector, 0, 1, model="bert", texts=["the old cat"], pairs=["sat down"])
    chips = inspector.page.locator(".chip")
    second = inspector.page.locator(".segment-tag", has_text="B")
    start = second.evaluate(
        "tag => [...tag.parentElement.querySelectorAll('.chip')]"
        ".findIndex((chip) => tag.compareDocumentPosition(chip) & 4)"
    )
    assert 0 < start < chips.count()
    same(table(inspector), rows[start:].sum(0))
    assert "outside the chosen segments is pale" in sentences(inspector)


def test_a_model_that_only_gives_patterns_has_lines(inspector: Inspector) -> None:
    inspector.open("/?model=bloom&text=the+old+cat+sat&view=lines&layer=1&head=1&pinned=2")
    rows = pattern(inspector, 1, 1, model="bloom", texts=["the old cat sat"])
    same(table(inspector), rows[2])


def test_a_long_text_has_exact_numbers(inspector: Inspector) -> None:
    """The page only has its picture in bytes; Lines requests the numbers."""
    text = " ".join(["the keys are on the table"] * 50)
    inspector.open(f"/?text={text.replace(' ', '+')}&view=lines&layer=1&head=4&pinned=7,200")
    rows = pattern(inspector, 1, 4, texts=[text])
    assert len(rows) > 256
    same(table(inspector), rows[7] + rows[200])


def test_axe_finds_nothing(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&overlay=0.1&overlay=0.2&pinned=3,6&mass=0.8&specials=hidden")
    table(inspector)
    for _ in appearances(inspector.page):
        accessible(inspector.page, "#lines-view")

"""Long texts: first a picture, then exact numbers row by row, and a zoom that a link restores."""

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from playwright.sync_api import FloatRect, Page, Request, Route, expect

from scripts.live import serving
from tests.browser.contexts import Pages
from tests.browser.inspector import Inspector, looks, rested
from tests.browser.test_pretrained import traced
from tests.unit.sources.pretrained.checkpoints import FAMILIES

pytestmark = pytest.mark.browser
WORDS = "the old cat sat on the mat a girl saw him".split()
SENTENCE = "The dogs near the river are old."


def text_of(n: int) -> str:
    """A text of n tokens, including the one that the model adds."""
    return " ".join(itertools.islice(itertools.cycle(WORDS), n - 1))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A tiny Llama of 4,096 positions, and room for as many tokens."""
    torch.manual_seed(0)
    folder: Path = FAMILIES["llama"](tmp_path_factory.mktemp("long") / "llama")
    with serving(models=f"llama={folder}", max_tokens="4096") as address:
        traced(address, model="llama", texts=["a"])
        yield address


def opened(inspector: Inspector, n: int, more: str = "") -> Inspector:
    inspector.page.set_viewport_size({"width": 1440, "height": 1500})  # all of the picture is seen
    return inspector.open(f"/?model=llama&layer=1&head=2&text={text_of(n).replace(' ', '+')}{more}")


def rows(inspector: Inspector, n: int, start: int, stop: int) -> dict[str, Any]:
    """Some rows of the head from the API."""
    names = ["pattern", "scores"]
    select = {"tensors": names, "layers": [1], "heads": [2], "rows": [start, stop]}
    answer = traced(inspector.server, model="llama", texts=[text_of(n)], select=select)
    return {name: answer["sites"][0]["tensors"][name][0][0] for name in names}


def frame(page: Page) -> FloatRect:
    """Where the cells are in the window."""
    box = page.locator("#plot [data-plot]").bounding_box()
    assert box is not None
    return box


def place(page: Page, n: int, query: float, key: float) -> tuple[float, float]:
    """The position of a cell in the window while the picture is not zoomed."""
    box = frame(page)
    x = box["x"] + (key + 0.5) / n * box["width"]
    return x, box["y"] + (query + 0.5) / n * box["height"]


def cell_in_zoom(page: Page, query: int, key: int) -> tuple[float, float]:
    """The position of a cell in the window while the picture is zoomed."""
    box = frame(page)
    q0, q1, k0, k1 = zoom_of(page)
    right, down = (key + 0.5 - k0) / (k1 - k0), (query + 0.5 - q0) / (q1 - q0)
    return box["x"] + right * box["width"], box["y"] + down * box["height"]


def point_at(page: Page, query: int, key: int) -> None:
    """Point at a cell, again if the picture has changed under the pointer."""
    said = re.compile(rf"query {query} .* key {key} ")
    readout = page.locator("#readout")
    for _ in range(100):
        x, y = cell_in_zoom(page, query, key)
        page.mouse.move(x - 2, y - 2)
        page.mouse.move(x, y)
        rested(page, 50)
        if said.match(readout.inner_text()):
            return
    raise AssertionError(readout.inner_text())


def pointed(page: Page) -> tuple[int, int]:
    found = re.match(r"query (\d+) .* key (\d+) ", page.locator("#readout").inner_text())
    assert found is not None
    return int(found[1]), int(found[2])


def corner(page: Page) -> tuple[int, int]:
    """The cell at the upper left of the visible part."""
    box = frame(page)
    page.mouse.move(box["x"] + 3, box["y"] + 1)
    expect(page.locator("#readout")).to_contain_text("query")
    return pointed(page)


def zoom_of(page: Page) -> list[int]:
    """The zoom in the address, which follows it after a moment."""
    rested(page, 200)
    page.locator("html[data-state=ready]").wait_for(state="attached")
    address = page.evaluate("location.href")
    found = re.search(r"zoom=(\d+)%2C(\d+)%2C(\d+)%2C(\d+)", address)
    return [int(part) for part in found.groups()] if found else []


@pytest.mark.fresh
def test_a_long_text_comes_as_bytes_and_its_row_is_exact(inspector: Inspector) -> None:
    sent: list[dict[str, Any]] = []

    def noted(request: Request) -> None:
        if request.post_data:
            sent.append(json.loads(request.post_data))

    inspector.page.on("request", noted)
    opened(inspector, 600)
    expected = rows(inspector, 600, 599, 600)["pattern"][0]
    _, *lines = inspector.page.locator("#row").inner_text().splitlines()
    assert len(lines) == 64
    numbers = [float(line.split()[-1]) for line in lines]
    assert numbers == pytest.approx(sorted(expected, reverse=True)[:64], abs=6e-5)
    selects = [select for one in sent if one["model"] == "llama" for select in looks(one)]
    whole = [one for one in selects if not one.get("rows") and not one.get("resolution")]
    assert [one for one in whole if "pattern" in one.get("tensors", [])] == []
    pictured = {"resolution": 1024, "dtype": "uint8"}
    assert any(pictured.items() <= one.items() for one in selects)


def test_no_rounded_number_is_shown_before_the_exact_one(inspector: Inspector) -> None:
    held: list[Route] = []
    opened(inspector, 600)
    inspector.page.route(
        "**/api/trace",
        lambda route: (
            held.append(route) if '"rows"' in str(route.request.post_data) else route.continue_()
        ),
    )
    inspector.page.mouse.move(*place(inspector.page, 600, 100, 40))
    readout = inspector.page.locator("#readout")
    expect(readout).to_contain_text(": …")
    query, key = pointed(inspector.page)
    rested(inspector.page, 200)  # the pause on a row is over
    assert len(held) == 1 and readout.inner_text().endswith("…")
    held.pop().continue_()
    expected = rows(inspector, 600, query, query + 1)
    expect(readout).to_contain_text(f"weight {expected['pattern'][0][key]:.4f}")
    assert f"score {expected['scores'][0][key]:.4f}" in readout.inner_text().replace("−", "-")
    assert abs(query - 100) <= 1 and abs(key - 40) <= 1
    inspector.page.unroute_all()


def test_the_picture_shows_the_numbers(inspector: Inspector) -> None:
    """Blocked cells are hatched, and a larger number is a darker pixel."""
    opened(inspector, 600, "&query=8&zoom=0,60,0,60")
    colors = inspector.page.evaluate(
        """([n, keys]) => {
          const canvas = document.querySelector("#plot canvas.whole");
          const box = canvas.getBoundingClientRect();
          const cells = document.querySelector("#plot [data-plot]").getBoundingClientRect();
          const copy = document.createElement("canvas");
          [copy.width, copy.height] = [canvas.width, canvas.height];
          const drawing = copy.getContext("2d", { willReadFrequently: true });
          drawing.drawImage(canvas, 0, 0);
          return keys.map((key) => {
            const x = cells.left - box.left + ((key + 0.5) / n) * cells.width;
            const y = cells.top - box.top + (0.5 / n) * cells.height;
            return drawing.getImageData(Math.floor(x), Math.floor(y), 1, 1).data[0];
          });
        }""",
        [60, [0, 30, 31]],
    )
    assert colors[0] < 60 < 150 < min(colors[1:])  # the first token sees itself alone


@pytest.mark.painted
def test_zoom_by_wheel_keys_rectangle_and_back(inspector: Inspector) -> None:
    opened(inspector, 600)
    page = inspector.page
    middle = place(page, 600, 300, 150)
    page.mouse.move(*middle)
    page.mouse.wheel(0, -600)  # which is the page's
    rested(page, 100)
    expect(page.locator("#plot .minimap")).to_be_hidden()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -600)
    page.keyboard.up("Control")
    expect(page.locator("#plot .minimap")).to_be_visible()
    zoom = zoom_of(page)
    assert 100 < zoom[1] - zoom[0] < 400
    page.mouse.move(middle[0] + 1, middle[1])
    query, key = pointed(page)
    assert abs(query - 300) <= 2 and abs(key - 150) <= 2  # what was under the pointer stays there
    row, column = corner(page)
    assert abs(row - zoom[0]) <= 1  # a row is less than two pixels high
    assert column == pointed(page)[1]
    page.keyboard.press("Shift+ArrowRight")
    moved = zoom_of(page)
    assert moved[2] > zoom[2] and moved[:2] == zoom[:2]
    page.keyboard.press("-")
    page.keyboard.press("0")
    assert zoom_of(page) == []
    page.mouse.click(*middle)
    page.mouse.wheel(0, -300)  # after a click it is the picture's
    assert zoom_of(page) != []
    page.mouse.move(5, 5)
    page.mouse.move(*middle)
    page.keyboard.press("0")
    page.mouse.wheel(0, -300)
    assert zoom_of(page) == []
    expect(page.locator("#plot .minimap")).to_be_hidden()

    page.mouse.move(*place(page, 600, 100, 200))
    page.mouse.down()
    page.mouse.move(*place(page, 600, 150, 300), steps=4)
    page.mouse.up()
    zoom = zoom_of(page)
    assert zoom == pytest.approx([100, 151, 200, 301], abs=2)
    assert corner(page)[0] == zoom[0]
    page.mouse.dblclick(*place(page, 600, 300, 300))
    assert zoom_of(page) == []


def test_a_link_restores_the_zoom_and_the_map_moves_it(inspector: Inspector) -> None:
    opened(inspector, 600, "&zoom=100,200,50,150")
    page = inspector.page
    assert zoom_of(page) == [100, 200, 50, 150]
    assert corner(page)[0] == 100
    box = page.locator("#plot .minimap").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert zoom_of(page) == pytest.approx([250, 350, 250, 350], abs=12)
    page.keyboard.down("Shift")
    page.mouse.move(*place(page, 600, 300, 300))
    page.mouse.down()
    page.mouse.move(*place(page, 600, 300, 420), steps=4)
    page.mouse.up()
    page.keyboard.up("Shift")
    assert zoom_of(page)[2] == pytest.approx(230, abs=6)


def test_plotlys_zoom_is_in_the_link_too(inspector: Inspector, pages: Pages) -> None:
    inspector.open(f"/?text={SENTENCE.replace(' ', '+')}").plotly()
    page = inspector.page
    page.evaluate(
        """() => Plotly.relayout("plot", {
          "xaxis.range": [0.6, 5.4],
          "yaxis.range": [6.5, 1.5],
        })"""
    )
    assert zoom_of(page) == [2, 7, 1, 6]
    other = (
        Inspector(pages(1280, 720), inspector.server).open("/" + page.url.split("/")[-1]).plotly()
    )
    ranges = other.page.evaluate(
        "() => { const { xaxis, yaxis } = document.querySelector('#plot')._fullLayout;"
        " return [xaxis.range, yaxis.range]; }"
    )
    assert ranges == [[0.5, 5.5], [6.5, 1.5]]
    other.press("0")
    assert zoom_of(other.page) == []


def test_two_thousand_tokens_are_pooled_and_read_by_the_row(inspector: Inspector) -> None:
    opened(inspector, 2048)
    page = inspector.page
    expect(page.locator(".pooled")).to_have_text(re.compile("the strongest of its cells"))
    lines = page.locator("#row tbody tr").all_inner_texts()
    expected = rows(inspector, 2048, 2047, 2048)["pattern"][0]
    numbers = [float(line.split()[-1]) for line in lines]
    assert numbers == pytest.approx(sorted(expected, reverse=True)[:64], abs=6e-5)
    page.mouse.move(*place(page, 2048, 1500, 700))
    readout = page.locator("#readout")
    expect(readout).to_contain_text("weight 0.")
    query, key = pointed(page)
    assert abs(query - 1500) <= 3 and abs(key - 700) <= 3
    found = rows(inspector, 2048, query, query + 1)["pattern"][0][key]
    assert f"weight {found:.4f}" in readout.inner_text()
    page.mouse.move(*place(page, 2048, 700, 1500))
    expect(readout).to_contain_text("blocked by the causal mask")


def test_far_links_are_the_strongest_and_a_click_jumps_to_one(inspector: Inspector) -> None:
    opened(inspector, 600, "&right=far&far_least=128")
    page = inspector.page
    asked = {"far_links": {"min_distance": 128, "top_k": 50}}
    answer = traced(
        inspector.server, model="llama", texts=[text_of(600)], analyse=asked, select={"layers": []}
    )
    links = answer["far_links"][0]["links"]
    lines = page.locator(".far-links tbody tr")
    expect(lines).to_have_count(50)
    assert [float(text) for text in lines.locator("button").all_inner_texts()] == pytest.approx(
        [link["weight"] for link in links], abs=6e-5
    )
    lines.nth(2).locator("button").click()
    inspector.ready()
    link = links[2]
    top, bottom, left, right = zoom_of(page)
    assert top <= link["query"] < bottom and left <= link["key"] < right
    assert bottom - top == right - left == 48
    for name in ("layer", "head", "query", "key"):
        assert f"{name}={link[name]}" in page.url
    expect(lines.nth(2)).to_have_attribute("aria-current", "true")
    point_at(page, link["query"], link["key"])
    expect(page.locator("#readout")).to_contain_text(f"weight {link['weight']:.4f}")

    overview = page.locator(".far-overview")
    overview.focus()
    page.keyboard.press("Home")
    expect(overview).to_have_attribute("aria-valuenow", "0")
    box = overview.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 10)
    expect(overview).to_have_attribute("aria-valuenow", "300")
    assert zoom_of(page)[:2] == [276, 324]


def test_a_jump_scrolls_the_text_to_its_token(inspector: Inspector) -> None:
    opened(inspector, 600, "&view=text&right=far&far_least=128")
    page = inspector.page
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator(".far-links button").nth(1).click()
    inspector.ready()
    read = page.locator(".text-token[aria-pressed=true]")
    expect(read).to_be_in_viewport()


@pytest.mark.fresh
def test_a_large_answer_is_read_by_a_worker(inspector: Inspector) -> None:
    opened(inspector, 600)
    before = len(inspector.page.workers)
    inspector.press("s")  # the scores, in full
    assert inspector.page.locator("input[name=matrix][value=scores]").is_checked()
    assert [worker.url.split("/")[-1] for worker in inspector.page.workers] == ["decode-worker.js"]
    assert before <= 1
    inspector.page.mouse.move(*place(inspector.page, 600, 400, 30))
    expect(inspector.page.locator("#readout")).to_contain_text("score")
    query, key = pointed(inspector.page)
    found = rows(inspector, 600, query, query + 1)["scores"][0][key]
    reading = inspector.page.locator("#readout").inner_text().replace("−", "-")
    assert f"score {found:.4f}" in reading


def test_fast_typing_asks_for_few_pictures_and_ends_with_the_last(inspector: Inspector) -> None:
    inspector.open("/?text=the")
    asked: list[str] = []

    def slowly(route: Route) -> None:
        asked.append(json.loads(route.request.post_data or "")["texts"][0])
        inspector.page.wait_for_timeout(60)
        route.continue_()

    inspector.page.route("**/api/trace", slowly)
    box = inspector.page.locator("#sentences textarea").first
    box.press("End")
    typed = " old cat saw a dog"
    box.press_sequentially(typed, delay=5)
    inspector.ready()
    inspector.page.unroute_all(behavior="wait")
    assert asked[-1] == "the" + typed
    assert len(set(asked)) < len(typed)
    chips = inspector.page.locator(".chip").all_inner_texts()
    assert chips == ["[BOS]", "the", "old", "cat", "saw", "a", "dog"]

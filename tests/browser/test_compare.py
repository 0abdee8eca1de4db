"""Compare: A, B and B − A show the API's numbers, whatever the difference between A and B."""

import json
import re
import urllib.request
from itertools import product
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector, pick
from tests.sweeps import some

pytestmark = pytest.mark.browser
TEXT = "The dogs near the river are old."
HEAD = "/?text=The+dogs+near+the+river+are+old.&layer=1&head=2"


@pytest.fixture(scope="module")
def server(families: str) -> str:
    return families


def ask(inspector: Inspector, **request: Any) -> dict[str, Any]:
    """The API's answer to the same request."""
    body = json.dumps(request).encode()
    headers = {"Content-Type": "application/json"}
    call = urllib.request.Request(f"{inspector.server}/api/trace", body, headers)
    with urllib.request.urlopen(call) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


def pattern(
    inspector: Inspector, layer: int, head: int, tensor: str = "pattern", **request: Any
) -> list[list[float]]:
    select = {"tensors": [tensor], "layers": [layer], "heads": [head]} | request.pop("select", {})
    [site] = ask(inspector, **{"texts": [TEXT], "select": select, **request})["sites"]
    found: list[list[float]] = site["tensors"][tensor][0][0]
    return found


def against(inspector: Inspector) -> dict[str, list[str]] | None:
    """The parameters of A in the address."""
    held = parse_qs(urlsplit(inspector.page.url).query, keep_blank_values=True).get("against")
    return None if held is None else parse_qs(held[0], keep_blank_values=True)


def write(inspector: Inspector, text: str) -> None:
    inspector.page.get_by_label("Sentence 1", exact=True).fill(text)
    inspector.ready()


def what(inspector: Inspector) -> str:
    return inspector.page.locator(".compare-what").inner_text()


def line(inspector: Inspector) -> Locator:
    return inspector.page.locator(".compare-line")


def cell(inspector: Inspector, panel: int, query: int, key: int, size: tuple[int, int]) -> str:
    """Point at a cell of A (0), B (1) or the difference (2), and read its numbers."""
    canvas = inspector.page.locator(".compare-stage canvas").first
    plots = canvas.evaluate(
        "canvas => canvas.dataset.plots.split(';').map(plot => plot.split(' ').map(Number))"
    )
    x, y, width, height = plots[panel]
    box = canvas.bounding_box()
    assert box
    inspector.page.mouse.move(
        box["x"] + x + (key + 0.5) * width / size[1],
        box["y"] + y + (query + 0.5) * height / size[0],
    )
    return line(inspector).inner_text()


def weight(value: float) -> str:
    """A number as the page writes it."""
    if value != 0 and abs(value) < 0.00005:
        return re.sub(r"e-0?", "e-", f"{value:.1e}")
    return f"{value:.4f}"


def assert_said(words: str, a: float, b: float) -> None:
    """The line of a cell has both numbers and their difference."""
    assert re.search(rf"A {re.escape(weight(a))}\b", words), words
    assert re.search(rf"B {re.escape(weight(b))}\b", words), words
    [difference] = re.findall(r"B − A ([−+]?[\d.e-]+)", words)
    assert float(difference.replace("−", "-")) == pytest.approx(b - a, abs=6e-5)


def rows(inspector: Inspector) -> list[list[str]]:
    return [
        row.locator("td").all_inner_texts()
        for row in inspector.page.locator(".compare-table tbody tr").all()
    ]


def test_two_masks_every_cell_has_the_numbers_of_the_api(inspector: Inspector) -> None:
    inspector.open(f"{HEAD}&causal=false&view=compare&against=without%3Dcausal")
    a = pattern(inspector, 1, 2)
    b = pattern(inspector, 1, 2, masks={"causal": False})
    assert what(inspector) == "A: the model’s own masks; B: causal off."
    n = len(a)
    for query, key in some(product(range(n), repeat=2), 4):  # in every row and every column
        words = cell(inspector, 2, query, key, (n, n))
        assert words.startswith(f"query {query} "), words
        assert f" → key {key} " in words
        assert_said(words, a[query][key], b[query][key])
        assert ("(blocked by the causal mask)" in words) == (key > query)
    # the same cell in all three
    there = [cell(inspector, panel, 6, 8, (n, n)) for panel in range(3)]
    assert there[0] == there[1] == there[2]
    cells = [(query, key) for query in range(n) for key in range(n)]
    cells.sort(key=lambda at: -abs(b[at[0]][at[1]] - a[at[0]][at[1]]))
    expected = [[weight(a[query][key]), weight(b[query][key])] for query, key in cells[:12]]
    assert [row[1:3] for row in rows(inspector)] == expected
    legend = inspector.page.locator("#compare-view .legend").inner_text()
    assert legend == "outlined: blocked in one of the two"


def test_two_heads_and_their_scores(inspector: Inspector) -> None:
    inspector.open(f"{HEAD}&view=compare&matrix=scores&against=layer%3D0%26head%3D5")
    assert what(inspector) == "A: layer 0 head 5; B: layer 1 head 2."
    a, b = pattern(inspector, 0, 5, "scores"), pattern(inspector, 1, 2, "scores")
    assert_said(cell(inspector, 2, 5, 3, (9, 9)), a[5][3], b[5][3])
    words = cell(inspector, 0, 1, 4, (9, 9))
    assert words.count("blocked by the causal mask") == 2
    assert "B − A" not in words  # neither may look there
    inspector.press("ArrowRight")  # B walks, A is held
    assert what(inspector) == "A: layer 0 head 5; B: layer 1 head 3."
    b = pattern(inspector, 1, 3, "scores")
    assert_said(cell(inspector, 1, 5, 3, (9, 9)), a[5][3], b[5][3])


def test_two_sentences_have_their_tokens_aligned(inspector: Inspector) -> None:
    other = "The old dogs near the river are old."
    inspector.open(f"{HEAD}&view=compare")
    inspector.page.get_by_role("button", name="Hold this as A").click()
    write(inspector, other)
    assert (
        what(inspector)
        == "A: “The dogs near the river are old.”; B: “The old dogs near the river are…”."
    )
    a, b = pattern(inspector, 1, 2), pattern(inspector, 1, 2, texts=[other])
    n = len(b)  # the axis of both is B's: it has one token more
    words = cell(inspector, 2, 7, 3, (n, n))
    assert words.startswith("query 6 | 7 are → key 2 | 3 dogs: ")
    assert_said(words, a[6][2], b[7][3])
    alone = cell(inspector, 2, 2, 1, (n, n))
    assert alone.startswith("query 2 old (only in B) → key 1 The: A has no such cell, B ")
    assert f"B {weight(b[2][1])}" in alone
    assert "B − A" not in alone
    assert cell(inspector, 0, 6, 2, (9, 9)) == words  # A's own places
    assert "a token that only A" in inspector.page.locator("#compare-view .legend").inner_text()


def test_two_models_have_the_tokens_that_cover_the_same_text_aligned(inspector: Inspector) -> None:
    text = "the cat sat on the mat"
    inspector.open(f"/?text={quote(text)}&layer=0&head=0&view=compare")
    inspector.page.get_by_role("button", name="Hold this as A").click()
    inspector.page.locator("#model").select_option("bert")
    inspector.ready()
    inspector.page.locator(".compare-result:not([hidden])").wait_for()
    assert what(inspector) == "A: Headlight small; B: bert."
    a = pattern(inspector, 0, 0, texts=[text])
    b = pattern(inspector, 0, 0, model="bert", texts=[text])
    assert (len(a), len(b)) == (7, 8)  # [BOS] and the words; [CLS], the words and [SEP]
    n = 9  # [BOS], [CLS], six words, [SEP]
    words = cell(inspector, 2, 4, 3, (n, n))
    assert words.startswith("query 3 sat → key 2 cat: ")
    assert_said(words, a[3][2], b[3][2])
    assert "query 0 [BOS] (only in A)" in cell(inspector, 2, 0, 3, (n, n))
    assert "query 0 [CLS] (only in B)" in cell(inspector, 2, 1, 3, (n, n))


def test_a_model_that_is_not_loaded_is_loaded_for_a(inspector: Inspector) -> None:
    inspector.open(
        "/?text=the+cat+sat&layer=0&head=1&view=compare&against=model%3Dt5%26target%3Da+girl"
    )
    inspector.page.locator(".compare-result:not([hidden])").wait_for()
    inspector.ready()
    assert what(inspector).startswith(
        "A: t5, target “a girl”, encoder layer 0 head 1; B: Headlight small"
    )
    a = pattern(
        inspector,
        0,
        1,
        model="t5",
        texts=["the cat sat"],
        targets=["a girl"],
        select={"kinds": ["encoder"]},
    )
    b = pattern(inspector, 0, 1, texts=["the cat sat"])
    words = cell(inspector, 1, 3, 1, (4, 4))
    assert words.startswith("query 2 | 3 sat → key 0 | 1 the: ")
    assert_said(words, a[2][0], b[3][1])


def test_a_model_that_fails_says_so_and_leaves_the_rest(inspector: Inspector) -> None:
    inspector.page.goto(f"{inspector.server}{HEAD}&view=compare&against=model%3Dmissing")
    trouble = inspector.page.locator(".compare-trouble")
    expect(trouble).to_contain_text("A cannot be shown: ")
    assert inspector.page.locator("#problem").is_hidden()
    assert inspector.page.get_by_role("button", name="Try again").last.is_visible()
    inspector.page.get_by_role("button", name="Hold this as A").click()
    inspector.ready()
    assert what(inspector).startswith("A and B are the same")
    assert trouble.is_hidden()
    inspector.errors.clear()  # Chromium itself logs the 503


def test_cross_attention_is_compared_with_the_decoder(inspector: Inspector) -> None:
    link = "/?model=t5&text=the+old+cat+sat&target=the+cat+sat+down&layer=1&head=2"
    inspector.open(f"{link}&kind=cross&view=compare&against=kind%3Ddecoder")
    assert what(inspector) == "A: decoder layer 1 head 2; B: cross layer 1 head 2."
    asked: dict[str, Any] = {
        "model": "t5",
        "texts": ["the old cat sat"],
        "targets": ["the cat sat down"],
    }
    a = pattern(inspector, 1, 2, select={"kinds": ["decoder"]}, **asked)
    b = pattern(inspector, 1, 2, select={"kinds": ["cross"]}, **asked)
    words = cell(inspector, 1, 3, 2, (len(b), len(b[0])))
    assert words.startswith("query 3 sat → key 2 cat: ")
    assert_said(words, a[3][2], b[3][2])
    assert cell(inspector, 0, 3, 2, (len(a), len(a[0]))) == words
    assert "[PAD] (only in A)" in cell(inspector, 0, 3, 0, (len(a), len(a[0])))


def test_compare_with_before_is_one_click_from_a_toggle(inspector: Inspector) -> None:
    inspector.open(HEAD)
    button = inspector.page.get_by_role("button", name="Compare with before")
    assert button.count() == 0
    pick(inspector.page.locator("#masks").get_by_label("off", exact=True).first)
    inspector.ready()
    button.click()
    inspector.ready()
    assert what(inspector) == "A: the model’s own masks; B: causal off."
    a, b = pattern(inspector, 1, 2), pattern(inspector, 1, 2, masks={"causal": False})
    assert_said(cell(inspector, 2, 6, 8, (9, 9)), a[6][8], b[6][8])
    assert button.count() == 0  # it stands there
    expect(inspector.page.get_by_role("radio", name="Compare")).to_be_focused()
    inspector.page.locator("#heads-title").click()
    inspector.press("m")  # another change: A is what was held, until asked again
    assert what(inspector) == (
        "A: the model’s own masks, no head muted; B: causal off, layer 1 head 2 muted."
    )
    inspector.press("a")
    assert what(inspector) == "A: no head muted; B: layer 1 head 2 muted."
    inspector.press("a")
    assert what(inspector).startswith("A and B are the same")


def test_what_is_predicted_is_said_of_both(inspector: Inspector) -> None:
    inspector.open(f"{HEAD}&query=5&muted=1.1&muted=1.2&view=compare&against=without%3Dmuted")
    ask_for = {"texts": [TEXT], "select": {"layers": []}, "predict": {"position": 5}}
    [a] = ask(inspector, **ask_for)["predictions"]
    [b] = ask(inspector, muted=[[1, 1], [1, 2]], **ask_for)["predictions"]
    words = inspector.page.locator(".compare-said").inner_text()
    assert words.startswith("After “river” ")
    for one in (a[0], b[0]):
        assert f"“{one['text'].strip()}”" in words
        assert f"{100 * one['probability']:.1f}%" in words


def test_the_buttons_hold_swap_and_let_go_with_the_keyboard_alone(inspector: Inspector) -> None:
    inspector.open(f"{HEAD}&causal=false&muted=0.1&view=compare")
    assert what(inspector).startswith("A: the model’s own masks, no head muted; B: causal off")

    def press(name: str) -> None:
        inspector.page.get_by_role("button", name=name).focus()
        inspector.press("Enter")
        expect(inspector.page.get_by_role("button", name=name)).to_be_focused()

    press("Clear A")
    assert "A is what you hold" in what(inspector)
    press("Unedited")
    assert what(inspector) == (
        "A: the model’s own masks, no head muted; B: causal off, layer 0 head 1 muted."
    )
    press("Swap A and B")
    assert what(inspector) == (
        "A: causal off, layer 0 head 1 muted; B: the model’s own masks, no head muted."
    )
    assert inspector.page.locator("input[name=causal][value=own]").is_checked()
    press("Clear A")
    assert "A is what you hold" in what(inspector)
    assert against(inspector) is None
    press("Hold this as A")
    assert what(inspector).startswith("A and B are the same")
    assert inspector.page.locator(".compare-cells").inner_text() == "No cell differs."


def test_on_a_phone_the_tools_take_one_row_and_all_are_in_reach(touched: Inspector) -> None:
    page = touched.open("/?view=compare&depth=full").page
    tools = page.locator(".compare-tools")
    box = tools.bounding_box()
    assert box is not None and box["height"] < 70
    assert tools.evaluate("(it) => it.scrollWidth > it.clientWidth")
    tools.get_by_role("button", name="Clear A").tap()
    touched.ready()
    expect(page.locator(".compare-what")).to_contain_text("Hold")


def test_a_held_key_shows_a_in_the_place_of_b(inspector: Inspector) -> None:
    """Two heads, whose patterns differ: what stands in B's place is A, pixel by pixel, and back."""
    inspector.open(f"{HEAD}&view=compare&against=layer%3D0%26head%3D1")
    canvas = inspector.page.locator(".compare-stage canvas").first

    def cells() -> list[list[int]]:
        """The pixels of A, and of what stands in B's place."""
        pixels: list[list[int]] = canvas.evaluate(
            """(canvas) => {
              const copy = new OffscreenCanvas(canvas.width, canvas.height);
              const drawing = copy.getContext("2d", { willReadFrequently: true });
              drawing.drawImage(canvas, 0, 0);
              return canvas.dataset.plots.split(";").slice(0, 2).map((plot) => {
                const at = plot.split(" ").map((one) => Number(one) * devicePixelRatio);
                const [x, y, width] = at.map(Math.round);
                const side = width - 6; // inside the outline
                const { data } = drawing.getImageData(x + 3, y + 3, side, side);
                return [...data].filter((_, at) => at % 400 < 4);
              });
            }"""
        )
        return pixels

    rest, other = cells()
    assert rest != other
    inspector.page.keyboard.down("z")
    expect(canvas).to_have_attribute("data-flipped", "true")
    now_a, now_b = cells()
    assert now_a == rest
    assert apart(now_b, rest) < apart(other, rest) / 4
    inspector.page.keyboard.up("z")
    expect(canvas).to_have_attribute("data-flipped", "false")
    assert cells() == [rest, other]
    button = inspector.page.get_by_role("button", name="Hold to see A in B’s place")
    button.hover()
    inspector.page.mouse.down()
    expect(canvas).to_have_attribute("data-flipped", "true")
    inspector.page.evaluate("dispatchEvent(new Event('blur'))")  # another window comes to the front
    expect(canvas).to_have_attribute("data-flipped", "false")
    inspector.page.mouse.up()


def apart(a: list[int], b: list[int]) -> float:
    return sum(abs(x - y) for x, y in zip(a, b, strict=True)) / len(a)


def test_a_row_of_the_table_and_a_cell_lead_to_the_query(inspector: Inspector) -> None:
    inspector.open(f"{HEAD}&causal=false&view=compare&against=without%3Dcausal")
    inspector.page.locator(".compare-table button").first.click()
    inspector.ready()
    expect(inspector.page.locator(".compare-table button").first).to_be_focused()
    query = rows(inspector)[0][0].split()[0]
    assert f"&query={query}&" in inspector.page.url
    cell(inspector, 0, 3, 1, (9, 9))
    inspector.page.mouse.down()
    inspector.page.mouse.up()
    inspector.ready()
    assert "&query=3&" in inspector.page.url
    assert inspector.page.locator("#row-title").inner_text() == "“near” looks at"


def test_a_link_restores_exactly_what_was_compared(inspector: Inspector) -> None:
    inspector.open(f"{HEAD}&view=compare")
    inspector.page.get_by_role("button", name="Hold this as A").click()
    inspector.page.locator("#heads-title").click()
    inspector.press("c", "c", "m", "ArrowDown")
    write(inspector, "The old dogs near the river are sad.")
    assert against(inspector) == {
        "text": [TEXT],
        "layer": ["1"],
        "without": ["causal,muted"],
    }
    seen = (what(inspector), rows(inspector), inspector.page.url)
    inspector.page.goto("about:blank")
    inspector.page.goto(seen[2])
    inspector.ready()
    assert (what(inspector), rows(inspector), inspector.page.url) == seen
    inspector.page.goto("about:blank")
    inspector.open(f"{HEAD}&view=compare&against=layer%3D99%26head%3Dx%26model%3Dnowhere%26%25%3D")
    expect(inspector.page.get_by_role("status").filter(has_text="nowhere").first).to_be_visible()
    assert (
        what(inspector) == "A: causal off; B: the model’s own masks."
    )  # never a comparison of nothing


def test_a_long_text_is_compared_in_exact_numbers(inspector: Inspector) -> None:
    text = "The dogs near the river are old. " * 26  # so long that the head itself is a picture
    inspector.open(f"/?text={quote(text.strip())}&layer=1&head=2&view=compare&against=head%3D3")
    a, b = (pattern(inspector, 1, head, texts=[text.strip()]) for head in (3, 2))
    n = len(a)
    assert n > 200
    cells = [(query, key) for query in range(n) for key in range(n)]
    cells.sort(key=lambda at: -abs(b[at[0]][at[1]] - a[at[0]][at[1]]))
    expected = [[weight(a[query][key]), weight(b[query][key])] for query, key in cells[:3]]
    assert [row[1:3] for row in rows(inspector)][:3] == expected


def test_axe_finds_nothing_and_nothing_is_cut(inspector: Inspector) -> None:
    inspector.open(f"{HEAD}&causal=false&view=compare&against=text%3DThe%2Bold%2Bdogs%2Bare%2Bold.")
    beyond = "() => document.documentElement.scrollWidth - innerWidth"
    for _ in appearances(inspector.page, 1440, 1024, 390):
        accessible(inspector.page)
        assert inspector.page.evaluate(beyond) == 0

"""The heatmap answers the pointer: an outline, a lit row and column, lit tokens, and a value."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser
HERSELF = "/?text=Mary+near+the+boys+saw+herself+in+the+mirror.&layer=2&head=3&query=5"
BOX = "(element) => { const { x, y, width, height } = element.getBoundingClientRect(); "
BOX += "return { x, y, width, height }; }"
# Where a painter says that a cell is, whichever painter it is.
CELL = """([plot, query, key]) => {
  const box = plot.getBoundingClientRect();
  if (plot._fullLayout) {
    const { xaxis, yaxis } = plot._fullLayout;
    const [left, right] = [key - 0.5, key + 0.5].map((at) => xaxis._offset + xaxis.l2p(at));
    const [top, bottom] = [query - 0.5, query + 0.5].map((at) => yaxis._offset + yaxis.l2p(at));
    return { x: box.left + left, y: box.top + top, width: right - left, height: bottom - top };
  }
  const { x, y, width, height } = plot.querySelector("[data-plot]").getBoundingClientRect();
  const [rows, cols] = plot.getAttribute("aria-label").match(/\\d+/g).map(Number);
  const [wide, high] = [width / cols, height / rows];
  return { x: x + key * wide, y: y + query * high, width: wide, height: high };
}"""
# Whether the outline is at a cell: it follows the pointer with the next frame.
AT = """([plot, cell]) => {
  const outline = plot.querySelector(".band-cell").getBoundingClientRect();
  return Object.entries(cell).every(([side, value]) => Math.abs(outline[side] - value) < 1);
}"""


class Heatmap:
    """A heatmap of a page, and what lies over its cells."""

    def __init__(self, inspector: Inspector, plot: str = "#plot") -> None:
        self.page = inspector.page
        self.plot = self.page.locator(plot)

    def cell(self, query: int, key: int) -> dict[str, float]:
        box: dict[str, float] = self.page.evaluate(CELL, [self.plot.element_handle(), query, key])
        return box

    def point(self, query: int, key: int) -> None:
        box = self.cell(query, key)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x - 3, y - 3)
        self.page.mouse.move(x, y)

    def box(self, selector: str) -> dict[str, float]:
        shown = self.plot.locator(selector)
        expect(shown).to_be_visible()
        box: dict[str, float] = shown.evaluate(BOX)
        return box

    def outlined(self, query: int, key: int) -> None:
        """The outline is at the cell, with its value beside it and inside the picture."""
        cell = self.cell(query, key)
        self.page.wait_for_function(AT, arg=[self.plot.element_handle(), cell])
        value, picture = self.box(".cell-value"), self.plot.evaluate(BOX)
        assert not overlap(value, cell)
        assert inside(value, picture)


def overlap(a: dict[str, float], b: dict[str, float]) -> bool:
    return (
        a["x"] < b["x"] + b["width"]
        and b["x"] < a["x"] + a["width"]
        and a["y"] < b["y"] + b["height"]
        and b["y"] < a["y"] + a["height"]
    )


def inside(a: dict[str, float], b: dict[str, float]) -> bool:
    return (
        a["x"] >= b["x"]
        and a["y"] >= b["y"]
        and a["x"] + a["width"] <= b["x"] + b["width"]
        and a["y"] + a["height"] <= b["y"] + b["height"]
    )


@pytest.fixture
def heatmap(inspector: Inspector) -> Iterator[Heatmap]:
    yield Heatmap(inspector.open(HERSELF).plotly())


def lit(heatmap: Heatmap) -> list[str]:
    return heatmap.page.locator("#chips .chip.lit").all_inner_texts()


def test_the_cell_under_the_pointer_is_outlined_and_its_value_stands_beside_it(
    heatmap: Heatmap,
) -> None:
    for query, key in ((5, 1), (0, 0), (9, 9), (10, 0), (2, 8)):
        heatmap.point(query, key)
        heatmap.outlined(query, key)
        whole, cell = heatmap.cell(0, 0), heatmap.cell(query, key)
        row, column = heatmap.box(".band-query"), heatmap.box(".band-key")
        assert [row["x"], row["y"]] == pytest.approx([whole["x"], cell["y"]], abs=1)
        assert [column["x"], column["y"]] == pytest.approx([cell["x"], whole["y"]], abs=1)
    heatmap.point(5, 1)
    readout = heatmap.page.locator("#readout")
    expect(readout).to_contain_text("query 5 saw → key 1 Mary: weight 0.9965")
    expect(heatmap.plot.locator(".cell-value")).to_have_text("weight 0.9965")
    assert lit(heatmap) == ["Mary", "saw"]
    assert heatmap.plot.locator(".lit-token:visible").all_inner_texts() == ["saw", "Mary"]
    heatmap.point(1, 4)
    expect(heatmap.plot.locator(".cell-value")).to_have_text("blocked by the causal mask")
    heatmap.page.mouse.move(4, 4)
    expect(heatmap.plot.locator(".band-cell")).to_be_hidden()
    assert lit(heatmap) == []


def test_a_moving_pointer_paints_no_heatmap(heatmap: Heatmap) -> None:
    heatmap.page.evaluate(
        """() => {
          globalThis.painted = 0;
          document.querySelector("#plot").on("plotly_afterplot", () => { painted += 1; });
          const { putImageData, drawImage } = CanvasRenderingContext2D.prototype;
          Object.assign(CanvasRenderingContext2D.prototype, {
            putImageData(...args) { painted += 1; return putImageData.apply(this, args); },
            drawImage(...args) { painted += 1; return drawImage.apply(this, args); },
          });
        }"""
    )
    for query in range(2, 9):
        heatmap.point(query, query - 1)
        heatmap.outlined(query, query - 1)
    heatmap.page.locator("#chips .chip").nth(3).hover()  # a token in the sentence, too
    expect(heatmap.plot.locator(".lit-query")).to_have_text("the")
    assert heatmap.page.evaluate("painted") == 0


def test_the_arrow_keys_mark_the_same_cell_as_the_pointer(heatmap: Heatmap) -> None:
    heatmap.point(5, 1)
    value = heatmap.plot.locator(".cell-value")
    expect(value).to_have_text("weight 0.9965")
    heatmap.page.mouse.move(4, 4)
    expect(value).to_be_hidden()
    heatmap.plot.focus()
    for _ in range(2):  # into the current row, and on to the second key
        heatmap.page.keyboard.press("ArrowRight")
    expect(value).to_have_text("weight 0.9965")
    heatmap.outlined(5, 1)
    assert lit(heatmap) == ["Mary", "saw"]


def test_a_zoomed_picture_on_a_canvas_has_numbers_and_an_outline(inspector: Inspector) -> None:
    words = "+".join(["one", "two", "three", "four"] * 33)
    heatmap = Heatmap(inspector.open(f"/?text={words}&zoom=0,9,0,9"))
    inked = """(canvas) => {
      const { width, height } = canvas;
      const copy = Object.assign(document.createElement("canvas"), { width, height });
      const drawing = copy.getContext("2d", { willReadFrequently: true });
      drawing.drawImage(canvas, 0, 0);
      const pixels = new Uint32Array(drawing.getImageData(0, 0, width, height).data.buffer);
      return pixels.filter(Boolean).length;
    }"""
    heatmap.plot.scroll_into_view_if_needed()
    numbers = heatmap.plot.locator(".numbers")
    assert numbers.evaluate(inked) > 500
    box, cells = heatmap.plot.evaluate(BOX), heatmap.plot.locator("[data-plot]").evaluate(BOX)
    heatmap.page.mouse.move(cells["x"] + cells["width"] / 2, cells["y"] + cells["height"] * 0.5)
    outline, value = heatmap.box(".band-cell"), heatmap.box(".cell-value")
    assert outline["width"] == pytest.approx(cells["width"] / 9, abs=1)
    assert not overlap(value, outline)
    assert inside(value, box)
    heatmap.page.keyboard.press("0")
    inspector.ready()
    assert numbers.evaluate(inked) == 0  # the cells are too small


def test_a_brush_shows_the_cell_that_it_is_at(heatmap: Heatmap) -> None:
    heatmap.page.keyboard.press("w")
    heatmap.point(5, 1)
    heatmap.outlined(5, 1)
    expect(heatmap.page.locator("#readout")).to_contain_text("query 5 saw → key 1 Mary")


def test_a_figure_of_a_lesson_answers_the_pointer(inspector: Inspector) -> None:
    inspector.page.goto(f"{inspector.server}/learn/masks")
    inspector.state("ready")
    heatmap = Heatmap(inspector, "figure .plot >> nth=0")
    heatmap.plot.scroll_into_view_if_needed()
    heatmap.point(2, 1)
    heatmap.outlined(2, 1)


def test_the_value_is_read_out_once(heatmap: Heatmap) -> None:
    heatmap.point(5, 1)
    snapshot: Any = heatmap.page.locator(".head").aria_snapshot()
    assert snapshot.count("0.9965") == 1


# How far each row of q, k and v is from the same row of the heatmap, at most, in pixels.
OUT_OF_LINE = """() => {
  const [plot, vectors] = ["#plot", "#vectors"].map((name) => document.querySelector(name));
  const middle = (graph, axis, row) =>
    graph.getBoundingClientRect().top + axis._offset + axis.l2p(row);
  const yaxis = plot._fullLayout?.yaxis;
  const drawn = vectors.querySelector("canvas");
  if (!yaxis || !drawn) return Infinity; // plotly waits for the reader to rest, they for an answer
  const [stop, start] = yaxis.range.map((edge) => Math.round(Number(edge) + 0.5));
  const [y, height, from, to] = drawn.dataset.rows.split(" ").map(Number);
  const beside = (row) =>
    vectors.getBoundingClientRect().top + y + ((row - from + 0.5) / (to - from)) * height;
  const rows = Array.from({ length: stop - start }, (_, at) => start + at);
  return Math.max(...rows.map((row) => Math.abs(beside(row) - middle(plot, yaxis, row))));
}"""


def test_q_k_and_v_are_in_line_with_the_rows_of_the_heatmap(heatmap: Heatmap) -> None:
    page = heatmap.page
    page.locator("#vectors-open").click()
    in_line = f"() => ({OUT_OF_LINE})() < 1"
    page.wait_for_function(in_line)
    page.keyboard.press("+")  # zoomed, too
    page.keyboard.press("Shift+ArrowDown")
    page.wait_for_function("() => document.querySelector('#plot').layout.yaxis.range[1] > 1")
    page.wait_for_function(in_line)
    page.set_viewport_size({"width": 1300, "height": 1000})
    page.wait_for_function(in_line)

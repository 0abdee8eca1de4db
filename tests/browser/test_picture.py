"""Pictures for papers: the dialog, the files it saves, and the page on paper."""

import struct
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Download, Page, expect

from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser
TEXT = "The dogs near the river are old."
N = 9  # tokens
LINK = f"/?text={quote(TEXT)}&layer=1&head=2&query=5&depth=full"
SVG = "{http://www.w3.org/2000/svg}"
# each cell's colour at its middle: of a file drawn in a page of its own
COLOURS = """async ([svg, x, y, width, height, n]) => {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], {type: "image/svg+xml"}));
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const drawing = canvas.getContext("2d", {willReadFrequently: true});
  drawing.drawImage(image, 0, 0);
  const at = (row, col) => drawing.getImageData(
    Math.round(x + (col + 0.5) * width / n), Math.round(y + (row + 0.5) * height / n), 1, 1).data;
  return Array.from({length: n * n}, (_, i) => [...at(Math.floor(i / n), i % n)].slice(0, 3));
}"""
# the same cells as the page computes their colours, from the numbers of the API
SCALE = """async ([rows]) => {
  const { palette } = await import("/static/js/dom/palette.js");
  const { paint } = await import("/static/js/draw/raster.js");
  const matrix = {rows: rows.length, cols: rows.length, data: Float32Array.from(rows.flat())};
  const pixels = paint(matrix, palette("light").sequential, {low: 0, high: 1});
  return matrix.data.reduce((all, _, i) => [...all, [...pixels.slice(4 * i, 4 * i + 3)]], []);
}"""


def dialog(inspector: Inspector, what: str = "head") -> Page:
    page = inspector.page
    page.locator(f'[data-save="{what}"]').click()
    page.locator('[data-export="picture"]').click()
    expect(page.locator("#picture [data-act=save]")).to_be_enabled()
    expect(page.locator("#picture figcaption")).not_to_be_empty()
    return page


def field(page: Page, name: str) -> Any:
    return page.locator(f"#picture [name=picture-{name}]")


def saved(page: Page) -> Download:
    with page.expect_download() as found:
        page.locator("#picture [data-act=save]").click()
    expect(page.locator("#picture [role=status]")).to_contain_text("Saved ")
    return found.value


def test_the_cells_of_a_saved_svg_have_the_colours_of_the_head(inspector: Inspector) -> None:
    page = dialog(inspector.open(LINK))
    path = saved(page).path()
    root = ElementTree.parse(path).getroot()
    assert root.get("width") == "120mm"
    texts = [each.text for each in root.iter(f"{SVG}text")]
    assert texts.count("river") == 2 and f"Text: “{TEXT}”" in texts
    assert not list(root.iter(f"{SVG}image"))

    root.set("width", str(float((root.get("viewBox") or "").split()[2])))
    root.attrib.pop("height")
    [cells, *_] = [each for each in root.iter(f"{SVG}g") if each.get("shape-rendering")]
    x, y, width, height = place(root, cells)
    for path_of in list(root.iter(f"{SVG}path")):
        if path_of.get("stroke"):
            path_of.set("stroke-opacity", "0")  # the hatching crosses the middle of cells
    svg = ElementTree.tostring(root, encoding="unicode")
    found: NDArray[Any] = np.array(page.evaluate(COLOURS, [svg, x, y, width, height, N]))
    request = {
        "model": "shipped",
        "texts": [TEXT],
        "select": {"tensors": ["pattern"], "layers": [1], "heads": [2]},
    }
    answer = page.request.post(f"{inspector.server}/api/trace", data=request).json()
    pattern = answer["sites"][0]["tensors"]["pattern"][0][0]
    expected: NDArray[Any] = np.array(page.evaluate(SCALE, [pattern]))
    assert np.ptp(expected) > 200  # from white to dark
    np.testing.assert_allclose(found, expected, atol=1)


def place(root: ElementTree.Element, cells: ElementTree.Element) -> tuple[float, ...]:
    """Where cells stand in a picture: groups move, and the last scales from cells to pixels."""
    parents = {child: parent for parent in root.iter() for child in parent}
    numbers = (cells.get("transform") or "").replace("(", " ").replace(")", " ").split()
    x, y, wide, high = float(numbers[1]), float(numbers[2]), float(numbers[4]), float(numbers[5])
    at = cells
    while at in parents:
        at = parents[at]
        moved = (at.get("transform") or "translate(0 0)")[10:-1].split()
        x, y = x + float(moved[0]), y + float(moved[1])
    return x, y, wide * N, high * N


def test_a_png_has_its_size_and_its_resolution(inspector: Inspector) -> None:
    page = dialog(inspector.open(LINK))
    field(page, "format").nth(1).check(force=True)
    for name, value in {"width": "8.4", "height": "6", "dpi": "150"}.items():
        field(page, name).fill(value)
    expect(page.locator("#picture figcaption")).to_have_text("8.4 × 6 cm, 496 × 354 pixels")
    data = saved(page).path().read_bytes()
    assert struct.unpack(">II", data[16:24]) == (496, 354)
    assert data[37:41] == b"pHYs"
    per_metre = struct.unpack(">IIB", data[41:50])
    assert per_metre == (5906, 5906, 1)
    assert struct.unpack(">I", data[50:54]) == (zlib.crc32(data[37:50]),)

    page.keyboard.press("Escape")
    expect(page.locator("#picture")).to_be_hidden()
    expect(page.locator('[data-save="head"]')).to_be_focused()
    page.reload()
    dialog(inspector.ready())  # the choice is kept
    assert field(page, "dpi").input_value() == "150"
    field(page, "dpi").fill("1200")
    field(page, "width").fill("90")
    expect(page.locator(".picture-note")).to_contain_text("42,520 pixels")
    expect(page.locator("#picture [data-act=save]")).to_be_disabled()
    page.locator("#picture [data-act=usual]").click()
    assert field(page, "width").input_value() == "12"
    expect(page.locator("#picture [data-act=save]")).to_be_enabled()


@pytest.mark.parametrize(
    "view, title",
    [
        ("lines", "Layer 1 · head 2: attention weights"),
        ("inside", "Layer 1 · head 2 · query 5 “river”"),
        ("map", "Map of shipped"),
        ("text", "Layer 1 · head 2"),
    ],
)
def test_every_view_has_a_picture_in_the_colours_and_width_asked_for(
    inspector: Inspector, view: str, title: str
) -> None:
    page = dialog(inspector.open(f"{LINK}&view={view}"))
    field(page, "scheme").nth(1).check(force=True)
    field(page, "width").fill("17")
    root = ElementTree.parse(saved(page).path()).getroot()
    assert root.get("width") == "170mm"
    assert (root.findtext(f"{SVG}title") or "").startswith(title)
    [ground, *_] = root.iter(f"{SVG}rect")
    assert ground.get("fill") == "rgb(19, 25, 36)"


def test_a_large_head_is_small_as_shapes_and_a_larger_one_is_pixels(inspector: Inspector) -> None:
    texts = [" ".join(["The old cat saw the dog near a river ."] * n) for n in (13, 60)]
    sizes = []
    for text in texts:
        inspector.open(f"/?model=shipped&text={quote(text)}&layer=0&head=1&depth=full&causal=false")
        page = dialog(inspector)
        field(page, "caption").uncheck()
        path = saved(page).path()
        sizes.append((path.stat().st_size, "<image" in path.read_text()))
        said = page.locator("#picture [role=status]").inner_text()
        assert ("pixel image" in said) == sizes[-1][1]
        page.keyboard.press("Escape")
    (small, is_image), (large, is_larger_image) = sizes
    assert small < 1_000_000 and not is_image
    assert large < 1_000_000 and is_larger_image


def test_axe_finds_nothing_in_the_dialog(inspector: Inspector) -> None:
    page = dialog(inspector.open(LINK))
    for _ in appearances(page):
        accessible(page)


def test_the_page_on_paper_is_its_view_as_vectors(inspector: Inspector, tmp_path: Path) -> None:
    page = inspector.open(LINK).page
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", color_scheme="dark")
    seen = page.evaluate(
        "() => [...document.body.children]"
        ".filter(each => each.checkVisibility()).map(each => each.className)"
    )
    assert seen == ["on-paper"]
    svg = page.locator(".on-paper > svg")
    expect(svg.locator("text", has_text="river").first).to_be_visible()
    expect(svg.locator("text", has_text=f"Text: “{TEXT}”")).to_be_visible()
    expect(svg.locator("text", has_text="Layer 1 · head 2")).to_be_visible()
    assert svg.locator("image").count() == 0
    assert svg.locator("rect").first.get_attribute("fill") == "rgb(255, 255, 255)"
    page.emulate_media(media="null")  # as the browser has it
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".on-paper").count() == 0
    expect(page.locator("#plot")).to_be_visible()

    paper = page.pdf(path=tmp_path / "page.pdf")
    assert paper.count(b"/Type /Page\n") == 1  # not the page of many
    assert b"/ToUnicode" in paper  # text that can be selected
    assert b"/Subtype /Image" not in paper
    assert page.locator(".on-paper").count() == 0


def test_a_view_in_a_frame_is_printed_as_it_is(inspector: Inspector) -> None:
    page = inspector.page
    page.goto(f"{inspector.server}/embed{LINK[1:]}")
    inspector.ready()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".on-paper").count() == 0

"""The notebooks in examples/: run again, and opened as HTML without their kernels."""

import re
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import Browser, FrameLocator, expect

from scripts.notebooks import EXAMPLES, FRAME, code_cells, executed, stored
from scripts.pack import pack
from tests.sweeps import sweep

CDN = ("mathjax_url", "require_js_url", "mermaid_js_url", "jquery_url")  # of nbconvert's template
FRACTION = re.compile(r"-?\d+\.\d*(?:e-?\d+)?")

# How many colours the reader sees on a frame's canvases, besides the background of each, and how
# many lines in its drawings.
DRAWN = """() => {
  const colours = [...document.querySelectorAll("canvas")].map((canvas) => {
    if (!canvas.checkVisibility() || canvas.width * canvas.height === 0) return 0;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size - 1;
  });
  const paths = [...document.querySelectorAll("main svg path")];
  const seen = paths.filter((path) => path.checkVisibility()).length;
  return colours.reduce((sum, each) => sum + each, seen);
}"""


@cache
def run_again(path: Path) -> Any:
    """The notebook as its kernel left it."""
    pack()
    return executed(path)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_gives_what_is_stored(path: Path) -> None:
    """If not: `python -m scripts.notebooks`, then read whether the text still fits the numbers."""
    before = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    now = stored(deepcopy(run_again(path)))
    assert any(cell.outputs for cell in code_cells(before))
    for old, new in zip(code_cells(before), code_cells(now), strict=True):
        assert len(old.outputs) == len(new.outputs), old.source
        for one, other in zip(old.outputs, new.outputs, strict=True):
            assert_alike(parts(one), parts(other))


def parts(output: Any) -> dict[str, str]:
    """What an output shows, by its type."""
    return dict(output.get("data") or {output.name: output.text})


def assert_alike(old: dict[str, str], new: dict[str, str]) -> None:
    """The same words and whole numbers, and nearly the same fractions; of a picture, that it is."""
    assert old.keys() == new.keys()
    for kind in old.keys() - {"image/png"}:
        assert words(new[kind]) == words(old[kind])
        assert fractions(new[kind]) == pytest.approx(fractions(old[kind]), rel=0.05, abs=0.011)


def words(text: str) -> list[str]:
    return FRACTION.sub("…", text).split()


def fractions(text: str) -> list[float]:
    return [float(number) for number in FRACTION.findall(text)]


PAGES = [(path, theme) for path in EXAMPLES for theme in ("light", "dark")]


@pytest.mark.parametrize(("path", "theme"), sweep(PAGES, PAGES[::4] + PAGES[3::4], spread=True))
def test_pictures_are_there_without_a_kernel(
    path: Path, theme: str, chromium: Browser, tmp_path: Path
) -> None:
    notebook = run_again(path)
    n_frames = sum(FRAME in str(cell.outputs) for cell in code_cells(notebook))
    assert n_frames > 0
    exporter = HTMLExporter(theme=theme, **dict.fromkeys(CDN, ""))  # type: ignore[no-untyped-call]
    html, _ = exporter.from_notebook_node(notebook)
    (tmp_path / "page.html").write_text(html)
    with chromium.new_context(offline=True) as context:
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(error.message))
        page.on("console", lambda said: problems.extend([said.text] * (said.type == "error")))
        page.on("request", lambda each: problems.extend([each.url] * each.url.startswith("http")))
        page.goto((tmp_path / "page.html").as_uri())
        boxes = page.locator(f".{FRAME}")
        assert boxes.count() == n_frames
        for place in range(n_frames):
            boxes.nth(place).scroll_into_view_if_needed()
            expect_drawn(boxes.nth(place).frame_locator("iframe"), theme)
            expect(boxes.nth(place)).not_to_have_css("height", "440px")
        assert problems == []


def expect_drawn(frame: FrameLocator, theme: str) -> None:
    expect(frame.locator("html")).to_have_attribute("data-state", "ready")
    expect(frame.locator("html")).to_have_attribute("data-scheme", theme)
    expect(frame.locator("#embed-open")).to_be_hidden()
    assert frame.locator("html").evaluate(DRAWN) > 10

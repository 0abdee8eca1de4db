"""An executed notebook, exported to HTML and opened without its kernel."""

from pathlib import Path
from typing import Any

import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Browser, expect

from scripts.pack import pack

ROOT = Path(__file__).parents[2]
PATTERN = "[[[[1.0, 0.0], [0.25, 0.75]]]]"
CELLS = (
    "import headlight",
    "run = headlight.connect({address!r}).trace('The cat sat.')",
    "run.show(layer=2, head=3, view='lines')",
    f"headlight.show({PATTERN}, ['one', 'two'])",
)

NO_CDN = dict.fromkeys(("mathjax_url", "require_js_url", "mermaid_js_url", "jquery_url"), "")


@pytest.fixture(scope="module")
def notebook(server: str) -> Any:
    """The notebook, run by its kernel, which has ended."""
    pack()
    written = [cell.replace("{address!r}", repr(server)) for cell in CELLS]
    cells = [new_code_cell(cell) for cell in written]  # type: ignore[no-untyped-call]
    found = new_notebook(cells=cells)  # type: ignore[no-untyped-call]
    NotebookClient(found, timeout=120, resources={"metadata": {"path": str(ROOT)}}).execute()
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_are_there_without_a_kernel(
    notebook: Any, chromium: Browser, tmp_path: Path, theme: str
) -> None:
    exporter = HTMLExporter(theme=theme, **NO_CDN)  # type: ignore[no-untyped-call]
    html, _ = exporter.from_notebook_node(notebook)
    (tmp_path / "page.html").write_text(html)
    with chromium.new_context() as context:
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(error.message))
        page.on("console", lambda said: problems.extend([said.text] * (said.type == "error")))
        page.goto((tmp_path / "page.html").as_uri())
        lines, arrays = (page.frame_locator("iframe").nth(place) for place in range(2))
        for frame in (lines, arrays):
            expect(frame.locator("html")).to_have_attribute("data-state", "ready", timeout=30_000)
            expect(frame.locator("html")).to_have_attribute("data-scheme", theme)
            expect(frame.locator("#embed-open")).to_be_hidden()
        expect(lines.locator("#lines-view")).to_contain_text("sat")
        expect(arrays.locator("#head-title")).to_contain_text("Layer 0")
        boxes = page.locator(".headlight-inline")
        expect(boxes.first).not_to_have_css("height", "440px")
        assert problems == []

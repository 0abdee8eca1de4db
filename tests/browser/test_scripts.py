"""Texts in scripts that run from right to left."""

import pytest

from tests.browser.inspector import Inspector

# every text and every name of the page in which a quoted Hebrew letter is not isolated
TURNED = """() => {
  const said = [document.body.innerText];
  for (const it of document.querySelectorAll("[aria-label], [title]"))
    said.push(it.getAttribute("aria-label") ?? "", it.getAttribute("title") ?? "");
  const bare = /.{0,20}(?<!\\u2068)["“][\\u0590-\\u05ff].{0,20}/g;
  return said.flatMap((text) => text.match(bare) ?? []);
}"""


@pytest.mark.parametrize("view", ["heatmap", "lines", "text", "inside", "map", "why"])
def test_hebrew_moves_no_sign_around_it(inspector: Inspector, view: str) -> None:
    inspector.open(f"/?text=שלום עולם 5&view={view}&query=3&depth=full").probed()
    page = inspector.page
    assert page.evaluate(TURNED) == []
    assert "\u2068ש" in page.locator("body").inner_text()
    box = page.locator("#sentences textarea")
    assert (box.get_attribute("dir"), box.get_attribute("translate")) == ("auto", "no")
    chip = page.locator(".chip", has_text="ש").first
    assert (chip.get_attribute("dir"), chip.get_attribute("translate")) == ("auto", "no")

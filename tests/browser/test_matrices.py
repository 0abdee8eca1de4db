"""Every matrix that can be drawn: the page shows what the API gives."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Inspector
from tests.browser.test_inspector import trace

ROWS = (Path(__file__).parents[2] / "static/js/state/matrices.js").read_text()
OF_A_HEAD = re.findall(r'name: "(\w+)",\s+label: "[^"]+",\s+of: "head"', ROWS)
OF_A_TRACE = re.findall(r'name: "(\w+)",\s+label: "[^"]+",\s+of: "trace"', ROWS)
TEXT = "Maria saw herself in the old mirror."


@pytest.mark.parametrize("name", OF_A_HEAD)
def test_a_matrix_of_a_head_is_drawn_as_the_api_gives_it(inspector: Inspector, name: str) -> None:
    inspector.open(f"/?text={TEXT}&layer=1&head=2&matrix={name}")
    inspector.page.wait_for_function("() => document.querySelector('#plot').data?.[0]?.z")
    select = {"tensors": [name], "layers": [1], "heads": [2]}
    [site] = trace(inspector, texts=[TEXT], select=select)["sites"]
    drawn = np.array(inspector.figure()["z"], dtype=float)
    np.testing.assert_allclose(drawn, np.array(site["tensors"][name][0][0]), atol=1e-5)
    assert inspector.page.locator(f"#matrix input[value={name}]").is_checked()


def test_weights_times_the_size_of_values_are_a_share_of_each_row(inspector: Inspector) -> None:
    inspector.open(f"/?text={TEXT}&layer=1&head=2")
    inspector.page.get_by_label("× values").click()
    inspector.ready()
    assert "matrix=value_weighted" in inspector.page.url
    expect(inspector.page.locator("#row-unit")).to_have_text("share")
    assert "share" in inspector.hover(3, 1)


@pytest.mark.parametrize("name", OF_A_TRACE)
def test_a_matrix_of_all_heads_is_drawn_as_the_api_gives_it(
    inspector: Inspector, name: str
) -> None:
    inspector.open(f"/?text={TEXT}&layer=1&head=2&matrix={name}")
    inspector.page.wait_for_function("() => document.querySelector('#plot').data?.[0]?.z")
    sent = trace(inspector, texts=[TEXT], select={"layers": []}, analyse={name: True})[name][0]
    drawn = np.array(inspector.figure()["z"], dtype=float)
    np.testing.assert_allclose(drawn, np.array(sent), atol=1e-5)
    expect(inspector.page.locator("#head-title")).to_have_text(f"Attention {name} · all layers")


def test_a_text_too_long_for_the_flow_keeps_the_picture_and_says_why(inspector: Inspector) -> None:
    inspector.open(f"/?text={TEXT}&layer=1&head=2&matrix=flow")
    before = inspector.figure()
    inspector.page.locator("textarea").first.fill("the old cat sat " * 8)
    inspector.state("error")
    expect(inspector.page.locator("#problem")).to_contain_text("at most 24 tokens")
    assert inspector.figure() == before
    inspector.page.get_by_label("Pattern", exact=True).click()
    inspector.ready()
    inspector.errors.clear()  # the browser says that a request was refused

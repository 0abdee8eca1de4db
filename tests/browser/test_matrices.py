"""Every matrix that can be drawn: the page shows the API's numbers."""

import numpy as np
import pytest
from playwright.sync_api import expect

from model.facts import facts
from tests.browser.inspector import Inspector, pick
from tests.browser.test_inspector import trace

OF_A_HEAD, OF_A_TRACE = (
    # those of pairs: test_scratch.py
    [row["name"] for row in facts("matrices") if row["of"] == of and "some" not in row]
    for of in ("head", "trace")
)
TEXT = "Maria saw herself in the old mirror."


@pytest.mark.parametrize("name", OF_A_HEAD)
def test_a_matrix_of_a_head_is_drawn_as_the_api_gives_it(inspector: Inspector, name: str) -> None:
    inspector.open(f"/?text={TEXT}&layer=1&head=2&matrix={name}")
    select = {"tensors": [name], "layers": [1], "heads": [2]}
    [site] = trace(inspector, texts=[TEXT], select=select)["sites"]
    drawn = np.array(inspector.figure()["z"], dtype=float)
    np.testing.assert_allclose(drawn, np.array(site["tensors"][name][0][0]), atol=1e-5)
    assert inspector.page.locator(f"#matrix input[value={name}]").is_checked()


def test_weights_times_the_size_of_values_are_a_share_of_each_row(inspector: Inspector) -> None:
    inspector.open(f"/?text={TEXT}&layer=1&head=2")
    pick(inspector.page.get_by_label("× values"))
    inspector.ready()
    assert "matrix=value_weighted" in inspector.page.url
    expect(inspector.page.locator("#row-unit")).to_have_text("share")
    assert "share" in inspector.hover(3, 1)


@pytest.mark.parametrize("name", OF_A_TRACE)
def test_a_matrix_of_all_heads_is_drawn_as_the_api_gives_it(
    inspector: Inspector, name: str
) -> None:
    inspector.open(f"/?text={TEXT}&layer=1&head=2&matrix={name}")
    sent = trace(inspector, texts=[TEXT], select={"layers": []}, analyse={name: True})[name][0]
    drawn = np.array(inspector.figure()["z"], dtype=float)
    np.testing.assert_allclose(drawn, np.array(sent), atol=1e-5)
    expect(inspector.page.locator("#head-title")).to_have_text(f"Attention {name} · all layers")


@pytest.mark.parametrize("view", ["heatmap", "lines", "compare"])
def test_a_text_too_long_for_the_flow_is_told_so_and_offered_the_rollout(
    inspector: Inspector, view: str
) -> None:
    """No request fails: `inspector` would find its error in the console."""
    page, box = inspector.page, inspector.page.locator("textarea").first
    inspector.open(f"/?text={TEXT}&layer=1&head=2&matrix=flow&view={view}")
    instead = page.locator(".instead")
    expect(instead).to_be_hidden()
    box.fill("the old cat sat " * 8)
    inspector.ready()
    expect(instead).to_contain_text("Flow takes texts of at most 24 tokens; this one has 33.")
    expect(page.locator("#problem")).to_be_hidden()
    expect(page.locator("#heatmap-view, #lines-view, #compare-view")).to_have_count(3)
    for shown in page.locator("#heatmap-view, #lines-view, #compare-view").all():
        expect(shown).to_be_hidden()
    box.fill(TEXT)
    inspector.ready()
    expect(instead).to_be_hidden()
    box.fill("the old cat sat " * 8)
    inspector.ready()
    instead.get_by_role("button", name="Rollout").click()
    inspector.ready()
    expect(instead).to_be_hidden()
    assert "matrix=rollout" in page.url

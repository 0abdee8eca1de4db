"""The map of a model: walked by key, and drawn in every appearance for any kind of model."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector
from tests.browser.test_instruments import ask

pytestmark = pytest.mark.browser
T5 = (
    "/?view=map&depth=full&model=t5&text=the+old+cat+sat&target=a+girl+saw+him"
    "&kind=cross&layer=1&head=2&arcs=q"
)
OUTSIDE = """() => {
  const { right, bottom } = document.querySelector("svg.map").getBoundingClientRect();
  return [...document.querySelectorAll("svg.map text")].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.right > right + 1 || box.bottom > bottom + 1 ||
      parseFloat(getComputedStyle(text).fontSize) < 13;
  }).map((text) => text.textContent);
}"""


@pytest.fixture(scope="module")
def server(families: str) -> str:
    return families


def test_map_opens_by_key_and_is_walked_by_key(inspector: Inspector) -> None:
    page = inspector.open().page
    n_layers = len(page.locator("#grid [role=row]").all()) - 1
    page.keyboard.press("g")
    focused = page.locator(":focus")
    expect(focused).to_have_attribute("aria-current", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    name = focused.get_attribute("aria-label") or ""
    layer, head = re.findall(r"\d+", name)
    assert int(layer) < n_layers
    page.keyboard.press("Enter")
    expect(page.locator("#head-title")).to_have_text(f"Layer {layer} · head {head}")
    assert f"layer={layer}&head={head}" in inspector.ready().page.url
    expect(focused).to_have_attribute("aria-current", "true")
    page.keyboard.press("g")
    expect(page.locator("#heatmap-view")).to_be_visible()
    expect(page.locator("#map-view")).to_be_hidden()


@pytest.mark.fresh
def test_space_sends_the_token_to_its_real_prediction(inspector: Inspector) -> None:
    page = inspector.page
    page.clock.install()
    inspector.open("/?view=map&depth=full&text=The+dogs+near+the+river&layer=1&head=2")
    likeliest = page.locator("#next tbody tr").first
    share = likeliest.locator("td").last.inner_text()
    page.locator(".map-place[aria-current]").focus()
    page.keyboard.press(" ")
    where = page.locator(".map-where")
    expect(where).to_have_text(re.compile(r"^step 1 of"))
    last = int((where.inner_text()).split()[-1])
    dot = page.locator(".map-dot")
    heights = []
    for step in range(2, last + 1):
        page.clock.run_for(1600)
        expect(where).to_have_text(f"step {step} of {last}")
        heights.append(dot.evaluate("dot => dot.style.getPropertyValue('--y')"))
    down = [float(height.removesuffix("px")) for height in heights]
    assert down == sorted(down)
    expect(page.locator(".map-words")).to_contain_text(share)
    page.keyboard.press("Escape")
    expect(where).to_be_empty()


def test_with_reduced_motion_each_press_is_one_still_step(inspector: Inspector) -> None:
    page = inspector.page
    page.emulate_media(reduced_motion="reduce")
    inspector.open("/?view=map&depth=full&text=The+dogs&layer=1&head=2")
    page.locator(".map-place[aria-current]").focus()
    for step in (1, 2, 3):
        page.keyboard.press(" ")
        expect(page.locator(".map-where")).to_have_text(re.compile(f"^step {step} of"))
    dot = page.locator(".map-dot")
    assert dot.evaluate("dot => getComputedStyle(dot).transitionDuration") == "0s"


@pytest.mark.fresh
def test_inside_leads_to_the_map_and_the_map_to_inside(inspector: Inspector) -> None:
    page = inspector.open("/?view=map&depth=full&text=The+dogs&layer=1&head=2").page
    page.get_by_role("button", name=re.compile("^Inside:")).click()
    inspector.ready()
    page.get_by_role("button", name="Where does z · W_O go? See the map").click()
    expect(page.locator(".map-place[aria-current]")).to_have_attribute(
        "aria-label", "Layer 1, head 2, read by the page"
    )
    expect(page.locator(".map-views [aria-current]")).to_have_text(re.compile("^Inside"))


@pytest.mark.parametrize("path", ["/?view=map&depth=full", T5])
def test_map_is_accessible_and_whole_in_every_appearance(inspector: Inspector, path: str) -> None:
    page = inspector.open(path).page
    for _, width in appearances(page, 1440, 390):
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        accessible(page, "#map-view")
    kinds = {"decoder", "cross", "encoder"} if path == T5 else {"self"}
    drawn = page.locator("svg.map .map-head").evaluate_all(
        "heads => heads.map((head) => head.dataset.place.split(':')[1])"
    )
    assert set(drawn) == kinds


def test_arcs_are_the_composition_of_the_api(inspector: Inspector) -> None:
    text = "The dogs near the river"
    asked = {"weight_composition": True}
    request = {"model": "shipped", "texts": [text], "select": {"layers": []}, "analyse": asked}
    found = ask(inspector, "/api/trace", request)["weight_composition"]
    value, earlier, one, later, other = max(
        (value, pair["earlier"], one, pair["later"], other)
        for pair in found["pairs"]
        for one, row in enumerate(pair["k"])
        for other, value in enumerate(row)
    )
    inspector.open(f"/?view=map&depth=full&text={text}&layer=1&head=2")
    page = inspector.page
    page.locator("input[name=arcs][value=k]").check()
    first = page.locator(".map-arcs-list button").first
    expect(first).to_have_text(re.compile("through K"))
    page.locator("input[name=arcs-measured][value=weights]").check()
    (from_layer,), (to_layer,) = re.findall(r"\d+", earlier), re.findall(r"\d+", later)
    name = f"L{from_layer}·H{one} → L{to_layer}·H{other} through K: {value:.2f}"
    expect(first).to_have_text(name)
    page.locator('.map-hits [data-arc="0"]').hover(force=True)
    expect(page.locator(".map-arcs-said")).to_contain_text(
        f"{name} L{to_layer}·H{other} reads L{from_layer}·H{one} through its keys"
    )
    first.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"layer={to_layer}&head={other}&.*arcs=k"))
    for _, width in appearances(page, 1440, 390):
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        accessible(page, "#map-view")


def test_the_engine_in_the_page_says_that_arcs_need_the_server(inspector: Inspector) -> None:
    inspector.open("/?view=map&depth=full&text=The+dogs&engine=page&arcs=q")
    said = inspector.page.locator(".map-arcs-said")
    expect(said).to_contain_text("Open this page from a Headlight server.")
    expect(inspector.page.locator(".map-links path")).to_have_count(0)

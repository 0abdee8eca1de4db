"""The logit lens and the mute effects: the API's numbers, and errors that stay in their panel."""

import json
import math
import re
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from scripts.live import serving
from tests.browser.appearances import accessible, appearances
from tests.browser.contexts import Pages
from tests.browser.inspector import Inspector, rested

pytestmark = pytest.mark.browser
TEXT = "The dogs near the river are old."
LINK = "/?text=The+dogs+near+the+river+are+old.&layer=1&head=2&query=5"


def analysed(inspector: Inspector, **analyse: Any) -> Any:
    """The API's answer to the same request."""
    request = {"texts": [TEXT], "select": {"layers": []}, "analyse": analyse}
    call = urllib.request.Request(
        f"{inspector.server}/api/trace",
        json.dumps(request).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(call) as response:
        answer = json.load(response)
    return answer[next(iter(analyse))][0]


def percent(p: float) -> str:
    return "< 0.1%" if p < 0.0005 else f"{100 * p:.1f}%"


def computed(inspector: Inspector) -> Inspector:
    """Wait for the mute effects."""
    panel = inspector.page.locator("#effects-panel[aria-busy=false] .effects li").first
    panel.wait_for()
    return inspector


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def test_every_stage_of_the_lens_has_the_numbers_of_the_api(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&right=lens")
    stages = analysed(inspector, lens={"top_k": 3, "position": 5})["stages"]
    rows = inspector.page.locator(".lens > li")
    expect(rows).to_have_count(len(stages))
    for row, stage in zip(rows.all(), stages, strict=True):
        words = row.inner_text()
        assert words.startswith(
            "embedding" if stage["layer"] is None else f"layer {stage['layer']}"
        )
        for candidate in stage["candidates"]:
            name, share = candidate["text"].strip(), percent(candidate["probability"])
            assert re.search(rf"{re.escape(name)}\s+{re.escape(share)}", words)
        meter = row.locator(".meter")
        assert meter.inner_text().endswith(f"” {percent(stage['final']['probability'])}")
        share = meter.evaluate("bar => Number(bar.style.getPropertyValue('--share'))")
        assert share == pytest.approx(stage["final"]["probability"], abs=1e-6)
    final = inspector.page.locator("#lens-panel .summary b").inner_text()
    assert final == f"“{stages[-1]['final']['text']}”"
    assert "nostalgebraist" in inspector.page.locator("#lens-panel .source").inner_text()


def test_the_lens_follows_the_token_that_is_read(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&right=lens")
    lens = inspector.page.locator(".lens")
    before = lens.inner_text()
    inspector.press("[")
    expect(inspector.page.locator("#lens-panel .summary")).to_contain_text("After “the”")
    assert lens.inner_text() != before


def test_mute_effects_are_ranked_and_are_those_of_the_api(inspector: Inspector) -> None:
    computed(inspector.open(f"{LINK}&right=effects"))
    found = analysed(inspector, mute_effects={"position": 5})
    before = found["token"]["probability"]
    moved = {id(one): before * math.expm1(one["change"]) for one in found["effects"]}
    expected = sorted(found["effects"], key=lambda effect: -abs(moved[id(effect)]))
    most = abs(moved[id(expected[0])])
    rows = inspector.page.locator(".effects li")
    names = [row.locator("button > span").first.inner_text() for row in rows.all()]
    assert names == [f"L{effect['layer']} · H{effect['head']}" for effect in expected]
    for row, effect in zip(rows.all(), expected, strict=True):
        change = moved[id(effect)]
        after, nats = row.locator(".number").all_inner_texts()
        assert float(after.removesuffix("%")) == pytest.approx(100 * (before + change), abs=0.051)
        assert number(nats) == pytest.approx(effect["change"], rel=0.06, abs=0.005)
        if abs(change) > 0.001:
            expect(row.locator(".role")).to_have_text("helps" if change < 0 else "hurts")
        bar = row.locator(".track > .drawn")
        length = bar.evaluate("bar => Number(bar.style.getPropertyValue('--length'))")
        assert length == pytest.approx(abs(change) / most / 2, abs=1e-4)


def test_choosing_an_effect_selects_that_head_and_says_it_in_words(inspector: Inspector) -> None:
    computed(inspector.open(f"{LINK}&right=effects"))
    found = analysed(inspector, mute_effects={"position": 5})
    before = found["token"]["probability"]
    largest = max(found["effects"], key=lambda effect: abs(math.expm1(effect["change"])))
    inspector.page.locator(".effects button").first.click()
    inspector.ready()
    name = f"ayer {largest['layer']} · head {largest['head']}"
    assert inspector.page.locator("#head-title").inner_text().startswith(f"L{name}")
    summary = inspector.page.locator("#effects-panel .summary").inner_text()
    moves = "falls" if largest["change"] < 0 else "rises"
    ends = f"from {percent(before)} to {percent(before * math.exp(largest['change']))}"
    assert summary.startswith(f"Without l{name}, “{found['token']['text'].strip()}” {moves} {ends}")
    assert f"{abs(largest['change']):.2f} nats)" in summary
    expect(inspector.page.locator(".effects button").first).to_be_focused()


def test_a_muted_head_says_why_it_has_no_number(inspector: Inspector) -> None:
    computed(inspector.open(f"{LINK}&right=effects&muted=1.2"))
    last = inspector.page.locator(".effects li").last
    assert last.inner_text().split("\n") == ["L1 · H2", "this head is muted already"]
    assert last.locator(".number").count() == 0
    summary = inspector.page.locator("#effects-panel .summary").inner_text()
    assert summary == "There is no number for layer 1 · head 2: this head is muted already."


def test_effects_are_asked_for_only_while_their_tab_is_open(inspector: Inspector) -> None:
    asked: list[str] = []

    def count(route: Route) -> None:
        body = route.request.post_data or ""
        if '"mute_effects":{' in body:
            asked.append(body)
        route.continue_()

    inspector.page.route("**/api/trace", count)
    inspector.open(LINK).press("]", "ArrowRight")
    assert asked == []
    inspector.page.get_by_role("tab", name="Mute effects").click()
    computed(inspector)
    inspector.press("ArrowLeft", "ArrowUp")  # another head, the same effects
    assert len(asked) == 1
    inspector.page.get_by_role("tab", name="Next token").click()
    inspector.press("[")
    assert len(asked) == 1


def test_the_lens_is_not_busy_for_ever_once_it_is_left(inspector: Inspector) -> None:
    inspector.open(LINK)
    held: list[Route] = []
    inspector.page.route("**/api/trace", lambda route: held.append(route))
    inspector.page.get_by_role("tab", name="Layer by layer").click()
    panel = inspector.page.locator("#lens-panel")
    expect(panel).to_have_attribute("aria-busy", "true")
    inspector.page.get_by_role("tab", name="Next token").click()
    expect(panel).to_have_attribute("aria-busy", "false")
    for route in held:
        route.continue_()
    inspector.ready()


def test_late_effects_never_overwrite_newer_ones(inspector: Inspector) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        """Delay the answer for the first token until that for the second is on the page."""
        if '"mute_effects":{"position":5' in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    inspector.page.route("**/api/trace", hold)
    with inspector.page.expect_request(lambda asked: '"position":5' in (asked.post_data or "")):
        inspector.open(f"{LINK}&right=effects")
    panel = inspector.page.locator("#effects-panel")
    expect(panel).to_have_attribute("aria-busy", "true")
    expect(panel).to_contain_text("Computing")
    inspector.press("]")
    computed(inspector)
    source = panel.locator(".source")
    expect(source).to_contain_text("after “are”")
    assert len(held) == 1
    held[0].continue_()
    rested(inspector.page, 300)  # nothing may happen
    expect(source).to_contain_text("after “are”")


def test_too_many_runs_are_said_in_the_panel_and_harm_nothing_else(pages: Pages) -> None:
    with serving(max_mute_tokens="100") as address:
        inspector = Inspector(pages(1280, 720), address).open(f"{LINK}&right=effects")
        panel = inspector.page.locator("#effects-panel[aria-busy=false]")
        expect(panel.locator(".summary")).to_contain_text("100")
        assert panel.locator(".effects li").count() == 0
        assert panel.get_by_role("button", name="Try again").is_hidden()
        assert inspector.page.locator("#problem").is_hidden()
        assert len(inspector.figure()["z"]) == 9
        inspector.press("ArrowRight")
        assert inspector.page.locator("#head-title").inner_text().startswith("Layer 1 · head 3")
        inspector.page.close()


@pytest.mark.parametrize("tab", ["lens", "effects"])
def test_axe_finds_nothing(inspector: Inspector, tab: str) -> None:
    inspector.open(f"{LINK}&right={tab}&muted=0.1")
    if tab == "effects":
        computed(inspector)
    for _ in appearances(inspector.page):
        accessible(inspector.page)


def test_a_tuned_lens_is_fitted_for_the_first_reader_and_kept_in_the_link(
    inspector: Inspector,
) -> None:
    inspector.open(f"{LINK}&right=lens")
    page = inspector.page
    tokens = page.locator(".decided button")
    expect(tokens).to_have_count(page.locator("#chips .chip").count())
    by_logit = tokens.all_inner_texts()
    page.get_by_role("button", name="Tuned lens").click()
    expect(page.locator("#lens-panel .source")).to_contain_text("stories", timeout=30_000)
    assert tokens.all_inner_texts() != by_logit
    expect(page.locator(".lens .meter + .faint").first).to_contain_text("nats")
    assert "tuned=on" in page.url
    tokens.nth(2).click()
    expect(page.locator("#lens-panel .summary")).to_contain_text("After “dogs”")
    page.get_by_role("button", name="Logit lens").click()  # which needs no new answer
    expect(page.locator("#lens-panel .source")).to_contain_text("nostalgebraist")
    assert tokens.all_inner_texts() == by_logit

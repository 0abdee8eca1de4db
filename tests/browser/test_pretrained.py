"""Other checkpoints: two texts, two segments, masked words, and models that fail."""

import json
import math
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import torch
from playwright.sync_api import Page, Request, Route, expect

from scripts.live import serving
from tests.browser.appearances import accessible, appearances
from tests.browser.contexts import Pages
from tests.browser.inspector import Inspector, rested, unfold
from tests.unit.sources.pretrained.checkpoints import FAMILIES

pytestmark = pytest.mark.browser
SOURCE, TARGET = "the old cat sat on the mat", "a girl saw him"
T5 = "/?model=t5&text=the+old+cat+sat+on+the+mat&target=a+girl+saw+him"
FIRST, SECOND = "the cat sat on the [MASK]", "a dog saw her ."
BERT = "/?model=bert&text=the+cat+sat+on+the+%5BMASK%5D&layer=1&head=0"
PAIR = f"{BERT}&pair=a+dog+saw+her+."


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tiny checkpoints: two stacks, segments, one with its own attention, one without a head."""
    folder = tmp_path_factory.mktemp("checkpoints")
    torch.manual_seed(0)
    for family in ("bert", "t5", "bloom", "gpt2"):
        FAMILIES[family](folder / family)
    FAMILIES["bert"](folder / "headless")
    config = folder / "headless" / "config.json"
    config.write_text(config.read_text().replace("BertForMaskedLM", "BertModel"))
    return folder


@pytest.fixture(scope="module")
def server(checkpoints: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The shipped model, the checkpoints, and one that lacks its files."""
    empty = tmp_path_factory.mktemp("empty")
    named = [f"{path.name}={path}" for path in sorted(checkpoints.iterdir())]
    with serving(models=",".join([*named, f"missing={empty}"])) as address:
        for path in checkpoints.iterdir():  # before any test, but for the one that watches it load
            if path.name != "gpt2":
                traced(address, model=path.name, texts=["a"])
        yield address


def traced(server: str, **request: Any) -> dict[str, Any]:
    """The API's answer to the same request."""
    body = json.dumps(request).encode()
    headers = {"Content-Type": "application/json"}
    call = urllib.request.Request(f"{server}/api/trace", body, headers)
    with urllib.request.urlopen(call) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


def ask(inspector: Inspector, **request: Any) -> dict[str, Any]:
    return traced(inspector.server, **request)


def of_t5(inspector: Inspector, **request: Any) -> dict[str, Any]:
    return ask(inspector, model="t5", texts=[SOURCE], targets=[TARGET], **request)


def assert_drawn(inspector: Inspector, pattern: list[list[float]]) -> None:
    drawn = inspector.figure()["z"]
    assert [len(row) for row in drawn] == [len(row) for row in pattern]
    for row, expected in zip(drawn, pattern, strict=True):
        assert row == pytest.approx(expected, abs=1e-6)


def predictions(page: Page) -> list[tuple[str, str]]:
    rows = page.locator("#next tbody tr").all()
    return [
        (row.locator("td").first.inner_text(), row.locator("td").last.inner_text()) for row in rows
    ]


def listed(candidates: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Predictions of the API as the page writes them."""
    return [(one["text"], percent(one["probability"])) for one in candidates]


def percent(p: float) -> str:
    return "< 0.1%" if p < 0.0005 else f"{100 * p:.1f}%"


def link(inspector: Inspector) -> dict[str, list[str]]:
    return parse_qs(urlsplit(inspector.page.url).query, keep_blank_values=True)


def kind(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name, exact=True).check(force=True)


def shapes(page: Page, name: str) -> list[list[float]]:
    """The shapes over the heatmap, in cell coordinates."""
    found: list[list[float]] = page.evaluate(
        """(name) => document.querySelector("#plot").layout.shapes
          .filter((shape) => shape.name === name)
          .map(({ x0, x1, y0, y1 }) => [x0, x1, y0, y1])""",
        name,
    )
    return found


def choose(inspector: Inspector, model: str) -> None:
    inspector.page.locator("#model").select_option(model)


# An encoder–decoder.


def test_cross_attention_looks_from_the_target_to_the_source(inspector: Inspector) -> None:
    inspector.open(f"{T5}&kind=cross&layer=1&head=2")
    select = {"tensors": ["pattern", "scores"], "layers": [1], "heads": [2], "kinds": ["cross"]}
    [site] = of_t5(inspector, select=select)["sites"]
    pattern = site["tensors"]["pattern"][0][0]
    assert (len(pattern), len(pattern[0])) == (5, 8)  # the start token, and an end
    assert_drawn(inspector, pattern)
    assert f"weight {pattern[3][1]:.4f}, score " in inspector.hover(3, 1)
    assert inspector.hover(3, 1).startswith("query 3 saw → key 1 old")
    assert inspector.page.locator("#head-title").inner_text() == "Cross layer 1 · head 2"
    top = max(range(8), key=lambda key: float(pattern[4][key]))
    first = inspector.page.locator("#row tbody tr").first.inner_text()
    assert first.split()[-1] == f"{pattern[4][top]:.4f}"


def test_the_switch_shows_the_sites_of_one_kind(inspector: Inspector) -> None:
    inspector.open(f"{T5}&kind=cross&layer=2&head=3&query=2")
    assert inspector.page.locator(".cell").count() == 3 * 4
    kind(inspector.page, "Encoder")
    inspector.ready()
    assert inspector.page.locator(".cell").count() == 2 * 4
    assert inspector.page.locator("#head-title").inner_text() == "Encoder layer 1 · head 3"
    assert "query" not in link(inspector)
    select = {"tensors": ["pattern"], "layers": [1], "heads": [3], "kinds": ["encoder"]}
    assert_drawn(inspector, of_t5(inspector, select=select)["sites"][0]["tensors"]["pattern"][0][0])
    inspector.page.locator("#heads-title").click()
    inspector.press("k")
    assert inspector.page.locator("#head-title").inner_text() == "Decoder layer 1 · head 3"
    assert link(inspector)["kind"] == ["decoder"]
    assert "blocked by the causal mask" in inspector.hover(1, 3)
    unfold(inspector.page, "matrix")
    assert inspector.page.get_by_role("radio", name="Rollout").is_hidden()  # of the encoder alone


def test_a_link_to_cross_attention_restores_it(inspector: Inspector, pages: Pages) -> None:
    inspector.open(f"{T5}&kind=cross&layer=1&head=2").press("]", "m")
    inspector.probed()
    seen = inspector.figure(), inspector.words()
    again = Inspector(pages(1440, 900), inspector.server)
    again.page.goto(inspector.page.url)
    again.ready().probed()
    assert (again.figure(), again.words()) == seen
    again.page.close()


def test_the_next_token_is_that_of_the_target(inspector: Inspector) -> None:
    inspector.open(T5)
    expected = of_t5(inspector, select={"layers": []})["predictions"][0]
    assert predictions(inspector.page) == listed(expected)
    assert inspector.page.locator("#next-title").inner_text() == "after “him”"
    inspector.page.get_by_label("Target of sentence 1").fill("")
    inspector.ready()
    assert inspector.page.get_by_role("group", name="Tokens of target 1").locator(
        ".chip"
    ).all_inner_texts() == ["[PAD]"]
    only_start = ask(inspector, model="t5", texts=[SOURCE], targets=[""], select={"layers": []})
    assert predictions(inspector.page) == listed(only_start["predictions"][0])
    assert predictions(inspector.page) != listed(expected)
    assert "target" not in link(inspector)


def test_a_token_of_the_target_is_read_where_it_looks(inspector: Inspector) -> None:
    inspector.open(f"{T5}&kind=decoder")
    source, target = (
        inspector.page.get_by_role("group", name=f"Tokens of {name} 1").locator(".chip")
        for name in ("sentence", "target")
    )
    assert source.first.get_attribute("aria-disabled") == "true"
    target.nth(2).click()
    inspector.ready()
    assert target.nth(2).get_attribute("aria-pressed") == "true"
    at_two = of_t5(inspector, select={"layers": []}, predict={"position": 2})["predictions"][0]
    assert predictions(inspector.page) == listed(at_two)
    assert inspector.page.locator("#row-title").inner_text() == "“girl” looks at"


def test_pointing_at_a_token_of_the_source_lights_its_column(inspector: Inspector) -> None:
    inspector.open(f"{T5}&kind=cross").plotly()
    inspector.page.get_by_role("group", name="Tokens of sentence 1").locator(".chip").nth(1).hover()
    expect(inspector.page.locator("#row tr.lit small")).to_have_text("1")
    column = inspector.page.locator("#plot .band-key")
    expect(column).to_be_visible()
    box = column.evaluate(
        """({ style }) => {
          const { xaxis, yaxis } = document.querySelector("#plot")._fullLayout;
          const [left, top, width, height] = ["left", "top", "width", "height"].map((side) =>
            Number.parseFloat(style[side]));
          return [
            xaxis.p2l(left - xaxis._offset), xaxis.p2l(left + width - xaxis._offset),
            yaxis.p2l(top - yaxis._offset), yaxis.p2l(top + height - yaxis._offset),
          ];
        }"""
    )
    assert box == pytest.approx([0.5, 1.5, -0.5, 4.5], abs=0.01)


@pytest.mark.fresh
def test_a_mute_is_of_one_site_and_its_effects_are_of_the_kind(inspector: Inspector) -> None:
    sent: list[Any] = []

    def note(request: Request) -> None:
        if request.method == "POST":
            sent.append(json.loads(request.post_data or "{}")["muted"])

    inspector.open(f"{T5}&kind=cross&layer=1&head=2&right=effects")
    rows = inspector.page.locator("#effects-panel[aria-busy=false] .effects li")
    rows.first.wait_for()
    effects = of_t5(inspector, select={"layers": []}, analyse={"mute_effects": {}})["mute_effects"]
    of_cross = [effect for effect in effects[0]["effects"] if effect["kind"] == "cross"]
    # as the page ranks them: by how far the probability moves, which nats do not order alike
    of_cross.sort(key=lambda effect: -abs(math.expm1(effect["change"])))
    names = [row.locator("button > span").first.inner_text() for row in rows.all()]
    assert names == [f"L{effect['layer']} · H{effect['head']}" for effect in of_cross]
    assert (
        "cross layer 1 · head 2" in inspector.page.locator("#effects-panel .summary").inner_text()
    )
    inspector.page.on("request", note)
    inspector.press("m")
    assert [[1, 2, "cross"]] in sent
    assert link(inspector)["muted"] == ["1.2.cross"]
    assert inspector.page.locator(".cell.muted").count() == 1
    inspector.press("k")  # the encoder's head of that number speaks
    assert inspector.page.locator(".cell.muted").count() == 0


# Two segments.


def test_the_second_segment_is_opened_typed_and_closed(inspector: Inspector) -> None:
    inspector.open(BERT)
    assert inspector.page.locator("#segments").is_hidden()
    assert shapes(inspector.page, "boundary") == []
    inspector.page.get_by_role("button", name="+ second segment").click()
    box = inspector.page.get_by_label("Second segment of sentence 1")
    expect(box).to_be_focused()
    box.fill(SECOND)
    inspector.ready()
    select = {"tensors": ["pattern"], "layers": [1], "heads": [0]}
    answer = ask(inspector, model="bert", texts=[FIRST], pairs=[SECOND], select=select)
    assert_drawn(inspector, answer["sites"][0]["tensors"]["pattern"][0][0])
    assert link(inspector)["pair"] == [SECOND]
    inspector.page.get_by_role("button", name="Remove the second segments").click()
    inspector.ready()
    assert len(inspector.figure()["z"]) == 8
    assert "pair" not in link(inspector)
    assert inspector.page.get_by_role("button", name="+ second segment").is_visible()


def test_the_boundary_is_drawn_on_both_axes_and_in_the_chips(inspector: Inspector) -> None:
    inspector.open(PAIR)
    tokens = ask(inspector, model="bert", texts=[FIRST], pairs=[SECOND])["tokens"][0]
    boundary = next(index for index, token in enumerate(tokens) if token["segment"] == 1)
    n = len(tokens)
    assert (boundary, n) == (8, 14)
    drawn = shapes(inspector.page, "boundary")
    assert [boundary - 0.5, boundary - 0.5, -0.5, n - 0.5] in drawn
    assert [-0.5, n - 0.5, boundary - 0.5, boundary - 0.5] in drawn
    row = inspector.page.locator(".chip-row").first.inner_text().split("\n")
    assert row[0] == "A"
    assert row[row.index("B") + 1 :] == [token["text"] for token in tokens[boundary:]]


def test_the_filter_fades_what_lies_outside_its_block(inspector: Inspector) -> None:
    inspector.open(PAIR)
    ink = """(at) => {
      const canvas = document.querySelector(".cell canvas");
      const copy = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      return [...copy.getImageData(...at, 1, 1).data];
    }"""
    inside, outside = [9, 2], [2, 9]  # x is the key
    before = [inspector.page.evaluate(ink, at) for at in (inside, outside)]
    inspector.page.get_by_role("radio", name="A→B").check(force=True)
    inspector.ready()
    assert link(inspector)["segments"] == ["AB"]
    boxes = shapes(inspector.page, "outside")
    faded = {
        (query, key)
        for query in range(14)
        for key in range(14)
        if any(x0 < key < x1 and y0 < query < y1 for x0, x1, y0, y1 in boxes)
    }
    assert faded == {(q, k) for q in range(14) for k in range(14) if not (q < 8 <= k)}
    after = [inspector.page.evaluate(ink, at) for at in (inside, outside)]
    assert after[0] == before[0]
    assert sum(after[1]) > sum(before[1])  # nearer to the white of the panel
    keys = inspector.page.locator("#row tbody tr:not(.outside) small").all_inner_texts()
    assert sorted(map(int, keys)) == list(range(8, 14))  # of [MASK], which is in A
    inspector.page.locator("#heads-title").click()
    inspector.press("b")
    assert inspector.page.get_by_role("radio", name="B→A").is_checked()
    keys = inspector.page.locator("#row tbody tr:not(.outside) small").all_inner_texts()
    assert sorted(map(int, keys)) == list(range(8))  # of the last token of B


def test_the_filter_follows_a_zoom(inspector: Inspector) -> None:
    inspector.open(f"{PAIR}&segments=AB").plotly()
    inspector.page.evaluate(
        "() => Plotly.relayout('plot', { 'xaxis.range': [5.5, 9.5], 'yaxis.range': [9.5, 5.5] })"
    )
    [x, middle] = inspector.page.evaluate(
        """() => {
          const path = document.querySelectorAll("#plot .shapelayer path");
          const { xaxis } = document.querySelector("#plot")._fullLayout;
          const line = [...path].find((one) => {
            const { width, height } = one.getBBox();
            return width === 0 && height > 0;
          });
          return [line.getBBox().x - xaxis._offset, xaxis._length / 2];
        }"""
    )
    assert x == pytest.approx(middle, abs=1)


# What is predicted.


def test_a_masked_word_is_filled_as_the_api_says(inspector: Inspector) -> None:
    inspector.open(BERT)
    assert inspector.page.get_by_role("tab", name="Fill").is_visible()
    assert inspector.page.get_by_role("tab", name="Next token").count() == 0
    expected = ask(inspector, model="bert", texts=[FIRST], select={"layers": []})["predictions"][0]
    assert predictions(inspector.page) == listed(expected)
    assert inspector.page.locator("#next-title").inner_text() == "at “[MASK]”"
    assert inspector.page.locator("#row-title").inner_text() == "“[MASK]” looks at"
    inspector.page.get_by_role("tab", name="Layer by layer").click()
    words = "At “[MASK]” the model predicts “" + expected[0]["text"]
    expect(inspector.page.locator("#lens-panel .summary")).to_contain_text(words)
    inspector.page.get_by_role("tab", name="Fill").click()
    inspector.type("the cat sat")
    last = ask(inspector, model="bert", texts=["the cat sat"], select={"layers": []})
    assert predictions(inspector.page) == listed(last["predictions"][0])


def test_a_model_that_predicts_nothing_has_no_panels_of_predictions(inspector: Inspector) -> None:
    inspector.open("/?model=headless&text=the+cat")
    tabs = inspector.page.locator("#right-tabs [role=tab]:visible")
    expect(tabs).to_have_text(["Vector", "Far links", "Space"])
    assert inspector.page.locator("#next-panel").is_hidden()
    assert inspector.page.locator("#row tbody tr").count() == 4


def test_without_predictions_heads_stand_by_how_far_the_text_turns(inspector: Inspector) -> None:
    page = inspector.open("/?depth=full&model=headless&text=the+cat&layer=1&head=1").page
    asked = ask(inspector, model="headless", texts=["the cat"], analyse={"vector_effects": True})
    effects = asked["vector_effects"][0]["effects"]
    rows = page.locator("#vector-panel .effects button")
    expect(rows).to_have_count(len(effects))
    shown = {
        row.get_attribute("data-place"): row.locator(".nats").inner_text() for row in rows.all()
    }
    assert shown == {f"{one['layer']}.{one['head']}": f"{one['cosine']:.3f}" for one in effects}
    [one] = [one for one in effects if (one["layer"], one["head"]) == (1, 1)]
    said = page.locator("#vector-panel .summary")
    expect(said).to_contain_text("Without layer 1 head 1, the vector of the text turns by")
    expect(said).to_contain_text(f"(cosine {one['cosine']:.3f})")
    largest = min(effects, key=lambda one: one["cosine"])
    rows.first.click()
    place = f"layer={largest['layer']}&head={largest['head']}"
    page.wait_for_url(lambda url: place in url)
    page.locator("#mute").click()
    inspector.ready()
    expect(rows.last).to_contain_text("muted already")
    expect(page.locator("#effect-legend")).to_be_visible()
    page.get_by_role("button", name="Fewer controls").click()  # there is no such panel in Start
    expect(page.locator("#effect-legend")).to_be_hidden()
    expect(page.locator("#grid.painted, .heads .painted")).to_have_count(0)


# What a model lacks, and models that are not there.


def test_a_model_without_masks_says_why(inspector: Inspector) -> None:
    inspector.open("/?model=bloom&text=the+cat+sat&layer=1&head=1&causal=false&muted=0.1")
    [bloom] = [model for model in models(inspector) if model["name"] == "bloom"]
    assert bloom["lacks"]
    unfold(inspector.page, "masks")
    hint = inspector.page.locator("#mask-hint").inner_text()
    assert bloom["lacks"] in hint
    assert "supports neither masks nor mutes" in hint
    for control in ("input[name=causal]", "input[name=padding]", "#window", "#mute"):
        assert inspector.page.locator(control).first.is_disabled()
    unfold(inspector.page, "matrix")
    shown = inspector.page.locator("#matrix label:visible").all_inner_texts()
    assert shown == ["Pattern", "Rollout", "Flow"]
    assert inspector.page.locator("#vectors").is_hidden()
    select = {"tensors": ["pattern"], "layers": [1], "heads": [1]}
    answer = ask(inspector, model="bloom", texts=["the cat sat"], select=select)
    pattern = answer["sites"][0]["tensors"]["pattern"][0][0]
    assert_drawn(inspector, pattern)
    assert f"weight {pattern[2][1]:.4f}" in inspector.hover(2, 1)
    inspector.press("c", "p", "m")
    assert not {"causal", "padding", "muted"} & set(link(inspector))
    inspector.page.get_by_role("tab", name="Mute effects").click()
    expect(inspector.page.locator("#effects-panel")).to_contain_text(bloom["lacks"])


@pytest.mark.fresh
def test_a_model_that_fails_says_why_and_the_others_still_work(inspector: Inspector) -> None:
    inspector.open("/?text=The+cat+sat.&layer=1&head=2")
    seen = inspector.figure()
    choose(inspector, "missing")
    inspector.state("error")
    problem = inspector.page.locator("#problem p").inner_text()
    [missing] = [model for model in models(inspector) if model["name"] == "missing"]
    assert missing["state"] == "failed"
    assert problem.startswith(f"missing could not be loaded: {missing['error']}")
    assert "Choose another model" in problem
    assert "still shows shipped" in problem
    assert inspector.figure() == seen
    choose(inspector, "shipped")
    inspector.ready()
    assert inspector.page.locator("#problem").is_hidden()
    inspector.page.locator("#heads-title").click()
    inspector.press("ArrowDown")
    assert inspector.page.locator("#head-title").inner_text().startswith("Layer 2 · head 2")
    inspector.errors.clear()  # Chromium itself logs the 503


@pytest.mark.fresh
def test_a_link_to_a_model_that_fails_opens_and_leads_on(inspector: Inspector) -> None:
    inspector.page.goto(f"{inspector.server}/?model=missing&text=The+cat+sat.&layer=1&head=2")
    inspector.state("error")
    assert "could not be loaded" in inspector.page.locator("#problem p").inner_text()
    assert "null" not in inspector.page.locator("main").inner_text()
    inspector.page.keyboard.press("ArrowRight")  # there are no heads to walk
    choose(inspector, "shipped")
    inspector.ready()
    assert inspector.page.locator(".cell").count() == 24
    inspector.errors.clear()  # Chromium itself logs the 503


@pytest.mark.fresh
def test_the_page_says_how_far_a_model_is_and_asks_no_more_when_it_is_there(
    inspector: Inspector,
) -> None:
    held: list[Route] = []
    looks: list[str] = []
    state: dict[str, Any] | None = None

    def hold(route: Route) -> None:
        body = json.loads(route.request.post_data or "{}")
        if body["model"] == "gpt2" and state is not None:
            held.append(route)
        else:
            route.continue_()

    def tell(route: Route) -> None:
        looks.append(route.request.url)
        if state is None:
            return route.continue_()
        answer = route.fetch().json()
        for model in answer["models"]:
            if model["name"] == "gpt2":
                model.update(dict.fromkeys(set(model) - {"name"}) | state)
        return route.fulfill(json=answer)

    inspector.open("/?text=the+cat+sat&layer=2&head=7")
    assert looks == []  # of a model that is there nothing is asked
    inspector.page.route("**/api/trace", hold)
    inspector.page.route("**/api/models?*", tell)
    how = inspector.page.locator("#model-state")
    state = {"state": "queued", "progress": 0.0}
    choose(inspector, "gpt2")
    expect(how).to_contain_text("queued")
    state = {"state": "loading", "progress": 0.43}
    expect(how).to_contain_text("loading 43 %")
    inspector.page.locator("textarea").first.fill("the dog sat")  # it waits with us
    expect(how).to_contain_text("loading 43 %")
    assert len(held) == 1
    state = None
    held[0].continue_()
    inspector.ready()
    assert how.inner_text() == ""
    assert inspector.page.locator(".chip").all_inner_texts() == ["the", "dog", "sat"]
    assert inspector.page.locator("#head-title").inner_text().startswith("Layer 2 · head 1")
    expect(inspector.page.locator("#said")).to_contain_text(", so layer 2 head 1 is shown instead.")
    asked = len(looks)
    rested(inspector.page, 1_500)  # nothing may be asked
    assert len(looks) == asked


def test_another_model_keeps_what_fits_it(inspector: Inspector) -> None:
    inspector.open(f"{T5}&kind=cross&layer=2&head=3")
    choose(inspector, "bert")
    inspector.ready()
    assert inspector.page.locator("#kind").is_hidden()
    expect(inspector.page.locator("#said")).to_have_text(
        "bert has no cross layer 2 head 3, so layer 2 head 1 is shown instead."
    )
    assert not {"kind", "target"} & set(link(inspector))
    assert inspector.page.locator("#sentences textarea").count() == 1
    choose(inspector, "t5")
    inspector.ready()
    assert inspector.page.get_by_label("Target of sentence 1").input_value() == TARGET
    assert inspector.page.locator("#head-title").inner_text().startswith("Encoder layer 1 · head 1")


def models(inspector: Inspector) -> list[dict[str, Any]]:
    with urllib.request.urlopen(f"{inspector.server}/api/models") as response:
        found: list[dict[str, Any]] = json.load(response)["models"]
    return found


# For everyone.


def test_the_help_lists_the_keys_of_both(inspector: Inspector) -> None:
    inspector.open().page.keyboard.press("?")
    keys = inspector.page.locator("#help .keys").inner_text()
    assert re.search(r"k\s+in an encoder–decoder", keys)
    assert re.search(r"b\s+with two segments", keys)


@pytest.mark.parametrize(
    "path", [f"{T5}&kind=cross", f"{PAIR}&segments=BA", "/?model=bloom&text=a"]
)
def test_axe_finds_nothing_and_nothing_is_cut(inspector: Inspector, path: str) -> None:
    inspector.open(path).probed()
    beyond = "() => document.documentElement.scrollWidth - innerWidth"
    for _ in appearances(inspector.page, 1440, 1024, 390):
        accessible(inspector.page)
        assert inspector.page.evaluate(beyond) == 0


def test_a_word_of_any_length_makes_no_page_wider(inspector: Inspector) -> None:
    word = "x" * 400  # one unknown token
    page = inspector.page
    page.set_viewport_size({"width": 390, "height": 844})
    for view in ("heatmap", "text", "lines", "inside", "compare"):
        inspector.open(f"/?model=bert&depth=full&view={view}&text=the+{word}+cat")
        assert page.evaluate("() => document.documentElement.scrollWidth") == 390, view
    chip = page.locator("#chips .chip").nth(2)
    assert word in (chip.get_attribute("title") or "")

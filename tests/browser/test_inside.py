"""Inside a head: every number is the API's or follows from it, step by step."""

import json
import re
import urllib.request
from decimal import Decimal
from math import exp, tanh
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Route, expect

from tests.browser.appearances import accessible, appearances, resize
from tests.browser.inspector import Inspector, pick

pytestmark = pytest.mark.browser
TEXT = "The dogs near the river are old."
LINK = "/?view=inside&text=The+dogs+near+the+river+are+old.&layer=1&head=2&query=5"
SOURCE, TARGET = "the old cat sat on the mat", "a girl saw him"
T5 = "/?view=inside&model=t5&text=the+old+cat+sat+on+the+mat&target=a+girl+saw+him"
NAMES = ["q", "k", "v", "scores", "pattern", "z", "blocked_by", "result"]
STEPS = ["q", "k", "q∘k", "q·k", "× scale", "+ bias", "mask", "softmax", "× v", "z", "z · W_O"]

CAPITAL = {"mask": "Mask: 3 of the 9 keys are struck out.", "softmax": "Softmax: e^score"}


@pytest.fixture(scope="module")
def server(families: str) -> str:
    return families


def traced(server: str, **request: Any) -> Any:
    """The API's answer to the same request."""
    body = json.dumps(request).encode()
    headers = {"Content-Type": "application/json"}
    call = urllib.request.Request(f"{server}/api/trace", body, headers)
    with urllib.request.urlopen(call) as response:
        return json.load(response)


def row_of(
    inspector: Inspector, row: int, *, head: int = 2, layer: int = 1, kind: str = "", **ask: Any
) -> Any:
    """A site from the API, with the tensors of one row of the first text."""
    select: dict[str, Any] = {"tensors": NAMES, "layers": [layer], "heads": [head]}
    if kind:
        select["kinds"] = [kind]
    if ask.pop("bias", False):
        select["tensors"] = [*NAMES, "bias"]
    ask = {"texts": [TEXT]} | ask
    [site] = traced(inspector.server, select={**select, "rows": [row, row + 1]}, **ask)["sites"]
    site |= {name: numbers[0][0] for name, numbers in site["tensors"].items()}
    for name in set(site["tensors"]) - {"k", "v"}:
        [site[name]] = site[name]
    return site


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def agrees(value: float, shown: str) -> bool:
    """Whether a number is the shown one to its last digit."""
    unit = 10.0 ** int(Decimal(shown.replace("−", "-")).as_tuple().exponent)
    return abs(value - number(shown)) <= unit * 0.5000001


def column(inspector: Inspector, part: str) -> list[str]:
    return inspector.page.locator(f".inside-keys td[data-part={part}]").all_inner_texts()


def line(inspector: Inspector) -> str:
    return inspector.page.locator(".inside-line").inner_text()


def point(inspector: Inspector, part: str, channel: int, key: int | None = None) -> str:
    """Point at a channel and read the line about it."""
    row = "" if key is None else f"tr[data-key='{key}'] "
    strip = inspector.page.locator(f"{row}canvas.strip[data-part={part}]")
    strip.scroll_into_view_if_needed()
    box = strip.bounding_box()
    assert box
    n = int(strip.get_attribute("data-channels") or 0)
    inspector.page.mouse.move(box["x"] + box["width"] * (channel + 0.5) / n, box["y"] + 5)
    return inspector.page.locator(".inside-readout").inner_text()


def listed(inspector: Inspector, fold: int) -> tuple[list[list[str]], list[str]]:
    """The lines of an opened list, and its foot."""
    details = inspector.page.locator(".inside-folds details").nth(fold)
    if details.get_attribute("open") is None:
        details.locator("summary").click()
    details.locator("tbody tr").first.wait_for()
    rows = details.locator("tbody tr").all()
    return [row.locator("td").all_inner_texts() for row in rows], details.locator(
        "tfoot td"
    ).all_inner_texts()


def assert_on_paper(inspector: Inspector) -> float:
    """Compute the line from the numbers that it shows, as a person would."""
    reading = line(inspector)
    found = re.fullmatch(
        r"q·k = (.*) \((\d+) products, sum (\S+)\) → (?:(\S+) · tanh\()?(\S+) × (\S+)"
        r"(?: / (\S+)\))? \+ \(?(\S+?)\)? = (\S+) → "
        r"e\^\(?(\S+?)\)? / Σ e\^s = (\S+) / (\S+) = (\S+)",
        reading,
    )
    assert found, reading
    told, n, total, cap, again, scale, by, bias, score, power, mine, mass, share = found.groups()
    products, foot = listed(inspector, 0)
    assert len(products) == int(n)
    for _, q, k, product in products:
        assert agrees(number(q) * number(k), product)
    assert agrees(sum(number(row[3]) for row in products), total)
    assert foot[-1] == total == again
    pairs = {(row[1], row[2]) for row in products}
    for product in told.removesuffix(" + …").split(" + "):
        assert tuple(part.strip("()") for part in product.split("·")) in pairs
    scaled = number(total) * number(scale)
    if cap:
        assert cap == by
        scaled = number(cap) * tanh(scaled / number(cap))
    assert agrees(scaled + number(bias), score)
    assert power == score
    terms, foot = listed(inspector, 1)
    for _, term, e in terms:
        assert agrees(exp(number(term)), e)
    assert (score, mine) in {(term, e) for _, term, e in terms}
    assert agrees(sum(number(e) for _, _, e in terms), mass)
    assert foot[-1] == mass
    assert agrees(number(mine) / number(mass), share)
    return number(share)


def view(inspector: Inspector, name: str) -> None:
    pick(inspector.page.locator("#view").get_by_label(name, exact=True))


def link(inspector: Inspector) -> dict[str, list[str]]:
    return parse_qs(urlsplit(inspector.page.url).query)


# The numbers.


def test_every_number_of_a_row_is_the_apis_or_follows_from_it(inspector: Inspector) -> None:
    inspector.open(LINK)
    site = row_of(inspector, 5)
    dots = [sum(a * b for a, b in zip(site["q"], k, strict=True)) for k in site["k"]]
    assert [number(dot) for dot in column(inspector, "dot")] == pytest.approx(dots, abs=6e-5)
    scaled = [site["scale"] * dot for dot in dots]
    assert [number(one) for one in column(inspector, "scaled")] == pytest.approx(scaled, abs=6e-5)
    assert scaled == pytest.approx(site["scores"], abs=1e-4)
    assert [number(one) for one in column(inspector, "score")] == pytest.approx(
        site["scores"], abs=6e-5
    )
    shares = [
        exp(score) * (not bits) for score, bits in zip(scaled, site["blocked_by"], strict=True)
    ]
    shares = [share / sum(shares) for share in shares]
    shown = [number(one) for one in column(inspector, "weight")]
    assert shown == pytest.approx(site["pattern"], abs=6e-5)
    assert shown == pytest.approx(shares, abs=1e-4)
    for channel, value in enumerate(site["z"]):
        z = sum(share * v[channel] for share, v in zip(shares, site["v"], strict=True))
        reading = point(inspector, "z", channel)
        assert reading.startswith(f"z, channel {channel}: ")
        assert number(reading.split()[-1]) == pytest.approx(value, abs=6e-5)
        assert z == pytest.approx(value, abs=1e-4)
    assert number(point(inspector, "result", 77).split()[-1]) == pytest.approx(
        site["result"][77], abs=6e-5
    )
    length = sum(value**2 for value in site["result"]) ** 0.5
    written = inspector.page.locator(".inside-vector").last.inner_text()
    assert number(written.split()[-1]) == pytest.approx(length, abs=6e-5)


def test_pointing_tells_the_number_of_a_channel(inspector: Inspector) -> None:
    inspector.open(LINK)
    site = row_of(inspector, 5)
    assert point(inspector, "q", 3) == f"q of “river”, channel 3: {site['q'][3]:.4f}".replace(
        "-", "−"
    )
    for part in ("k", "product", "moved"):
        reading = point(inspector, part, 11, key=4).replace("−", "-")
        assert reading.startswith("key 4 the, channel 11: ")
        numbers = [float(one) for one in re.findall(r"-?\d+\.\d+(?:e-?\d+)?", reading)]
        q, k, v = site["q"][11], site["k"][4][11], site["v"][4][11]
        share = site["pattern"][4]
        assert numbers == pytest.approx([q, k, q * k, share, v, share * v], rel=0.05, abs=6e-5)


def test_the_arithmetic_of_a_cell_works_out_on_paper(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&key=0")
    pattern = row_of(inspector, 5)["pattern"]
    for key in (0, 3, 4, 5):
        inspector.page.locator(f"tr[data-key='{key}'] td[data-part=dot]").click()
        assert assert_on_paper(inspector) == pytest.approx(pattern[key], abs=6e-5)


def test_a_blocked_cell_says_why_and_has_no_softmax(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&key=7")
    assert column(inspector, "mask") == ["allowed"] * 6 + ["the causal mask"] * 3
    assert column(inspector, "weight")[6:] == ["0.0000"] * 3
    assert "→ blocked by the causal mask, so its weight is 0" in line(inspector)
    cell = inspector.page.locator("tr[data-key='7'] td[data-part=mask]")
    hatching = cell.evaluate("cell => getComputedStyle(cell).backgroundImage")
    assert "data:image/png" in hatching
    plain = inspector.page.locator("tr[data-key='2'] td[data-part=mask]")
    assert plain.evaluate("cell => getComputedStyle(cell).backgroundImage") == "none"


def test_padding_and_window_are_named_as_reasons(inspector: Inspector) -> None:
    inspector.open("/?view=inside&text=Hi+there&text=The+old+dog+sat.&layer=0&head=1&causal=false")
    site = row_of(inspector, 2, head=1, layer=0, texts=["Hi there", "The old dog sat."],
                  masks={"causal": False})  # fmt: skip
    words = {0: "allowed", 2: "the padding mask"}
    assert column(inspector, "mask") == [words[bits] for bits in site["blocked_by"]]
    inspector.open(f"{LINK}&window=2")
    assert column(inspector, "mask")[:4] == ["the window"] * 4


def test_a_muted_head_has_no_z_and_says_so(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&muted=1.2")
    sentence = inspector.page.locator(".inside-words").inner_text()
    assert sentence.startswith("This head is muted: its z is set to 0 before W_O.")
    assert row_of(inspector, 5, muted=[[1, 2]])["z"] == [0] * 16
    assert point(inspector, "z", 4).endswith("channel 4: 0.0000")
    assert max(map(number, column(inspector, "weight"))) > 0.5  # it looks all the same


def test_a_row_with_nothing_allowed_has_no_distribution(inspector: Inspector) -> None:
    def block(route: Route) -> None:
        body = json.loads(route.request.post_data or "{}")
        body["masks"]["blocked"] = [{"query": 5}]
        route.continue_(post_data=json.dumps(body))

    inspector.page.route("**/api/trace", block)
    inspector.open(LINK)
    sentence = inspector.page.locator(".inside-words").inner_text()
    assert sentence == "Every key is blocked: there is no distribution, and z = 0."
    assert set(column(inspector, "weight")) == {"0.0000"}
    assert point(inspector, "z", 0).endswith("0.0000")
    assert "blocked by your painted mask" in line(inspector)


# Choosing.


@pytest.mark.fresh
def test_a_key_is_chosen_by_click_and_by_arrows_and_is_in_the_link(inspector: Inspector) -> None:
    inspector.open(LINK)
    title = inspector.page.locator(".inside-arithmetic h3")
    assert title.inner_text() == "Key 4 “the”, on paper"  # the strongest, until one is chosen
    inspector.page.locator("tr[data-key='2'] td[data-part=dot]").click()
    expect(title).to_have_text("Key 2 “dogs”, on paper")
    inspector.press("ArrowUp")
    expect(title).to_have_text("Key 1 “The”, on paper")
    expect(inspector.page.locator("tr[data-key='1'] button")).to_be_focused()
    assert link(inspector)["key"] == ["1"]
    assert link(inspector)["layer"] == ["1"]  # the arrows did not walk the heads
    before = line(inspector)
    inspector.press("ArrowRight", "ArrowRight")
    reading = inspector.page.locator(".inside-readout").inner_text()
    assert reading.startswith("key 1 The, channel 1: q ")
    inspector.page.reload()
    inspector.ready()
    assert line(inspector) == before


@pytest.mark.fresh
def test_why_opens_the_arithmetic_of_the_very_cell(inspector: Inspector) -> None:
    inspector.open(f"{LINK.replace('view=inside', 'view=heatmap')}&key=2")
    expect(inspector.page.locator("#explain")).to_contain_text("of its attention to “dogs”.")
    inspector.page.get_by_role("button", name="Why?").click()
    inspector.page.get_by_role("button", name="All keys").click()
    title = inspector.page.locator(".inside-arithmetic h3")
    expect(title).to_have_text("Key 2 “dogs”, on paper")


@pytest.mark.fresh
def test_the_query_is_chosen_here_too(inspector: Inspector) -> None:
    inspector.open(LINK)
    inspector.page.locator(".inside-bar select").select_option("7")
    inspector.ready()
    assert link(inspector)["query"] == ["7"]
    scores = row_of(inspector, 7)["scores"]
    assert [number(one) for one in column(inspector, "score")] == pytest.approx(scores, abs=6e-5)
    inspector.page.locator("#heads-title").click()
    inspector.press("[", "ArrowDown")
    scores = row_of(inspector, 6, layer=2)["scores"]
    assert [number(one) for one in column(inspector, "score")] == pytest.approx(scores, abs=6e-5)


@pytest.mark.fresh
def test_coming_back_to_it_never_shows_another_querys_numbers(inspector: Inspector) -> None:
    inspector.open(LINK)
    view(inspector, "Heatmap")
    inspector.ready().press("[", "[")
    view(inspector, "Inside")
    inspector.ready()
    scores = row_of(inspector, 3)["scores"]
    assert [number(one) for one in column(inspector, "score")] == pytest.approx(scores, abs=6e-5)
    assert inspector.page.locator(".inside-bar select").input_value() == "3"


def test_a_long_text_is_shown_64_keys_at_a_time_and_none_is_lost(inspector: Inspector) -> None:
    inspector.open(f"/?view=inside&layer=1&head=2&query=149&text={'+'.join(['the', 'old'] * 80)}")
    site = row_of(inspector, 149, texts=[" ".join(["the", "old"] * 80)])
    n = len(site["pattern"])
    assert n > 128
    pages = inspector.page.locator(".inside-pages")
    expect(pages).to_contain_text(f"showing 64 of {n} keys: 1 to 64")
    seen: list[int] = []
    weights: list[float] = []
    while True:
        rows = inspector.page.locator(".inside-keys tr[data-key]")
        seen += [int(row.get_attribute("data-key") or 0) for row in rows.all()]
        weights += [number(one) for one in column(inspector, "weight")]
        if inspector.page.get_by_label("The next 64 keys").is_disabled():
            break
        inspector.page.get_by_label("The next 64 keys").click()
    assert sorted(seen) == list(range(n))
    assert weights == sorted(weights, reverse=True)  # the strongest first
    assert weights == pytest.approx([site["pattern"][key] for key in seen], abs=6e-5)
    inspector.page.get_by_role("radio", name="as in the text").check(force=True)
    first = inspector.page.locator(".inside-keys tr[data-key]").first.get_attribute("data-key")
    assert int(first or 0) % 64 == 0
    chosen = inspector.page.locator(".inside-keys tr.chosen")
    assert chosen.count() == 1  # on the page with the key that is read


# Step by step.


def test_the_steps_come_in_the_order_of_the_computation(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&step=1")
    where = inspector.page.locator(".inside-where")
    parts = ["k", "product", "dot", "scaled", "score", "mask", "weight", "moved"]
    for index, name in enumerate(STEPS[:-1], start=1):
        expect(where).to_have_text(f"{index} of {len(STEPS)}: {name}")
        told = inspector.page.locator(".inside-words").inner_text()
        assert told.startswith({"× scale": "× 0.25", **CAPITAL}.get(name, name))
        row = inspector.page.locator("tr[data-key='4']")
        filled = [
            part
            for part in parts
            if row.locator(f"td[data-part={part}] canvas").count()
            or row.locator(f"td[data-part={part}]").inner_text()
        ]
        assert filled == parts[: max(0, min(index - 1, len(parts)))]
        drawn = inspector.page.locator(".inside-vector canvas").count()
        assert drawn == 1 + (index >= 10)
        assert inspector.page.locator(".inside-arithmetic").is_visible() == (index >= 8)
        assert link(inspector)["step"] == [str(index)]
        inspector.press(".")
    expect(where).to_have_text(f"all {len(STEPS)} steps")
    assert "step" not in link(inspector)
    assert inspector.page.locator(".inside-vector canvas").count() == 3
    inspector.press(",", ",")
    expect(where).to_have_text("9 of 11: × v")
    inspector.page.get_by_role("button", name="To the first step").click()
    expect(where).to_have_text("1 of 11: q")
    inspector.page.get_by_role("button", name="To the last step").click()
    expect(where).to_have_text("all 11 steps")


# Other models.


@pytest.mark.parametrize(("kind", "row"), [("encoder", 2), ("decoder", 3), ("cross", 3)])
def test_an_encoder_decoder(inspector: Inspector, kind: str, row: int) -> None:
    inspector.open(f"{T5}&kind={kind}&layer=1&head=3&query={row}")
    biased = kind != "cross"
    site = row_of(inspector, row, head=3, kind=kind, model="t5", bias=biased, texts=[SOURCE],
                  targets=[TARGET])  # fmt: skip
    assert site["has_bias"] == biased
    keys = [
        row.inner_text().split()[-1]
        for row in inspector.page.locator(".inside-keys tbody th").all()
    ]
    assert ("mat" in keys) == (kind != "decoder") and ("saw" in keys) == (kind == "decoder")
    dots = [sum(a * b for a, b in zip(site["q"], k, strict=True)) for k in site["k"]]
    assert [number(dot) for dot in column(inspector, "dot")] == pytest.approx(dots, abs=6e-5)
    scores = [number(text.split()[-1]) for text in column(inspector, "score")]
    assert scores == pytest.approx(site["scores"], abs=6e-5)
    if biased:
        added = [text.split()[:2] for text in column(inspector, "score")]
        biases = [number(sign + size) for sign, size in added]
        assert biases == pytest.approx(site["bias"], abs=6e-5)
        assert any(biases)
    assert assert_on_paper(inspector) == pytest.approx(max(site["pattern"]), abs=6e-5)


def test_a_soft_cap_is_a_step_of_its_own(inspector: Inspector) -> None:
    inspector.open("/?view=inside&model=gemma2&text=the+old+cat+sat&layer=1&head=4&query=4")
    site = row_of(inspector, 4, head=4, model="gemma2", texts=["the old cat sat"])
    assert site["soft_cap"] == 1.5
    capped = [1.5 * tanh(number(one) / 1.5) for one in column(inspector, "scaled")]
    assert [number(one) for one in column(inspector, "capped")] == pytest.approx(capped, abs=1e-4)
    assert capped == pytest.approx(site["scores"], abs=1e-4)
    expect(inspector.page.locator(".inside-where")).to_have_text("all 12 steps")
    assert " · tanh(" in line(inspector)
    assert_on_paper(inspector)


def test_grouped_queries_say_who_shares_k_and_v(inspector: Inspector) -> None:
    inspector.open("/?view=inside&model=llama&text=the+old+cat+sat&layer=1&head=4&query=4")
    sentence = inspector.page.locator(".inside-words").inner_text()
    assert sentence == "k and v are shared by heads 3 to 5 (grouped queries)."
    select = {"tensors": ["k"], "layers": [1]}
    answer = traced(inspector.server, model="llama", texts=["the old cat sat"], select=select)
    k = answer["sites"][0]["tensors"]["k"][0]
    assert k[3] == k[4] == k[5] != k[2]


@pytest.mark.fresh
def test_a_model_with_patterns_only_says_why_and_offers_the_heatmap(inspector: Inspector) -> None:
    inspector.open("/?view=inside&model=bloom&text=the+old+cat&layer=1&head=1")
    refusal = inspector.page.locator(".inside-refusal")
    with urllib.request.urlopen(f"{inspector.server}/api/models") as response:
        [bloom] = [one for one in json.load(response)["models"] if one["name"] == "bloom"]
    assert bloom["lacks"] in refusal.inner_text()
    assert inspector.page.locator(".inside-keys").count() == 0
    refusal.get_by_role("button", name="Look at its heatmap").click()
    inspector.ready()
    assert len(inspector.figure()["z"]) == 4
    inspector.page.locator("#model").select_option("shipped")
    inspector.ready()
    view(inspector, "Inside")
    inspector.ready()
    assert refusal.is_hidden()
    assert inspector.page.locator(".inside-keys tr[data-key]").count() == 4


# For everyone.


@pytest.mark.parametrize("path", [LINK, f"{T5}&kind=cross&layer=1&head=2&step=6"])
def test_axe_finds_nothing_and_the_page_does_not_scroll_sideways(
    inspector: Inspector, path: str
) -> None:
    inspector.open(path)
    for details in inspector.page.locator(".inside-folds summary:visible").all():
        details.click()
    beyond = "() => document.documentElement.scrollWidth - innerWidth"
    for _ in appearances(inspector.page, 1440, 390):
        accessible(inspector.page, "#inside-view")
        assert inspector.page.evaluate(beyond) == 0


WIDE = {
    "causal": LINK,
    "bias": f"{T5}&kind=encoder&layer=1&head=2",
    "soft cap": "/?view=inside&model=gemma2&text=the+old+cat+sat&layer=1&head=4&query=4",
    "mask after the softmax": "/?view=inside&model=scratch&text=the+old+cat+sat+on+the+mat"
    "&causal=true&query=3&scratch.mask_applied=after",
    "long token": "/?view=inside&text=Extraordinarily+incomprehensible+responsibilities&layer=1",
}


@pytest.mark.parametrize("path", WIDE.values(), ids=WIDE.keys())
def test_no_column_is_cut_beside_the_heads(inspector: Inspector, path: str) -> None:
    inspector.open(f"{path}&depth=full")
    for width, height in ((1280, 720), (1440, 900), (1024, 768)):
        resize(inspector.page, width, height)
        found = inspector.page.evaluate(
            """() => {
              const scroll = document.querySelector(".inside-scroll");
              const within = scroll.getBoundingClientRect();
              const all = (selector) => [...scroll.querySelectorAll(selector)];
              return {
                hidden: scroll.scrollWidth - scroll.clientWidth,
                beyond: all("thead th")
                  .filter((head) => head.getBoundingClientRect().right > within.right)
                  .map((head) => head.innerText),
                cut: all("thead th, td")
                  .filter((it) => it.scrollWidth > it.clientWidth + 1)
                  .map((it) => it.innerText),
                thin: all("td canvas").filter((it) => it.clientWidth < 32).length,
              };
            }"""
        )
        assert found == {"hidden": 0, "beyond": [], "cut": [], "thin": 0}, width


def test_the_help_lists_the_keys(inspector: Inspector) -> None:
    inspector.open().page.keyboard.press("?")
    assert "in Inside: one step back, one step forward" in (
        inspector.page.locator("#help .keys").inner_text()
    )

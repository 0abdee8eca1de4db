"""The whole course: every figure of every lesson, every switch, every question."""

import json
import re
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from server.api.routes.teachers import MATERIALS
from server.pages.learning import links
from server.pages.learning.states import changed
from tests.browser.appearances import accessible, appearances, resize
from tests.browser.contexts import Contexts
from tests.browser.inspector import HASTE, WINDOW, Inspector
from tests.lessons import SLUGS, body_of
from tests.sweeps import some, sweep

pytestmark = pytest.mark.browser

# The lessons whose figures are tried with every option of every switch, and the first and the last
# layer and head. Together they have every kind of view and matrix that a figure can show; `make
# test-all` tries all of all lessons.
SWITCHED = ("query-key-value", "heads", "cross-attention", "why-here")
# Beside those, the lesson that opens with its lines and picture, and one with masks of two texts.
VISITED = (*SWITCHED, "averaging", "masks")

DIGITS = 6e-5  # of a number on the page: half of its last digit, and a little


def state_of(figure: Locator) -> links.Pairs:
    """The state of a figure, from its link into the inspector."""
    href = figure.get_by_role("link", name="Open in the inspector").get_attribute("href")
    return parse_qsl(urlsplit(href or "").query, keep_blank_values=True)


def asked(server: str, state: links.Pairs) -> list[list[float]]:
    """The matrix of the head that a link shows, from the API."""
    choice = dict(reversed(state))
    name = choice.get("matrix", "pattern")
    select = {"layers": [int(choice["layer"])], "heads": [int(choice["head"])]}
    body: dict[str, Any] = body_of(state)
    if name == "rollout":
        body |= {"select": select, "analyse": {"rollout": True}}
    else:
        body["select"] = select | {"tensors": [name]}
    answer = answered(server, body)
    text = int(choice.get("shown", 0))
    if name == "rollout":
        rollout: list[list[float]] = answer["rollout"][text]
        return rollout
    rows: list[list[float]] = answer["sites"][0]["tensors"][name][text][0]
    return rows


def answered(server: str, body: dict[str, Any]) -> Any:
    call = urllib.request.Request(
        f"{server}/api/trace", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(call) as response:
        return json.load(response)


def weights_in(rows: Locator) -> dict[int, float]:
    """The table of a row: the numbers by key."""
    found = {}
    for row in rows.all():
        cells = row.locator("td").all_text_contents()
        if cells == ["Every key is blocked: this row has no distribution."]:
            return {}
        name, value = cells
        found[int(re.findall(r"^\d+", name)[0])] = float(value.replace("−", "-"))
    return found


def check(server: str, figure: Locator) -> None:
    """Its numbers are those of the API."""
    state = state_of(figure)
    choice = dict(reversed(state))
    view = choice.get("view", "heatmap")
    if view == "compare":
        check_compare(server, figure, state)
        return
    if choice.get("matrix") == "scores":
        check_score(server, figure, state)
        state = [pair for pair in state if pair[0] != "matrix"]  # its table is of the weights
    if view == "why":
        check_table(server, figure, state)
        return
    rows = asked(server, state)
    if view == "inside":
        shown = figure.locator(".inside-view td[data-part=weight], td[data-part=weight]")
        got = [float(value) for value in shown.all_inner_texts()]
        assert any(got == pytest.approx(row, abs=DIGITS) for row in rows), state
        return
    if view == "map":
        check_map(figure, rows[int(choice["query"])])
        return
    assert view == "heatmap", "teach this test to read that view"
    got_row = weights_in(figure.locator(".figure-numbers tbody tr"))  # of the keys not blocked
    query = int(choice["query"]) if "query" in choice else None
    fitting = rows if query is None else [rows[min(query, len(rows) - 1)]]
    assert any(
        all(row[key] == pytest.approx(value, abs=DIGITS) for key, value in got_row.items())
        and sum(map(abs, got_row.values())) == pytest.approx(sum(map(abs, row)), abs=1e-3)
        for row in fitting
    ), (state, got_row)


def check_map(figure: Locator, row: list[float]) -> None:
    """The head that is selected on it looks most where the API says."""
    expect(figure.locator(".map-place[aria-current]")).to_have_count(1)
    words = figure.locator(".map-words").inner_text()
    [share] = re.findall(r"gives “.+?” ([\d.]+)% of its attention", words)
    assert float(share) == pytest.approx(100 * max(row), abs=0.06)


def check_table(server: str, figure: Locator, state: links.Pairs) -> None:
    """The sums below the table, and the row without the parts that are off, are the API's."""
    [cell] = answered(server, body_of(state) | {"select": {"layers": []}})["cell"]
    wanted = [sum(map(sum, cell["values"])), cell["remainder"], cell["score"]]
    row = cell["pattern"]
    if switched := cell["switched"]:
        wanted.append(switched["score"])
        row = switched["pattern"]
    shown = figure.locator(".why-totals td").all_inner_texts()
    got = [float(value.replace("−", "-")) for value in shown]
    assert got == pytest.approx(wanted, abs=DIGITS), state
    bars = figure.locator(f".why-row .why-bar.{'after' if switched else 'before'}")
    shares = bars.all_inner_texts()
    assert shares == [percent(each) for each in row[: len(shares)]], state
    assert sum(row[len(shares) :]) < 1e-3


def percent(weight: float) -> str:
    return "< 0.1%" if weight < 0.0005 else f"{100 * weight:.1f}%"


def check_score(server: str, figure: Locator, state: links.Pairs) -> None:
    """The cell that the arrow keys come to first has the score of the API."""
    rows = asked(server, state)
    plot = figure.locator(".plot")
    plot.focus()
    plot.press("ArrowRight")
    readout = figure.locator(".figure-readout")
    expect(readout).to_have_text(re.compile(r"^query \d+ .* key \d+ .*score"))
    reading = readout.inner_text()
    query, key = (int(re.findall(rf"{axis} (\d+)", reading)[0]) for axis in ("query", "key"))
    score = float(re.findall(r"score ([−-]?[\d.]+)", reading)[0].replace("−", "-"))
    assert score == pytest.approx(rows[query][key], abs=DIGITS), reading
    plot.press("Escape")


def check_compare(server: str, figure: Locator, state: links.Pairs) -> None:
    """The largest difference is between two numbers of the API."""
    held = dict(reversed(state)).get("against", "")
    pairs = [pair for pair in state if pair[0] != "against"]
    b = asked(server, pairs)
    turned = "transposed=true" in held.replace("%3D", "=")
    other = [pair for pair in links.pairs(held, "without", "transposed") if pair[0] != "transposed"]
    a_state = changed(pairs, "&".join(f"{k}={quoted(v)}" for k, v in other))
    a = asked(server, a_state)
    a = [list(column) for column in zip(*a, strict=True)] if turned else a
    if figure.get_by_text("No cell differs.").count():
        for row_a, row_b in zip(a, b, strict=True):
            assert row_a == pytest.approx(row_b, abs=DIGITS)
        return
    cells = figure.locator(".compare-table tbody tr").first.locator("td").all_inner_texts()
    assert len(cells) == 4
    numbers = [float(value.replace("−", "-")) for value in cells[1:3] if value]
    flat_a = [value for row in a for value in row]
    flat_b = [value for row in b for value in row]
    assert len(numbers) == 2
    assert any(
        x == pytest.approx(numbers[0], abs=DIGITS) and y == pytest.approx(numbers[1], abs=DIGITS)
        for x in flat_a
        for y in flat_b
    ), (state, cells)


def quoted(value: str) -> str:
    return urllib.parse.quote(value, safe="")


def drawn(figure: Locator) -> None:
    expect(figure).to_have_attribute("data-state", "ready")


@pytest.mark.parametrize("slug", sweep(SLUGS, VISITED))
def test_a_lesson_keeps_its_word(
    inspector: Inspector, beside: Inspector, slug: str, everything: bool
) -> None:
    """One visit to a lesson, since opening it takes longer than each of these questions."""
    page = inspector.open(f"/learn/{slug}").page
    page.emulate_media(reduced_motion="reduce")  # else it scrolls smoothly from figure to figure
    links_of = every_figure_shows_what_the_api_says(inspector)
    is_switched = everything or slug in SWITCHED
    if is_switched:
        links = at_every_switch(inspector)
        links_of |= links if everything else {}
    every_question_is_answered_by_its_figure(inspector)
    for scheme, _ in appearances(page):
        if scheme == "light" or is_switched:  # the others have the same parts in the same colours
            accessible(page)
    resize(page, 390, 800)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, "wider than a phone"
    page.set_viewport_size(WINDOW)
    prose = page.locator(".prose a[href^='/?']:not(.figure a)")
    links_of |= {str(link.get_attribute("href")): [] for link in prose.all()}
    every_link_shows_the_same_in_the_inspector_and_leads_back(beside, slug, links_of)
    assert beside.errors == []


@pytest.fixture(scope="module")
def beside(contexts: Contexts, server: str) -> Iterator[Inspector]:
    """A page for the links of all lessons, which stays in the inspector."""
    with contexts.page() as page:
        page.add_init_script(HASTE)
        yield Inspector(page, server, is_shared=True)


Links = dict[str, list[str]]  # into the inspector, with the numbers that a figure shows beside it


def every_figure_shows_what_the_api_says(inspector: Inspector) -> Links:
    found: Links = {}
    figures = inspector.page.locator("figure[data-figure]").all()
    assert figures
    for figure in figures:
        figure.scroll_into_view_if_needed()
        drawn(figure)
        check(inspector.server, figure)
        found |= [link_of(figure)]
    return found


def at_every_switch(inspector: Inspector) -> Links:
    found: Links = {}
    for figure in inspector.page.locator("figure[data-figure]").all():
        for group in figure.locator(".figure-tools fieldset:visible").all():
            radios = group.get_by_role("radio").all()
            [held] = [radio for radio in radios if radio.is_checked()]
            first = state_of(figure)
            is_choice = group.get_attribute("data-chooser") is not None  # of a layer or head
            for radio in [*(some(radios, every=len(radios)) if is_choice else radios), held]:
                radio.check(force=True)
                drawn(figure)
                check(inspector.server, figure)
                if not is_choice:
                    found |= [link_of(figure)]
            assert state_of(figure) == first
    inspector.ready()
    return found


def every_question_is_answered_by_its_figure(inspector: Inspector) -> None:
    page = inspector.page
    boot = json.loads(page.locator("#lesson-boot").text_content() or "")
    assert 2 <= len(boot["questions"]) <= 4
    for index, question in enumerate(boot["questions"]):
        section = page.locator(f"[data-question='{index}']")
        if question["answer"] is not None:
            section.get_by_role("radio").nth(question["answer"]).check()
        elif question["number"] is not None:
            section.get_by_role("textbox").fill(str(question["number"]))
        else:
            in_order(section)
        section.get_by_role("button", name="Reveal").click()
        expect(section.get_by_role("status")).to_contain_text("Right")
        figure = page.locator(f"figure[data-figure='{question['figure']}']")
        expect(figure).to_be_in_viewport()
        drawn(figure)
        for name, option in question["set"].items():
            group = figure.get_by_role("group", name=name, exact=True)
            expect(group.get_by_role("radio", name=option, exact=True)).to_be_checked()
        check(inspector.server, figure)


def in_order(section: Locator) -> None:
    """Put the parts in order with their buttons: each at its turn up to its place."""
    parts = section.locator(".order li")
    for place in range(parts.count()):
        part = section.locator(f".order li[data-place='{place}']")
        while parts.nth(place).get_attribute("data-place") != str(place):
            part.get_by_role("button", name="Move up").click()


def every_link_shows_the_same_in_the_inspector_and_leads_back(
    inspector: Inspector, slug: str, links_of: Links
) -> None:
    page = inspector.page
    for link, shown in links_of.items():
        inspector.open(link)
        asked_for = dict(parse_qsl(urlsplit(link).query))
        assert asked_for["lesson"] == slug
        view = asked_for.get("view", "heatmap")
        assert not shown or numbers(page, view) == shown, link
        for trouble in ("#missing", "#problem"):
            expect(page.locator(trouble)).to_be_hidden()
        expect(page.locator("#notice")).to_have_text(re.compile("^(In some rows, every key .*)?$"))
        expect(page.locator(f"#view input[value={view}]")).to_be_checked()
    page.get_by_role("link", name=re.compile("^Back to lesson")).click()
    expect(page).to_have_url(f"{inspector.server}/learn/{slug}")


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900)])
def test_the_first_lesson_opens_with_its_lines_and_their_picture_in_one_window(
    inspector: Inspector, width: int, height: int
) -> None:
    page = inspector.page
    page.set_viewport_size({"width": width, "height": height})
    inspector.open("/learn/averaging")
    lines, picture = page.locator(".prose pre").first, page.locator(".diagram").first
    for part in (lines, picture):
        box = part.bounding_box()
        assert box and box["y"] > 0 and box["y"] + box["height"] <= height
        assert part.evaluate("(it) => it.scrollWidth <= it.clientWidth"), "it is cut"


# What says in numbers what is shown, in a figure as in the inspector.
NUMBERS = {
    "heatmap": ".figure-numbers tbody tr, #row tbody tr",
    "inside": ".inside-view td[data-part=weight]",
    "compare": ".compare-table tbody tr",
    "map": ".map-words",
    "why": ".why-totals td, .why-row .why-bar",
}


def numbers(root: Locator | Page, view: str) -> list[str]:
    return [" ".join(text.split()) for text in root.locator(NUMBERS[view]).all_text_contents()]


def link_of(figure: Locator) -> tuple[str, list[str]]:
    link = figure.get_by_role("link", name="Open in the inspector").get_attribute("href")
    return link or "", numbers(figure, dict(state_of(figure)).get("view", "heatmap"))


DIAGRAMS = """() => [...document.querySelectorAll(".diagram svg")].flatMap((svg) => {
  const all = svg.getBoundingClientRect();
  return [...svg.querySelectorAll("text")].map((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const inside = left >= all.left && right <= all.right && top >= all.top && bottom <= all.bottom;
    const { a, b } = text.getScreenCTM();
    const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
    return [text.textContent, inside, size];
  });
})"""


def test_diagrams_are_whole_and_legible_on_a_phone(inspector: Inspector) -> None:
    inspector.page.set_viewport_size({"width": 390, "height": 844})
    for slug in SLUGS:
        inspector.page.goto(f"{inspector.server}/learn/{slug}", wait_until="domcontentloaded")
        drawn = inspector.page.evaluate(DIAGRAMS)
        assert drawn, slug
        assert [one for one in drawn if not one[1] or one[2] < 12.9] == [], slug


HIDDEN = """() => [...document.querySelectorAll(".diagram svg :is(rect, text, path, circle)")]
  .filter((part) => !part.closest("defs") && getComputedStyle(part).display === "none")
  .map((part) => part.outerHTML)"""


def test_diagrams_are_whole_on_paper(inspector: Inspector) -> None:
    inspector.page.emulate_media(media="print", color_scheme="dark")
    for slug in SLUGS:
        inspector.page.goto(f"{inspector.server}/learn/{slug}", wait_until="domcontentloaded")
        assert inspector.page.evaluate(HIDDEN) == [], slug


@pytest.mark.parametrize(
    "path",
    [
        "/help/python",
        "/help?q=mute",
        "/learn",
        "/learn/teachers",
        *(material.path for material in MATERIALS),
    ],
)
def test_axe_is_content_with_the_other_pages(inspector: Inspector, path: str) -> None:
    inspector.open(path)
    for _, width in appearances(inspector.page, 1440, 390):
        accessible(inspector.page)
        assert inspector.page.evaluate("document.documentElement.scrollWidth") <= width


def test_folded_code_is_open_on_paper_and_the_links_to_the_parts_are_left_out(
    inspector: Inspector,
) -> None:
    page = inspector.page
    page.goto(f"{inspector.server}/learn/averaging")
    code, parts = page.locator(".prose > details pre").first, page.locator(".prose > .parts")
    expect(code).to_be_hidden()
    expect(parts).to_be_visible()
    page.emulate_media(media="print")
    expect(code).to_be_visible()
    expect(parts).to_be_hidden()

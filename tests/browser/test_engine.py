"""The page that computes by itself: the same numbers, also when its server is gone."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from scripts import live
from tests.browser.appearances import accessible, appearances, resize
from tests.browser.contexts import Pages
from tests.browser.inspector import (
    SAVES_DATA,
    TIMEOUT_S,
    WITH_PLOTLY,
    Inspector,
    connected,
    rested,
    unfold,
)

pytestmark = [pytest.mark.browser, pytest.mark.fresh]
TEXT = "/?text=The+dogs+near+the+river+are+old."
LINK = f"{TEXT}&layer=1&head=2"
HERE = "&engine=page"
NEAR = 2e-5  # as in tests/api/test_engine.py

OFFER, SAID = "The server does not answer.", "This page computes by itself."
GO, BACK = "Go on without it", "Use the server"
ALL_FETCHED_MS = 75_000  # by then the page has begun to fetch what it needs to go on alone


def asked(page: Page, path: str = "/api/") -> list[str]:
    """The requests from now on whose path matches."""
    found: list[str] = []

    def note(request: Request) -> None:
        if re.match(path, urlsplit(request.url).path):
            found.append(f"{request.method} {request.url}")

    page.on("request", note)
    return found


def numbers(inspector: Inspector) -> np.ndarray[Any, np.dtype[np.float64]]:
    """What the heatmap shows; NaN for a cell without a number."""
    return np.array(inspector.figure()["z"], dtype=float)


def shown(inspector: Inspector) -> dict[str, Any]:
    return {
        "tokens": inspector.page.locator("#chips").inner_text(),
        "next": inspector.page.locator("#next-panel").inner_text(),
        "numbers": numbers(inspector),
    }


def alike(here: dict[str, Any], there: dict[str, Any]) -> bool:
    np.testing.assert_allclose(here.pop("numbers"), there.pop("numbers"), rtol=0, atol=NEAR)
    assert here == there
    return True


CHOICES = (
    "&layer=1&head=2",
    "&layer=2&head=7&matrix=scores",
    "&layer=1&head=2&causal=false&muted=0.1&query=4",
    "&layer=1&head=2&window=2&block=*.1.2_4.2&matrix=value_weighted",
    "&layer=2&head=3&text=Hi.&padding_side=left&shown=1",
    "&layer=2&head=0&matrix=rollout",
    "&layer=0&head=0&model=scratch",
)


def test_it_shows_the_numbers_of_the_server(inspector: Inspector) -> None:
    context = inspector.page.context
    here, there = (
        Inspector(page, inspector.server, is_shared=True)
        for page in (context.new_page(), inspector.page)
    )
    sent = asked(here.page)
    for choice in CHOICES:
        one, other = shown(here.open(TEXT + choice + HERE)), shown(there.open(TEXT + choice))
        assert alike(one, other), choice
    assert sent == []
    assert here.errors == []


def test_everything_that_a_reader_does_is_computed_in_the_page(inspector: Inspector) -> None:
    page = inspector.page
    sent = asked(page)
    inspector.open(LINK + HERE).probed()
    inspector.type("The keys near the old cabinet")
    expect(page.locator("#chips")).to_contain_text("cabinet")
    page.locator("#grid [tabindex='0']").first.focus()
    inspector.press("c")
    inspector.press("c", "p", "p", "m")
    expect(page.locator("#muted")).to_be_visible()
    for tab, row in (("lens", ".lens > li"), ("effects", "#effects-panel .effects li")):
        page.locator(f"#{tab}-tab").click()
        expect(page.locator(row).first).to_be_visible()
    for matrix in ("rollout", "flow", "scores"):
        unfold(page, "matrix")
        page.locator(f"#matrix input[value={matrix}]").check()
        inspector.ready()
    unfold(page, "find")
    page.locator("#find input[name=by][value=sentence]").check()
    inspector.ready()
    for view in ("lines", "inside", "text", "compare"):
        inspector.view(view).ready()
    inspector.view("heatmap")
    page.locator("#model").select_option("scratch")
    inspector.ready()
    assert sent == []


def test_a_saved_file_is_the_one_of_the_server(inspector: Inspector) -> None:
    def saved() -> Any:
        with inspector.page.expect_download() as found:
            inspector.save("JSON")
        return json.loads(Path(found.value.path()).read_text())

    inspector.open(LINK)
    there = saved()
    inspector.page.goto("about:blank")  # it may still ask once the reader rests
    sent = asked(inspector.page)
    inspector.open(LINK + HERE)
    here = saved()
    assert sent == []
    assert here.keys() == there.keys()
    assert here["tokens"] == there["tokens"]
    one, other = (each["sites"][0]["tensors"]["pattern"] for each in (here, there))
    np.testing.assert_allclose(one, other, rtol=0, atol=NEAR)


def test_a_mistake_in_a_request_is_said_as_by_the_server(inspector: Inspector) -> None:
    long = "word " * 1_100
    inspector.open(LINK)
    inspector.page.locator("textarea").first.fill(long)
    problem = inspector.page.locator("#problem p")
    expect(problem).to_contain_text("tokens")
    there = problem.inner_text()
    inspector.errors.clear()  # the browser logs the 422
    inspector.open(LINK + HERE)
    inspector.page.locator("textarea").first.fill(long)
    expect(problem).to_have_text(there)


def test_a_first_visit_loads_nothing_of_the_engine(inspector: Inspector) -> None:
    found = asked(inspector.page, r"/engine/|/static/.*(/engine/|engine-(worker|here))")
    inspector.open("/").probed()
    inspector.page.wait_for_load_state("networkidle")
    assert found == []
    assert inspector.page.workers == []


def test_without_workers_the_page_computes(inspector: Inspector) -> None:
    inspector.page.add_init_script("delete globalThis.Worker")
    sent = asked(inspector.page)
    inspector.open(LINK + HERE)
    inspector.type("The keys near it")
    expect(inspector.page.locator("#chips")).to_contain_text("keys")
    assert sent == []


def test_a_lesson_computes_by_itself_and_says_so_in_its_links(inspector: Inspector) -> None:
    sent = asked(inspector.page)
    inspector.page.goto(f"{inspector.server}/learn/query-key-value?engine=page")
    inspector.state("ready")
    expect(inspector.page.get_by_text(SAID)).to_be_visible()
    figure = inspector.page.locator("figure[data-state=ready]").first
    for link in (figure.locator(".figure-links a"), inspector.page.locator("a[rel=next]")):
        assert "engine=page" in str(link.get_attribute("href"))
    assert sent == []


@pytest.fixture(scope="module")
def in_pages() -> Iterator[str]:
    """A server that lets pages compute."""
    with live.serving(engine="page") as address:
        yield address


def test_a_setting_lets_every_page_compute(pages: Pages, in_pages: str) -> None:
    page = pages(1280, 720)
    sent = asked(page)
    Inspector(page, in_pages).open("/").probed()
    expect(page.get_by_text(SAID)).to_be_visible()
    assert sent == []
    Inspector(page, in_pages).open("/?engine=server")
    expect(page.get_by_text(SAID)).to_be_hidden()
    assert sent != []
    page.close()


# The server does not answer.


def never(route: Route) -> None:
    """Let a request wait for ever."""


def in_its_place(page: Page) -> bool:
    """Whether all that the page says is in the window, and covers no link and no tool."""
    return bool(
        page.evaluate(
            """() => {
              const boxesOf = (selector) =>
                [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
              const others = boxesOf(".brand, .bar nav a, .bar-tools button").filter(
                ({ width }) => width,
              );
              const said = boxesOf(".waiting").filter(({ width }) => width);
              return said.length > 0 && said.every((box) =>
                box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight
                && others.every((other) => other.right <= box.left || other.left >= box.right
                  || other.bottom <= box.top || other.top >= box.bottom));
            }"""
        )
    )


@pytest.mark.parametrize("depth", ["start", "full"])
def test_what_is_said_about_a_silent_server_covers_no_link(
    inspector: Inspector, depth: str
) -> None:
    page = inspector.page
    sizes = [(1920, 1000), (1440, 900), (1280, 720), (1024, 768), (390, 844)]
    inspector.open(f"{LINK}&depth={depth}")
    tools, below = page.locator(".bar-tools"), page.locator("textarea").first
    places = {}
    for width, height in sizes:
        resize(page, width, height)
        places[width] = (tools.bounding_box(), below.bounding_box())
    page.route(f"{inspector.server}/api/**", never)
    page.locator("textarea").first.fill("The keys near it")
    go = page.get_by_role("button", name=GO)
    expect(go).to_be_visible()
    expect(page.get_by_role("progressbar")).to_be_hidden()  # one of them says it
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    for width, height in sizes:
        resize(page, width, height)
        assert in_its_place(page), width
    go.click()
    inspector.ready()
    for width, height in sizes:
        resize(page, width, height)
        assert in_its_place(page), width
        assert (tools.bounding_box(), below.bounding_box()) == places[width], "nothing moves"


def test_a_reader_can_leave_a_server_that_is_silent_and_come_back(inspector: Inspector) -> None:
    page = inspector.page
    inspector.open(LINK)
    page.route(f"{inspector.server}/api/**", never)
    sent = asked(page)
    page.locator("textarea").first.fill("The keys near it")
    offer = page.get_by_text(OFFER)
    rested(page, 2_000)
    expect(offer).to_be_hidden()
    expect(offer).to_be_visible()
    inspector.state("loading")  # the page does not switch by itself
    for _ in appearances(page, 1440, 1024, 390):
        assert accessible(page, "header")
    page.get_by_role("button", name=GO).click()
    inspector.ready()
    expect(page.locator("#chips")).to_contain_text("keys")
    expect(page.get_by_text(SAID)).to_be_visible()
    before = len(sent)
    inspector.type("The boats are old")
    expect(page.locator("#chips")).to_contain_text("boats")
    assert len(sent) == before
    assert "engine" not in page.url  # the next visit asks the server
    for _ in appearances(page, 1440, 1024, 390):
        assert accessible(page, "header")
    page.unroute(f"{inspector.server}/api/**")
    page.get_by_role("button", name=BACK).click()  # this server is ready, so it is there
    expect(page.get_by_text(SAID)).to_be_hidden()
    inspector.type("The cat is old")
    assert len(sent) > before


def test_a_long_analysis_that_reports_progress_is_no_silence(inspector: Inspector) -> None:
    page = inspector.page
    inspector.open(LINK)
    progress = 'event: progress\ndata: {"state": "computing", "done": 1, "total": 9}\n\n'

    def slowly(route: Route) -> None:
        if route.request.headers["accept"] != "text/event-stream":
            route.fallback()
            return
        route.fulfill(body=progress, headers={"Content-Type": "text/event-stream"})

    page.route("**/api/trace", slowly)
    page.locator("#effects-tab").click()
    rested(page, 3_500)
    expect(page.get_by_text(OFFER)).to_be_hidden()


def test_a_page_goes_on_when_its_server_is_killed(chromium: Browser) -> None:
    """What it needs was fetched while there was a server."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(1000 * TIMEOUT_S)
    page = context.new_page()
    page.add_init_script(connected("4g"))
    page.clock.install()
    with live.running() as server:
        inspector = Inspector(page, server.address).open(LINK)
        page.keyboard.press("Shift")  # the reader is there
        with page.expect_response("**/model.safetensors") as found:
            page.clock.fast_forward(ALL_FETCHED_MS)
        found.value.finished()
        page.wait_for_load_state("networkidle")
        server.process.kill()
        server.process.wait()
        page.locator("textarea").first.fill("The keys near it")
        page.clock.run_for(4_000)
        page.get_by_role("button", name=GO).click()
        inspector.ready()
        expect(page.locator("#chips")).to_contain_text("keys")
        expect(page.get_by_role("button", name=BACK)).to_be_hidden()
        command = [sys.executable, "-m", "server.cli", "serve", "--port", str(server.port)]
        with live.started(command, server.address, "/readyz", {}):
            page.get_by_role("button", name=BACK).click()
            inspector.type("The boats are old")
            expect(page.locator("#chips")).to_contain_text("boats")
    context.close()


@pytest.mark.parametrize(
    ("says", "acts"),
    [
        (SAVES_DATA, True),
        (connected("3g"), True),
        (connected(None), True),
        (connected("4g"), False),
    ],
    ids=["saves data", "slow", "does not say", "nobody is there"],
)
@pytest.mark.fresh
def test_megabytes_are_fetched_in_advance_only_where_they_are_no_burden(
    inspector: Inspector, says: str, acts: bool
) -> None:
    page = inspector.page
    page.add_init_script(f"{says}; {WITH_PLOTLY}")
    page.clock.install()
    found = asked(page, "/engine/|/.*plotly")
    inspector.open(LINK)
    if acts:
        page.keyboard.press("Shift")
    for _ in range(3):  # what the page asks at rest is answered before the time jumps
        page.clock.run_for(1_000)
        page.wait_for_load_state("networkidle")
    page.clock.fast_forward(ALL_FETCHED_MS)
    page.wait_for_load_state("networkidle")
    assert found == []

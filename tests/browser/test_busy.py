"""The requests of the page and how it waits: one request per keystroke, and it never gives up."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, Request, Route, expect

from scripts import live
from tests.browser.appearances import accessible, appearances
from tests.browser.contexts import Pages
from tests.browser.inspector import Inspector, is_extra, looks, rested

pytestmark = pytest.mark.browser
LINK = "/?text=The+cat+sat+on+the+mat.&layer=1&head=2"
TRACE = "**/api/trace"


def asked(page: Page) -> list[dict[str, Any]]:
    """The bodies of all requests for traces from now on, but those that nothing waits for."""
    found: list[dict[str, Any]] = []

    def note(request: Request) -> None:
        if request.url.endswith("/api/trace") and not is_extra(request):
            found.append(json.loads(request.post_data or "{}"))

    page.on("request", note)
    return found


def press(inspector: Inspector, key: str) -> None:
    """One key at the end of the sentence."""
    box = inspector.page.locator("#sentences textarea").first
    box.press("End")
    box.press(key)


def busy(route: Route, after: str = "1") -> None:
    error = {"code": "busy", "message": "Too many wait.", "field": None, "limit": None}
    route.fulfill(status=503, headers={"Retry-After": after}, json={"error": error})


def picture(inspector: Inspector) -> Any:
    return inspector.figure()["z"], inspector.page.locator("#chips").inner_text()


# One request.


def test_a_keystroke_is_one_request(inspector: Inspector) -> None:
    inspector.open(LINK)
    sent = asked(inspector.page)
    press(inspector, "s")
    inspector.ready()
    assert len(sent) == 1
    assert set(sent[0]["parts"]) == {"grid", "detail"}
    assert sent[0]["parts"]["grid"]["dtype"] == "uint8"
    assert sent[0]["predict"]["top_k"] == 10
    assert "analyse" not in sent[0]  # no scores and no lens that nobody looks at


def test_a_reader_who_rests_is_told_what_muting_would_do(inspector: Inspector) -> None:
    """One request more, for which nothing waits, and which makes way for the next keystroke."""
    page = inspector.page
    inspector.open(LINK)
    with page.expect_request(is_extra) as first:
        press(inspector, "s")
        inspector.ready()
    assert json.loads(first.value.post_data or "")["muted"] == [[1, 2]]
    expect(page.locator("#explain")).to_contain_text("Muting this head")
    page.route(TRACE, lambda route: None if is_extra(route.request) else route.continue_())
    with page.expect_request(is_extra) as held:
        press(inspector, "s")
        inspector.ready()
    expect(page.locator("#waiting")).to_be_hidden()
    with page.expect_event("requestfailed") as failed:
        press(inspector, "s")
        inspector.ready()
    assert failed.value == held.value


def test_what_is_open_rides_along(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&right=lens&by=sentence&view=inside")
    sent = asked(inspector.page)
    press(inspector, "s")
    inspector.ready()
    assert set(sent[0]["parts"]) == {"grid", "detail", "inside"}
    assert sent[0]["analyse"]["scores"] and sent[0]["analyse"]["lens"]
    numbers = inspector.page.locator("tr[data-key]")
    assert numbers.count() == inspector.page.locator("#chips .chip").count()
    # reading all tokens at all stages takes longer, so it comes after the picture
    expect(inspector.page.locator(".decided button")).to_have_count(numbers.count())
    assert [one["analyse"] for one in sent[1:]] == [{"decided": {"tuned": False}}]


def test_another_head_asks_for_that_head_alone(inspector: Inspector) -> None:
    inspector.open(LINK)
    sent = asked(inspector.page)
    inspector.press("ArrowRight")
    [request] = sent
    [select] = looks(request)
    assert (select["layers"], select["heads"]) == ([1], [3])
    assert request["predict"] is None and "analyse" not in request
    inspector.press("ArrowLeft", "]")  # a head that was there before, then another query
    assert [looks(one) for one in sent[2:]] == [[{"layers": []}]]


# No giving up.


def test_a_busy_server_is_asked_until_it_answers(inspector: Inspector) -> None:
    inspector.open(LINK)
    before = picture(inspector)
    refused = 0

    def refuse(route: Route) -> None:
        nonlocal refused
        if is_extra(route.request):
            return route.continue_()
        refused += 1
        return busy(route) if refused <= 5 else route.continue_()

    inspector.page.route(TRACE, refuse)
    press(inspector, "s")
    line = inspector.page.locator("#waiting")
    expect(line).to_contain_text(re.compile(r"Busy\..*Trying again in \d+ s\."))
    assert picture(inspector)[0] == before[0]  # the last one stays
    assert inspector.page.locator("#problem").is_hidden()
    expect(inspector.page.locator("html")).to_have_attribute("data-state", "loading")
    for _ in range(3):
        expect(line).to_contain_text(re.compile(r"in \d+ s\."))
        line.get_by_role("button", name="Try now").click()
    inspector.ready()  # the others by itself
    assert refused == 6
    expect(line).to_be_hidden()
    assert picture(inspector) != before
    inspector.errors.clear()  # Chromium itself logs the 503


def test_a_new_text_is_asked_when_the_server_allows_it(inspector: Inspector) -> None:
    inspector.open(LINK)
    times: list[float] = []

    def refuse(route: Route) -> None:
        if is_extra(route.request):
            return route.continue_()
        times.append(inspector.page.evaluate("performance.now()"))
        return busy(route, "2") if len(times) == 1 else route.continue_()

    inspector.page.route(TRACE, refuse)
    press(inspector, "s")
    expect(inspector.page.locator("#waiting")).to_contain_text("Busy.")
    sent = asked(inspector.page)
    press(inspector, "s")
    inspector.ready()
    assert [one["texts"] for one in sent] == [["The cat sat on the mat.ss"]]
    assert times[1] - times[0] >= 2000 - 100
    inspector.errors.clear()


@contextmanager
def serving_at(port: int) -> Iterator[live.Server]:
    command = [sys.executable, "-m", "server.cli", "serve", "--port", str(port)]
    with live.started(command, f"http://127.0.0.1:{port}", "/readyz", {}) as server:
        yield server


def test_the_page_comes_back_with_its_server(pages: Pages) -> None:
    port = live.free_port()
    page = pages(1280, 720)
    with serving_at(port) as server:
        inspector = Inspector(page, server.address).open(LINK)
        before = picture(inspector)
    press(inspector, "s")
    line = page.locator("#waiting")
    expect(line).to_contain_text("The server cannot be reached. Trying again in")
    assert picture(inspector)[0] == before[0]
    with serving_at(port):
        page.evaluate("dispatchEvent(new Event('online'))")
        inspector.ready()
        expect(line).to_be_hidden()
        assert picture(inspector) != before


def test_what_will_never_be_answered_is_an_error_at_once(inspector: Inspector) -> None:
    inspector.open(LINK)
    sent = asked(inspector.page)
    inspector.page.locator("#sentences textarea").first.fill("a b " * 2_000)
    inspector.state("error")
    expect(inspector.page.locator("#problem")).to_be_visible()
    expect(inspector.page.locator("#waiting")).to_be_hidden()
    n_sent = len(sent)
    rested(inspector.page, 1_500)  # nothing may be asked
    assert len(sent) == n_sent
    inspector.errors.clear()  # Chromium itself logs the 422


def test_an_expired_password_leads_to_its_page(pages: Pages) -> None:
    with live.serving(password="open sesame") as address:
        page = pages(1280, 720)
        page.goto(address + LINK)
        page.get_by_label("Password").fill("open sesame")
        page.get_by_role("button", name="Continue").click()
        inspector = Inspector(page, address).ready()
        page.context.clear_cookies()
        press(inspector, "s")
        expect(page.locator("#problem")).to_contain_text("asks for its password again")
        page.get_by_role("button", name="Enter the password").click()
        page.get_by_label("Password").fill("open sesame")
        page.get_by_role("button", name="Continue").click()
        inspector.ready()
        box = page.locator("#sentences textarea").first
        assert box.input_value() == "The cat sat on the mat.s"
        page.close()


# Long computations.


@pytest.fixture(scope="module")
def slow() -> Iterator[str]:
    """A server that may spend a long time on mute effects."""
    with live.serving(max_mute_tokens="1000000", max_work_s="600") as address:
        yield address


def long_link() -> str:
    """Eight texts, whose mute effects take too long to wait for."""
    text = "the old cat sat near the red boats " * 80
    return "/?" + urlencode({"right": "effects", "text": [text] * 8}, doseq=True)


def test_a_long_computation_tells_how_far_it_is_and_can_be_cancelled(
    pages: Pages, slow: str
) -> None:
    page = pages(1280, 720)
    inspector = Inspector(page, slow)
    page.goto(slow + long_link())
    bar = page.get_by_role("progressbar")
    expect(bar).to_have_attribute("aria-valuenow", re.compile(r"\d+"))
    assert re.search(r"Computing: \d+ of \d+", page.locator("#waiting").inner_text())
    before = page.locator("#chips").inner_text()
    with page.expect_event("requestfailed") as failed:  # the connection is closed
        page.keyboard.press("Escape")
    assert failed.value.failure == "net::ERR_ABORTED"
    expect(bar).to_be_hidden()
    panel = page.locator("#effects-panel")
    expect(panel).to_contain_text("Cancelled.")
    inspector.ready()
    assert page.locator("#chips").inner_text() == before
    panel.get_by_role("button", name="Try again").click()
    expect(bar).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(panel).to_contain_text("Cancelled.")


@pytest.mark.fresh
def test_a_picture_that_takes_long_can_be_cancelled_too(inspector: Inspector) -> None:
    inspector.open(LINK)
    before = picture(inspector)
    held: list[Route] = []
    inspector.page.route(TRACE, lambda route: held.append(route))
    press(inspector, "s")
    expect(inspector.page.locator("#waiting")).to_contain_text("Computing …")
    inspector.page.get_by_role("button", name="Cancel").click()
    problem = inspector.page.locator("#problem")
    expect(problem).to_contain_text("Cancelled. Nothing has changed.")
    assert picture(inspector)[0] == before[0]
    inspector.page.unroute(TRACE)
    problem.get_by_role("button", name="Try again").click()
    inspector.ready()
    assert picture(inspector) != before
    expect(problem).to_be_hidden()


@pytest.mark.fresh
def test_a_picture_does_not_wait_for_mute_effects(inspector: Inspector) -> None:
    page = inspector.page
    inspector.open(LINK)
    held: list[Route] = []

    def hold(route: Route) -> None:
        """Make mute effects take as long as we like, on any machine."""
        if '"mute_effects":{' in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    page.route(TRACE, hold)
    page.get_by_role("tab", name="Mute effects").click()
    expect(page.locator("#waiting")).to_contain_text("Computing …")
    assert len(held) == 1
    page.locator("#heads-title").click()
    with page.expect_event("requestfailed") as failed:  # they make way, and are asked again
        page.keyboard.press("ArrowRight")
    assert failed.value == held[0].request
    expect(page.locator("#head-title")).to_contain_text("head 3")
    inspector.ready()
    expect(page.locator("#waiting")).to_contain_text("Computing …")
    first, again = (route.request.post_data for route in held)
    assert first == again


@pytest.mark.fresh
def test_axe_finds_nothing_while_it_waits(inspector: Inspector) -> None:
    inspector.open(LINK)
    inspector.page.route(TRACE, lambda route: busy(route, "60"))
    press(inspector, "s")
    expect(inspector.page.locator("#waiting")).to_contain_text("Busy.")
    for _ in appearances(inspector.page):
        accessible(inspector.page)
    inspector.page.unroute(TRACE)
    inspector.page.route(TRACE, lambda route: None)
    inspector.page.get_by_role("button", name="Try now").click()
    expect(inspector.page.get_by_role("progressbar")).to_be_visible()
    for _ in appearances(inspector.page):
        accessible(inspector.page)
    inspector.errors.clear()

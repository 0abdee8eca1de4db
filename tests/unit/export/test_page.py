"""A page as one file: nothing in it can become markup, and its policy allows its own scripts."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import NamedTuple

import pytest

from server.pages.assets.pages import templates
from server.pages.assets.release import Release
from server.pages.export.carried import inline, packed, script_of
from server.pages.export.page import Contents, NotPackedError, export_page
from tests.exported import brought, unpacked

HOSTILE = """</script><script>alert("1")</script> <!-- ' " & ]]> </style>"""
FILES = {
    "packed/start.js": b"// starts main.js",
    "packed/whole-main.js": b"const at = import.meta.url;",
    "packed/engine-worker.js": b"// the worker",
    "packed/own-worker.js": b"// another worker",
    "packed/page.css": b"body { margin: 0 }",
    "js/scheme.js": b"// the scheme",
    "js/depth.js": b"// the depth",
    "icon.svg": b"<svg/>",
}
CONTENTS = Contents(
    models=[{"name": HOSTILE}],
    gallery=[{"title": HOSTILE}],
    limits={"texts": 8},
    inside={"sources.json": HOSTILE.encode()},
    about=[HOSTILE],
)


class Element(NamedTuple):
    tag: str
    attributes: dict[str, str | None]
    text: str


class Reader(HTMLParser):
    """The elements of a page, with the text of each script and style sheet, as a browser reads."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.words = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem is not None:  # within a script or a style sheet
            self.elements[-1] = self.elements[-1]._replace(text=self.elements[-1].text + data)
        self.words += data

    def of(self, tag: str) -> list[Element]:
        return [element for element in self.elements if element.tag == tag]


def read(query: str = "") -> Reader:
    return Reader(export_page(templates(), Release("0" * 12, FILES), CONTENTS, query))


def carried(page: Reader) -> dict[str | None, bytes]:
    scripts = {each.attributes.get("data-inside"): each for each in page.of("script")}
    return {name: unpacked(each.text) for name, each in scripts.items() if name}


def test_texts_and_names_stay_data() -> None:
    page = read(f"?text={HOSTILE}")
    [html] = page.of("html")
    assert html.attributes["data-file"] == f"?text={HOSTILE}"
    boot, *_ = [each for each in page.of("script") if each.attributes.get("id") == "boot"]
    found = json.loads(boot.text)
    assert found["models"] == [{"name": HOSTILE}]
    assert found["gallery"] == [{"title": HOSTILE}]
    assert HOSTILE in page.words  # in the lines about the file
    kinds = [each.attributes.get("type") for each in page.of("script")]
    assert kinds == [None, None, "application/json", "module", *["application/octet-stream"] * 5]
    assert len(page.of("style")) == 1


def test_the_policy_allows_these_scripts_and_nothing_from_outside() -> None:
    page = read()
    [policy] = [
        str(each.attributes["content"])
        for each in page.of("meta")
        if each.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    run = [each for each in page.of("script") if each.attributes.get("type") in (None, "module")]
    inside = [text for name, text in carried(page).items() if str(name).endswith(".js")]
    texts = [*(each.text.encode() for each in run), *inside]
    hashes = [
        f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'" for text in texts
    ]
    assert len(hashes) == 6
    assert rules["script-src"].split() == hashes
    assert {rules[name] for name in ("default-src", "connect-src", "base-uri")} == {"'none'"}
    assert "http" not in policy
    assert "self" not in policy
    places = [element.tag for element in page.elements]
    assert places.index("meta") < places.index("link") < places.index("script")


def test_it_loads_nothing_and_leads_nowhere() -> None:
    for element in read().elements:
        for name in ("src", "href", "action", "poster", "srcset"):
            address = element.attributes.get(name)
            assert address is None or re.match("data:|#", address), element


def test_what_is_inside_comes_out_again() -> None:
    assert carried(read()) == {
        "sources.json": HOSTILE.encode(),
        "page.css": b"body { margin: 0 }",
        "main.js": b"const at = document.baseURI;",
        "engine-worker.js": b"// the worker",
        "own-worker.js": b"// another worker",
    }
    assert packed(b"a" * 1000) == packed(b"a" * 1000)


def test_a_shared_script_holds_the_same() -> None:
    contents = {"sources.json": HOSTILE.encode(), "b.js": b"//"}
    assert brought(script_of(contents)) == contents


@pytest.mark.parametrize("code", ["a</SCRIPT >", "'<!--'", "</style>"])
def test_a_script_that_would_end_its_element_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="it contains"):
        inline(code)


def test_a_module_without_an_address_has_the_page_s() -> None:
    assert carried(read())["main.js"] == b"const at = document.baseURI;"


def test_a_page_that_is_not_packed_is_refused_with_what_to_do() -> None:
    plain = {path: FILES[path] for path in FILES if not path.startswith("packed/")}
    with pytest.raises(NotPackedError, match=r"scripts\.pack"):
        export_page(templates(), Release("0" * 12, plain), CONTENTS, "")

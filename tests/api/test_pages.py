"""Pages and their files: nothing is loaded from elsewhere, and no browser mixes two releases."""

import json
import logging
import re
from html.parser import HTMLParser
from pathlib import Path
from shutil import copytree

import pytest
from fastapi.testclient import TestClient
from jsonschema import Draft202012Validator

from model.errors import CheckpointError
from model.gallery import GALLERY, Entry, save_gallery, to_json
from model.masks.rules import MaskSettings
from model.sources.registry import Progress, Registry
from model.sources.source import Source
from server.pages.assets.encoded import IMMUTABLE
from server.pages.assets.release import current
from server.pages.assets.vendor import VENDOR, vendor_path, vendor_url
from tests.api.conftest import Serve

pytestmark = pytest.mark.long


class Page(HTMLParser):
    """The addresses that a page loads, its inline scripts, and its handlers in attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.data: dict[str, str] = {}
        self.inline: list[str] = []
        self.handlers: list[str] = []
        self._inside: dict[str, str | None] | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        named = dict(attributes)
        self.handlers += [name for name in named if name.startswith("on")]
        if tag in ("script", "img", "iframe") and named.get("src"):
            self.loads.append(str(named["src"]))
        if tag == "link":
            self.loads.append(str(named["href"]))
        self._inside = named if tag == "script" and "src" not in named else None

    def handle_data(self, data: str) -> None:
        if self._inside is None:
            return
        if self._inside.get("type") == "application/json":
            self.data[str(self._inside.get("id"))] = data
        else:
            self.inline.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._inside = None


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_page_is_all_ours(client: TestClient, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["cache-control"] == "no-cache"
    page = Page(response.text)
    assert page.loads
    assert page.inline == page.handlers == []
    for address in page.loads:
        assert re.match(r"/static/[0-9a-f]{12}/\w|/vendor/.+\?v=\w", address), address
        loaded = client.get(address)
        assert loaded.status_code == 200
        assert loaded.headers["cache-control"] == IMMUTABLE
    assert not re.search(r"(src|href)=\W*(https?:)?//", response.text)


def test_page_starts_from_what_the_api_says(client: TestClient) -> None:
    page = Page(client.get("/").text)
    boot = json.loads(page.data["boot"])
    assert boot["models"] == client.get("/api/models").json()["models"]
    assert boot["limits"] == {"texts": 8, "characters": 20_000, "tokens": 1_024}
    assert client.get(boot["plotly_url"]).status_code == 200


def test_page_holds_the_examples_of_the_shipped_model(
    serve: Serve, tiny_folder: Path, tmp_path: Path
) -> None:
    folder = Path(copytree(tiny_folder, tmp_path / "shipped"))
    said = ("A <b>title</b>", ("The cat.", "A dog."), 1, 2, 1, "Look at “cat”.")
    entry = Entry(*said, masks=MaskSettings(causal=False), muted=((1, 2),), view="lines")
    save_gallery(folder, [entry])
    page = Page(serve(shipped=folder).get("/").text)
    assert json.loads(page.data["boot"])["gallery"] == [
        {
            "title": "A <b>title</b>",
            "texts": ["The cat.", "A dog."],
            "look": "Look at “cat”.",
            "layer": 1,
            "head": 2,
            "query": 1,
            "masks": {"causal": False},
            "muted": [[1, 2]],
            "view": "lines",
        }
    ]


UNKNOWN_VIEW = json.dumps([to_json(Entry("A", ("a",), 0, 0, 0, "", view="table"))])


@pytest.mark.parametrize("content", [None, "{", '[{"title": "no more"}]', UNKNOWN_VIEW])
def test_page_stands_without_examples(
    serve: Serve,
    tiny_folder: Path,
    tmp_path: Path,
    content: str | None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    folder = Path(copytree(tiny_folder, tmp_path / "shipped"))
    if content is not None:
        (folder / GALLERY).write_text(content)
    with caplog.at_level(logging.ERROR, logger="headlight"):
        page = Page(serve(shipped=folder).get("/").text)
    assert json.loads(page.data["boot"])["gallery"] == []
    assert ("will show no examples" in caplog.text) == (content is not None)


def test_boot_data_cannot_leave_its_element(serve: Serve) -> None:
    def load(progress: Progress) -> Source:
        raise CheckpointError("There is none.")

    name = "</script><script>alert(1)</script>"
    client = serve(Registry({name: load}))
    page = Page(client.get("/").text)
    boot = json.loads(page.data["boot"])
    assert boot["models"][0]["name"] == name
    assert boot["gallery"] == []  # the examples are the shipped model's
    assert page.inline == []


def test_versioned_file_is_kept_and_unversioned_file_is_asked_about(client: TestClient) -> None:
    versioned = current().address("js/state/store.js")
    assert client.get(versioned).headers["cache-control"] == IMMUTABLE
    for address in ("/static/js/state/store.js", "/static/000000000000/js/state/store.js"):
        response = client.get(address)
        assert (response.status_code, response.headers["cache-control"]) == (200, "no-cache")
        tag = response.headers["etag"]
        again = client.get(address, headers={"If-None-Match": f'"other", {tag}'})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["cache-control"] == "no-cache"
        changed = client.get(address, headers={"If-None-Match": '"other"'})
        assert changed.status_code == 200


def test_modules_have_the_type_that_browsers_insist_on(client: TestClient) -> None:
    kind = client.get("/static/js/state/store.js").headers["content-type"]
    assert kind.startswith("text/javascript")


@pytest.mark.parametrize("name", VENDOR)
def test_vendor_file_comes_out_of_its_package(client: TestClient, name: str) -> None:
    address = vendor_url(name)
    length = vendor_path(name).stat().st_size
    for accepted, encoding in (("identity", None), ("br, gzip", "br"), ("gzip", "gzip")):
        response = client.get(address, headers={"Accept-Encoding": accepted})
        assert response.headers.get("content-encoding") == encoding
        assert response.content == vendor_path(name).read_bytes()
        assert int(response.headers["content-length"]) <= (0.4 if encoding else 1) * length
        assert response.headers["cache-control"] == IMMUTABLE
        assert "Accept-Encoding" in response.headers["vary"]
    assert client.get(f"/vendor/{name}").headers["cache-control"] == "no-cache"


def test_docs_start_file_asks_nobody_outside(client: TestClient) -> None:
    start = client.get("/static/js/docs.js").text
    assert "validatorUrl: null" in start
    assert not re.search(r"https?://", start)


def test_the_api_names_its_calls_as_verbs(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    names = {call["summary"] for calls in paths.values() for call in calls.values()}
    verbs = {name.partition(" ")[0] for name in names}
    ours = "Check List Read Resume Run Save Score Stop Study Trace Train"
    of_a_class = "Advance Answer Change End Follow Hide Join Moderate Open Put Set Start Take"
    assert verbs == {*ours.split(), *of_a_class.split()}
    assert {"Trace texts", "List models"} < names


def test_the_example_that_the_docs_offer_to_send_works(client: TestClient) -> None:
    schema = client.get("/openapi.json").json()
    example = schema["components"]["schemas"]["TraceRequest"]["examples"][0]
    assert client.post("/api/trace", json=example).status_code == 200


def test_api_describes_itself(client: TestClient) -> None:
    schema = client.get("/openapi.json").json()
    assert schema["openapi"] == "3.1.0"
    for described in schema["components"]["schemas"].values():
        Draft202012Validator.check_schema(described)
    assert schema["info"]["title"] == "Headlight API"
    of_a_class = {path for path in schema["paths"] if path.startswith("/api/classes")}
    assert len(of_a_class) > 10
    assert set(schema["paths"]) - of_a_class == {
        "/api/models",
        "/api/models/{name}/heads",
        "/api/models/{name}/circuits",
        "/api/models/{name}/dossier",
        "/api/models/{name}/film",
        "/api/lessons/{slug}/programs/{name}",
        "/api/training",
        "/api/training/{id}",
        "/api/training/files",
        "/api/training/{id}/{lane}/file",
        "/api/training/{id}/events",
        "/api/training/{id}/resume",
        "/api/training/{id}/stop",
        "/api/study",
        "/api/trace",
        "/healthz",
        "/readyz",
        "/metrics",
    }
    answers = schema["paths"]["/api/trace"]["post"]["responses"]
    assert set(answers) == {"200", "400", "404", "413", "415", "422", "500", "503"}
    kinds = {"application/json", "application/safetensors", "text/event-stream"}
    assert set(answers["200"]["content"]) == kinds
    for status in set(answers) - {"200"}:
        shape = answers[status]["content"]["application/json"]["schema"]
        assert shape == {"$ref": "#/components/schemas/ErrorResponse"}
    targets = schema["components"]["schemas"]["TraceRequest"]["properties"]["targets"]
    assert (targets["anyOf"][0]["type"], targets["anyOf"][0]["maxItems"]) == ("array", 8)
    assert "HTTPValidationError" not in json.dumps(schema)


@pytest.mark.parametrize("path", ["/", "/learn", "/learn/averaging", "/docs"])
def test_without_scripts_a_page_says_what_it_needs(client: TestClient, path: str) -> None:
    said = client.get(path).text.partition("<noscript>")[2].partition("</noscript>")[0]
    assert "JavaScript, which is off here" in said

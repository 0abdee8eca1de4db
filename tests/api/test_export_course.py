"""`headlight export course/`: the course as static pages."""

import base64
import hashlib
import json
import re
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from typer.testing import CliRunner, Result

from server.cli import app
from server.pages.assets import release
from server.pages.assets.packing import SCRIPTS, SHEETS, whole
from server.pages.assets.translated import key_of
from server.pages.export.lms import QTI, SCORM
from tests.exported import brought
from tests.lessons import SLUGS as ALL_SLUGS

pytestmark = pytest.mark.long

MAX_BYTES = 8_000_000
FILMED = "birth"  # it shows a film, which needs a server
SLUGS = [slug for slug in ALL_SLUGS if slug != FILMED]
HOSTILE = "</script><script>alert(1)</script><!--"


@pytest.fixture(autouse=True, scope="module")
def packed() -> Iterator[None]:
    """Scripts that count as packed: these tests read the pages, and do not run them."""
    before = release.current

    def current() -> release.Release:
        found = before()
        names = [f"packed/{name}" for name in (*map(whole, SCRIPTS), *SHEETS)]
        return release.Release(found.digest, {**dict.fromkeys(names, b"/* */"), **found.files})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("server.pages.export.command.current", current)
        yield


def export(*arguments: str, lessons: Path | None = None) -> Result:
    env = {"HEADLIGHT_LESSONS": str(lessons)} if lessons else {}
    return CliRunner().invoke(app, ["export", "-o", *arguments], env=env)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A teacher's lessons: one that is fine, and one that is not."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "20-ours.html").write_text(
        '<p>{{ "'
        + HOSTILE
        + '" }} <a href="/learn/masks#picture">Masks</a> <a href="/docs">API</a>'
        ' <a href="/?text=a&amp;head=2">see</a></p>{{ figure("one") }}'
    )
    figure = {"link": "?text=The+cat", "caption": HOSTILE}
    content = {"title": HOSTILE, "summary": "Short.", "figures": {"one": figure}}
    (folder / "20-ours.json").write_text(json.dumps(content))
    (folder / "21-broken.html").write_text("<p>a</p>")
    return folder


@pytest.fixture(scope="module")
def course(own: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder, and what the command said."""
    folder = tmp_path_factory.mktemp("exported") / "course"
    done = export(f"{folder}/", lessons=own)
    assert done.exit_code == 0, done.output
    return folder, done.output


class Links(HTMLParser):
    """What a page loads, what it leads to, and the names of its places."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.leads: list[str] = []
        self.names: set[str] = set()
        self.tags: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.names.add(given.get("id", ""))
        for name in ("src", "href", "action", "poster", "srcset"):
            if name in given:
                (self.leads if tag == "a" else self.loaded).append(given[name])


def pages(folder: Path) -> dict[str, Links]:
    return {
        path.relative_to(folder).as_posix(): Links(path.read_text(encoding="utf-8"))
        for path in folder.rglob("*.html")
    }


def test_packages_for_learning_platforms_belong_to_the_course(tmp_path: Path) -> None:
    refused = export(str(tmp_path / "page.html"), "--lms")
    assert refused.exit_code == 1 and "expected a folder" in refused.output


def test_the_course_is_in_a_language_that_it_is_translated_into(tmp_path: Path) -> None:
    folder = tmp_path / "kurs"
    refused = export(f"{folder}/", "--language", "ar")
    assert refused.exit_code == 1
    assert "The course is in en, de, es, zh-Hans; got --language ar." in refused.output
    assert export(f"{folder}/", "--language", "fr").exit_code == 2  # there is no such language
    assert export(f"{folder}/", "--language", "de").exit_code == 0
    for name, html in {path.stem: path.read_text() for path in folder.rglob("*.html")}.items():
        assert '<html lang="de"' in html, name
    lesson = (folder / "lessons/averaging.html").read_text()
    assert "Die Vergangenheit mitteln" in lesson
    [address] = re.findall(r'<script src="([^"]*/translations-learn.js)"', lesson)
    assert f'"{key_of("Run")}":"Ausführen"' in (folder / "lessons" / address).read_text()


def test_there_is_a_page_for_every_lesson(course: tuple[Path, str]) -> None:
    folder, said = course
    assert "“How a head is born” shows the film of a model, which needs a server" in said
    assert set(pages(folder)) == {
        "index.html",
        "inspector.html",
        *(f"lessons/{slug}.html" for slug in (*SLUGS, "ours")),
        "teachers.html",
        "glossary.html",
        *(f"teachers/{name}.html" for name in ("slides", "answers")),
        *(f"games/{name}.html" for name in ("cards", "hunt", "detective", "bets", "pairs")),
    }
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < MAX_BYTES
    assert "A lesson was left out. 21-broken.json" in said
    assert re.search(rf"{re.escape(str(folder))}/: [4-7]\.\d MB", said)


def test_every_link_leads_to_a_file_and_a_place_in_it(course: tuple[Path, str]) -> None:
    folder, _ = course
    found = pages(folder)
    for name, page in found.items():
        for link in (*page.loaded, *page.leads):
            target = urlsplit(link)
            if link in page.leads and target.scheme:  # another site, which a reader may open
                continue
            assert not target.scheme and not target.netloc and not link.startswith("/"), link
            assert not target.query, link
            path = urlsplit(urljoin(f"http://host/{name}", link)).path.removeprefix("/")
            assert (folder / path).is_file(), f"{name}: {link}"
            if target.fragment and path != "inspector.html":
                assert target.fragment in found[path].names, f"{name}: {link}"


def test_lessons_lead_to_the_inspector_and_to_each_other(course: tuple[Path, str]) -> None:
    found = pages(course[0])
    ours = found["lessons/ours.html"].leads
    assert "../inspector.html#text=a&head=2" in ours
    assert "masks.html#picture" in ours
    assert "since-2017.html" in ours  # the lesson before
    assert found["inspector.html"].leads.count("index.html") == 2  # the head and the help
    assert "lessons/averaging.html" in found["index.html"].leads


def test_a_page_may_load_only_what_lies_beside_it(course: tuple[Path, str]) -> None:
    [data] = course[0].rglob("shipped.js")
    inside = brought(data.read_text(encoding="utf-8"))
    workers = [inside[name] for name in ("engine-worker.js", "own-worker.js")]
    hashes = [base64.b64encode(hashlib.sha256(each).digest()).decode() for each in workers]
    for name, page in pages(course[0]).items():
        html = (course[0] / name).read_text(encoding="utf-8")
        [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
        rules = dict(rule.split(" ", 1) for rule in policy.replace("&#39;", "'").split("; "))
        assert rules["default-src"] == rules["connect-src"] == "'none'"
        assert rules["script-src"].split() == ["'self'", *(f"'sha256-{each}'" for each in hashes)]
        assert html.index("http-equiv") < html.index("<link") < html.index("<script")
        for script in re.findall(r"<script([^>]*)>", html):
            assert "src=" in script or "application/json" in script, name
        assert "module" not in " ".join(re.findall(r"<script([^>]*)>", html))
        assert "iframe" not in page.tags


def test_a_teacher_s_words_stay_data(course: tuple[Path, str]) -> None:
    html = (course[0] / "lessons/ours.html").read_text(encoding="utf-8")
    assert HOSTILE not in html
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in html
    [boot] = re.findall(r'id="lesson-boot">([^<]*)<', html)
    found = json.loads(boot)
    assert found["figures"]["one"]["caption"] == HOSTILE
    assert found["engine"]["usual"] == "page"
    assert found["engine"]["models"] == ["shipped", "scratch"]
    assert ">API</a>" in html
    assert "/docs" not in html


def test_only_what_shows_the_model_carries_it(course: tuple[Path, str]) -> None:
    folder, _ = course
    carries = {
        name: {Path(link).name for link in page.loaded if link.endswith(".js")}
        for name, page in pages(folder).items()
    }
    assert "shipped.js" in carries["inspector.html"] & carries["lessons/trained.html"]
    assert "shipped.js" in carries["lessons/ours.html"]
    assert {"scratch.js", "learn.js", "scheme.js"} == carries["lessons/averaging.html"]
    assert {"learn.js", "scheme.js"} == carries["index.html"]
    [script] = folder.rglob("shipped.js")
    inside = brought(script.read_text(encoding="utf-8"))
    assert {"engine-worker.js", "sources.json", "shipped/model.safetensors"} < inside.keys()
    assert "model" in json.loads(inside["shipped/tokenizer.json"])


def test_the_course_says_what_it_is_and_leaves_out_what_needs_a_server(
    course: tuple[Path, str],
) -> None:
    html = (course[0] / "index.html").read_text(encoding="utf-8")
    assert "they need no server" in html
    assert "1,000 held-out sentences" in html
    assert "could not be read" not in html  # the command has said it
    inspector = (course[0] / "inspector.html").read_text(encoding="utf-8")
    assert 'data-export="page"' not in inspector
    assert "plotly.min.js" not in inspector


def test_it_is_written_again_but_not_over_other_files(course: tuple[Path, str], own: Path) -> None:
    folder, _ = course
    assert export(str(folder), lessons=own).exit_code == 0  # an existing folder needs no slash
    other = folder / "thesis.tex"
    other.write_text("years of work")
    done = export(str(folder), lessons=own)
    assert done.exit_code == 1
    assert "thesis.tex" in done.output
    assert "--force" in done.output
    assert export(str(folder), "--force", "--lms", lessons=own).exit_code == 0
    assert other.read_text() == "years of work"
    with zipfile.ZipFile(folder / SCORM) as package:  # for learning platforms
        assert {f"lessons/{slug}.html" for slug in (*SLUGS, "ours")} <= set(package.namelist())
    assert (folder / QTI).is_file()
    other.unlink()


def test_what_only_a_file_has_is_refused(tmp_path: Path) -> None:
    done = export(f"{tmp_path}/course/", "--text", "a")
    assert done.exit_code == 1
    assert "A course has no --text" in done.output
    assert not (tmp_path / "course").exists()


def test_teachers_have_their_pages_and_nobody_else_is_led_there(course: tuple[Path, str]) -> None:
    found = pages(course[0])
    for name, page in found.items():
        if not name.startswith("teachers"):
            assert not [link for link in page.leads if "teachers" in link], name
    assert "teachers/slides.html#predicting" in found["teachers.html"].leads
    [join] = {link for link in found["teachers.html"].leads if "quiz=" in link}
    assert join.startswith("inspector.html#quiz=")
    assert [link for link in found["games/bets.html"].leads if "../inspector.html#quiz=" in link]
    for name in ("teachers.html", "teachers/answers.html", "games/hunt.html"):
        html = (course[0] / name).read_text(encoding="utf-8")
        assert "this server" not in html, name
        assert "QR code" not in html, name
        assert "Join sheet" not in html, name

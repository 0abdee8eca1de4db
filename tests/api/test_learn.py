"""Lessons as pages: ours are complete, a teacher's are added, and broken ones are reported."""

import html
import json
import logging
import re
import textwrap
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from server.api.routes.learn import router
from server.api.routes.teachers import MATERIALS
from server.pages.learning.lessons import OURS
from server.pages.learning.prose import PARTS
from tests.api.conftest import Serve
from tests.api.test_pages import Page

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "lessons.md").read_text()
STEMS = sorted(file.stem for file in OURS.glob("*.json"))
SLUGS = [stem[3:] for stem in STEMS]
SHEETS = [material.path for material in MATERIALS]
LESSONS = [f"/learn/{slug}" for slug in SLUGS]
PAGES = ["/learn", "/learn/glossary", "/learn/teachers", *SHEETS, *LESSONS]
HTML = {"Accept": "text/html,application/xhtml+xml"}


class Outline(HTMLParser):
    """The headings, ids, links, radio buttons and figures of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.levels: list[int] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.figures: list[str] = []
        self.landmarks: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        if named.get("id"):
            self.ids.append(str(named["id"]))
        if tag == "a" and "href" in named:
            self.links.append(str(named["href"]))
        if "data-figure" in named:
            self.figures.append(str(named["data-figure"]))
        is_menu = named.get("class") == "languages"  # it opens on demand
        if tag in ("main", "article", "nav") and not is_menu:
            self.landmarks.append(tag)


def blocks(language: str) -> list[str]:
    """The examples of the documentation."""
    return re.findall(rf"```{language}\n(.*?)```", DOCS, re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A teacher's folder with the lesson of the documentation."""
    return write(tmp_path / "mine", "10-she-or-he", *blocks("html"), *blocks("json"))


def write(folder: Path, stem: str, html: str, data: str | dict[str, Any]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / f"{stem}.html").write_text(html)
    (folder / f"{stem}.json").write_text(data if isinstance(data, str) else json.dumps(data))
    return folder


@pytest.mark.parametrize("path", PAGES)
def test_page_is_whole(client: TestClient, path: str) -> None:
    response = client.get(path, headers=HTML)
    assert response.status_code == 200
    assert response.headers["cache-control"] == "no-cache"
    page = Page(response.text)
    assert page.inline == page.handlers == []
    for address in page.loads:
        assert client.get(address).status_code == 200, address
    outline = Outline(response.text)
    assert outline.levels[:2] == [1, 2] or outline.levels == [1]
    steps = [b - a for a, b in zip(outline.levels, outline.levels[1:], strict=False)]
    assert outline.levels.count(1) == 1 and all(step <= 1 for step in steps)
    assert len(set(outline.ids)) == len(outline.ids)
    here = '<a id="learn" href="/learn" aria-current="page">'
    if path.startswith("/learn/games/"):  # no way to the plain inspector, whose labels tell
        assert outline.landmarks[0] == "main" and here not in response.text
    else:
        assert outline.landmarks[:2] == ["nav", "main"] and here in response.text


@pytest.mark.parametrize("path", [*PAGES, "/"])
def test_every_link_leads_somewhere(client: TestClient, path: str) -> None:
    outline = Outline(client.get(path).text)
    assert outline.links
    for link in outline.links:
        assert re.match(r"[/#?]|https://", link), link
        if link.startswith("https://"):
            continue
        address, _, fragment = link.partition("#")
        answer = client.get(address or path, headers=HTML)
        assert answer.status_code == 200, link
        if fragment:
            assert fragment in Outline(answer.text).ids, link


@pytest.mark.parametrize("stem", STEMS)
def test_lesson_of_ours_is_read_and_shows_what_its_json_says(client: TestClient, stem: str) -> None:
    told = json.loads((OURS / f"{stem}.json").read_text())
    response = client.get(f"/learn/{stem[3:]}")
    assert response.status_code == 200, client.app.state.lessons.problems  # type: ignore[attr-defined]
    boot = json.loads(Page(response.text).data["lesson-boot"])
    also = {"model": "sister"} if "sister" in str(told["figures"]) else {}
    assert boot["models"] == client.get("/api/models", params=also).json()["models"]
    assert set(Outline(response.text).figures) == set(boot["figures"]) == set(told["figures"])
    for name, figure in told["figures"].items():
        assert boot["figures"][name]["link"] == figure["link"]
        assert boot["figures"][name]["switches"] == figure.get("switches", [])
    shown = ("figure", "set", "answer", "number", "within")
    blank: dict[str, Any] = {"figure": None, "set": {}, "answer": None, "number": None, "within": 0}
    wanted = [{k: (blank | q)[k] for k in shown} for q in told.get("questions", [])]
    assert boot["questions"] == wanted
    assert response.text.count("data-reveal") == len(wanted) >= 2
    for asked in told["questions"]:  # each wrong option has its reason
        assert len(asked.get("wrong", [])) == max(len(asked.get("options", [])) - 1, 0), asked[
            "ask"
        ]


def test_the_words_are_in_order_and_each_lesson_names_its_sources(client: TestClient) -> None:
    text = client.get("/learn/glossary", headers=HTML).text
    words = re.findall(r"<dt>(.*?)(?: <span.*?)?</dt>", text)
    assert (
        len(words) > 35
        and words == sorted(words, key=str.casefold)
        and len(set(words)) == len(words)
    )
    ids = re.findall(r'class="term" id="(.*?)"', text)
    assert len(set(ids)) == len(words) and all(re.fullmatch(r"[a-z_-]+", each) for each in ids)
    for slug in SLUGS:
        lesson = client.get(f"/learn/{slug}", headers=HTML).text
        sources = lesson[lesson.index('id="sources"') :].partition("</section>")[0]
        assert re.findall(r"<li>.*?\d{4}.*?</li>", sources), slug
        assert 'href="/learn/glossary"' in lesson


@pytest.mark.parametrize("slug", SLUGS)
def test_code_of_a_lesson_is_the_lines_that_its_caption_names(
    client: TestClient, slug: str
) -> None:
    text = client.get(f"/learn/{slug}").text
    shown = re.findall(
        r'<figure class="code">\s*<pre[^>]*><code>(.*?)</code></pre>\s*'
        r"<figcaption>(\S+), lines? (\d+)(?:–(\d+))?(, without the docstring)?</figcaption>",
        text,
        re.DOTALL,
    )
    assert len(shown) == text.count('class="code"') >= 1
    for code, file, first, last, cut in shown:
        written = (ROOT / file).read_text().split("\n")[int(first) - 1 : int(last or first)]
        lines = textwrap.dedent("\n".join(written)).split("\n")
        told = html.unescape(re.sub("<[^>]+>", "", code)).split("\n")
        assert told[0] == lines[0] and told[-1] == lines[-1]
        rest = iter(lines)
        assert all(line in rest for line in told)  # in this order
        assert cut or told == lines


@pytest.mark.parametrize("slug", SLUGS)
def test_every_lesson_has_a_drawn_diagram_that_says_in_words_what_it_shows(
    client: TestClient, slug: str
) -> None:
    text = client.get(f"/learn/{slug}").text
    drawn = re.findall(
        r'<figure class="diagram">\s*<svg viewBox="0 0 (\d+) \d+" role="img" '
        r'aria-labelledby="(\S+) (\S+)">\s*<title id="(\S+)">(.+?)</title>\s*'
        r'<desc id="(\S+)">(.+?)</desc>.*?</svg>\s*<figcaption[^>]*>(.+?)</figcaption>',
        text,
        re.DOTALL,
    )
    assert len(drawn) == text.count('class="diagram"') >= 1
    for width, titled, described, title_id, title, desc_id, desc, caption in drawn:
        assert int(width) <= 360, "its text would shrink below 13 px on a phone"
        assert (titled, described) == (title_id, desc_id)
        assert 10 < len(title) < len(desc)
        assert caption.endswith((".", ".)"))
    assert text.index('class="diagram"') < text.index("data-figure")  # it comes first


def test_the_text_of_diagrams_is_at_least_13_px_and_their_colours_are_tokens() -> None:
    sheet = (ROOT / "static" / "css" / "diagram.css").read_text()
    sizes = [int(size) for size in re.findall(r"(?:font-size|font): (\d+)px", sheet)]
    assert sizes and min(sizes) >= 13
    for file in (OURS.parent / "diagrams").iterdir():
        assert not re.search(r'style=|(?:fill|stroke)="(?!url\(#)', file.read_text())


def test_nothing_of_ours_is_broken(client: TestClient) -> None:
    assert client.app.state.lessons.problems == []  # type: ignore[attr-defined]
    assert "could not be read" not in client.get("/learn").text


def test_a_lesson_asks_shows_breaks_surprises_and_checks(client: TestClient) -> None:
    for slug in SLUGS:
        text = client.get(f"/learn/{slug}").text
        told = json.loads(Page(text).data["lesson-boot"])["figures"]
        begun = r'<hgroup class="part">\s*<p>(.+?)</p>\s*<h2 id="(.+?)">(.+?)</h2>'
        _, *rest = re.split(begun, text)
        labels, names, titles, bodies = rest[0::4], rest[1::4], rest[2::4], rest[3::4]
        assert names == list(PARTS) and labels == list(PARTS.values()), slug
        links = Outline(text).links
        assert [link[1:] for link in links if link.startswith("#")][1:] == names, slug  # after skip
        part = dict(zip(names, bodies, strict=True))
        assert titles[0].endswith("?"), slug
        assert Outline(part["picture"]).figures, slug
        broken = Outline(part["break"]).figures
        assert any(told[figure]["switches"] for figure in broken), slug
        assert len(re.findall("<p>", part["surprise"])) >= 1, slug
        assert "data-question=" in part["check"], slug
        assert not any("data-question=" in part[name] for name in names[:-1]), slug


def test_first_lesson_begins_with_five_lines_and_a_picture_before_any_formula(
    client: TestClient,
) -> None:
    text = client.get(f"/learn/{SLUGS[0]}").text
    listing = re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", text, re.DOTALL)[0]
    assert len(listing.strip().split("\n")) == 5
    parts = ("<pre", '<figure class="diagram"', "data-figure=", "<math", '<figure class="code"')
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    first = re.findall(r"<p>(.+?[.?!]) ", text[text.index('id="question"') :], re.DOTALL)[0]
    assert "picture" in first and "d_model" not in first


@pytest.mark.parametrize("slug", SLUGS)
def test_the_code_of_the_project_folds_open(client: TestClient, slug: str) -> None:
    text = client.get(f"/learn/{slug}").text
    places = [found.start() for found in re.finditer('<figure class="code">', text)]
    assert places
    for place in places:
        assert text.rfind("<details>", 0, place) > text.rfind("</details>", 0, place)


def test_list_has_the_lessons_in_order_with_their_time(client: TestClient) -> None:
    assert [int(stem[:2]) for stem in STEMS] == list(range(1, 18))
    text = client.get("/learn").text
    links = [link for link in Outline(text).links if re.fullmatch(r"/learn/[a-z0-9-]+", link)]
    assert links == [
        "/learn/glossary",
        *(f"/learn/{slug}" for slug in SLUGS),
    ]  # the page for teachers has no link
    minutes = [int(n) for n in re.findall(r"(\d+) minutes? to read", text)]
    assert len(minutes) == len(SLUGS)
    assert all(1 <= n < 10 for n in minutes)
    assert "More lessons" not in text
    assert client.get("/learn/").text == text


def test_lessons_follow_one_another(client: TestClient) -> None:
    for before, here, after in zip([None, *SLUGS], SLUGS, [*SLUGS[1:], None], strict=False):
        text = client.get(f"/learn/{here}").text
        assert re.findall(r'rel="prev" href="/learn/([^"]+)"', text) == [before] * bool(before)
        assert re.findall(r'rel="next" href="/learn/([^"]+)"', text) == [after] * bool(after)


@pytest.mark.parametrize(
    "path", ["/learn/nothing", "/learn/..%2f..%2fpyproject", "/learn/01-averaging", "/learn/%ff"]
)
def test_unknown_lesson_is_a_page_for_people_and_an_error_for_programs(
    client: TestClient, path: str
) -> None:
    page = client.get(path, headers=HTML)
    error = client.get(path)
    assert (page.status_code, error.status_code) == (404, 404)
    assert error.json()["error"]["code"] == "not_found"
    if "%2f" not in path:  # which is not the address of a lesson
        assert "There is no such lesson" in page.text
        assert page.headers["content-type"].startswith("text/html")
        assert page.headers["vary"].startswith("Accept,")


def test_lessons_are_no_part_of_the_api() -> None:
    assert not router.include_in_schema


def test_lesson_of_the_documentation_works_beside_ours(
    serve: Serve, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, logger="headlight"):
        client = serve(lessons=folder)
    assert caplog.text == ""
    text = client.get("/learn").text
    assert text.index("More lessons") < text.index('href="/learn/she-or-he"')
    lesson = client.get("/learn/she-or-he")
    assert lesson.status_code == 200
    assert "<h1>She or he</h1>" in lesson.text
    assert "<h2>Who is she?</h2>" in lesson.text
    assert Outline(lesson.text).figures == ["she"]
    boot = json.loads(Page(client.get("/").text).data["boot"])
    known = [{"slug": stem[3:], "number": int(stem[:2])} for stem in STEMS]
    assert boot["lessons"] == [*known, {"slug": "she-or-he", "number": None}]
    assert json.loads(Page(lesson.text).data["lesson-boot"])["slug"] == "she-or-he"
    assert client.get(f"/learn/{SLUGS[0]}").status_code == 200


def test_what_a_lesson_says_is_text(serve: Serve, tmp_path: Path) -> None:
    bad = "</script><script>alert(1)</script>"
    figure = {"link": f"?text={bad}", "caption": bad}
    question = {"ask": bad, "options": [bad, "b"], "answer": 0, "because": bad}
    data = {"title": bad, "summary": bad, "figures": {"f": figure}, "questions": [question]}
    folder = write(tmp_path / "mine", "10-bad", "{{ figure('f') }}{{ questions() }}", data)
    client = serve(lessons=folder)
    for path in ("/learn", "/learn/bad"):
        response = client.get(path)
        assert response.status_code == 200
        assert Page(response.text).inline == []


def test_answer_is_there_without_a_script_and_hidden_until_it_is_asked_for(
    serve: Serve, folder: Path
) -> None:
    text = serve(lessons=folder).get("/learn/she-or-he").text
    question = text[text.index('data-question="0"') :]
    assert question.index("<details") < question.index("Only the mask") < question.index("</deta")
    assert "<details open" not in question
    assert '<button type="button" data-reveal hidden>' in question
    assert re.findall(r'type="radio" name="(.+?)" value="(.+?)"', question) == [
        ("question-0", "0"),
        ("question-0", "1"),
    ]


# --- Mistakes ---------------------------------------------------------------------------------

PROSE = '<p>One.</p>\n{{ figure("one") }}\n{{ questions() }}\n'
DATA = """{
  "title": "T",
  "summary": "S.",
  "figures": {
    "one": {
      "link": "?model=scratch&text=a b",
      "caption": "C.",
      "switches": [
        {"name": "Scale", "options": [
          {"label": "own", "set": ""},
          {"label": "none", "set": "scratch.scale=1"}
        ]},
        {"name": "Heads", "options": [
          {"label": "four", "set": ""},
          {"label": "two", "set": "scratch.n_heads=2"}
        ]}
      ],
      "measures": ["entropy"]
    }
  },
  "questions": [
    {
      "ask": "A?",
      "options": ["x", "y"],
      "answer": 1,
      "because": "B.",
      "figure": "one",
      "set": {"Scale": "none"}
    }
  ]
}
"""

# what is replaced, by what, the line reported, and a part of the message
IN_JSON = [
    ('"T",', '"T"', 3, "expected JSON"),
    ("}\n", "", 11, "expected JSON"),
    ('"title": "T",', '"titel": "T",', 2, "unknown field titel; expected title, summary"),
    ('  "title": "T",\n', "", 1, "title is missing"),
    ('"title": "T",', '"title": "T", "title": "U",', 2, "'title' appears twice"),
    ('"summary": "S."', '"summary": 3', 3, "summary: input should be a valid string"),
    ('"summary": "S."', '"summary": " "', 3, "summary"),
    ('"summary": "S."', '"summary": "\\ud800"', 3, "summary"),
    ('"one": {', '"one fig": {', 5, "figures.one fig"),
    (
        '"caption": "C."',
        '"capton": "C."',
        7,
        "unknown field figures.one.capton; expected link, caption",
    ),
    ('"caption": "C.",\n', "", 5, "figures.one.caption is missing"),
    ("?model=scratch&text=a b", "model=scratch", 6, "expected what the address bar"),
    ("?model=scratch&text=a b", "", 6, "expected what the address bar"),
    ("scratch&text=a b", "scratch&txt=a b", 6, "an address has no 'txt'"),
    ("scratch&text=a b", "scratch&text=salt & pepper", 6, "%26"),
    ("scratch&text=a b", "scratch&text=no. #1", 6, "%23"),
    ("scratch&text=a b", "scratch&text=100 % cat", 6, "%25"),
    ("scratch&text=a b", "scratch&text=%ff", 6, "UTF-8"),
    ("text=a b", "text=a b&view=line", 6, "view is one of heatmap, lines"),
    ("text=a b", "text=a b&head=one", 6, "head is a whole number"),
    ("text=a b", "text=a b&against=txt%3Db", 6, "an address has no 'txt'"),
    ("text=a b", "text=a b&scratch.sclae=1", 6, "there is no 'scratch.sclae'"),
    ("text=a b", "text=a b&scratch.scale=big", 6, "scratch.scale"),
    ("text=a b", "text=a b&scratch.n_heads=99", 6, "scratch.n_heads"),
    ("text=a b", "text=a b&scratch.d_model=30", 6, "cannot be divided evenly among"),
    ("text=a b", "text=a b&scratch.mechanism=cross-attention", 6, "needs target="),
    ("&text=a b", "", 6, "expected text="),
    ("text=a b", "text=a b&text= ", 6, "none of them blank"),
    ("text=a b", "&".join(["text=a"] * 9), 6, "at most 8 texts; got 9"),
    ("text=a b", "text=a b&against=scratch.n_heads%3D5", 6, "side A (against=…): d_model = 32"),
    ("scratch.scale=1", "against=model%3Dnone", 11, "side A (against=…): there is no model"),
    (
        "?model=scratch",
        "?model=scartch",
        6,
        "there is no model 'scartch'; expected one of 'shipped'",
    ),
    ("?model=scratch", "?model=shipped&scratch.seed=1", 6, "scratch.seed needs model=scratch"),
    (
        '"set": ""},\n          {"label": "none"',
        '"set": "head=1"},\n          {"label": "none"',
        10,
        '""',
    ),
    ("scratch.scale=1", "scratch.scael=1", 11, "there is no 'scratch.scael'"),
    ("scratch.scale=1", "?causal", 11, "expected key=value"),
    ("scratch.scale=1", "without=scale,tetx", 11, "an address has no 'tetx'"),
    ("scratch.scale=1", "without=model", 8, "'none' and 'two' together cannot be shown"),
    ("scratch.n_heads=2", "scratch.n_heads=3", 15, "cannot be divided evenly among"),
    ("scratch.scale=1", "scratch.d_model=34&without=x", 11, "an address has no 'x'"),
    ('"label": "none"', '"label": "own"', 11, "'own' appears twice"),
    ('"name": "Heads"', '"name": "Scale"', 13, "'Scale' appears twice"),
    ('"measures": ["entropy"]', '"measures": ["entropie"]', 18, "figures.one.measures[0]"),
    ('["x", "y"]', '["x"]', 24, "at least 2"),
    ('["x", "y"]', '["x", "x"]', 24, "'x' appears twice"),
    ('"answer": 1', '"answer": 2', 25, "expected an option from 0 to 1; got 2"),
    ('"answer": 1', '"answer": "1"', 25, "questions[0].answer"),
    ('"answer": 1,', "", 22, "questions[0].answer is missing"),
    ('"answer": 1', '"answer": 1, "number": 2', 22, "expected one of `options`, `number` and"),
    ('"answer": 1', '"answer": 1, "wrong": ["a", "b"]', 25, "a reason for each of 1 other options"),
    ('"options": ["x", "y"]', '"order": ["x", "y"]', 24, "at least 3 parts"),
    ('"options": ["x", "y"]', '"order": ["x", "y", "x"]', 24, "'x' appears twice"),
    ('"because": "B.",', "", 22, "questions[0].because is missing"),
    ('"figure": "one"', '"figure": "two"', 27, "there is no figure 'two'; expected one of 'one'"),
    ('"figure": "one",\n', "", 27, "sets switches, but the question has no `figure`"),
    ('{"Scale": "none"}', '{"Scael": "none"}', 28, "there is no switch 'Scael'"),
    (
        '{"Scale": "none"}',
        '{"Scale": "non"}',
        28,
        "there is no option 'non'; expected one of 'own'",
    ),
    ('"one": {', '"two": {"link": "?text=a", "caption": "C."}, "one": {', 5, "never shows 'two'"),
    (DATA, "[" * 100_000, None, "expected JSON"),
    (DATA, "9" * 9_999, None, "expected JSON"),
    (DATA, "[]", 1, "the lesson must be an object"),
    (DATA, "", 1, "expected JSON"),
]

IN_PROSE = [
    ('figure("one")', 'figure("two")', 2, "no figure 'two'; it has 'one'"),
    ('figure("one")', "figure()", 2, "figure()"),
    ("<p>One.</p>", "{{ diagram('01') }}", 1, "no diagram '01'; expected one of '01-averaging'"),
    ("<p>One.</p>", "{{ diagram('../teachers') }}", 1, "no diagram '../teachers'"),
    ("<p>One.</p>", "{{ diagram('08-block') ~ diagram('08-block') }}", 1, "already shown above"),
    ('figure("one")', "figur('one')", 2, "'figur' is undefined"),
    ("<p>One.</p>", "<p>{{ one }}</p>", 1, "'one' is undefined"),
    ("<p>One.</p>", "{% block lesson %}{{ one }}{% endblock %}", 1, "'one' is undefined"),
    ("<p>One.</p>", "{{ figure('one') }}", 2, "already shown above"),
    ("{{ questions() }}", "", None, "never shown"),
    ("{{ questions() }}", "{{ questions() }}\n{{ questions() }}", 4, "already shown above"),
    ("{{ questions() }}", "{{ questions( }}", 3, "expected a Jinja template"),
    ("{{ questions() }}", "{% if %}", 3, "expected a Jinja template"),
    ("<p>One.</p>", "\n{% for x in 'a' %}", 4, "expected a Jinja template"),
    ("<p>One.</p>", "{% include '../../pyproject.toml' %}", 1, "pyproject.toml"),
    ("<p>One.</p>", "{% include 'base.html' %}", 1, "base.html"),
    ("<p>One.</p>", "{{ figure.__globals__ }}", 1, "unsafe"),
    ("<p>One.</p>", "{{ 1 / 0 }}", 1, "ZeroDivisionError"),
    ("<p>One.</p>", "{% for i in range(10 ** 9) %}{% endfor %}", 1, "OverflowError"),
    ("<p>One.</p>", "{% for a in range(9) %}{{ 'a' * 2 ** 18 }}{% endfor %}", None, "1,048,576"),
    ("<p>One.</p>", "\n{{ 'a' * 10 ** 12 }}", 2, "expected at most 1,048,576 characters"),
    ("<p>One.</p>", "{% set s = 'a' ~ 'b' %}" + "{% set s = s ~ s %}" * 40, 1, "1,048,576"),
    ("<p>One.</p>", '{{ "\\ud800" }}', None, "surrogates"),
    ("<p>One.</p>", "{% block title %}{% endblock %}", 1, "one block, `lesson`; got `title`"),
    ("<p>One.</p>", '{% extends "base.html" %}{% block lesson %}{% endblock %}', 1, "base.html"),
    ("<p>One.</p>", '{% extends "learn/lesson.html" %}', 1, "expected the prose between"),
    ("<p>One.</p>", '{{ part("brake", "T") }}', 1, "no part 'brake'; expected one of question,"),
    ("<p>One.</p>", '{{ part("check", "T") }}', 3, "the part 'check' has already begun above"),
    ("<p>One.</p>", '{{ code("model.core.attention.atend") }}', 1, "no 'atend'"),
    ("<p>One.</p>", '{{ code("server.settings.Settings") }}', 1, "code() shows code from `model`"),
    (
        "<p>One.</p>",
        '{{ code("model.core.attention") }}',
        1,
        "model.core.attention is a whole module",
    ),
    ("<p>One.</p>", '{{ code("model.core.attention.attend", start="xyz") }}', 1, "contains 'xyz'"),
]


def broken(
    serve: Serve, folder: Path, caplog: pytest.LogCaptureFixture
) -> tuple[TestClient, str, str]:
    """Serve that folder; returns the client, the log, and the problems on the list of lessons."""
    with caplog.at_level(logging.ERROR, logger="headlight"):
        client = serve(lessons=folder)
    listed = client.get("/learn")
    assert listed.status_code == 200
    text = re.sub(r"<[^>]+>", "", listed.text[listed.text.index("could not be read") :])
    return client, caplog.text, text


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One folder with a lesson for each mistake, and one lesson without any."""
    folder = tmp_path_factory.mktemp("lessons")
    write(folder, "99-right", PROSE, DATA)
    for n, (old, new, _, _) in enumerate(IN_JSON):
        assert DATA.count(old) >= 1, old
        write(folder, f"10-json-{n}", PROSE, DATA.replace(old, new, 1))
    for n, (old, new, _, _) in enumerate(IN_PROSE):
        assert PROSE.count(old) == 1, old
        write(folder, f"20-prose-{n}", PROSE.replace(old, new), DATA)
    yield folder


def test_every_mistake_is_reported_with_file_and_line_and_the_rest_works(
    serve: Serve, many: Path, caplog: pytest.LogCaptureFixture
) -> None:
    client, log, listed = broken(serve, many, caplog)
    assert f"{len(IN_JSON) + len(IN_PROSE)} lessons could not be read" in client.get("/learn").text
    told = client.app.state.lessons.problems  # type: ignore[attr-defined]
    cases = [(f"10-json-{n}.json", *case) for n, case in enumerate(IN_JSON)]
    other: list[Any] = []  # problems that were not expected
    cases += [(f"20-prose-{n}.html", *case) for n, case in enumerate(IN_PROSE)]
    for file, _, new, line, message in cases:
        found = [problem for problem in told if problem.file == file]
        if not any(one.line == line and message in one.message for one in found):
            other.append((new, line, message, *map(str, found)))
        for problem in found:
            assert str(problem) in log
            assert problem.where in listed
        assert client.get(f"/learn/{file[3:-5]}").status_code == 404
    assert other == [], "\n".join(map(str, other))
    assert client.get("/learn/right").status_code == 200
    assert str(many) not in client.get("/learn").text  # the paths of files stay private


def test_files_that_are_not_lessons_are_reported(
    serve: Serve, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = write(tmp_path / "mine", "10-right", PROSE, DATA)
    outside = write(tmp_path, "11-outside", PROSE, DATA) / "11-outside.html"
    (folder / "11-linked.html").symlink_to(outside)
    (folder / "11-linked.json").write_text(DATA)
    (folder / "12-alone.html").write_text(PROSE)
    (folder / "13-single.json").write_text(DATA)
    write(folder, "My lesson", PROSE, DATA)
    write(folder, "14-teachers", PROSE, DATA)
    write(folder, "15-right", PROSE, DATA)
    write(folder, f"16-{SLUGS[0]}", PROSE, DATA)
    write(folder, "17-latin", PROSE, DATA)
    (folder / "17-latin.html").write_bytes(b"<p>\n\nd\xe9j\xe0</p>")
    write(folder, "18-large", "x" * 1_100_000, DATA)
    write(folder, "19-folder", PROSE, DATA)
    (folder / "19-folder.html").unlink()
    (folder / "19-folder.html").mkdir()
    (folder / "20-circle.html").symlink_to(folder / "20-circle.html")
    (folder / "20-circle.json").write_text(DATA)
    (folder / ".21-hidden.html").write_text("{{")
    (folder / "notes.txt").write_text("mine")
    write(folder, "22-bom", "\ufeff" + PROSE, "\ufeff" + DATA)
    client, _, listed = broken(serve, folder, caplog)
    assert "11-linked.html: is a link to a file outside its folder" in listed
    assert "12-alone.json: is missing" in listed
    assert "13-single.html: is missing" in listed
    assert "My lesson.html: expected a name" in listed
    assert "14-teachers.html: /learn/teachers is already used by the teacher’s page" in listed
    assert "15-right.html: /learn/right is already used by 10-right.html" in listed
    assert f"16-{SLUGS[0]}.html: /learn/{SLUGS[0]} is already used by {STEMS[0]}.html" in listed
    assert "17-latin.html, line 3: expected UTF-8" in listed
    assert "18-large.html: expected at most" in listed
    assert "19-folder.html: expected a file" in listed
    assert re.search("20-circle.html: .*(itself|symbolic links)", listed)
    assert str(tmp_path) not in listed
    assert "hidden" not in listed and "notes" not in listed
    assert client.app.state.lessons.n_broken == 11  # type: ignore[attr-defined]
    for slug in ("right", "bom", *SLUGS):
        assert client.get(f"/learn/{slug}").status_code == 200


def test_unprintable_names_are_reported_escaped(
    serve: Serve, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = write(tmp_path / "mine", "09-key", PROSE, '{"a\\nb": 1}')
    write(folder, "10-key", PROSE, '{"\\ud800": 1}')
    (folder / "11-\udcff.html").write_text(PROSE)
    _, log, listed = broken(serve, folder, caplog)
    assert "09-key.json, line 1: unknown field a\\nb; expected title" in listed
    assert "10-key.json, line 1: the lesson: input should be a valid string" in listed
    assert "11-\\udcff.html: expected a name" in listed
    assert "11-\\udcff.html: expected a name" in log


def test_a_missing_folder_is_reported(
    serve: Serve, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    client, log, listed = broken(serve, tmp_path / "nowhere", caplog)
    assert "nowhere: expected a folder with lessons: No such file" in log
    assert "nowhere: expected a folder with lessons: No such file" in listed
    assert client.get(f"/learn/{SLUGS[0]}").status_code == 200

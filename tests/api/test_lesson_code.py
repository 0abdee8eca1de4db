"""The code that a lesson shows is the code that runs when its figures are requested."""

import re
import sys
import textwrap
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from html.parser import HTMLParser
from types import FrameType
from typing import Any, NamedTuple

import pytest
import torch
from fastapi.testclient import TestClient

from server.api.answers import JSON
from server.api.schemas import TraceRequest
from server.app import create_app
from server.pages.assets.folders import ROOT
from server.pages.learning.lessons import OURS, Lesson
from server.settings import Settings
from tests.lessons import SLUGS, bodies

pytestmark = pytest.mark.long


class Shown(NamedTuple):
    """One piece of code on a page, and the place named in its caption."""

    text: str
    file: str
    lines: range


class _Pieces(HTMLParser):
    """Collects the code and the caption of each code figure."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[dict[str, str]] = []
        self._in: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "figure":
            is_code = "code" in (dict(attrs).get("class") or "").split()
            self.pieces += [{"code": "", "figcaption": ""}] if is_code else []
            self._in = "" if is_code else None
        elif self._in is not None and tag in ("code", "figcaption"):
            self._in = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == "figure":
            self._in = None
        elif tag == self._in:
            self._in = ""

    def handle_data(self, data: str) -> None:
        if self._in:
            self.pieces[-1][self._in] += data


def shown_in(html: str) -> list[Shown]:
    parser = _Pieces()
    parser.feed(html)
    found = []
    for piece in parser.pieces:
        where = re.match(r"(\S+), lines? (\d+)(?:–(\d+))?", piece["figcaption"])
        assert where, piece["figcaption"]
        first, last = int(where[2]), int(where[3] or where[2])
        found.append(Shown(piece["code"], where[1], range(first, last + 1)))
    return found


@contextmanager
def lines_run(under: str) -> Iterator[dict[str, set[int]]]:
    """The lines of files under a folder that run within the block, by file."""
    ran: dict[str, set[int]] = defaultdict(set)

    def local(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            ran[frame.f_code.co_filename].add(frame.f_lineno)
        return local

    def entered(frame: FrameType, event: str, _: Any) -> Any:
        return local if frame.f_code.co_filename.startswith(under) else None

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        yield ran
    finally:
        sys.settrace(before)


@pytest.fixture(scope="module")
def app() -> Iterator[TestClient]:
    with TestClient(create_app(Settings())) as client:
        yield client


def lesson_of(app: TestClient, slug: str) -> Lesson:
    lesson: Lesson | None = app.app.state.lessons.get(slug)  # type: ignore[attr-defined]
    assert lesson is not None, f"{slug} is not served: is it broken?"
    return lesson


LISTING = re.compile(r"<pre[^>]*><code>(.*?)</code></pre>", re.DOTALL)


def listings() -> list[tuple[str, str]]:
    """The code that lessons contain themselves, rather than show from this project."""
    files = sorted(OURS.glob("*.html"))
    return [
        (file.stem, unescape(found[1]))
        for file in files
        for found in LISTING.finditer(file.read_text("utf-8"))
    ]


@pytest.mark.parametrize(("lesson", "listing"), listings())
def test_a_listing_runs_and_its_claims_hold(lesson: str, listing: str) -> None:
    assert "assert" in listing, "a listing claims something that it checks"
    exec(compile(listing, lesson, "exec"), {})


def test_there_are_seventeen_lessons() -> None:
    assert len(SLUGS) == 17


@pytest.mark.parametrize("slug", SLUGS)
def test_a_lesson_has_all_its_parts(app: TestClient, slug: str) -> None:
    lesson, html = lesson_of(app, slug), app.get(f"/learn/{slug}").text
    for part in ("<math ", '<figure class="code">', "data-figure=", "data-question="):
        assert part in html, part
    assert 2 <= len(lesson.content.questions) <= 4
    assert all(question.figure for question in lesson.content.questions)


@pytest.mark.parametrize("slug", SLUGS)
def test_code_on_a_page_is_the_lines_of_its_file(app: TestClient, slug: str) -> None:
    pieces = shown_in(app.get(f"/learn/{slug}").text)
    assert pieces, "a lesson shows code"
    for piece in pieces:
        lines = (ROOT / piece.file).read_text("utf-8").split("\n")
        there = textwrap.dedent("\n".join(lines[n - 1] for n in piece.lines)).split("\n")
        rest = iter(there)  # in this order, and nothing else; a docstring may be left out
        assert all(line in rest for line in piece.text.strip("\n").split("\n")), piece


@pytest.mark.parametrize("slug", SLUGS)
def test_code_on_a_page_runs_for_its_figures(app: TestClient, slug: str) -> None:
    lesson = lesson_of(app, slug)
    state = app.app.state  # type: ignore[attr-defined]
    with lines_run(str(ROOT / "model")) as ran:
        for figure in lesson.content.figures.values():
            for body in bodies(figure):
                if body.get("model", "shipped") == "shipped":
                    body.setdefault("analyse", {})[
                        "mute_effects"
                    ] = {}  # of the tab, in the inspector
                body["select"] = {"tensors": ["q", "k", "v", "scores", "pattern", "z"]}
                request = TraceRequest.model_validate(body)
                inputs = request.to_inputs(state.settings)
                name = request.model or "shipped"
                with torch.inference_mode():
                    state.answers.compute(request, inputs, name, JSON)
    for piece in shown_in(app.get(f"/learn/{slug}").text):
        here = ran[str(ROOT / piece.file)] & set(piece.lines)
        assert here, f"{piece.file}, {piece.lines}: shown, but no figure runs it"

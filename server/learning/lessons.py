"""The lessons of a server, found when it starts. What is broken is told; the rest works."""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from jinja2 import Environment

from server.assets.folders import TEMPLATES
from server.learning.content import Content
from server.learning.problems import BrokenLesson, Problem
from server.learning.prose import WORDS_A_MINUTE, Article, article_of
from server.learning.reading import broken, content_of, text_of

log = logging.getLogger("headlight")

OURS = TEMPLATES / "learn" / "lessons"

_NAME = re.compile(r"(?P<number>[0-9]{2})-(?P<slug>[a-z0-9]+(-[a-z0-9]+)*)")
_RESERVED = ("teachers",)  # addresses beside the lessons


@dataclass(frozen=True)
class Lesson:
    """One that can be shown."""

    number: int
    slug: str  # its address is /learn/slug
    ours: bool  # False: of the folder that a teacher names
    content: Content
    article: Article

    @property
    def minutes(self) -> int:
        """Of reading, less code and figures."""
        return max(1, ceil(self.article.words / WORDS_A_MINUTE))


class Lessons:
    """All lessons, ours first, each part in the order of its numbers; what is wrong with others."""

    def __init__(self, folder: Path | None, pages: Environment, models: Sequence[str]) -> None:
        """
        Args:
            folder: a teacher's own lessons.
            pages: the templates of all pages.
            models: the names that a figure may be about.
        """
        self.all: list[Lesson] = []
        self.problems: list[Problem] = []
        self.n_broken = 0
        self._pages = pages
        self._models = models
        self._read_folder(OURS, ours=True)
        if folder is not None:
            self._read_folder(folder, ours=False)

    def get(self, slug: str) -> Lesson | None:
        return next((lesson for lesson in self.all if lesson.slug == slug), None)

    def beside(self, lesson: Lesson) -> tuple[Lesson | None, Lesson | None]:
        """The one before and the one after."""
        row = [None, *self.all, None]
        at = row.index(lesson)
        return row[at - 1], row[at + 1]

    def _read_folder(self, folder: Path, *, ours: bool) -> None:
        try:
            files = [file for file in folder.iterdir() if file.suffix in (".html", ".json")]
        except OSError as error:
            what = f"expected a folder of lessons: {error.strerror}"
            self._leave_out(folder, broken(folder, what))
            return
        for stem in sorted({file.stem for file in files if not file.name.startswith(".")}):
            try:
                self.all.append(self._read(folder, stem, ours=ours))
            except BrokenLesson as error:
                self._leave_out(folder, error)

    def _leave_out(self, folder: Path, error: BrokenLesson) -> None:
        self.n_broken += 1
        self.problems += error.problems
        for problem in error.problems:
            log.error("A lesson is left out. %s (in %s)", problem, folder)

    def _read(self, folder: Path, stem: str, *, ours: bool) -> Lesson:
        """One lesson, of its two files.

        Raises:
            BrokenLesson: with what is wrong; with the prose only where the JSON is right.
        """
        html, json = folder / f"{stem}.html", folder / f"{stem}.json"
        named = _NAME.fullmatch(stem)
        if named is None:
            wrong = html if html.exists() else json
            raise broken(wrong, "expected a name as 10-my-lesson.html: two digits, small letters")
        slug = named["slug"]
        other = self.get(slug)
        if slug in _RESERVED or other is not None:
            by = "the teacher’s page" if other is None else f"{other.number:02}-{slug}.html"
            raise broken(html, f"/learn/{slug} is {by} already; give this one another name")
        source = text_of(html, folder)
        content, line_of = content_of(json, text_of(json, folder), self._models)
        article = article_of(html, source, content, self._pages)
        unshown = [figure for figure in content.figures if figure not in article.shown]
        if unshown:
            what = 'the prose never shows {0!r}; put {{{{ figure("{0}") }}}} into {1}'
            raise BrokenLesson(
                Problem(json.name, line_of["figures", name], what.format(name, html.name))
                for name in unshown
            )
        return Lesson(int(named["number"]), slug, ours, content, article)

"""The lessons of a server, read when it starts. Broken ones are reported; the others work."""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

from jinja2 import Environment

from server.languages.prose import prose, reworded
from server.languages.table import ENGLISH, Language
from server.pages.assets.folders import TEMPLATES
from server.pages.assets.pages import templates
from server.pages.learning.content import Content
from server.pages.learning.links import pairs
from server.pages.learning.problems import BrokenLesson, Problem
from server.pages.learning.prose import WORDS_A_MINUTE, Article, article_of
from server.pages.learning.reading import broken, content_of, text_of
from server.pages.learning.states import changed
from server.run.finding import sister_names

log = logging.getLogger("headlight")

OURS = TEMPLATES / "learn" / "lessons"

_NAME = re.compile(r"(?P<number>[0-9]{2})-(?P<slug>[a-z0-9]+(-[a-z0-9]+)*)")
TASK_MIN, PROGRAM_MIN, EXERCISE_MIN = 1, 2, 5  # minutes, estimated
_RESERVED = ("teachers", "glossary")  # addresses used by other pages


@dataclass(frozen=True)
class Lesson:
    """A valid lesson."""

    number: int
    slug: str  # its address is /learn/slug
    ours: bool  # False: from the teacher's folder
    content: Content
    article: Article

    @property
    def minutes(self) -> int:
        """Estimated reading time of the prose."""
        return max(1, ceil(self.article.words / WORDS_A_MINUTE))

    @property
    def minutes_to_do(self) -> int:
        """An estimate of the time for its figures, questions, programs and exercises."""
        tasks = len(self.content.figures) + len(self.content.questions)
        written = [
            EXERCISE_MIN if each.checks else PROGRAM_MIN for each in self.content.programs.values()
        ]
        return 5 * ceil((tasks * TASK_MIN + sum(written)) / 5)

    @property
    def models(self) -> set[str]:
        """The models that its figures name, with any switch."""
        states = [
            changed(pairs(figure.link.removeprefix("?")), option)
            for figure in self.content.figures.values()
            for option in ("", *(one.set for each in figure.switches for one in each.options))
        ]
        return {value for state in states for key, value in state if key == "model"}

    @property
    def tasks(self) -> list[str]:
        """What a reader can get right: its questions and exercises, as the page's script names
        them (static/js/learn/progress.js).
        """
        exercises = [name for name, each in self.content.programs.items() if each.checks]
        asked = range(len(self.content.questions))
        return [f"question/{n}" for n in asked] + [f"program/{name}" for name in exercises]


class Lessons:
    """All valid lessons, ours first, each group in order of number; and the others' problems.

    One of ours that shows the film of a model is left out where there is no film: on a cluster, and
    in an exported course.
    """

    def __init__(
        self,
        folder: Path | None,
        pages: Environment,
        models: Sequence[str],
        language: Language = ENGLISH,
    ) -> None:
        """
        Args:
            folder: a teacher's own lessons, which are in the language that they were written in.
            pages: the templates of all pages.
            models: the names of models that a figure may use.
            language: of our lessons and of `pages`.
        """
        self.all: list[Lesson] = []
        self.without_film: list[Lesson] = []  # left out
        self.problems: list[Problem] = []
        self.n_broken = 0
        self._pages = pages
        self._models = models
        self._prose = prose(language)
        self._within: dict[Language, Lessons] = {language: self}
        self._read_folder(OURS, ours=True)
        if folder is not None:
            self._read_folder(folder, ours=False)

    def get(self, slug: str) -> Lesson | None:
        return next((lesson for lesson in self.all if lesson.slug == slug), None)

    def within(self, language: Language) -> "Lessons":
        """The same lessons, with ours in another language if they are translated."""
        if not language.has_course:
            return self
        if language not in self._within:
            said = Lessons(None, templates(language), self._models, language)
            said.all += [lesson for lesson in self.all if not lesson.ours]
            said.problems, said.n_broken = self.problems, self.n_broken
            self._within[language] = said
        return self._within[language]

    def listed(self) -> list[dict[str, Any]]:
        """For the inspector's script: {slug, number}, where a teacher's own has no number."""
        return [{"slug": one.slug, "number": one.number if one.ours else None} for one in self.all]

    def neighbours(self, lesson: Lesson) -> tuple[Lesson | None, Lesson | None]:
        """The previous and the next lesson."""
        row = [None, *self.all, None]
        at = row.index(lesson)
        return row[at - 1], row[at + 1]

    def _read_folder(self, folder: Path, *, ours: bool) -> None:
        try:
            files = [file for file in folder.iterdir() if file.suffix in (".html", ".json")]
        except OSError as error:
            what = f"expected a folder with lessons: {error.strerror}"
            self._leave_out(folder, broken(folder, what))
            return
        for stem in sorted({file.stem for file in files if not file.name.startswith(".")}):
            try:
                lesson = self._read(folder, stem, ours=ours)
                shown = not ours or lesson.models <= set(self._models)
                (self.all if shown else self.without_film).append(lesson)
            except BrokenLesson as error:
                self._leave_out(folder, error)

    def _leave_out(self, folder: Path, error: BrokenLesson) -> None:
        self.n_broken += 1
        self.problems += error.problems
        for problem in error.problems:
            log.error("A lesson was left out. %s (in %s)", problem, folder)

    def _read(self, folder: Path, stem: str, *, ours: bool) -> Lesson:
        """Read one lesson from its two files.

        Raises:
            BrokenLesson: with its problems. The prose is checked only if the JSON is valid.
        """
        html, json = folder / f"{stem}.html", folder / f"{stem}.json"
        named = _NAME.fullmatch(stem)
        if named is None:
            wrong = html if html.exists() else json
            raise broken(
                wrong, "expected a name like 10-my-lesson.html: two digits, lower-case letters"
            )
        slug = named["slug"]
        other = self.get(slug)
        if slug in _RESERVED or other is not None:
            by = "the teacher’s page" if other is None else f"{other.number:02}-{slug}.html"
            raise broken(html, f"/learn/{slug} is already used by {by}; rename this lesson")
        source = text_of(html, folder)
        models = (*self._models, *sister_names()) if ours else self._models
        said = self._prose if ours else None
        content, line_of = content_of(
            json, text_of(json, folder), models, said.text if said else None
        )
        source = reworded(source, said) if said else source
        article = article_of(html, source, content, self._pages)
        unused = [figure for figure in content.figures if figure not in article.shown]
        if unused:
            what = 'the prose never shows {0!r}; add {{{{ figure("{0}") }}}} to {1}'
            raise BrokenLesson(
                Problem(json.name, line_of["figures", name], what.format(name, html.name))
                for name in unused
            )
        return Lesson(int(named["number"]), slug, ours, content, article)

"""The lessons and their index."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from server.api.routes.dependencies import ModelsDep, PagesDep, SaidLessonsDep, SettingsDep
from server.api.routes.engine import engine_boot
from server.api.routes.pages import limits
from server.api.schemas.responses import Model
from server.pages.assets.pages import Pages
from server.pages.assets.release import current
from server.pages.learning.content import Program
from server.pages.learning.lessons import Lesson, Lessons
from server.pages.learning.problems import Problem
from server.programs.running import runs_programs
from server.settings import Settings

GLOSSARY = "/learn/glossary"
router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class IndexPage:
    """The context of templates/learn/index.html."""

    course: list[Lesson]  # ours
    more: list[Lesson]  # from the teacher's folder
    n_broken: int
    problems: list[Problem]  # of the broken lessons
    in_class: dict[str, Any] | None = None  # for somebody in a live class: {script}
    page: str = "learn"  # the current entry in the navigation


@dataclass(frozen=True)
class LessonPage:
    """The context of templates/learn/lesson.html."""

    lesson: Lesson
    previous: Lesson | None
    next: Lesson | None
    # {slug, models, limits, engine: as for the inspector, figures: name → the lesson's JSON for it,
    # programs: name → {code, checked, hints, recorded}, runs: whether this server runs them,
    # questions: [{figure, set, answer, number, within}], class: for somebody in a live class
    # {script}, else null}
    boot: dict[str, Any]
    page: str = "learn"


@dataclass(frozen=True)
class GlossaryPage:
    """The context of templates/learn/glossary.html."""

    titles: dict[str, str]  # of lessons, by their slugs
    in_class: dict[str, Any] | None
    page: str = "learn"


@dataclass(frozen=True)
class MissingPage:
    """The context of templates/learn/missing.html."""

    page: str = "learn"


@router.get("/learn")
@router.get("/learn/")
async def index(request: Request, lessons: SaidLessonsDep, pages: PagesDep) -> Response:
    """The list of all lessons."""
    in_class = _in_class(request)

    def page() -> IndexPage:
        course = [lesson for lesson in lessons.all if lesson.ours]
        more = [lesson for lesson in lessons.all if not lesson.ours]
        return IndexPage(course, more, lessons.n_broken, lessons.problems, in_class)

    name = "lessons in a class" if in_class else ""
    return pages.answer(request, "learn/index.html", page, name=name)


@router.get(GLOSSARY)
async def glossary(request: Request, lessons: SaidLessonsDep, pages: PagesDep) -> Response:
    """The words of the course."""
    in_class = _in_class(request)
    name = "words in a class" if in_class else ""

    def page() -> GlossaryPage:
        return glossary_page(lessons, in_class)

    return pages.answer(request, "learn/glossary.html", page, name=name)


@router.get("/learn/{slug}")
async def lesson(
    request: Request,
    slug: str,
    lessons: SaidLessonsDep,
    models: ModelsDep,
    settings: SettingsDep,
    pages: PagesDep,
) -> Response:
    """One lesson. If there is none: a page for people, the usual JSON error for programs."""
    found = lessons.get(slug)
    if found is None:
        return missing(request, pages)
    described = models.describe(*sorted(found.models))
    in_class = _in_class(request)

    def page() -> LessonPage:
        boot = {**lesson_boot(found, described, settings), "class": in_class}
        return LessonPage(found, *lessons.neighbours(found), boot)

    name = f"{slug} in a class" if in_class else slug
    return pages.answer(request, "learn/lesson.html", page, name=name, shows=(described,))


def _in_class(request: Request) -> dict[str, Any] | None:
    """What the page of somebody in a live class needs besides."""
    if "class" not in request.query_params or request.app.state.room is None:
        return None
    return {"script": current().script("class-lesson.js")}


def glossary_page(lessons: Lessons, in_class: dict[str, Any] | None = None) -> GlossaryPage:
    """The words, with the titles of our lessons."""
    titles = {each.slug: each.content.title for each in lessons.all if each.ours}
    return GlossaryPage(titles, in_class)


def missing(request: Request, pages: Pages) -> Response:
    """There is no such page here: a page for people, the usual JSON error for programs."""
    if "text/html" not in request.headers.get("accept", ""):
        raise HTTPException(404)
    answer = pages.answer(request, "learn/missing.html", MissingPage, status=404)
    answer.headers["Vary"] = f"Accept, {answer.headers['Vary']}"
    return answer


def lesson_boot(lesson: Lesson, models: Sequence[Model], settings: Settings) -> dict[str, Any]:
    """The initial data for a lesson's script."""
    content = lesson.content
    shows = {"figure", "set", "answer", "number", "within"}
    return {
        "slug": lesson.slug,
        "class": None,
        "models": [model.model_dump() for model in models],
        "limits": limits(settings),
        "engine": engine_boot([model.name for model in models], settings),
        "figures": {name: figure.model_dump() for name, figure in content.figures.items()},
        "programs": {name: program_boot(each) for name, each in content.programs.items()},
        "runs": runs_programs(settings),
        "questions": [question.model_dump(include=shows) for question in content.questions],
    }


def program_boot(program: Program) -> dict[str, Any]:
    """The initial data for a program. `recorded`: what it made, where it can't be run again."""
    return {
        "code": program.text,
        "checked": bool(program.checks),
        "hints": program.hints,
        "recorded": None,
    }

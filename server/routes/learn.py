"""For people who learn: the lessons, their list, and the teacher's page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from server.learning.lessons import Lesson
from server.learning.problems import Problem
from server.routes.dependencies import LessonsDep, ModelsDep, PagesDep, SettingsDep
from server.routes.pages import limits
from server.schemas.responses import Model
from server.settings import Settings

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class IndexPage:
    """What templates/learn/index.html is given."""

    course: list[Lesson]  # ours
    more: list[Lesson]  # of the teacher's folder
    n_broken: int
    problems: list[Problem]  # of those
    page: str = "learn"  # which entry of the navigation is this one


@dataclass(frozen=True)
class LessonPage:
    """What templates/learn/lesson.html is given."""

    lesson: Lesson
    previous: Lesson | None
    next: Lesson | None
    # {models, limits: as the inspector gets them, figures: name → as in the lesson's JSON,
    # questions: {figure, set, answer} of each}
    boot: dict[str, Any]
    page: str = "learn"


@dataclass(frozen=True)
class TeachersPage:
    """What templates/learn/teachers.html is given."""

    page: str = "learn"


@dataclass(frozen=True)
class MissingPage:
    """What templates/learn/missing.html is given."""

    page: str = "learn"


@router.get("/learn")
@router.get("/learn/")
async def index(request: Request, lessons: LessonsDep, pages: PagesDep) -> Response:
    """All lessons."""

    def page() -> IndexPage:
        course = [lesson for lesson in lessons.all if lesson.ours]
        more = [lesson for lesson in lessons.all if not lesson.ours]
        return IndexPage(course, more, lessons.n_broken, lessons.problems)

    return pages.answer(request, "learn/index.html", page)


@router.get("/learn/teachers")
async def teachers(request: Request, pages: PagesDep) -> Response:
    """For whoever runs a class."""
    return pages.answer(request, "learn/teachers.html", TeachersPage)


@router.get("/learn/{slug}")
async def lesson(
    request: Request,
    slug: str,
    lessons: LessonsDep,
    models: ModelsDep,
    settings: SettingsDep,
    pages: PagesDep,
) -> Response:
    """One lesson; where there is none, a page for people and the usual error for programs."""
    found = lessons.get(slug)
    if found is None:
        if "text/html" not in request.headers.get("accept", ""):
            raise HTTPException(404)
        answer = pages.answer(request, "learn/missing.html", MissingPage, status=404)
        answer.headers["Vary"] = "Accept, Accept-Encoding"
        return answer
    described = models.describe()

    def page() -> LessonPage:
        return LessonPage(found, *lessons.beside(found), _boot(found, described, settings))

    return pages.answer(request, "learn/lesson.html", page, name=slug, shows=(described,))


def _boot(lesson: Lesson, models: Sequence[Model], settings: Settings) -> dict[str, Any]:
    """What the page's script starts from."""
    content = lesson.content
    shows = {"figure", "set", "answer"}
    return {
        "models": [model.model_dump() for model in models],
        "limits": limits(settings),
        "figures": {name: figure.model_dump() for name, figure in content.figures.items()},
        "questions": [question.model_dump(include=shows) for question in content.questions],
    }

"""The dependencies of the routes.

They are `async` so that they do not occupy a thread.
"""

from typing import Annotated

from fastapi import Depends, Request

from server.api.dossiers import Dossiers
from server.http.metrics import Metrics
from server.languages.choice import accepted, language_of
from server.pages.assets.pages import Pages
from server.pages.learning.lessons import Lessons
from server.run.models import Models
from server.run.probes import Probes
from server.run.readiness import Readiness
from server.settings import Settings


async def _settings(request: Request) -> Settings:
    return request.app.state.settings  # type: ignore[no-any-return]


async def _models(request: Request) -> Models:
    return request.app.state.models  # type: ignore[no-any-return]


async def _probes(request: Request) -> Probes:
    return request.app.state.probes  # type: ignore[no-any-return]


async def _dossiers(request: Request) -> Dossiers:
    return request.app.state.dossiers  # type: ignore[no-any-return]


async def _metrics(request: Request) -> Metrics:
    return request.app.state.metrics  # type: ignore[no-any-return]


async def _readiness(request: Request) -> Readiness:
    return request.app.state.readiness  # type: ignore[no-any-return]


def _lessons(request: Request) -> Lessons:
    return request.app.state.lessons  # type: ignore[no-any-return]


def _said_lessons(request: Request) -> Lessons:
    """In the language of a page. Runs in a thread: the first reader of a language waits for it."""
    lessons: Lessons = request.app.state.lessons
    return lessons.within(language_of(request.scope))


def _answered_lessons(request: Request) -> Lessons:
    """In the language of an answer of the API, in a thread too."""
    lessons: Lessons = request.app.state.lessons
    return lessons.within(accepted(request.scope))


async def _pages(request: Request) -> Pages:
    return request.app.state.pages  # type: ignore[no-any-return]


SettingsDep = Annotated[Settings, Depends(_settings)]
ModelsDep = Annotated[Models, Depends(_models)]
ProbesDep = Annotated[Probes, Depends(_probes)]
DossiersDep = Annotated[Dossiers, Depends(_dossiers)]
ReadinessDep = Annotated[Readiness, Depends(_readiness)]
PagesDep = Annotated[Pages, Depends(_pages)]
LessonsDep = Annotated[Lessons, Depends(_lessons)]
SaidLessonsDep = Annotated[Lessons, Depends(_said_lessons)]
AnsweredLessonsDep = Annotated[Lessons, Depends(_answered_lessons)]
MetricsDep = Annotated[Metrics, Depends(_metrics)]

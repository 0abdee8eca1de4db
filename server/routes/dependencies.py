"""What the routes need from the app, by name."""

from typing import Annotated

from fastapi import Depends, Request

from server.learning.lessons import Lessons
from server.metrics import Metrics
from server.models import Models
from server.probes import Probes
from server.settings import Settings
from server.tracing import Tracer


def _settings(request: Request) -> Settings:
    return request.app.state.settings  # type: ignore[no-any-return]


def _models(request: Request) -> Models:
    return request.app.state.models  # type: ignore[no-any-return]


def _tracer(request: Request) -> Tracer:
    return request.app.state.tracer  # type: ignore[no-any-return]


def _probes(request: Request) -> Probes:
    return request.app.state.probes  # type: ignore[no-any-return]


def _metrics(request: Request) -> Metrics:
    return request.app.state.metrics  # type: ignore[no-any-return]


def _lessons(request: Request) -> Lessons:
    return request.app.state.lessons  # type: ignore[no-any-return]


SettingsDep = Annotated[Settings, Depends(_settings)]
ModelsDep = Annotated[Models, Depends(_models)]
TracerDep = Annotated[Tracer, Depends(_tracer)]
ProbesDep = Annotated[Probes, Depends(_probes)]
LessonsDep = Annotated[Lessons, Depends(_lessons)]
MetricsDep = Annotated[Metrics, Depends(_metrics)]

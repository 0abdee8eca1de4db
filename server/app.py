"""The app, built by `create_app`. Nothing happens at import."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any

import anyio.to_thread
import torch
from fastapi import FastAPI
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from model.checkpoint import SHIPPED
from model.sources.registry import Registry
from server import errors
from server.answers import Answers
from server.assets.folders import TEMPLATES
from server.assets.own import OwnFiles
from server.assets.pages import Pages
from server.assets.release import current
from server.assets.vendor import vendor_kept
from server.door import Door, Porter
from server.guard.cookies import OwnCookies
from server.guard.hosts import AllowedHosts
from server.guard.password import Password
from server.learning.lessons import Lessons
from server.metrics import Metrics
from server.middleware import BodyLimit, CatchBugs, HeadAsGet, Measure, RangeErrors, SecurityHeaders
from server.models import Models, build_registry
from server.openapi import describe
from server.participants import Participants
from server.probes import Probes
from server.readiness import Readiness
from server.routes import api, docs, health, learn, pages
from server.settings import Settings
from server.tracing import Tracer

STARTUP_WAIT_S = (
    5.0  # a small model is there before the first request; a large one does not hold up /healthz
)


def create_app(settings: Settings, registry: Registry | None = None) -> FastAPI:
    """The server, with the models of the settings or of a registry of your own."""
    templates = _templates()
    metrics = Metrics()
    tracer = Tracer(settings, metrics)
    porter = Porter(tracer, metrics)
    app = FastAPI(
        lifespan=_lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        middleware=[  # from the outside in
            Middleware(HeadAsGet),
            Middleware(Measure, metrics=metrics),
            Middleware(SecurityHeaders),
            Middleware(AllowedHosts, names=settings.allowed_hosts),
            Middleware(OwnCookies),
            Middleware(Participants),
            Middleware(GZipMiddleware, minimum_size=1_024, compresslevel=1),
            Middleware(CatchBugs),
            Middleware(Password, settings=settings, templates=templates),
            Middleware(BodyLimit, max_bytes=settings.max_body_bytes),
            Middleware(RangeErrors),
            Middleware(Door, settings=settings, porter=porter),
        ],
    )
    app.state.settings = settings
    app.state.metrics = metrics
    app.state.models = models = Models(registry or build_registry(settings), settings)
    folder = None if registry else settings.shipped or SHIPPED
    app.state.readiness = Readiness(models, folder)
    app.state.tracer = tracer
    app.state.porter = porter
    models.on_unload(tracer.forget)
    app.state.answers = Answers(settings, models, tracer)
    app.state.probes = Probes(models, tracer.workers, metrics)
    app.state.pages = Pages(templates)
    app.state.lessons = (
        _our_lessons(models.names)
        if settings.lessons is None
        else Lessons(settings.lessons, templates, models.names)
    )
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    errors.install(app)
    for routes in (api, pages, learn, health, docs):  # what is asked for most comes first
        app.include_router(routes.router)
    app.mount("/static", OwnFiles())
    return app


def from_environment() -> FastAPI:
    """The app of the HEADLIGHT_* variables: what each worker builds for itself."""
    return create_app(Settings())


def warm_up(settings: Settings) -> None:
    """Do once what every app of this process needs: workers that are forks of it inherit that."""
    _our_lessons(build_registry(settings).names)
    current().compress()
    vendor_kept("plotly.min.js").compress()


@cache
def _our_lessons(models: tuple[str, ...]) -> Lessons:
    """Reading them takes longer than all else that an app needs."""
    return Lessons(None, _templates(), models)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
    settings: Settings = app.state.settings
    torch.set_num_threads(settings.torch_threads)
    await anyio.to_thread.run_sync(partial(app.state.models.start, timeout_s=STARTUP_WAIT_S))
    await anyio.to_thread.run_sync(app.state.readiness.check)
    # for server/serving/protocol.py; where there is a password, who may ask at all comes first
    yield {} if settings.password else {"porter": app.state.porter}
    await app.state.tracer.shutdown()  # first: people wait for what it says
    await anyio.to_thread.run_sync(app.state.probes.close)
    app.state.metrics.close()


def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
    )

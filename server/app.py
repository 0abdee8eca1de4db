"""The app, built by `create_app`. Nothing happens at import."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any

import anyio.to_thread
import torch
from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from model.core.checkpoint import SHIPPED
from model.sources.registry import Registry
from model.sources.source import Source
from server import errors
from server.api.answers import Answers
from server.api.circuits import HeadCircuits
from server.api.dossiers import Dossiers
from server.api.openapi import describe
from server.api.routes import (
    api,
    circuits,
    class_files,
    class_pages,
    classes,
    docs,
    engine,
    export,
    health,
    help,
    learn,
    pages,
    programs,
    studies,
    teachers,
    training,
)
from server.api.routes.classes import CLASSES
from server.api.studies import Studies
from server.classes.room import Room
from server.classes.stores import own_folder
from server.http.guard.cookies import OwnCookies
from server.http.guard.cors import CrossOrigin
from server.http.guard.frames import Frames
from server.http.guard.hosts import AllowedHosts
from server.http.guard.password import Password
from server.http.metrics import Metrics
from server.http.middleware import (
    CONTENT_POLICY,
    BodyLimit,
    CatchBugs,
    HeadAsGet,
    Measure,
    RangeErrors,
    SecurityHeaders,
)
from server.pages.assets.own import OwnFiles
from server.pages.assets.pages import Pages, templates
from server.pages.assets.release import current
from server.pages.learning.lessons import Lessons
from server.programs.running import Programs
from server.run.admission import Admission, AdmissionMiddleware
from server.run.finding import build_registry, sister_names
from server.run.lenses import Lenses
from server.run.models import Models
from server.run.participants import Participants
from server.run.probes import Probes
from server.run.readiness import Readiness
from server.run.tracing import Tracer
from server.settings import Settings
from server.training import files
from server.training.runs import Runs
from server.training.turns import Turns

# Saved classes and networks are larger than a request may be.
FILES = {CLASSES: 4 * 1024**2, training.OPENED: files.MAX_BYTES}
# Enough for a small model to load before the first request; a large one must not delay /healthz.
STARTUP_WAIT_S = 5.0


def create_app(settings: Settings, registry: Registry | None = None) -> FastAPI:
    """The server's app, with the models from the settings or from a given registry."""
    metrics = Metrics()
    tracer = Tracer(settings, metrics)
    admission = Admission(tracer, metrics)
    app = FastAPI(
        lifespan=_lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        middleware=[  # outermost first
            Middleware(HeadAsGet),
            Middleware(Measure, metrics=metrics),
            Middleware(SecurityHeaders),
            Middleware(Frames, policy=CONTENT_POLICY, ancestors=settings.frame_ancestors),
            Middleware(CrossOrigin, origins=settings.cors_origins),
            Middleware(AllowedHosts, names=settings.allowed_hosts),
            Middleware(OwnCookies),
            Middleware(Participants),
            Middleware(GZipMiddleware, minimum_size=1_024, compresslevel=1),
            Middleware(CatchBugs),
            Middleware(Password, settings=settings),
            Middleware(BodyLimit, max_bytes=settings.max_body_bytes, larger=FILES),
            Middleware(RangeErrors),
            Middleware(AdmissionMiddleware, settings=settings, admission=admission),
        ],
    )
    app.state.settings = settings
    app.state.metrics = metrics
    app.state.models = models = Models(registry or build_registry(settings), settings)
    folder = None if registry else settings.shipped or SHIPPED
    app.state.readiness = Readiness(models, folder, tracer.memory)
    app.state.tracer = tracer
    app.state.admission = admission
    app.state.lenses = lenses = Lenses(models, tracer.workers, settings.dtype)

    def forget(source: Source) -> None:
        tracer.forget(source)
        lenses.forget(source.info.name)

    models.on_unload(forget)
    app.state.answers = Answers(settings, models, tracer, lenses)
    app.state.room = None if settings.classes == "off" else Room(settings)
    app.state.programs = Programs()
    app.state.runs = runs = Runs(settings.training_store or own_folder("training"))
    app.state.turns = Turns(runs, settings.training_at_once)
    if settings.training:
        models.registry.find = runs.find
    app.state.circuits = HeadCircuits(settings, models, tracer)
    app.state.studies = Studies(models, app.state.answers, tracer)
    app.state.probes = Probes(models, tracer.workers, metrics, settings.dtype)
    app.state.dossiers = Dossiers(settings)
    app.state.pages = Pages()
    shown = _shown(models.registry)
    app.state.lessons = (
        _our_lessons(shown)
        if settings.lessons is None
        else Lessons(settings.lessons, templates(), shown)
    )
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    errors.install(app)
    for routes in (
        api,
        circuits,
        classes,
        class_files,
        class_pages,
        pages,
        engine,
        export,
        teachers,
        learn,
        programs,
        studies,
        training,
        health,
        docs,
        help,
    ):  # most requested first
        app.include_router(routes.router)
    app.mount("/static", OwnFiles())
    return app


def from_environment() -> FastAPI:
    """The app configured by the HEADLIGHT_* variables. Each worker builds its own."""
    return create_app(Settings())


def warm_up(settings: Settings) -> None:
    """Fill the caches that every app in this process needs; forked workers inherit them."""
    _our_lessons(_shown(build_registry(settings)))
    current()


def _shown(registry: Registry) -> tuple[str, ...]:
    """The models that a lesson's figures may show."""
    return (*registry.names, *(name for name in sister_names() if registry.has(name)))


@cache
def _our_lessons(models: tuple[str, ...]) -> Lessons:
    """Our lessons, cached because reading them is the slowest part of building an app."""
    return Lessons(None, templates(), models)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
    settings: Settings = app.state.settings
    torch.set_num_threads(settings.torch_threads)
    await anyio.to_thread.run_sync(partial(app.state.models.start, timeout_s=STARTUP_WAIT_S))
    await anyio.to_thread.run_sync(app.state.readiness.check)
    if app.state.room is not None:
        await app.state.room.check()
    if settings.training and await anyio.to_thread.run_sync(app.state.runs.unfinished):
        app.state.turns.wake()  # they were interrupted
    # server/http/serving/protocol.py uses it; not with a password, which must be checked first
    yield {} if settings.password else {"admission": app.state.admission}
    await app.state.tracer.shutdown()  # first, because clients are waiting
    if app.state.room is not None:
        await app.state.room.close()
    for one in (app.state.probes, app.state.lenses, app.state.programs, app.state.turns):
        await anyio.to_thread.run_sync(one.close)
    app.state.metrics.close()

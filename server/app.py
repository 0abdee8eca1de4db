"""The app, built by `create_app`. Nothing happens at import."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import anyio.to_thread
import torch
from fastapi import FastAPI
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from model.sources.registry import Registry
from server import errors
from server.assets import STATIC, TEMPLATES, OwnFiles, static
from server.learning.lessons import Lessons
from server.metrics import Metrics
from server.middleware import BodyLimit, CatchBugs, HeadAsGet, Measure, SecurityHeaders
from server.models import Models, build_registry
from server.openapi import describe
from server.probes import Probes
from server.routes import api, docs, health, learn, pages
from server.settings import Settings
from server.tracing import Tracer

STARTUP_WAIT_S = (
    5.0  # a small model is there before the first request; a large one does not hold up /healthz
)


def create_app(settings: Settings, registry: Registry | None = None) -> FastAPI:
    """The server, with the models of the settings or of a registry of your own."""
    metrics = Metrics()
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
            Middleware(GZipMiddleware, minimum_size=1_024, compresslevel=1),
            Middleware(CatchBugs),
            Middleware(BodyLimit, max_bytes=settings.max_body_bytes),
        ],
    )
    app.state.settings = settings
    app.state.metrics = metrics
    app.state.models = models = Models(registry or build_registry(settings), settings)
    app.state.tracer = tracer = Tracer(settings, metrics)
    models.on_unload(tracer.forget)
    app.state.probes = Probes(models, tracer.queue, metrics)
    app.state.templates = templates = _templates()
    app.state.lessons = Lessons(settings.lessons, templates, models.names)
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    errors.install(app)
    for routes in (pages, learn, api, health, docs):
        app.include_router(routes.router)
    app.mount("/static", OwnFiles(directory=STATIC))
    return app


def from_environment() -> FastAPI:
    """The app of the HEADLIGHT_* variables: what each worker builds for itself."""
    return create_app(Settings())


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    torch.set_num_threads(settings.torch_threads)
    # requests that wait for a slot hold a thread each: as many again stay free for files and health
    limiter = anyio.to_thread.current_default_thread_limiter()
    limiter.total_tokens += settings.concurrency + settings.queue_size
    await anyio.to_thread.run_sync(partial(app.state.models.start, timeout_s=STARTUP_WAIT_S))
    yield
    await anyio.to_thread.run_sync(app.state.probes.close)
    app.state.metrics.close()


def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    environment.globals["static"] = static
    return environment

"""The ingress in front of the replicas: serves pages, forwards requests that need a model.

A request goes to the replica that has its text in the cache. It is not retried here when its
replica dies: a request that kills replicas would kill them all. The error asks the client to try
again.
"""

import asyncio
import logging
from collections.abc import Mapping

from ray import serve
from ray.exceptions import RayActorError
from ray.serve.exceptions import BackPressureError, DeploymentUnavailableError
from ray.serve.handle import DeploymentHandle, DeploymentResponseGenerator
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.app import create_app
from server.cluster.calling import head_of
from server.cluster.fleet import Fleet, FleetMetrics, FleetModels, FleetReadiness
from server.cluster.placement import names_only
from server.cluster.replica import Replica
from server.cluster.routing import Destination, destination, is_for_a_model
from server.errors import BusyError, problem_response
from server.http.guard.cors import CrossOrigin
from server.http.guard.hosts import AllowedHosts
from server.http.middleware import BodyLimit, CatchBugs, SecurityHeaders
from server.languages.choice import accepted
from server.settings import Settings

PLAIN_FILES = "/static/", "/vendor/", "/healthz"  # these do not show the models

# No replica accepted the request, or the replica that accepted it has died.
_UNANSWERED = TimeoutError, BackPressureError, DeploymentUnavailableError, RayActorError

log = logging.getLogger("headlight")


class Ingress:
    """The actor that Ray starts. `handles` has one entry per deployment."""

    def __init__(
        self,
        settings: Settings,
        deployments: Mapping[str, tuple[str, ...]],
        handles: Mapping[str, "DeploymentHandle[Replica]"],
    ) -> None:
        logging.getLogger("headlight").setLevel(settings.log_level.upper())
        name = serve.get_replica_context().replica_id.unique_id
        self._settings, self._deployments, self._handles = settings, deployments, handles
        self._name = name

    def __serve_build_asgi_app__(self) -> ASGIApp:
        return build(self._settings, self._deployments, self._handles, self._name)


def build(
    settings: Settings,
    deployments: Mapping[str, tuple[str, ...]],
    handles: Mapping[str, "DeploymentHandle[Replica]"],
    name: str,
) -> ASGIApp:
    """The app of an ingress."""
    own = create_app(settings.model_copy(update={"training": False}), names_only(settings))
    fleet = Fleet(handles)
    own.state.models = FleetModels(own.state.models, settings, fleet)
    own.state.readiness = FleetReadiness(fleet)
    own.state.metrics = FleetMetrics(own.state.metrics, name, fleet)
    deployment_of = {model: first for first, models in deployments.items() for model in models}
    streams = {
        model: handles[first].options(stream=True, method_name="answer")
        for model, first in deployment_of.items()
    }
    forwarding: ASGIApp = Forwarding(own, fleet, streams, own.state.models.names, settings)
    limited = BodyLimit(forwarding, max_bytes=settings.max_body_bytes)
    guarded = AllowedHosts(CatchBugs(limited), names=settings.allowed_hosts)
    return SecurityHeaders(CrossOrigin(guarded, origins=settings.cors_origins))


class Forwarding:
    """Sends requests that need a model to a replica, and the rest to the ingress's own app."""

    def __init__(
        self,
        own: ASGIApp,
        fleet: Fleet,
        streams: Mapping[str, "DeploymentHandle[Replica]"],
        models: tuple[str, ...],
        settings: Settings,
    ) -> None:
        self._own = own
        self._fleet = fleet
        self._streams = streams
        self._models = models
        self._timeout_s = settings.queue_timeout_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] != "http":
            return
        elif not is_for_a_model(scope["path"]):
            if not scope["path"].startswith(PLAIN_FILES):
                await self._fleet.refresh()
            await self._own(scope, receive, send)
        else:
            try:
                body = await Request(scope, receive).body()
            except ClientDisconnect:
                return
            where = destination(scope["path"], body, self._models)
            if where is None:
                await self._own(scope, _replay(body, receive), send)
            else:
                await self._forward(where, scope, body, receive, send)

    async def _forward(
        self, where: Destination, scope: Scope, body: bytes, receive: Receive, send: Send
    ) -> None:
        started = False
        stream = self._streams[where.model].options(session_id=where.key)
        answer = stream.remote(head_of(scope), body)
        assert isinstance(answer, DeploymentResponseGenerator)  # by the options above
        try:
            async with asyncio.timeout(self._timeout_s):
                await anext(answer)
            async for messages in answer:
                for message in messages:
                    started = True
                    await send(message)
        except _UNANSWERED as error:
            if started:
                raise  # breaks the connection, so that the client notices the truncated response
            log.warning("%s was not answered: %s", where.model, type(error).__name__)
            await problem_response(_refusal(error, where.model), accepted(scope))(
                scope, receive, send
            )


def _refusal(error: Exception, model: str) -> BusyError:
    """The error to send when no replica answered."""
    match error:
        case BackPressureError():
            code, message = "busy", "The server is busy: every replica of this model is full"
        case RayActorError():
            code, message = "busy", "The replica that was computing this has stopped"
        case _:
            code, message = "not_ready", f"No replica of the model {model} is ready"
    return BusyError(f"{message}. Try again in a moment.", code=code)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that delivers a body that was already read."""
    unread = True

    async def read() -> Message:
        nonlocal unread
        if not unread:
            return await receive()
        unread = False
        return {"type": "http.request", "body": body, "more_body": False}

    return read


async def _lifespan(receive: Receive, send: Send) -> None:
    """Acknowledge lifespan events. The ingress's app loads nothing, so its lifespan is not run."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return

"""What stands before the replicas: pages of its own, and for each request that needs a model, the
replica that has its text in mind.

A request is not repeated here when its replica dies: one that kills replicas would kill them all.
Whoever sent it asks again, as the answer says.
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
from server.cluster.fleet import Fleet, FleetMetrics, FleetModels, FleetReadiness
from server.cluster.inside import head_of
from server.cluster.placement import names_only
from server.cluster.replica import Replica
from server.cluster.routing import Destination, destination, is_for_a_model
from server.errors import BusyError, problem_response
from server.guard.hosts import AllowedHosts
from server.middleware import BodyLimit, CatchBugs, SecurityHeaders
from server.settings import Settings

PLAIN_FILES = "/static/", "/vendor/", "/healthz"  # these say nothing of models

# Nobody took the request, or the replica that had taken it has ended.
_UNANSWERED = TimeoutError, BackPressureError, DeploymentUnavailableError, RayActorError

log = logging.getLogger("headlight")


class Ingress:
    """What Ray starts. `handles` has one deployment for each model."""

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
    own = create_app(settings, names_only(settings))
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
    return SecurityHeaders(AllowedHosts(CatchBugs(limited), names=settings.allowed_hosts))


class Forwarding:
    """Sends what needs a model to a replica, and the rest to the app of the ingress."""

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
        self._patience_s = settings.queue_timeout_s

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
                await self._own(scope, _again(body, receive), send)
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
            async with asyncio.timeout(self._patience_s):
                await anext(answer)
            async for messages in answer:
                for message in messages:
                    started = True
                    await send(message)
        except _UNANSWERED as error:
            if started:
                raise  # the connection ends, so that nobody takes half an answer for a whole one
            log.warning("%s was not answered: %s", where.model, type(error).__name__)
            await problem_response(_refusal(error, where.model))(scope, receive, send)


def _refusal(error: Exception, model: str) -> BusyError:
    """Why there is no answer."""
    match error:
        case BackPressureError():
            code, message = "busy", "The server is busy: every replica of this model has enough"
        case RayActorError():
            code, message = "busy", "The replica that was computing this has ended"
        case _:
            code, message = "not_ready", f"No replica of the model {model} is ready"
    return BusyError(f"{message}. Try again in a moment.", code=code)


def _again(body: bytes, receive: Receive) -> Receive:
    """A body that was read, once more."""
    unread = True

    async def read() -> Message:
        nonlocal unread
        if not unread:
            return await receive()
        unread = False
        return {"type": "http.request", "body": body, "more_body": False}

    return read


async def _lifespan(receive: Receive, send: Send) -> None:
    """The app of the ingress has nothing to load, so that its own lifespan does not run."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return

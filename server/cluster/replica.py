"""One replica: the whole app with the models of one deployment."""

import logging
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio.to_thread
import ray
from ray import serve
from starlette.types import Message

from model.core.checkpoint import SHIPPED
from server.api import schemas
from server.app import create_app
from server.cluster.calling import call
from server.cluster.placement import SHIPPED_NAME, placement, registry_of
from server.http.guard.hosts import ANY
from server.run.readiness import Readiness
from server.run.tracing.memory import memory_limit
from server.settings import Settings

log = logging.getLogger("headlight")


@dataclass(frozen=True)
class Report:
    """The state of a replica."""

    replica: str
    models: list[schemas.Model]
    problem: str | None  # why it is not ready
    metrics: bytes  # in the format of /metrics


class Replica:
    """The actor that Ray starts for each replica of a deployment."""

    async def __init__(  # type: ignore[misc]  # Ray awaits it in the event loop
        self, settings: Settings, names: tuple[str, ...]
    ) -> None:
        logging.getLogger("headlight").setLevel(settings.log_level.upper())
        self._name = serve.get_replica_context().replica_id.unique_id
        settings = _within_its_node(settings, names[0])
        self._app = create_app(settings, registry_of(settings, names))
        if names[0] == SHIPPED_NAME:
            folder = settings.shipped or SHIPPED
            state = self._app.state
            state.readiness = Readiness(state.models, folder, state.tracer.memory)
        self._running = AsyncExitStack()
        await self._running.enter_async_context(self._app.router.lifespan_context(self._app))
        # Ray sends requests as soon as this returns, so load the model first. If that fails, the
        # error is logged and requests get it as their response, as on a single server.
        with suppress(Exception):
            load = partial(self._app.state.models.load, names[0], timeout_s=float("inf"))
            await anyio.to_thread.run_sync(load)

    async def answer(
        self, head: dict[str, Any], body: bytes
    ) -> AsyncGenerator[list[Message] | None]:
        """Stream the response to a request. Yields None first, to confirm that it was accepted."""
        yield None
        async for messages in call(self._app, head, body):
            yield messages

    async def report(self) -> Report:
        """The state of this replica. Cheap."""
        state = self._app.state
        problem = await anyio.to_thread.run_sync(state.readiness.problem)
        return Report(self._name, state.models.describe(), problem, state.metrics.exposition())

    async def __del__(self) -> None:
        await self._running.aclose()


def _within_its_node(settings: Settings, deployment: str) -> Settings:
    """The settings of a replica that shares its node with others.

    The ingress has already checked the Host header, so the replica accepts any name.
    """
    own = placement(settings, deployment)
    memory_bytes = own.memory_bytes or settings.memory_bytes
    if memory_bytes is None:
        here = ray.get_runtime_context().get_node_id()
        nodes = ray.nodes()  # type: ignore[no-untyped-call]
        cores = next(node["Resources"].get("CPU", 1) for node in nodes if node["NodeID"] == here)
        memory_bytes = memory_limit(None, max(1, int(cores / (own.cpus or 1))))
    return settings.model_copy(update={"memory_bytes": memory_bytes, "allowed_hosts": (ANY,)})

"""One replica: the whole app, with the models of one deployment."""

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

from model.checkpoint import SHIPPED
from server import schemas
from server.app import create_app
from server.cluster.inside import call
from server.cluster.placement import SHIPPED_NAME, placement, registry_of
from server.guard.hosts import ANY
from server.readiness import Readiness
from server.settings import Settings
from server.tracing.memory import memory_limit

log = logging.getLogger("headlight")


@dataclass(frozen=True)
class Report:
    """What a replica says of itself."""

    replica: str
    models: list[schemas.Model]
    problem: str | None  # why it is not ready
    metrics: bytes  # as /metrics has them


class Replica:
    """What Ray starts, once for each replica of a deployment."""

    async def __init__(  # type: ignore[misc]  # Ray awaits it, in the loop that answers
        self, settings: Settings, names: tuple[str, ...]
    ) -> None:
        logging.getLogger("headlight").setLevel(settings.log_level.upper())
        self._name = serve.get_replica_context().replica_id.unique_id
        settings = _within_its_node(settings, names[0])
        self._app = create_app(settings, registry_of(settings, names))
        if names[0] == SHIPPED_NAME:
            folder = settings.shipped or SHIPPED
            self._app.state.readiness = Readiness(self._app.state.models, folder)
        self._running = AsyncExitStack()
        await self._running.enter_async_context(self._app.router.lifespan_context(self._app))
        # Ray sends requests when this returns: a replica that is new must not make them wait. A
        # model that cannot be loaded is logged, and answered with its reason, as by one server.
        with suppress(Exception):
            load = partial(self._app.state.models.load, names[0], timeout_s=float("inf"))
            await anyio.to_thread.run_sync(load)

    async def answer(
        self, head: dict[str, Any], body: bytes
    ) -> AsyncGenerator[list[Message] | None]:
        """The answer to a request, as it comes. First None: it has been taken."""
        yield None
        async for messages in call(self._app, head, body):
            yield messages

    async def report(self) -> Report:
        """How this replica is; cheap."""
        state = self._app.state
        problem = await anyio.to_thread.run_sync(state.readiness.problem)
        return Report(self._name, state.models.describe(), problem, state.metrics.exposition())

    async def __del__(self) -> None:
        await self._running.aclose()


def _within_its_node(settings: Settings, deployment: str) -> Settings:
    """The settings of one replica among those that share its node.

    Names of hosts were checked by the ingress, which knows by which of them it is reached.
    """
    own = placement(settings, deployment)
    memory_bytes = own.memory_bytes or settings.memory_bytes
    if memory_bytes is None:
        here = ray.get_runtime_context().get_node_id()
        nodes = ray.nodes()  # type: ignore[no-untyped-call]
        cores = next(node["Resources"].get("CPU", 1) for node in nodes if node["NodeID"] == here)
        memory_bytes = memory_limit(None, max(1, int(cores / (own.cpus or 1))))
    return settings.model_copy(update={"memory_bytes": memory_bytes, "allowed_hosts": (ANY,)})

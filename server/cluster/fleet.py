"""The state of all replicas as the ingress sees it, at most a second old."""

import asyncio
import logging
import time
from collections.abc import Mapping

from ray.serve.handle import DeploymentHandle

from model.film import base_of
from server.api import schemas
from server.cluster.exposition import merged
from server.cluster.replica import Replica, Report
from server.http.metrics import Metrics
from server.run.models import Models
from server.settings import Settings

FRESH_S = 1.0  # when a whole class opens the page, replicas are asked once a second
REPORT_TIMEOUT_S = 2.0  # for a replica's report

log = logging.getLogger("headlight")


class Fleet:
    """The replicas of every deployment."""

    def __init__(self, handles: Mapping[str, "DeploymentHandle[Replica]"]) -> None:
        self._handles = handles
        self._asked_at = float("-inf")
        self._asking = asyncio.Lock()
        self.reports: dict[str, list[Report]] = {}

    async def refresh(self) -> None:
        """Fetch a report from every replica, unless that happened within the last second."""
        async with self._asking:
            if time.monotonic() - self._asked_at < FRESH_S:
                return
            found = await asyncio.gather(*map(self._ask, self._handles.values()))
            self.reports = dict(zip(self._handles, found, strict=True))
            self._asked_at = time.monotonic()

    async def _ask(self, handle: "DeploymentHandle[Replica]") -> list[Report]:
        try:
            found = await handle.broadcast("report").results_async(
                timeout_s=REPORT_TIMEOUT_S, return_exceptions=True
            )
        except Exception as error:  # there is no replica
            log.warning("No replica sent a report: %s", error)
            return []
        return [report for report in found if isinstance(report, Report)]


class FleetModels(Models):
    """The models of all deployments, as their replicas describe them."""

    def __init__(self, models: Models, settings: Settings, fleet: Fleet) -> None:
        super().__init__(models.registry, settings)
        self._fleet = fleet

    def describe(self, *also: str) -> list[schemas.Model]:
        """Every model, the default first. A model is ready if one of its replicas is."""
        found: dict[str, schemas.Model] = {}
        for reports in self._fleet.reports.values():
            for model in (model for report in reports for model in report.models):
                known = found.get(model.name)
                if known is None or (known.state != "ready" and model.state == "ready"):
                    found[model.name] = model
        for name in self.names:  # a model without a replica is about to get one
            found.setdefault(
                name, schemas.Model(name=name, state="loading", progress=0.0, error=None)
            )
        return [
            model for name in self.names for model in found.values() if base_of(model.name) == name
        ]


class FleetReadiness:
    """Whether any replica of the default model is ready."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet

    def problem(self) -> str | None:
        """Why no replica is ready, as a sentence; None: one is."""
        reports = next(iter(self._fleet.reports.values()), [])
        if any(report.problem is None for report in reports):
            return None
        return next((report.problem for report in reports), "no replica has started yet.")

    lasting_problem = problem


class FleetMetrics:
    """The metrics of the ingress and all replicas, labelled with their process."""

    def __init__(self, own: Metrics, name: str, fleet: Fleet) -> None:
        self._own = own
        self._name = name
        self._fleet = fleet

    def exposition(self) -> bytes:
        """The metrics in Prometheus's text format."""
        parts = [("", self._name, self._own.exposition())]
        for deployment, reports in self._fleet.reports.items():
            parts += [(deployment, report.replica, report.metrics) for report in reports]
        return merged(parts)

    def close(self) -> None:
        self._own.close()

"""Head probes of the models: each is computed once, in the background, and kept."""

from typing import Any

from model.analysis import PROBED, ProbeScores, kept_probe
from model.analysis.probe import ROWS
from server.http.metrics import Metrics
from server.run.measurements import Measurements, Run
from server.run.models import Models
from server.run.tracing import Workers


class Probes(Measurements[ProbeScores]):
    """The probes of this process."""

    def __init__(
        self, models: Models, workers: Workers, metrics: Metrics, dtype: str = "float32"
    ) -> None:
        super().__init__(
            models,
            workers,
            lambda source, progress: kept_probe(source, progress, dtype=dtype),
            kind="a probe",
            failed="could not be probed",
            total=ROWS,
            ended=metrics.probes.inc,
        )


def document(name: str, run: Run[ProbeScores]) -> dict[str, Any]:
    """The response about a probe, ready for orjson."""
    scores = run.found
    return {
        "model": name,
        "state": run.state,
        "progress": {"done": run.done, "total": run.total},
        "probe": None if scores is None else _probe(scores),
        "metrics": [metric.described() for metric in PROBED],
        "sink_share": None if scores is None else scores.sink_share,
        "heads": None if scores is None else scores.heads,
        "error": run.error,
    }


def _probe(scores: ProbeScores) -> dict[str, Any]:
    names = ("description", "rows", "length", "copies", "seed", "example")
    return {name: getattr(scores, name) for name in names}

"""Merges the metrics of many processes on many machines into one Prometheus text.

The labels `model` and `replica` keep the processes apart. If we added them up, a counter would
fall when a replica stops, which Prometheus would take for a restart.
"""

from collections.abc import Iterable, Iterator

from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector


def merged(parts: Iterable[tuple[str, str, bytes]]) -> bytes:
    """Merge metrics texts into one.

    Args:
        parts: for each process, its deployment (empty for an ingress), its name and its text.
    """
    families: dict[str, Metric] = {}
    for model, replica, text in parts:
        for family in text_string_to_metric_families(text.decode()):
            into = families.setdefault(
                family.name, Metric(family.name, family.documentation, family.type)
            )
            for sample in family.samples:
                labels = {**sample.labels, "model": model, "replica": replica}
                into.samples.append(sample._replace(labels=labels))
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Families(families.values()))
    return generate_latest(registry)


class _Families(Collector):
    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = list(families)

    def collect(self) -> Iterator[Metric]:
        yield from self._families

"""Metrics of many processes on many machines as one text for Prometheus.

Each number keeps its process apart by the labels `model` and `replica`: added up here, a counter
would fall when a replica ends, which Prometheus takes for a restart.
"""

from collections.abc import Iterable, Iterator

from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector


def merged(parts: Iterable[tuple[str, str, bytes]]) -> bytes:
    """One text of many.

    Args:
        parts: of each process its deployment (empty for an ingress), its name, its own text.
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

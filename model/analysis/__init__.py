"""Analyses of traces from any source: scores of heads, rollout, and a probe."""

from model.analysis.metrics import METRICS, PROBED, SINK, Metric
from model.analysis.probe import ProbeScores, kept_probe, probe
from model.analysis.rollout import rollout
from model.analysis.scores import HeadScores, Score, head_scores, sink_share

__all__ = [
    "METRICS",
    "PROBED",
    "SINK",
    "HeadScores",
    "Metric",
    "ProbeScores",
    "Score",
    "head_scores",
    "kept_probe",
    "probe",
    "rollout",
    "sink_share",
]

"""The probe of a model's heads, kept: it depends on the weights alone, so each is measured once."""

import json
import logging
import os
from collections.abc import Callable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from model.analysis.metrics import PROBED
from model.analysis.probe import COPIES, LENGTH, ROWS, SEED, ProbeScores, probe
from model.analysis.scores import HeadScores, Score
from model.errors import CheckpointError
from model.files import read_json
from model.sources.cache import cache_folder
from model.sources.source import Source

log = logging.getLogger("headlight")

FORMAT = 1  # another one whenever a score is computed in another way


def kept_probe(
    source: Source,
    progress: Callable[[int, int], None] | None = None,
    *,
    dtype: str = "float32",
) -> ProbeScores:
    """The probe of a source (see `probe`), from HEADLIGHT_CACHE if it was computed before.

    `dtype` is the number format that the source computes in. A source without weights of its own is
    probed each time, and so is any where the folder cannot be written to.
    """
    if source.info.weights is None:
        return probe(source, progress)
    path = cache_folder() / "probes" / f"{_key(source.info.weights, dtype)}.json"
    scores = _read(path)
    if scores is None:
        scores = probe(source, progress)
        _write(path, scores)
    return scores


def _key(weights: str, dtype: str) -> str:
    """Of everything that the scores depend on."""
    rules = [metric.described() for metric in PROBED]
    parts = [FORMAT, weights, dtype, ROWS, LENGTH, COPIES, SEED, rules]
    return sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _read(path: Path) -> ProbeScores | None:
    """What was kept; None if it is not there, or not what this version keeps."""
    try:
        content = read_json(path)
        heads = [_head(one) for one in content.pop("heads")]
        return ProbeScores(**{**content, "example": tuple(content["example"])}, heads=heads)
    except (CheckpointError, KeyError, TypeError, AttributeError):
        return None


def _head(given: dict[str, Any]) -> HeadScores:
    scores = {name: Score(**score) for name, score in given["scores"].items()}
    return HeadScores(**{**given, "scores": scores})


def _write(path: Path, scores: ProbeScores) -> None:
    part = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(asdict(scores), allow_nan=False), encoding="utf-8")
        part.replace(path)  # a half-written one never has its name
    except OSError as error:
        log.debug("A probe is not kept: %s", error)

"""Probe a source: score its heads on rows of random tokens, each row repeated once.

Random tokens have no grammar to follow, so what a head does on them shows its habits. In the second
copy every token has an earlier copy of itself, and a token that followed it (Olsson et al. 2022).
There it also shows whether a head copies what it looks at: with prefix matching, which the metric
`induction` measures, the other half of what they ask of an induction head.
"""

import json
import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import reduce
from hashlib import sha256
from operator import add
from pathlib import Path
from typing import Any

from model.analysis.metrics import COPYING, PROBED
from model.analysis.scores import HeadScores, Score, Tally, sink_share, tallies
from model.analysis.weights.copying import CopyTally, Outputs, copy_tallies
from model.errors import CheckpointError, UnavailableError
from model.files import read_json
from model.sources.cache import cache_folder, keep
from model.sources.source import Source

FORMAT = 1  # of what is kept: another one whenever a score is computed in another way
ROWS, LENGTH, COPIES, SEED = 16, 25, 2, 0
_ADDED = 2  # special tokens that a source may add around a row


@dataclass(frozen=True, slots=True)
class ProbeScores:
    """The scores of a source's heads on the probe, and a description of the probe."""

    description: str
    rows: int
    length: int  # different tokens in a row; below 25 if the source has or takes no more
    copies: int
    seed: int
    example: tuple[str, ...]  # the tokens of the first row
    sink_share: float | None
    heads: list[HeadScores]


def probe(source: Source, progress: Callable[[int, int], None] | None = None) -> ProbeScores:
    """Score every head on 16 rows of 25 different random ordinary tokens, each row repeated once.

    The means are over all queries of all rows except special tokens. `progress(done, total)` is
    called after each row.

    Raises:
        UnavailableError: the source has no ordinary tokens, or takes too few.
        NumericsError: a number is not finite.
    """
    ids = source.ordinary_ids
    if not ids:
        raise UnavailableError(
            f"{source.info.name} has no vocabulary to draw random tokens from. Score its heads on "
            "a text instead: POST /api/trace with analyse.scores."
        )
    length = min(LENGTH, len(ids), (source.info.max_tokens - _ADDED) // COPIES)
    if length < 1:
        raise UnavailableError(f"{source.info.name} takes too few tokens to be probed.")
    rng = random.Random(SEED)
    example: tuple[str, ...] = ()
    rows: list[list[Tally]] = []
    copies: list[list[CopyTally]] = []
    outputs = Outputs.of_source(source)
    for row in range(ROWS):
        trace = source.trace_ids([rng.sample(ids, length) * COPIES])
        example = example or tuple(token.text for token in trace.tokens[0])
        trace = trace.with_patterns()
        rows.append(tallies(trace, 0, specials=False))
        copies.append(copy_tallies(trace, outputs, 0))
        if progress is not None:
            progress(row + 1, ROWS)
    heads = list[HeadScores]()
    for of_site, copied in zip(zip(*rows, strict=True), zip(*copies, strict=True), strict=True):
        both = zip(reduce(add, of_site).scores(), reduce(add, copied).scores(), strict=True)
        heads += [replace(head, scores=head.scores | {COPYING.name: score}) for head, score in both]
    return ProbeScores(
        description=_description(length),
        rows=ROWS,
        length=length,
        copies=COPIES,
        seed=SEED,
        example=example,
        sink_share=sink_share(heads),
        heads=heads,
    )


def _description(length: int) -> str:
    fewer = "" if length == LENGTH else f" (not {LENGTH}, because this model has or takes no more)"
    return (
        f"{ROWS} rows of {length} different random tokens{fewer}, each row twice in a row, "
        f"seed {SEED}"
    )


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
        keep(path, json.dumps(asdict(scores), allow_nan=False).encode())
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

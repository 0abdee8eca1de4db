"""Probe a source: score its heads on rows of random tokens, each row repeated once.

Random tokens have no grammar to follow, so what a head does on them shows its habits. In the second
copy every token has an earlier copy of itself, and a token that followed it (Olsson et al. 2022).
There it also shows whether a head copies what it looks at: with prefix matching, which the metric
`induction` measures, the other half of what they ask of an induction head.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from operator import add

from model.analysis.copying import CopyTally, Outputs, copy_tallies
from model.analysis.metrics import COPYING
from model.analysis.scores import HeadScores, Tally, sink_share, tallies
from model.errors import UnavailableError
from model.sources.source import Source

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

"""The numbers of a dossier, one row each. A text gives each head one value, or none.

The number of a head is the mean over the texts that give it a value, so that each text counts once,
however long it is.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from model.analysis.metrics import COPYING, METRICS, Also, Metric
from model.analysis.weights.copying import NOTHING
from model.dossier.copying import Copied
from model.dossier.muting import Muted
from model.dossier.patterns import PatternSums
from model.message import Message


@dataclass(frozen=True, kw_only=True, eq=False)
class TextRun:
    """What was read of one text."""

    patterns: PatternSums
    copied: Copied
    muted: Muted


class Values(NamedTuple):
    """One number for each head, where it is known, and why it is not."""

    value: Float[Tensor, " head"]
    known: Bool[Tensor, " head"]
    reasons: tuple[str, ...]  # for each head; "" where the value is known


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One number of a head. A[i,j] is its pattern for query i and key j."""

    name: str
    label: str
    definition: str
    source: str
    unit: str
    read: Callable[[TextRun], Values]
    is_label: bool = False  # a share of attention that can name a head
    also: Also | None = None  # what it asks besides, to name it

    def described(self) -> dict[str, Any]:
        """Its description in a dossier."""
        names = ("name", "label", "definition", "source", "unit", "is_label")
        also = None if self.also is None else asdict(self.also)
        return {**{name: getattr(self, name) for name in names}, "also": also}


def _of_metric(place: int, metric: Metric) -> Measure:
    def read(run: TextRun) -> Values:
        over = run.patterns.over[place]
        return _mean(run.patterns.values[place], over, run.patterns.reasons[place])

    return Measure(
        name=metric.name,
        label=metric.label,
        definition=metric.definition,
        source=metric.source,
        unit=metric.unit,
        read=read,
        is_label=metric.unit == "share of attention",
        also=metric.also,
    )


def _mean(sums: Tensor, over: Tensor, reasons: Sequence[str]) -> Values:
    known = over > 0
    why = (("" if here else reason) for here, reason in zip(known.tolist(), reasons, strict=True))
    return Values(sums / over.clamp(min=1), known, tuple(why))


def _peak(run: TextRun) -> Values:
    absent = "no query may look at two keys"
    return _mean(run.patterns.peak, run.patterns.peak_over, [absent] * len(run.patterns.peak))


def _copied_share(run: TextRun) -> Values:
    mass = run.copied.mass
    known = (mass > 0) & torch.tensor([not reason for reason in run.copied.reasons])
    reasons = tuple(
        "" if here else reason or NOTHING
        for here, reason in zip(known.tolist(), run.copied.reasons, strict=True)
    )
    return Values(run.copied.raised / mass.clamp(min=1e-12), known, reasons)


def _copied_lift(run: TextRun) -> Values:
    known = torch.tensor([not reason for reason in run.copied.reasons])
    known &= torch.tensor(run.copied.queries > 0)
    nothing = "the texts have only special tokens"
    reasons = tuple(
        "" if here else reason or nothing
        for here, reason in zip(known.tolist(), run.copied.reasons, strict=True)
    )
    return Values(run.copied.lift / max(run.copied.queries, 1), known, reasons)


def _mute_effect(run: TextRun) -> Values:
    known = run.muted.known
    reasons = tuple("" if here else run.muted.reason for here in known.tolist())
    return Values(run.muted.change, known, reasons)


MEASURES = (
    *(_of_metric(index, metric) for index, metric in enumerate(METRICS)),
    Measure(
        name="peak",
        label=Message("largest weight"),
        definition=Message(
            "How much one key gets: the mean of max_j A[i,j] over the i that may look at two "
            "keys or more."
        ),
        source="The largest weight of a row",
        unit=Message("share of attention"),
        read=_peak,
    ),
    Measure(
        name=COPYING.name,
        label=COPYING.label,
        definition=COPYING.definition,
        source=COPYING.source,
        unit=COPYING.unit,
        read=_copied_share,
    ),
    Measure(
        name="copied_lift",
        label=Message("lift of the source"),
        definition=Message(
            "How much the head adds to the logit of the tokens that it looks at, above the mean "
            "logit: the mean over i of Σ_j A[i,j] · v[j] · W_O · (W_U[t[j]] − mean W_U), with "
            "the norms frozen."
        ),
        source="Elhage et al. 2021, A Mathematical Framework for Transformer Circuits (OV circuit)",
        unit=Message("logits"),
        read=_copied_lift,
    ),
    Measure(
        name="mute_effect",
        label=Message("effect when muted"),
        definition=Message(
            "What muting the head alone does to the next token that the text really has: the "
            "mean change of ln p, at positions drawn at random. Below 0 the head helped."
        ),
        source="Voita et al. 2019, Analyzing Multi-Head Self-Attention (ablation of heads)",
        unit=Message("nats"),
        read=_mute_effect,
    ),
)

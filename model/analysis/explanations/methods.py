"""The methods of explanation: one row each.

A row says what the method is called, its unit, whether its numbers have a sign, how it is defined
and by whom, and computes one number per source token. One that has nothing to say of a case raises
an UnavailableError whose message is the reason.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import torch

from model.analysis.attribution import attribution
from model.analysis.explanations.case import Asked, Case, unavailable
from model.analysis.explanations.gradients import (
    GRADIENT_ROWS,
    at_embeddings,
    embeddings,
    gauss_legendre,
)
from model.analysis.flow import MAX_TOKENS as MAX_FLOW_TOKENS
from model.analysis.flow import flow
from model.analysis.rollout import rollout
from model.message import Message
from model.trace.tensors import TensorName

Role = Literal["method", "reference", "second reference"]


class Explanation(NamedTuple):
    """One number per source token, and what else is worth knowing of them."""

    values: list[float]
    notes: Mapping[str, float] = {}


@dataclass(frozen=True, kw_only=True)
class Method:
    """Everything about one method."""

    name: str
    label: str
    unit: str
    signed: bool  # whether a negative number means that a token speaks against the answer
    definition: str  # with what is approximate about it
    source: str
    ask: Callable[[Case], Explanation]
    reads: tuple[str, ...] = ()  # what it reads of what is asked, besides the prediction
    rows: Callable[[int, Asked], int] = lambda n, asked: 0  # of its runs, for `n` tokens
    notes: Mapping[str, str] = field(default_factory=dict)  # what its notes mean
    role: Role = "method"
    optional: bool = False  # asked only if the request names a head


def _weights(case: Case) -> Explanation:
    weights = _row(case, "pattern")
    if case.site.muted:
        weights[list(case.site.muted)] = 0.0
    return Explanation(_picked(case, weights.mean(dim=0)))


def _head_weights(case: Case) -> Explanation:
    assert case.asked.head is not None
    return Explanation(_picked(case, _row(case, "pattern")[case.asked.head]))


def _norm_weighted(case: Case) -> Explanation:
    site = case.site
    if site.w_o is None or site.v is None:
        raise unavailable(f"{site.name} has no known values or W_O")
    weights = _row(case, "pattern")
    weights[list(site.muted)] = 0.0
    if site.z_factor is not None:
        row = slice(case.text, case.text + 1)
        weights = weights * site.z_factor[row, :, case.position].reshape(-1, 1)
    v = site.v[case.text]  # head key d_head
    moved = torch.einsum("hk,hkd,hdm->km", weights, v, site.w_o)
    return Explanation(_picked(case, moved.norm(dim=-1)))


def _rollout(case: Case) -> Explanation:
    _check_single(case)
    return Explanation(_picked(case, rollout(case.trace)[case.text, case.position]))


def _flow(case: Case) -> Explanation:
    _check_single(case)
    n = len(case.tokens)
    if n > MAX_FLOW_TOKENS:
        raise unavailable(
            f"the flow takes texts of at most {MAX_FLOW_TOKENS} tokens; this one has {n:,}"
        )
    found = flow(case.trace, text=case.text, query=case.position)
    return Explanation(_picked(case, found[0, case.position]))


def _attribution(case: Case) -> Explanation:
    """The sum over all heads of what each source token adds, and the token's own direct path."""
    if case.axis not in case.trace.streams:
        raise unavailable(
            f"the residual stream of {case.trace.model} is not recorded, so its logits cannot be "
            "taken apart"
        )
    each = attribution(
        case.trace,
        position=case.position,
        token=case.token.id,
        against=None if case.against is None else case.against.id,
    )
    found, read = each[case.text], {site.name for site in case.reading}
    total = torch.zeros(len(case.tokens), dtype=torch.float64)
    for one in found.sources:
        if one.site in read:
            total += torch.tensor(one.values, dtype=torch.float64)
    if not case.crosses:
        total[case.position] += sum(
            one.value
            for one in found.contributions
            if one.part.kind in ("embedding", "position", "segment")
        )
    values = _picked(case, total)
    return Explanation(values, {"rest": found.logit - sum(values)})


def _gradient_input(case: Case) -> Explanation:
    x = embeddings(case)
    (gradient,) = at_embeddings(case, x[None]).gradients
    return Explanation(_picked(case, (gradient * x).sum(dim=-1)))


def _integrated_gradients(case: Case) -> Explanation:
    x = embeddings(case)
    baseline = _baseline(case, x)
    points = gauss_legendre(case.asked.steps)
    rows = torch.stack([baseline + at * (x - baseline) for at, _ in points])
    weights = torch.tensor([weight for _, weight in points])
    mean = torch.einsum("r,rpd->pd", weights, at_embeddings(case, rows).gradients)
    given = ((x - baseline) * mean).sum(dim=-1)
    ends = at_embeddings(case, torch.stack([baseline, x]), gradients=False).values
    promised = (ends[1] - ends[0]).item()
    return Explanation(
        _picked(case, given), {"promised": promised, "gap": promised - given.sum().item()}
    )


def _mean_ablation(case: Case) -> Explanation:
    x = embeddings(case)
    mean = case.runner.mean_embedding
    if mean is None:
        raise unavailable(f"the embeddings of {case.trace.model} are not known")
    rows = x.repeat(len(case.sources), 1, 1)
    for row, at in enumerate(case.sources):
        rows[row, at] = mean
    left = at_embeddings(case, rows, gradients=False).values
    return Explanation([case.full.logit - value for value in left.tolist()])


def _ablation(case: Case) -> Explanation:
    alone = torch.eye(len(case.sources), dtype=torch.bool)
    return Explanation([case.full.logit - answer.logit for answer in case.without(alone)])


def _baseline(case: Case, x: torch.Tensor) -> torch.Tensor:
    if case.asked.baseline == "zero":
        return torch.zeros_like(x)
    if case.runner.mean_embedding is None:
        raise unavailable(f"the embeddings of {case.trace.model} are not known")
    return case.runner.mean_embedding.expand_as(x)


def _row(case: Case, name: TensorName) -> torch.Tensor:
    """The row of the prediction in each head of the site whose weights are read (head key)."""
    rows = slice(case.position, case.position + 1)
    found: torch.Tensor = case.site.derive([name], text=case.text, rows=rows)[name][0, :, 0]
    return found.clone()


def _picked(case: Case, row: torch.Tensor) -> list[float]:
    found: list[float] = row[list(case.sources)].tolist()
    return found


def _check_single(case: Case) -> None:
    if case.crosses:
        raise unavailable(
            "it is defined for one stack of self-attention, and here the prediction is a decoder's"
        )


METHODS: tuple[Method, ...] = (
    Method(
        name="weight",
        label=Message("Raw weight"),
        unit=Message("share"),
        signed=False,
        definition=Message(
            "The attention weight from the position of the prediction, as the mean over the "
            "heads of one layer: the last, unless another is chosen. A muted head counts as 0."
        ),
        source="Bahdanau et al. 2015",
        ask=_weights,
        reads=("layer",),
    ),
    Method(
        name="head_weight",
        label=Message("Raw weight of one head"),
        unit=Message("share"),
        signed=False,
        definition=Message(
            "The attention weight from the position of the prediction in the chosen head."
        ),
        source="Bahdanau et al. 2015",
        ask=_head_weights,
        reads=("layer", "head"),
        optional=True,
    ),
    Method(
        name="norm_weight",
        label=Message("Norm-weighted weight"),
        unit=Message("length"),
        signed=False,
        definition=Message(
            "The length of what the heads of that layer move from each token: ‖Σ_h weight · v · "
            "W_O‖, without the layer’s norm."
        ),
        source="Kobayashi et al. 2020",
        ask=_norm_weighted,
        reads=("layer",),
    ),
    Method(
        name="rollout",
        label=Message("Rollout"),
        unit=Message("share"),
        signed=False,
        definition=Message(
            "The product over the layers of ½ mean attention + ½ identity. It knows nothing of "
            "values, feed-forward networks or the token that is predicted."
        ),
        source="Abnar & Zuidema 2020",
        ask=_rollout,
    ),
    Method(
        name="flow",
        label=Message("Flow"),
        unit=Message("share"),
        signed=False,
        definition=Message(
            "The maximum flow from the prediction to each token, with the layers of the "
            "rollout as capacities. For short texts only."
        ),
        source="Abnar & Zuidema 2020",
        ask=_flow,
    ),
    Method(
        name="attribution",
        label=Message("Logit attribution"),
        unit=Message("logits"),
        signed=True,
        definition=Message(
            "What each token adds to the logit through the heads at the position of the "
            "prediction, directly, with the last norm frozen; at that position also the token’s "
            "own embedding. What reaches the position through earlier layers of other tokens is "
            "counted for the token that a head reads it from, and feed-forward networks for "
            "none."
        ),
        source="Elhage et al. 2021",
        ask=_attribution,
        notes={
            "rest": Message(
                "the part of the logit that is not a token’s: feed-forward networks, biases"
            )
        },
    ),
    Method(
        name="gradient_input",
        label=Message("Gradient × input"),
        unit=Message("logits"),
        signed=True,
        definition=Message(
            "The token’s embedding times the gradient of the logit: a first-order estimate of "
            "what the embedding adds."
        ),
        source="Shrikumar et al. 2016",
        ask=_gradient_input,
        rows=lambda n, asked: GRADIENT_ROWS,
    ),
    Method(
        name="integrated_gradients",
        label=Message("Integrated gradients"),
        unit=Message("logits"),
        signed=True,
        definition=Message(
            "The gradient times the change of the embedding, integrated along a straight line "
            "from a baseline for all tokens at once (Gauss–Legendre). The numbers should sum to "
            "what the logit gains over the baseline; the gap says how far the integral is off."
        ),
        source="Sundararajan et al. 2017",
        ask=_integrated_gradients,
        reads=("baseline", "steps"),
        rows=lambda n, asked: GRADIENT_ROWS * asked.steps + 2,
        notes={
            "promised": Message("the logit less that of the baseline"),
            "gap": Message("what is missing from the sum over all tokens"),
        },
    ),
    Method(
        name="mean_ablation",
        label=Message("Embedding ablation"),
        unit=Message("logits"),
        signed=True,
        definition=Message(
            "By how much the logit drops in a real run in which the token’s embedding is the "
            "mean of the vocabulary: another ablation, which need not agree with the reference."
        ),
        source="see Covert et al. 2021 on removing inputs",
        ask=_mean_ablation,
        rows=lambda n, asked: n,
        role="second reference",
    ),
    Method(
        name="ablation",
        label=Message("Ablation"),
        unit=Message("logits"),
        signed=True,
        definition=Message(
            "By how much the logit drops in a real run in which nobody may look at the token: "
            "its key is blocked for every query in every layer and head. At the position of the "
            "prediction the token’s own stream stays. This is one definition of leaving a token "
            "out."
        ),
        source="Li et al. 2016; blocking as in Geva et al. 2023",
        ask=_ablation,
        rows=lambda n, asked: n,
        role="reference",
    ),
)
REFERENCE = next(one for one in METHODS if one.role == "reference")

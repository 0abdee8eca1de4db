"""Predictions from logits: candidates for the next token, the logit lens, effects of muting."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from jaxtyping import Float
from torch import Tensor

from model.errors import NumericsError
from model.finite import all_finite

_SLACK = 1e-9  # tolerance for the rounding of summed probabilities


@dataclass(frozen=True)
class Prediction:
    """A candidate for the next token."""

    id: int
    text: str
    probability: float


@dataclass(frozen=True)
class Listed(Prediction):
    """A candidate in a list of the most likely tokens."""

    special: bool  # a special token, which nobody can type
    unedited: float | None = None  # its probability in the unedited run, if requested


@dataclass(frozen=True)
class Nucleus:
    """The smallest set of most likely tokens that has at least a given share of the probability."""

    tokens: int
    share: float  # of the probability that they have together


@dataclass(frozen=True)
class LensStage:
    """The prediction if the model stopped after this layer (logit lens, nostalgebraist 2020)."""

    name: str  # "embedding", then "layers.0", … for the state after that layer
    layer: int | None  # None: before the first layer
    candidates: tuple[Prediction, ...]  # the most likely tokens at this stage
    final: Prediction  # the model's final choice, with its probability at this stage


@dataclass(frozen=True)
class Lens:
    """The logit lens at one position of one text; the last stage is the model's output."""

    position: int
    stages: tuple[LensStage, ...]


Quantity = Literal["logit", "cosine", "entropy", "loss"]


class Measured(NamedTuple):
    """What an answer measures of a text."""

    quantity: Quantity
    values: tuple[float, ...]  # one, or one for each class


@dataclass(frozen=True)
class MuteEffect:
    """The effect of muting one head: change = log p(token | muted) − log p(token), in nats."""

    kind: str  # of the site
    layer: int
    head: int
    change: float | None  # None if it could not be computed
    reason: str | None  # why it could not


@dataclass(frozen=True)
class MuteEffects:
    """The effects of muting each head alone on one token's probability, at one position."""

    position: int
    token: Prediction  # without the extra mute
    effects: tuple[MuteEffect, ...]  # every head, by layer


def log_softmax(
    logits: Float[Tensor, "*batch vocab_size"], *, model: str, temperature: float = 1.0
) -> Float[Tensor, "*batch vocab_size"]:
    """ln softmax(logits / temperature), in double precision so that no temperature overflows.

    Raises:
        NumericsError: a logit is not finite.
    """
    if not all_finite(logits):
        raise NumericsError(f"{model}'s logits are not finite; expected all finite.")
    logits = logits.double()
    return (logits if temperature == 1 else logits / temperature).log_softmax(-1)


def likeliest(
    log_p: Float[Tensor, " vocab_size"], top_k: int, token_text: Callable[[int], str]
) -> tuple[Prediction, ...]:
    """The `top_k` most likely tokens, in descending order."""
    best = log_p.topk(min(top_k, log_p.shape[-1]))
    return tuple(
        Prediction(id, token_text(id), probability)
        for id, probability in zip(best.indices.tolist(), best.values.exp().tolist(), strict=True)
    )


def nucleus(log_p: Float[Tensor, " vocab_size"], top_p: float) -> Nucleus:
    """The smallest set of most likely tokens whose total probability is at least `top_p`.

    `top_p` = 1 gives all tokens. Ties are broken in no particular order.
    (Holtzman et al. 2020, The Curious Case of Neural Text Degeneration.)
    """
    if top_p >= 1:
        return Nucleus(log_p.shape[-1], 1.0)
    held = log_p.exp().sort(descending=True).values.cumsum(-1)
    tokens = min(int((held < top_p - _SLACK).sum()) + 1, len(held))
    return Nucleus(tokens, min(1.0, held[tokens - 1].item()))


def listed(
    log_p: Float[Tensor, " vocab_size"],
    n: int,
    token_text: Callable[[int], str],
    *,
    special: Collection[int] = (),
    unedited: tuple[Float[Tensor, " vocab_size"], int] | None = None,
    also: Sequence[int] = (),
) -> tuple[Listed, ...]:
    """The `n` most likely tokens in descending order, then further tokens in descending order.

    Args:
        unedited: ln p in the unedited run, and how many of its most likely tokens to list as well,
            to show what the edit made less likely.
        also: ids of further tokens to list.
    """
    ids = log_p.topk(min(n, len(log_p))).indices.tolist()
    others = set(also)
    if unedited is not None:
        plain, n_plain = unedited
        others |= set(plain.topk(min(n_plain, len(plain))).indices.tolist())
    ids += sorted(others - set(ids), key=lambda id: (-log_p[id].item(), id))
    p = log_p[ids].exp().tolist()
    before = [None] * len(ids) if unedited is None else unedited[0][ids].exp().tolist()
    return tuple(
        Listed(id, token_text(id), here, id in special, there)
        for id, here, there in zip(ids, p, before, strict=True)
    )

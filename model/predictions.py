"""What is read off logits: candidates for the next token, by layer, and with a head muted."""

from collections.abc import Callable
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from model.errors import NumericsError


@dataclass(frozen=True)
class Prediction:
    """A candidate for the next token."""

    id: int
    text: str
    probability: float


@dataclass(frozen=True)
class LensStage:
    """What the model would say if it stopped here (logit lens, nostalgebraist 2020)."""

    name: str  # "embedding", then "layers.0", …: after that layer
    layer: int | None  # None: before the first layer
    candidates: tuple[Prediction, ...]  # the likeliest here
    final: Prediction  # the model's own likeliest token, with the probability that it has here


@dataclass(frozen=True)
class Lens:
    """The logit lens at one position of one text; the last stage is the model's output."""

    position: int
    stages: tuple[LensStage, ...]


@dataclass(frozen=True)
class MuteEffect:
    """What muting one head does: change = log p(token | muted) − log p(token), in nats."""

    kind: str  # of the site
    layer: int
    head: int
    change: float | None  # None where there is a reason
    reason: str | None


@dataclass(frozen=True)
class MuteEffects:
    """What muting each head alone does to one token's probability, at one position of one text."""

    position: int
    token: Prediction  # as it is, without the extra mute
    effects: tuple[MuteEffect, ...]  # every head, by layer


def log_softmax(
    logits: Float[Tensor, "*batch vocab_size"], *, model: str, temperature: float = 1.0
) -> Float[Tensor, "*batch vocab_size"]:
    """ln softmax(logits / temperature), in double and from the largest down: nothing overflows.

    Raises:
        NumericsError: a logit that is not finite.
    """
    if not bool(logits.isfinite().all()):
        raise NumericsError(f"{model}'s logits are not finite; expected all finite.")
    logits = logits.double()
    return ((logits - logits.amax(-1, keepdim=True)) / temperature).log_softmax(-1)


def likeliest(
    log_p: Float[Tensor, " vocab_size"], top_k: int, token_text: Callable[[int], str]
) -> tuple[Prediction, ...]:
    """The `top_k` likeliest tokens, the likeliest first."""
    best = log_p.topk(min(top_k, log_p.shape[-1]))
    return tuple(
        Prediction(id, token_text(id), probability)
        for id, probability in zip(best.indices.tolist(), best.values.exp().tolist(), strict=True)
    )

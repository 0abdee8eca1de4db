"""What is read off logits: candidates for the next token, by layer, and with a head muted."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from model.errors import NumericsError
from model.finite import all_finite

_SLACK = 1e-9  # of a share: probabilities that should sum to it may miss it by their rounding


@dataclass(frozen=True)
class Prediction:
    """A candidate for the next token."""

    id: int
    text: str
    probability: float


@dataclass(frozen=True)
class Listed(Prediction):
    """A candidate in a list of the likeliest."""

    special: bool  # no ordinary token: nobody can type it
    unedited: float | None = None  # its probability in the unedited run, where that was asked for


@dataclass(frozen=True)
class Nucleus:
    """The smallest set of likeliest tokens that hold at least a share of the probability."""

    tokens: int
    share: float  # that they hold


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
    """ln softmax(logits / temperature), in double: nothing overflows at any temperature.

    Raises:
        NumericsError: a logit that is not finite.
    """
    if not all_finite(logits):
        raise NumericsError(f"{model}'s logits are not finite; expected all finite.")
    logits = logits.double()
    return (logits if temperature == 1 else logits / temperature).log_softmax(-1)


def likeliest(
    log_p: Float[Tensor, " vocab_size"], top_k: int, token_text: Callable[[int], str]
) -> tuple[Prediction, ...]:
    """The `top_k` likeliest tokens, the likeliest first."""
    best = log_p.topk(min(top_k, log_p.shape[-1]))
    return tuple(
        Prediction(id, token_text(id), probability)
        for id, probability in zip(best.indices.tolist(), best.values.exp().tolist(), strict=True)
    )


def nucleus(log_p: Float[Tensor, " vocab_size"], top_p: float) -> Nucleus:
    """The smallest set of likeliest tokens whose probability is at least `top_p`; 1 is all of them.

    Of tokens that are equally likely, those that are needed are taken in no particular order.
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
    """The `n` likeliest tokens, the likeliest first; then others that must not be missed.

    `unedited` is ln p in the unedited run, and how many of its likeliest are listed, too: so that
    it is seen what an edit made less likely. `also` are asked for by their ids. These others come
    in the order of their probabilities as well.
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

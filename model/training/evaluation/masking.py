"""Measures how much the model depends on its masks: what changes without one."""

from collections.abc import Iterator, Sequence
from random import Random

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from model.sources.native import NativeSource

SHORTEST, PADDING = 6, 8  # tokens


def masking(
    source: NativeSource, texts: Sequence[str], seed: int
) -> Iterator[tuple[str, float, str]]:
    """The name, mean in nats and sample of each measure.

    The texts are beginnings of sentences, cut at random positions.
    """
    chance = Random(seed)
    rows = []
    for text in texts:
        ids = [token.id for token in source.tokenizer.encode(text)]
        if len(ids) > SHORTEST:
            cut = chance.randint(SHORTEST, len(ids) - 1)
            rows.append((ids[:cut], chance.randrange(1, cut - 1)))
    over = f"{len(rows)} beginnings of held-out sentences"
    pad = [source.tokenizer.pad_id] * PADDING
    causal_off, hidden, right, left = [], [], [], []
    for ids, place in rows:
        real = torch.ones(len(ids), dtype=torch.bool)
        all_keys, none = _all(real), torch.zeros(PADDING, dtype=torch.bool)
        own = _log_p(source, ids, _own(source, real))
        causal_off.append(_kl(own[-1], _log_p(source, ids, all_keys)[-1]))
        without = real.clone()
        without[place] = False
        hidden.append(-_log_p(source, ids, _all(without))[place - 1, ids[place]])
        keys = torch.cat([real, none])
        both = [_log_p(source, ids + pad, _all(k)) for k in (keys, torch.ones_like(keys))]
        right.append(_kl(*(log_p[len(ids) - 1] for log_p in both)))
        keys, places = torch.cat([none, real]), [0] * PADDING + list(range(len(ids)))
        both = [
            _log_p(source, pad + ids, _own(source, k), places)[-1]
            for k in (keys, torch.ones_like(keys))
        ]
        left.append(_kl(*both))
    for name, figures in (
        ("causal mask off: change of the prediction (KL)", causal_off),
        ("a hidden token, from both sides (NLL)", hidden),
        ("padding on the right unmasked, causal mask off (KL)", right),
        ("padding on the left unmasked (KL)", left),
    ):
        yield name, torch.stack(figures).mean().item(), over


def _all(keys: Bool[Tensor, " key"]) -> Bool[Tensor, "1 1 key key"]:
    """Every query may look at these keys."""
    return keys.expand(len(keys), -1)[None, None]


def _own(source: NativeSource, keys: Bool[Tensor, " key"]) -> Bool[Tensor, "1 1 key key"]:
    """The model's own mask, and only these keys."""
    own = source.model.own_mask(len(keys))
    return _all(keys) if own is None else _all(keys) & own


def _log_p(
    source: NativeSource,
    ids: list[int],
    mask: Bool[Tensor, "1 1 pos pos"],
    positions: list[int] | None = None,
) -> Float[Tensor, "pos vocab_size"]:
    places: Int[Tensor, "1 pos"] | None = None if positions is None else torch.tensor([positions])
    masks = [mask] * source.info.n_layers
    run = source.model(torch.tensor([ids]), positions=places, masks=masks)
    return source.model.unembed(run.resid[0]).log_softmax(-1)


def _kl(own: Float[Tensor, " vocab_size"], other: Float[Tensor, " vocab_size"]) -> Tensor:
    """KL(own ‖ other) in nats."""
    return (own.exp() * (own - other)).sum()

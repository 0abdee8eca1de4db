"""Weights in few bytes, for a page that carries its model: rounded as far as predictions allow.

A rounding passes if the model still predicts the same ten tokens in the same order after each of
`SENTENCES` held-out sentences, and if no number of a pattern moves by more than `PATTERN`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from safetensors.torch import save
from torch import Tensor

from model.core.attention import attend
from model.core.checkpoint import Checkpoint, load_checkpoint
from model.core.transformer import Transformer
from model.training.grammar.english.held_out import HeldOut
from server.pages.export.packing import in_byte_planes

SENTENCES, PLACES, PATTERN = 1_000, 10, 2e-3
SEED = 1_000_003  # not a training seed


@dataclass(frozen=True)
class Agreement:
    """How far a model with rounded weights agrees with the model itself on held-out sentences."""

    sentences: int
    same_places: int  # sentences with the same `PLACES` likeliest next tokens in the same order
    pattern: float  # the largest difference in any pattern
    probability: float  # the largest difference in the probability of any next token

    @property
    def passes(self) -> bool:
        return self.same_places == self.sentences and self.pattern <= PATTERN

    def __str__(self) -> str:
        return (
            f"after {self.same_places:,} of {self.sentences:,} held-out sentences the {PLACES} "
            "likeliest next words are the same, in the same order, as with the full weights; "
            f"patterns differ by at most {self.pattern:.1e}, probabilities by at most "
            f"{self.probability:.1e}"
        )


@dataclass(frozen=True)
class Compact:
    """The weights of a checkpoint in few bytes."""

    name: str  # of the rounding, in words
    agreement: Agreement
    weights: bytes  # a safetensors file in byte planes, for gzip


class Rounding(NamedTuple):
    """A way to store float32 numbers with fewer bits."""

    name: str
    dtype: torch.dtype
    round: Callable[[Tensor], Tensor]  # gives numbers of `dtype`


def _to_fraction(bits: int) -> Callable[[Tensor], Tensor]:
    """Round the fraction of float32, which has 23 bits, to fewer; a carry raises the exponent."""
    step = 1 << (23 - bits)

    def rounded(x: Tensor) -> Tensor:
        return ((x.contiguous().view(torch.int32) + step // 2) & -step).view(torch.float32)

    return rounded


# from the fewest bytes to the most; the last is exact
ROUNDINGS = (
    Rounding("float16", torch.float16, lambda x: x.half()),
    *(
        Rounding(f"float32 with {bits} of 23 bits of fraction", torch.float32, _to_fraction(bits))
        for bits in range(16, 23)
    ),
    Rounding("float32", torch.float32, lambda x: x),
)


@lru_cache(maxsize=4)
def compact(folder: Path) -> Compact:
    """The weights of a native checkpoint in the fewest bytes with which it predicts the same.

    Raises:
        CheckpointError: the checkpoint cannot be loaded.
    """
    checkpoint = load_checkpoint(folder)
    batches = list(_batches(checkpoint))
    exact = [_run(checkpoint.model, ids) for ids in batches]
    for rounding in ROUNDINGS:
        weights = {
            name: rounding.round(tensor) for name, tensor in checkpoint.model.state_dict().items()
        }
        agreement = _agreement(_with(checkpoint.model, weights), batches, exact)
        if agreement.passes:
            break
    return Compact(rounding.name, agreement, in_byte_planes(save(weights)))


class _Run(NamedTuple):
    """What a model makes of sentences of one length."""

    p: Float[Tensor, "batch vocab_size"]
    places: Int[Tensor, "batch place"]  # the likeliest tokens in descending order
    pattern: Float[Tensor, "layer batch head query key"]


@torch.inference_mode()
def _run(model: Transformer, ids: Int[Tensor, "batch pos"]) -> _Run:
    result = model(ids, record=True)
    p = model.unembed(result.resid[:, -1]).double().softmax(-1)
    mask, settings = model.own_mask(ids.shape[1]), model.layers[0].attention.settings()
    patterns = [
        attend(part.q, part.k, part.v, mask=mask, **settings, need="all").pattern
        for part in result.attention
    ]
    return _Run(p, p.topk(PLACES).indices, torch.stack(patterns))


def _with(model: Transformer, weights: Mapping[str, Tensor]) -> Transformer:
    copy = deepcopy(model)
    copy.load_state_dict({name: tensor.float() for name, tensor in weights.items()})
    return copy


def _agreement(model: Transformer, batches: list[Tensor], exact: list[_Run]) -> Agreement:
    same, pattern, probability = 0, 0.0, 0.0
    for ids, before in zip(batches, exact, strict=True):
        after = _run(model, ids)
        same += int((after.places == before.places).all(-1).sum())
        pattern = max(pattern, (after.pattern - before.pattern).abs().max().item())
        probability = max(probability, (after.p - before.p).abs().max().item())
    return Agreement(sum(map(len, batches)), same, pattern, probability)


def _batches(checkpoint: Checkpoint) -> Iterator[Int[Tensor, "batch pos"]]:
    """The held-out sentences as ids, those of one length together, so that none is padded."""
    by_length: defaultdict[int, list[list[int]]] = defaultdict(list)
    for text in islice(_sentences(), SENTENCES):
        ids = [token.id for token in checkpoint.tokenizer.encode(text)]
        by_length[len(ids)].append(ids)
    return map(torch.tensor, by_length.values())


def _sentences() -> Iterator[str]:
    """Sentences with every relation in turn, in combinations that training never shows."""
    write = HeldOut(Random(SEED))
    relations = (
        write.subject_of_verb,
        write.antecedent_of_reflexive,
        write.antecedent_of_possessive,
        write.antecedent_after_because,
        write.opener_of_bracket,
        write.opener_of_quote,
        write.determiner_of_noun,
        write.value_of_key,
        write.receiver,
    )
    while True:
        for relation in relations:
            yield relation().text

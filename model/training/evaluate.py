"""What a native checkpoint can do, measured on texts that training never saw."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from jaxtyping import Float, Int
from rich.console import Console
from rich.table import Table
from torch import Tensor

from model.attention import attend
from model.checkpoint import load_checkpoint
from model.tokenizer import Tokenizer
from model.training.corpus import agreement_pairs, random_repeats
from model.transformer import Transformer

SEED = 1_000_003  # not a training seed
REPEATS, LENGTH, PAIRS = 32, 25, 500


@dataclass(frozen=True)
class Measure:
    """One figure: what was measured, where (layer, head), its value from 0 to 1, and over what."""

    name: str
    value: float
    head: tuple[int, int] | None
    over: str


@torch.inference_mode()
def evaluate(model: Transformer, tokenizer: Tokenizer) -> list[Measure]:
    """All the figures of a model."""
    ids = random_repeats(tokenizer, SEED, REPEATS, LENGTH)
    patterns = all_patterns(model, ids)
    probe = f"{REPEATS} × {LENGTH} random tokens, twice"
    copied = model.unembed(model(ids).resid).argmax(-1)[:, LENGTH + 1 : -1] == ids[:, LENGTH + 2 :]
    return [
        _best("previous token", previous_token(patterns), probe),
        _best("induction", induction(patterns, LENGTH), probe),
        Measure("copying a random passage", copied.float().mean().item(), None, probe),
        Measure(
            "verb agreement across a distractor",
            agreement(model, tokenizer),
            None,
            f"{PAIRS} held-out noun × distractor pairs",
        ),
    ]


def all_patterns(
    model: Transformer, ids: Int[Tensor, "batch pos"]
) -> Float[Tensor, "layer batch head query key"]:
    """Every pattern of a pass under the model's own mask.

    For short texts: it holds heads · tokens² numbers.
    """
    mask = model.own_mask(ids.shape[1])
    return torch.stack(
        [
            attend(ran.q, ran.k, ran.v, mask=mask, **block.attention.settings(), need="all").pattern
            for block, ran in zip(model.layers, model(ids, record=True).attention, strict=True)
        ]
    )


def previous_token(
    patterns: Float[Tensor, "layer batch head query key"],
) -> Float[Tensor, "layer head"]:
    """Mean of A[i, i−1] over queries i ≥ 1."""
    return patterns.diagonal(-1, dim1=-2, dim2=-1).mean(dim=(1, 3))


def induction(
    patterns: Float[Tensor, "layer batch head query key"], length: int
) -> Float[Tensor, "layer head"]:
    """Mean of A[i, i−length+1] over the queries of the second copy (Olsson et al. 2022).

    That key is the token after the last occurrence of the query's own. The sequence is [BOS] and
    `length` tokens, twice.
    """
    second = patterns[..., length + 1 :, :]
    return second.diagonal(2, dim1=-2, dim2=-1).mean(dim=(1, 3))


def agreement(model: Transformer, tokenizer: Tokenizer) -> float:
    """Share of held-out prefixes after which the verb that agrees is the likelier of the two."""
    right = 0
    for pair in agreement_pairs(SEED, PAIRS):
        ids = torch.tensor([[token.id for token in tokenizer.encode(pair.prefix)]])
        logits = model.unembed(model(ids).resid[0, -1])
        good, bad = (tokenizer.encode(verb)[1].id for verb in (pair.right, pair.wrong))
        right += bool(logits[good] > logits[bad])
    return right / PAIRS


def table(measures: list[Measure]) -> Table:
    """The figures for a terminal."""
    drawn = Table("measure", "value", "best head", "over", title="Measured on held-out texts")
    for measure in measures:
        head = "" if measure.head is None else "layer {} · head {}".format(*measure.head)
        drawn.add_row(measure.name, f"{measure.value:.3f}", head, measure.over)
    return drawn


def main(folder: Path, as_json: bool) -> None:
    """Print the figures of a checkpoint, as a table or as JSON."""
    checkpoint = load_checkpoint(folder)
    measures = evaluate(checkpoint.model, checkpoint.tokenizer)
    console = Console()
    if as_json:
        console.print_json(json.dumps([asdict(measure) for measure in measures]))
    else:
        console.print(table(measures))


def _best(name: str, scores: Float[Tensor, "layer head"], over: str) -> Measure:
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return Measure(name, scores[layer, head].item(), (layer, head), over)

"""Measures a film: the same numbers as on a model's card, at each of its steps."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from rich.console import Console
from rich.progress import track
from rich.table import Table
from torch import Tensor

from model.analysis import HeadScores, probe
from model.core.checkpoint import load_checkpoint, save_checkpoint
from model.errors import InputError
from model.film import Film, frames_in, load_frame, read_film, save_frame, write_film
from model.sources.native import NativeSource
from model.sources.source import Inputs
from model.training.evaluation.evaluate import SEED, Report, evaluate
from model.training.grammar.grammar import grammar_of

N_TEXTS, N_ROUNDED, N_MUTED = 200, 50, 60
AGREEMENT, COPYING = "agreement across a distractor", "copying a random passage"
DIGITS = 4


def measure(folder: Path, last: int) -> Film:
    """Evaluate every frame of a film, and the checkpoint itself, whose step is `last`; keep it.

    Raises:
        InputError: there are no frames, or the last step is not after them.
    """
    frames = frames_in(folder)
    if not frames:
        raise InputError(f"{folder} has no film. `headlight train --film` writes one.")
    if frames[-1] >= last:
        raise InputError(f"The last step should come after step {frames[-1]}; got {last}.")
    curves: dict[str, list[float]] = {}
    heads: dict[str, list[list[list[float | None]]]] = {}
    mutes: list[list[list[float]]] = []
    for step in track([*frames, None], "measuring the film"):
        source = NativeSource(folder.name, folder, step)
        for name, value in _measures(source, evaluate(folder, step)):
            curves.setdefault(name, []).append(round(value, DIGITS))
        for name, scores in _scores(probe(source).heads, source.info.n_layers):
            heads.setdefault(name, []).append(scores)
        mutes.append(mute_effects(source))
    film = Film((*frames, last), curves, heads, mutes=mutes)
    write_film(folder, film)
    return film


def _measures(source: NativeSource, report: Report) -> Iterator[tuple[str, float]]:
    yield "loss", mean_loss(source)
    by_name = {measure.name: measure.value for measure in report.measures}
    if AGREEMENT in by_name:  # of English
        yield "agreement", by_name[AGREEMENT]
    yield "copying", by_name[COPYING]
    for relation in report.relations:
        yield relation.id, relation.best.value


def mean_loss(source: NativeSource) -> float:
    """The mean loss of the next token over sentences that training never showed, in nats."""
    return _losses(source, N_TEXTS)[0].item()


def mute_effects(source: NativeSource) -> list[list[float]]:
    """By how many nats the mean loss rises without each head: a row of heads per layer."""
    n_layers, n_heads = source.info.n_layers, source.info.n_heads
    alone = torch.eye(n_layers * n_heads, dtype=torch.bool).view(-1, n_layers, n_heads)
    whole, *without = _losses(source, N_MUTED, torch.cat([torch.zeros_like(alone[:1]), alone]))
    return [
        [round((loss - whole).item(), DIGITS) for loss in without[first : first + n_heads]]
        for first in range(0, len(without), n_heads)
    ]


@torch.inference_mode()
def _losses(
    source: NativeSource, n_texts: int, muted: Bool[Tensor, "batch layer head"] | None = None
) -> Float[Tensor, " batch"]:
    """The mean loss over sentences, once for each set of muted heads."""
    n = 1 if muted is None else len(muted)
    sums, n_tokens = torch.zeros(n), 0
    for text in _texts(source, n_texts):
        ids = torch.tensor(source.tokenizer.encode_ids([text])).expand(n, -1)
        logits = source.model.unembed(source.model(ids, muted=muted).resid)[:, :-1]
        losses = F.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none")
        sums += losses.sum(1)
        n_tokens += losses.shape[1]
    return sums / n_tokens


def _texts(source: NativeSource, n: int) -> Iterator[str]:
    return grammar_of(source.checkpoint.language).texts(SEED, n)


def _scores(
    heads: Sequence[HeadScores], n_layers: int
) -> Iterator[tuple[str, list[list[float | None]]]]:
    for name in heads[0].scores:
        rows: list[list[float | None]] = [[] for _ in range(n_layers)]
        for head in heads:
            value = head.scores[name].value
            rows[head.layer].append(None if value is None else round(value, DIGITS))
        yield name, rows


def pack(folder: Path, into: Path, steps: Sequence[int]) -> Film:
    """Copy a checkpoint in float16, and some frames of its film at 8 bits a weight.

    Raises:
        InputError: the film lacks one of the steps, or the folder has a film already.
        CheckpointError: the film was not measured.
    """
    film = read_film(folder)
    if film is None:
        raise InputError(f"{folder} has no film. `headlight train --film` writes one.")
    if frames_in(into):
        raise InputError(f"{into} has a film already. Name another folder.")
    own = load_checkpoint(folder)
    own.model.half()  # as the film that `headlight train` writes; the model computes in float32
    save_checkpoint(into, own)
    rounding = 0.0
    for step in steps:
        save_frame(into, step, load_frame(folder, step), bits=8)
        both = (NativeSource(each.name, each, step) for each in (folder, into))
        rounding = max(rounding, largest_change(*both))
    kept = [film.steps.index(step) for step in (*steps, film.steps[-1])]
    packed = Film(
        tuple(film.steps[at] for at in kept),
        {name: [values[at] for at in kept] for name, values in film.curves.items()},
        {name: [values[at] for at in kept] for name, values in film.heads.items()},
        math.ceil(rounding * 1000) / 1000,
        [film.mutes[at] for at in kept if film.mutes],
    )
    write_film(into, packed)
    return packed


def largest_change(one: NativeSource, other: NativeSource) -> float:
    """The largest difference of a weight of attention, over some sentences."""
    most = 0.0
    for text in _texts(one, N_ROUNDED):
        traces = (source.trace(Inputs((text,))).with_patterns() for source in (one, other))
        for here, there in zip(*(trace.sites for trace in traces), strict=True):
            assert here.stored_pattern is not None and there.stored_pattern is not None
            most = max(most, (here.stored_pattern - there.stored_pattern).abs().max().item())
    return most


def main(folder: Path, last: int) -> None:
    """Measure a film, and print the curves as a table."""
    film = measure(folder, last)
    columns = ("loss", "agreement", "previous_token", "induction", "copying")
    shown = [name for name in columns if name in film.curves]
    table = Table("step", *shown, title="Measured on sentences that training never showed")
    for at, step in enumerate(film.steps):
        table.add_row(str(step), *(f"{film.curves[name][at]:.3f}" for name in shown))
    Console().print(table)

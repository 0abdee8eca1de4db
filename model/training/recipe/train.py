"""Trains the shipped model, or one of another language: one command, one seed, a table of results.

The recipe: Muon (Jordan et al. 2024) for the matrices of the blocks and AdamW (Loshchilov & Hutter
2019) for the rest; a warm-up, a long constant phase, then a cosine decay to zero. Early on half the
rows repeat random tokens, so that induction appears soon, as a phase change (Olsson et al. 2022).
Late in training some batches have no causal mask (from the first step they would prevent
induction).
"""

import math
from collections.abc import Sequence, Set
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic

import torch
import torch.nn.functional as F
from jaxtyping import Float
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from torch import Tensor, nn
from torch.optim import Optimizer

from model.core.checkpoint import OTHERS, Checkpoint, save_checkpoint
from model.core.transformer import Transformer, TransformerConfig
from model.errors import CheckpointError, UnavailableError
from model.film import save_frame
from model.gallery import save_gallery
from model.training.evaluation.evaluate import evaluate, table
from model.training.evaluation.filmed import measure
from model.training.gallery.make import make_gallery
from model.training.grammar.grammar import grammar_of
from model.training.recipe.corpus import Batch, Corpus, CorpusConfig, Phase
from model.training.recipe.frames import frame_steps
from model.training.recipe.interrupted import STATE, resume, save_state

LOG_EVERY = 100  # steps, if no progress bar can be drawn
SAVE_EVERY = 100  # steps, so that an interruption loses about a minute
TRAINED_ON = "a small grammar of {} sentences"
DESCRIPTION = "Headlight's own small transformer, trained on generated {} sentences."


@dataclass(frozen=True)
class Recipe:
    """The settings of a training run."""

    steps: int = 3_600
    batch_size: int = 64  # rows of CorpusConfig.context tokens
    learning_rate: float = 3e-3  # of AdamW, at the plateau
    betas: tuple[float, float] = (0.9, 0.98)
    muon_rate: float = 6e-3  # of Muon, at the plateau; its updates have the size of AdamW's
    momentum: float = 0.95
    weight_decay: float = 0.1  # of matrices; not of norms and biases
    clip: float = 1.0  # maximum gradient norm
    warm_up: int = 60  # steps
    plateau: float = 0.6  # share of the steps after which the rate falls
    early_until: float = 0.2  # share of the steps with many repeats
    late_from: float = 0.7  # share of the steps after which some batches lack the causal mask

    def rate(self, step: int) -> float:
        """The learning rate at a step, as a share of the plateau's."""
        if step < self.warm_up:
            return (step + 1) / self.warm_up
        fall = max(0.0, step / self.steps - self.plateau) / (1 - self.plateau)
        return 0.5 * (1 + math.cos(math.pi * min(fall, 1.0)))

    def phase(self, step: int) -> Phase:
        """The phase of a step, which decides the composition of its batch."""
        if step < self.early_until * self.steps:
            return "early"
        return "late" if step >= self.late_from * self.steps else "middle"


def train(
    folder: Path,
    *,
    seed: int = 1,
    steps: int | None = None,
    film: bool = False,
    language: str = "en",
) -> None:
    """Train from scratch, or continue an interrupted run with the same settings, into `folder`.

    The same seed gives the same weights on the same machine, interrupted or not. With `film`, the
    weights at some steps are kept.

    Raises:
        InputError: there is no grammar of this language.
        CheckpointError: the folder is not writable, or holds an unfinished run with other settings.
        UnavailableError: this version of torch has no Muon.
    """
    if not hasattr(torch.optim, "Muon"):
        raise UnavailableError(
            f"Training needs torch 2.9 or newer, for Muon; this is torch {torch.__version__}. "
            "Running a model works with older versions."
        )
    _check_writable(folder)  # before the training, not after it
    config = CorpusConfig()
    torch.manual_seed(seed)
    grammar = grammar_of(language)
    n_steps = grammar.steps if steps is None else steps
    recipe = Recipe() if n_steps is None else Recipe(steps=n_steps)
    tokenizer = grammar.tokenizer()
    model = Transformer(
        TransformerConfig(vocab_size=tokenizer.vocab_size, trained_tokens=config.context)
    )
    settings = {"seed": seed, **asdict(recipe), **asdict(config), **asdict(model.config)}
    corpus = Corpus(grammar, tokenizer, config, recipe.batch_size, seed)
    kept = frame_steps(recipe.steps) if film else frozenset[int]()
    _fit(model, corpus, recipe, folder, settings, kept)
    model.eval()
    if language in OTHERS:
        model.half()  # half as large a package; a model that is loaded computes in float32
    about, trained_on = (each.format(grammar.adjective) for each in (DESCRIPTION, TRAINED_ON))
    save_checkpoint(folder, Checkpoint(model, tokenizer, about, "Apache-2.0", trained_on, language))
    report = evaluate(folder)
    save_gallery(folder, make_gallery(folder, report))
    (folder / STATE).unlink(missing_ok=True)
    if film:
        measure(folder, recipe.steps)
    Console().print(table(report))


def _check_writable(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise CheckpointError(f"Cannot write a checkpoint to {folder}: {error}.") from error


def _fit(
    model: Transformer,
    corpus: Corpus,
    recipe: Recipe,
    folder: Path,
    settings: dict[str, object],
    kept: Set[int],
) -> None:
    optimizers = _optimizers(model, recipe)
    first = resume(folder, model, optimizers, settings)
    with _progress() as progress:
        task = progress.add_task("training", total=recipe.steps, completed=first, loss=math.nan)
        begun, step = monotonic(), first
        if first:
            progress.console.print(f"continuing from step {first}")
        try:
            for step in range(first, recipe.steps):
                if step in kept:
                    save_frame(folder, step, model.state_dict())
                loss = _step(model, optimizers, corpus, recipe, step)
                progress.update(task, advance=1, loss=loss)
                done = step + 1
                if done % SAVE_EVERY == 0:
                    save_state(folder, done, model, optimizers, settings)
                if done % LOG_EVERY == 0 and not progress.console.is_terminal:
                    left = (monotonic() - begun) / (done - first) * (recipe.steps - done) / 60
                    progress.console.print(
                        f"step {done} of {recipe.steps}: loss {loss:.3f} nats, {left:.0f} min left"
                    )
        except KeyboardInterrupt:
            saved = max(first, step // SAVE_EVERY * SAVE_EVERY)
            progress.console.print(
                f"Interrupted in step {step + 1} of {recipe.steps}. "
                + (
                    f"Run the same command to continue from step {saved}."
                    if saved
                    else "Nothing has been saved yet."
                )
            )
            raise


def _step(
    model: Transformer, optimizers: Sequence[Optimizer], corpus: Corpus, recipe: Recipe, step: int
) -> float:
    """Take one step; returns the loss before it, in nats."""
    loss = next_token_loss(model, corpus.batch(step, recipe.phase(step)))
    model.zero_grad()
    torch.autograd.backward(loss)
    nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group["lr"] = group["plateau"] * recipe.rate(step)
        optimizer.step()
    return loss.item()


def next_token_loss(model: Transformer, batch: Batch) -> Float[Tensor, ""]:
    """Mean cross-entropy in nats over the targets."""
    masks = None if batch.mask is None else [batch.mask] * model.config.n_layers
    resid = model(batch.ids, positions=batch.positions, masks=masks).resid
    counts = batch.loss[:, 1:]
    return F.cross_entropy(model.unembed(resid[:, :-1][counts]), batch.targets[:, 1:][counts])


def _optimizers(model: Transformer, recipe: Recipe) -> list[Optimizer]:
    """Muon for the matrices of the blocks; AdamW for the embedding, and for norms and biases."""
    blocks = [p for p in model.blocks.parameters() if p.dim() == 2]
    embeddings = list(model.embedding.parameters())
    vectors = [p for p in model.parameters() if p.dim() < 2]
    adam = torch.optim.AdamW(
        [
            {"params": embeddings, "weight_decay": recipe.weight_decay},
            {"params": vectors, "weight_decay": 0.0},
        ],
        lr=recipe.learning_rate,
        betas=recipe.betas,
    )
    muon = torch.optim.Muon(
        blocks,
        lr=recipe.muon_rate,
        momentum=recipe.momentum,
        weight_decay=recipe.weight_decay,
        adjust_lr_fn="match_rms_adamw",
    )
    for optimizer in (adam, muon):
        for group in optimizer.param_groups:
            group["plateau"] = group["lr"]
    return [adam, muon]


def _progress() -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("loss {task.fields[loss]:.3f} nats"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, refresh_per_second=2)

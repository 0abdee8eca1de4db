"""How the shipped model was made: one command, one seed, a progress bar, a table.

The recipe in a line: AdamW (Loshchilov & Hutter 2019), a warm-up, a long constant stretch in which
induction appears as a phase change (Olsson et al. 2022), then a cosine to nothing.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

import torch
import torch.nn.functional as F
from jaxtyping import Float
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from torch import Tensor, nn

from model.checkpoint import Checkpoint, save_checkpoint
from model.errors import CheckpointError
from model.training.corpus import Batch, CorpusConfig, batches, build_shipped_tokenizer
from model.training.evaluate import evaluate, table
from model.transformer import Transformer, TransformerConfig

LOG_EVERY = 100  # steps, where no bar can be drawn
DESCRIPTION = "Headlight's own small transformer, trained on generated English-like sentences."


@dataclass(frozen=True)
class Recipe:
    """The settings of a training run."""

    steps: int = 2_100
    batch_size: int = 64  # rows of CorpusConfig.context tokens
    learning_rate: float = 3e-3  # at the plateau
    betas: tuple[float, float] = (0.9, 0.98)
    weight_decay: float = 0.1  # of matrices; not of norms and biases
    clip: float = 1.0  # greatest gradient norm
    warm_up: int = 60  # steps
    plateau: float = 0.6  # share of the steps after which the rate falls

    def rate(self, step: int) -> float:
        """The learning rate at a step, as a share of the plateau's."""
        if step < self.warm_up:
            return (step + 1) / self.warm_up
        fall = max(0.0, step / self.steps - self.plateau) / (1 - self.plateau)
        return 0.5 * (1 + math.cos(math.pi * min(fall, 1.0)))


def train(folder: Path, *, seed: int = 0, steps: int | None = None) -> None:
    """Train from nothing and write a native checkpoint into `folder`.

    The same seed gives the same weights on the same machine.
    """
    _check_writable(folder)  # now, not after the work
    recipe = Recipe() if steps is None else Recipe(steps=steps)
    corpus = CorpusConfig()
    torch.manual_seed(seed)
    tokenizer = build_shipped_tokenizer()
    model = Transformer(
        TransformerConfig(vocab_size=tokenizer.vocab_size, trained_tokens=corpus.context)
    )
    _fit(model, batches(tokenizer, corpus, recipe.batch_size, seed), recipe)
    model.eval()
    save_checkpoint(folder, Checkpoint(model, tokenizer, DESCRIPTION, "Apache-2.0"))
    Console().print(table(evaluate(model, tokenizer)))


def _check_writable(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise CheckpointError(f"A checkpoint cannot be written into {folder}: {error}.") from error


def _fit(model: Transformer, data: Iterator[Batch], recipe: Recipe) -> None:
    optimizer = _optimizer(model, recipe)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, recipe.rate)
    with _progress() as progress:
        task = progress.add_task("training", total=recipe.steps, loss=math.nan)
        smooth = None
        for batch in itertools.islice(data, recipe.steps):
            loss = next_token_loss(model, batch)
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
            optimizer.step()
            schedule.step()
            smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
            progress.update(task, advance=1, loss=smooth)
            step = int(progress.tasks[task].completed)
            if not progress.console.is_terminal and step % LOG_EVERY == 0:
                progress.console.print(f"step {step} of {recipe.steps}: loss {smooth:.3f} nats")


def next_token_loss(model: Transformer, batch: Batch) -> Float[Tensor, ""]:
    """Mean cross-entropy in nats, over the predictions that count."""
    logits = model.unembed(model(batch.ids[:, :-1]).resid)
    counts = batch.loss[:, 1:]
    return F.cross_entropy(logits[counts], batch.ids[:, 1:][counts])


def _optimizer(model: Transformer, recipe: Recipe) -> torch.optim.Optimizer:
    matrices = [p for p in model.parameters() if p.dim() >= 2]
    vectors = [p for p in model.parameters() if p.dim() < 2]
    groups = [
        {"params": matrices, "weight_decay": recipe.weight_decay},
        {"params": vectors, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, betas=recipe.betas)


def _progress() -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("loss {task.fields[loss]:.3f} nats"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, refresh_per_second=2)

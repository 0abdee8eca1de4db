"""Fits a tuned lens in closed form: ridge regression from each stage to the last.

For the stage x of a token and the last one y, B and b minimise Σ |y − x − x·B − b|² + λ |B|², with
λ a hundredth of the mean variance of x. So what the texts do not tell is left as the logit lens
reads it. Both stages are taken after the final norm, which keeps them of one size.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from model.errors import InputError, UnavailableError
from model.lens.texts import Texts, texts_for
from model.lens.tuned import HeldOut, TunedLens
from model.sources.cache import cache_folder, keep
from model.sources.source import Inputs, Source
from model.trace.predictions import log_softmax
from model.trace.trace import Trace

FIELD = "analyse.lens.tuned"
FORMAT = 1  # of what is kept: another one whenever it is fitted in another way
RIDGE = 0.01  # of the mean variance of a stage
BATCH = 16  # texts in one pass
HELD_TOKENS = 256  # of the held-out texts, spread over them
FEWEST_TOKENS = 100
MOST_NUMBERS = 100_000_000  # of all maps: 400 MB

Progress = Callable[[int, int], None]  # done and total, in steps
Unembed = Callable[[Tensor], Tensor]


def fit_lens(source: Source, progress: Progress = lambda done, total: None) -> TunedLens:
    """The tuned lens of a model that predicts. `progress` is called after each of its steps.

    Raises:
        UnavailableError: it predicts nothing, or has no stages to read, or is too large.
        NumericsError: a number is not finite.
    """
    _check(source)
    texts = texts_for(source)
    batches = sum(-(-len(each) // BATCH) for each in (texts.fit, texts.held_out))
    total = batches + source.info.n_layers
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        progress(done, total)

    sums: _Sums | None = None
    for trace in _traces(source, texts.fit, step):
        stages = _real(trace)
        sums = sums or _Sums.empty(stages)
        sums.add(stages)
    held, unembed = _held_out(source, texts, step)
    if sums is None or sums.n < FEWEST_TOKENS or unembed is None:
        raise UnavailableError(
            f"{source.info.name} takes too few of the texts that a tuned lens is fitted on.",
            field=FIELD,
        )
    maps, offsets = sums.solved(step)
    lens = TunedLens(maps, offsets, texts.description, sums.n, HeldOut((), (), 0))
    return replace(lens, held_out=_told(lens, held, unembed, source.info.name))


def kept_lens(
    source: Source, progress: Progress = lambda done, total: None, *, dtype: str = "float32"
) -> TunedLens:
    """The tuned lens of a source (see `fit_lens`), from HEADLIGHT_CACHE if it was fitted before.

    `dtype` is the number format that the source computes in.
    """
    _check(source)
    path = _path(source, dtype)
    lens = TunedLens.read(path)
    if lens is None:
        lens = fit_lens(source, progress)
        keep(path, lens.packed())
    return lens


def find_lens(source: Source, dtype: str = "float32") -> TunedLens | None:
    """The lens that was fitted before; None: there is none."""
    return TunedLens.read(_path(source, dtype))


def _path(source: Source, dtype: str) -> Path:
    """Where a lens is kept, by everything that it depends on."""
    texts = texts_for(source)
    said = [FORMAT, source.info.weights, dtype, RIDGE, HELD_TOKENS, texts.fit, texts.held_out]
    key = sha256(json.dumps(said).encode()).hexdigest()[:32]
    return cache_folder() / "lenses" / f"{key}.safetensors"


def _check(source: Source) -> None:
    info = source.info
    if info.predicts is None:
        why = "it predicts nothing"
    elif info.predicts == "class":
        why = "it predicts one class for a text, and nothing at its other tokens"
    elif info.takes_targets:
        why = "it is fitted on single texts, and this model takes pairs of them"
    elif info.weights is None:
        why = "it belongs to fixed weights, and those of this model come with each request"
    elif info.n_layers * info.d_model**2 > MOST_NUMBERS:
        gigabytes = 4 * info.n_layers * info.d_model**2 / 1e9
        why = f"its maps would need {gigabytes:.1f} GB"
    else:
        return
    raise UnavailableError(f"{info.name} can have no tuned lens: {why}.", field=FIELD)


def _traces(source: Source, texts: Sequence[str], step: Callable[[], None]) -> Iterator[Trace]:
    """Traces of a few texts each; texts that the model cannot read are left out."""
    ordered = sorted(texts, key=len)  # so that few positions are padding
    for start in range(0, len(ordered), BATCH):
        together = ordered[start : start + BATCH]
        try:
            yield source.trace(Inputs(tuple(together)))
        except InputError:  # about one of them
            for text in together:
                with suppress(InputError):
                    yield source.trace(Inputs((text,)))
        step()


def _real(trace: Trace) -> Float[Tensor, "stage token d_model"]:
    """The stages of all tokens that are not padding."""
    stages, _, _ = trace.read_stages(FIELD)
    real = torch.tensor([[not token.padding for token in row] for row in trace.read_tokens])
    return stages[:, real.to(stages.device)].float()


def _held_out(
    source: Source, texts: Texts, step: Callable[[], None]
) -> tuple[Float[Tensor, "stage token d_model"], Unembed | None]:
    found, unembed = list[Tensor](), None
    for trace in _traces(source, texts.held_out, step):
        found.append(_real(trace))
        unembed = trace.unembed
    if not found:
        return torch.zeros(1, 0, 1), None
    every = torch.cat(found, dim=1)
    tokens = every.shape[1]
    spread = torch.arange(min(tokens, HELD_TOKENS)) * tokens // min(tokens, HELD_TOKENS)
    return every[:, spread], unembed


@dataclass(eq=False)
class _Sums:
    """Sums over tokens from which the regressions of all stages follow."""

    shift: Float[Tensor, "earlier 1 d_model"]  # near the means, against rounding
    squares: Float[Tensor, "earlier d_model d_model"]  # Σ xᵀx
    products: Float[Tensor, "earlier d_model d_model"]  # Σ xᵀ(y − x)
    xs: Float[Tensor, "earlier d_model"]
    differences: Float[Tensor, "earlier d_model"]  # Σ (y − x)
    n: int = 0

    @classmethod
    def empty(cls, stages: Float[Tensor, "stage token d_model"]) -> "_Sums":
        x = stages[:-1]
        earlier, _, d_model = x.shape
        square, row = x.new_zeros(earlier, d_model, d_model), x.new_zeros(earlier, d_model)
        return cls(x.mean(dim=1, keepdim=True), square, square.clone(), row, row.clone())

    def add(self, stages: Float[Tensor, "stage token d_model"]) -> None:
        x, difference = stages[:-1] - self.shift, stages[-1:] - stages[:-1]
        self.squares.baddbmm_(x.mT, x)
        self.products.baddbmm_(x.mT, difference)
        self.xs += x.sum(dim=1)
        self.differences += difference.sum(dim=1)
        self.n += x.shape[1]

    def solved(
        self, step: Callable[[], None]
    ) -> tuple[Float[Tensor, "earlier d_model d_model"], Float[Tensor, "earlier d_model"]]:
        """The maps and the offsets."""
        maps, offsets = torch.empty_like(self.squares), torch.empty_like(self.xs)
        for stage in range(len(maps)):
            x, difference = self.xs[stage] / self.n, self.differences[stage] / self.n
            covariance = self.squares[stage] / self.n - x[:, None] * x
            cross = self.products[stage] / self.n - x[:, None] * difference
            ridge = RIDGE * covariance.diagonal().mean().clamp(min=1e-12)
            covariance.diagonal().add_(ridge)
            maps[stage] = torch.linalg.solve(covariance, cross)
            offsets[stage] = difference - (x + self.shift[stage, 0]) @ maps[stage]
            step()
        return maps, offsets


def _told(
    lens: TunedLens, held: Float[Tensor, "stage token d_model"], unembed: Unembed, model: str
) -> HeldOut:
    own = log_softmax(unembed(held[-1]), model=model)

    def divergence(x: Tensor) -> float:
        here = log_softmax(unembed(x), model=model)
        return max(0.0, float((own.exp() * (own - here)).sum(-1).mean()))

    stages = range(len(held))
    return HeldOut(
        tuple(divergence(held[stage]) for stage in stages),
        tuple(divergence(lens.at(stage, held[stage])) for stage in stages),
        held.shape[1],
    )

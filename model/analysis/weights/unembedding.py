"""The unembedding W_U, token by token, of a head whose logits are W_U · x + b."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.lazy import lazy
from model.trace.stream import TokenRows

MAX_KEPT = 64_000_000  # numbers of the unembedding that are kept
ROWS = 4_096  # of the unembedding that are read together
_AFFINE = 1e-3  # of the largest logit


@dataclass
class Unembedding:
    """Rows of the unembedding W_U less its mean row, read when they are asked for."""

    unembed: Callable[[Tensor], Tensor]
    d_model: int
    # rows of W_U, where logits are W_U · x + b; without it they are gradients of the logits, which
    # takes longer, and which weights that were loaded in inference mode do not have
    matrix: TokenRows | None = None
    _rows: dict[int, Tensor] = field(default_factory=dict)
    _mean: Tensor | None = None

    @lazy
    def is_affine(self) -> bool:
        """Whether the logits are W_U · x + b, and nothing else."""
        if self.matrix is not None:  # who gave it has made sure
            return True
        with torch.inference_mode():
            generator = torch.Generator().manual_seed(0)
            x, y = torch.randn(2, self.d_model, generator=generator)
            zero = self.unembed(torch.zeros(self.d_model))
            one, two, both = self.unembed(x), self.unembed(y), self.unembed(x + y)
        off = (one + two - zero - both).abs().max().item()
        return off <= _AFFINE * max(one.abs().max().item(), 1e-9)

    def rows(self, ids: Sequence[int]) -> Float[Tensor, "token d_model"]:
        """W_U[id] − the mean over the vocabulary."""
        if self._mean is None:
            self._mean = self._read_mean()
        if len(self._rows) * self.d_model > MAX_KEPT:
            self._rows.clear()
        new = [id for id in dict.fromkeys(ids) if id not in self._rows]
        if new:
            rows = self._read(torch.tensor(new)) - self._mean
            self._rows |= dict(zip(new, rows, strict=True))
        return torch.stack([self._rows[id] for id in ids])

    def _read_mean(self) -> Float[Tensor, " d_model"]:
        if self.matrix is None:
            return self._gradient(1, lambda logits: logits.mean())[0]
        n = len(self.unembed(torch.zeros(self.d_model)))
        some = torch.split(torch.arange(n), ROWS)
        sums = [self.matrix(ids).sum(0, dtype=torch.float64) for ids in some]
        return (torch.stack(sums).sum(0) / n).float()

    def _read(self, ids: Int[Tensor, " token"]) -> Float[Tensor, "token d_model"]:
        if self.matrix is not None:
            return self.matrix(ids)
        return self._gradient(len(ids), lambda logits: logits.gather(1, ids[:, None]).sum())

    def _gradient(self, n: int, of: Callable[[Tensor], Tensor]) -> Float[Tensor, "row d_model"]:
        """The gradient of a number made of n rows of logits, by the n vectors they came from."""
        with torch.inference_mode(False), torch.enable_grad():
            x = torch.zeros(n, self.d_model, requires_grad=True)
            (gradient,) = torch.autograd.grad(of(self.unembed(x)), x)
        return gradient

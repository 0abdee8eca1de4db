"""Recognises a LayerNorm or an RMSNorm of any class, by its numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import torch
from jaxtyping import Float
from torch import Tensor, nn

from model.sources.pretrained.opening.device import kept
from model.trace.stream import FrozenNorm

ACCURACY = {torch.float32: 1e-5, torch.float16: 1e-2, torch.bfloat16: 2e-2}
MAX_EPS = 0.1  # a larger number in a norm is something else


@dataclass(frozen=True, kw_only=True, eq=False)
class NormRule:
    """y = gain · c(x) / √(mean c(x)² + ε) + bias, where c subtracts the mean or does nothing.

    LayerNorm: Ba et al. 2016; RMSNorm, which does not subtract the mean: Zhang & Sennrich 2019.
    """

    gain: Float[Tensor, " d_model"]
    bias: Float[Tensor, " d_model"] | None
    centres: bool
    eps: float

    def scale(self, x: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos"]:
        """What the norm divides by."""
        x = kept(x)
        centred = x - x.mean(dim=-1, keepdim=True) if self.centres else x
        return (centred.square().mean(dim=-1) + self.eps).sqrt()

    def frozen(self, x: Tensor, n_text: int) -> FrozenNorm:
        """The norm with the scale that it has for this input, one row per text."""
        scale = self.scale(x).reshape(n_text, -1)
        return FrozenNorm(scale=scale, gain=self.gain, bias=self.bias, centres=self.centres)


def recognise(module: nn.Module, x: Tensor, y: Tensor) -> NormRule | None:
    """The rule that gives y from x with the module's own parameters; None if no norm does.

    A gain may be stored less 1 (Gemma), and ε under any name.
    """
    if y is x or not x.numel() or x.shape != y.shape or next(module.children(), None) is not None:
        return None
    parameters = [p for p in module.parameters(recurse=False)]
    if any(p.shape != x.shape[-1:] for p in parameters):
        return None
    wanted = kept(y)
    allowed = ACCURACY.get(y.dtype, 1e-5) * float(wanted.abs().max())
    best, error = None, allowed
    for rule in _rules(module, [kept(p.detach()) for p in parameters], x):
        normed = kept(x)
        normed = normed - normed.mean(dim=-1, keepdim=True) if rule.centres else normed
        made = normed / rule.scale(x)[..., None] * rule.gain
        made = made if rule.bias is None else made + rule.bias
        off = float((made - wanted).abs().max())
        if off <= error:
            best, error = rule, off
    return best


def _rules(module: nn.Module, parameters: list[Tensor], x: Tensor) -> Iterator[NormRule]:
    d = x.shape[-1]
    named = [value for value in vars(module).values() if isinstance(value, float)]
    epsilons = [value for value in named if 0 < value < MAX_EPS] or [torch.finfo(x.dtype).eps]
    pairs: list[tuple[Tensor, Tensor | None]] = [(torch.ones(d), None)]
    if len(parameters) == 1:
        pairs = [(parameters[0], None), (1 + parameters[0], None)]
    elif len(parameters) == 2:
        pairs = [
            pair
            for gain, bias in permutations(parameters)
            for pair in ((gain, bias), (1 + gain, bias))
        ]
    elif parameters:
        return
    for eps in dict.fromkeys(epsilons):
        for gain, bias in pairs:
            for centres in (True, False):
                yield NormRule(gain=gain, bias=bias, centres=centres, eps=eps)

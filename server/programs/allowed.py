"""What a program of a lesson may use: modules, functions, methods and attributes, by name.

Whatever is not listed does not exist for a program. An attribute whose name begins with an
underscore is never listed.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import einops
import torch
from torch import Tensor, nn
from torch.nn import functional

from model.message import Message
from server.programs.limits import MAX_ITEMS, Refused
from server.programs.objects import module_list, sequential


@dataclass(frozen=True, eq=False, repr=False)
class Module:
    """A module with only the listed names."""

    name: str
    real: Any
    names: frozenset[str]
    inside: Mapping[str, Any] = field(default_factory=dict)  # other modules, and what stands in

    def __repr__(self) -> str:
        return f"<module '{self.name}'>"

    def get(self, name: str) -> Any:
        """What the module has under that name.

        Raises:
            AttributeError: as Python says it, if the real one has no such name either.
            Refused: it has, but programs may not use it.
        """
        if name in self.inside:
            return self.inside[name]
        if name in self.names:
            return getattr(self.real, name)
        if name.startswith("_") or hasattr(self.real, name):
            known = _listed({*self.names, *self.inside})
            raise Refused(_unavailable(f"{self.name}.{name}", known))
        raise AttributeError(f"module '{self.name}' has no attribute '{name}'")


def _module(name: str, real: Any, names: str, **inside: Any) -> Module:
    listed = frozenset(names.split())
    for each in listed:
        getattr(real, each)  # a name that does not exist is a mistake in this file
    return Module(name, real, listed, inside)


_FUNCTIONAL = _module(
    "torch.nn.functional",
    functional,
    "cross_entropy elu gelu layer_norm linear one_hot relu scaled_dot_product_attention softmax",
)
_NN = _module(
    "torch.nn",
    nn,
    "Dropout Embedding GELU LayerNorm Linear Module Parameter ReLU Softmax Tanh",
    functional=_FUNCTIONAL,
    ModuleList=module_list,
    Sequential=sequential,
)
_TORCH = _module(
    "torch",
    torch,
    "Tensor abs all allclose any arange argmax argsort baddbmm bmm bool cat chunk cos cumsum "
    "einsum equal exp eye flatten float float32 float64 full inf int64 isinf isnan linspace log "
    "long manual_seed matmul max mean min mm mul multinomial nan no_grad ones ones_like outer "
    "permute pi rand rand_like randint randn randn_like randperm relu reshape sigmoid sin softmax "
    "sort sqrt stack std sum tanh tensor topk transpose tril triu var where zeros zeros_like",
    nn=_NN,
)
_MATH = _module("math", math, "cos exp inf isnan log pi sin sqrt tanh")
_EINOPS = _module("einops", einops, "rearrange reduce repeat")

MODULES: Mapping[str, Module] = {
    each.name: each for each in (_TORCH, _NN, _FUNCTIONAL, _MATH, _EINOPS)
}

_METHODS: Mapping[type, frozenset[str]] = {
    Tensor: frozenset(
        "abs all allclose any argmax argsort backward bmm bool chunk clone contiguous cumsum "
        "detach diagonal dim eq equal exp expand fill_diagonal_ flatten float int item isnan log "
        "long masked_fill masked_fill_ matmul max mean min norm numel permute repeat "
        "requires_grad_ reshape round size softmax split sqrt squeeze std sum t tolist transpose "
        "tril triu unbind unflatten unsqueeze var view zero_ T dtype grad mT ndim shape".split()
    ),
    torch.Size: frozenset(("numel",)),
    list: frozenset(("append",)),
    dict: frozenset(("get", "items", "keys", "values")),
    str: frozenset(("join", "split", "lower", "upper")),
    nn.Linear: frozenset(("weight", "bias", "in_features", "out_features")),
    nn.Embedding: frozenset(("weight",)),
    nn.LayerNorm: frozenset(("weight", "bias")),
    nn.Module: frozenset(("parameters",)),
    tuple: frozenset(("values", "indices", "index")),
}

# Their arguments say how large the result is, so this can be refused before it is made.
SIZED: frozenset[Any] = frozenset((torch.randn, torch.rand, torch.zeros, torch.ones, torch.eye))


def attribute(value: Any, name: str) -> Any:
    """An attribute that programs may read.

    Raises:
        AttributeError: there is none, as Python says it.
        Refused: programs may not use it.
    """
    if isinstance(value, Module):
        return value.get(name)
    names = {each for kind, known in _METHODS.items() if isinstance(value, kind) for each in known}
    if name in names:
        return getattr(value, name)
    if names and (name.startswith("_") or hasattr(value, name)):
        raise Refused(_unavailable(f".{name}", _listed(names)))
    raise AttributeError(f"'{type(value).__name__}' object has no attribute '{name}'")


def _unavailable(name: str, known: str) -> Message:
    return Message(
        "{name} is not available in lessons. Available: {known}.", name=name, known=known
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _range(*limits: int) -> range:
    made = range(*limits)
    if len(made) > MAX_ITEMS:
        raise Refused(
            Message(
                "range() may have at most {most} numbers here; got {n}.",
                most=MAX_ITEMS,
                n=len(made),
            )
        )
    return made


BUILTINS: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "all": all,
    "any": any,
    "bool": bool,
    "chr": chr,
    "enumerate": lambda values, start=0: list(enumerate(values, start)),
    "float": float,
    "int": int,
    "isinstance": isinstance,
    "len": len,
    "list": list,
    "max": max,
    "min": min,
    "ord": ord,
    "range": _range,
    "reversed": lambda values: list(reversed(values)),
    "round": round,
    "set": set,
    "sorted": sorted,
    "str": str,
    "sum": sum,
    "tuple": tuple,
    "zip": lambda *values, strict=False: list(zip(*values, strict=strict)),
}

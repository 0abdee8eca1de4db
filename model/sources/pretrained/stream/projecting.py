"""q, k and v of a site from any stream, through the model's own attention module."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from model.sources.pretrained.opening.device import kept
from model.sources.pretrained.recording import Recording, expanded
from model.sources.pretrained.stream.flow import Call
from model.trace.recorded import TokenAxis

NUMBERS = 1 << 24  # of the stream in one call of the module; more are done in parts


class _CaughtError(Exception):
    """Leaves an attention module where it calls attention, with what it calls it with."""

    def __init__(self, q: Tensor, k: Tensor, v: Tensor) -> None:
        super().__init__("attention was called")
        self.qkv = q, k, v


class _Catching(Recording):
    """Catches q, k and v instead of attending."""

    def attend(self, q: Tensor, k: Tensor, v: Tensor, *given: Any, **settings: Any) -> Tensor:
        raise _CaughtError(q, *expanded(k, v, q.shape[1]))


@dataclass(frozen=True, kw_only=True, eq=False)
class Projecting:
    """Runs the attention module of a site as it ran, with other streams as its input.

    The module gets whole texts, because its other arguments (rotary angles) are of whole texts;
    where only some positions are given, the rest are zeros.
    """

    call: Call
    n_text: int
    n_query: int
    n_key: int

    def q_k_v(
        self,
        x: Float[Tensor, "part pos d_model"],
        text: int,
        positions: Sequence[int] | None = None,
    ) -> tuple[Tensor, ...]:
        """q, k and v of self-attention, each (part head pos d_head)."""
        return self._placed(x, positions, self.n_query, lambda x: self._caught(text, x=x))

    def q(
        self,
        x: Float[Tensor, "part pos d_model"],
        text: int,
        positions: Sequence[int] | None = None,
    ) -> tuple[Tensor, ...]:
        """q of cross-attention."""

        def run(x: Tensor) -> tuple[Tensor, ...]:
            context = x.new_zeros(len(x), self.n_key, x.shape[-1])
            return self._caught(text, x=x, context=context)[:1]

        return self._placed(x, positions, self.n_query, run)

    def k_v(
        self,
        x: Float[Tensor, "part pos d_model"],
        text: int,
        positions: Sequence[int] | None = None,
    ) -> tuple[Tensor, ...]:
        """k and v of cross-attention, from the encoder's output."""

        def run(x: Tensor) -> tuple[Tensor, ...]:
            other = x.new_zeros(len(x), self.n_query, x.shape[-1])
            return self._caught(text, x=other, context=x)[1:]

        return self._placed(x, positions, self.n_key, run)

    def _placed(
        self,
        x: Tensor,
        positions: Sequence[int] | None,
        n: int,
        run: Callable[[Tensor], tuple[Tensor, ...]],
    ) -> tuple[Tensor, ...]:
        """Run with each vector at its position of a whole text, a few parts at a time."""
        at = list(range(x.shape[1]) if positions is None else positions)
        several = max(1, NUMBERS // (n * x.shape[-1]))
        stripes = [self._whole(some, at, n, run) for some in x.split(several)]
        return tuple(torch.cat(each) for each in zip(*stripes, strict=True))

    def _whole(
        self, x: Tensor, at: list[int], n: int, run: Callable[[Tensor], tuple[Tensor, ...]]
    ) -> tuple[Tensor, ...]:
        if at == list(range(n)):
            return run(x)
        found: list[list[Tensor]] = []
        order: list[int] = []
        for places in _distinct(at):
            whole = x.new_zeros(len(x), n, x.shape[-1])
            here = [at[place] for place in places]
            whole = whole.index_copy(1, torch.tensor(here), x[:, places])
            found.append([each[:, :, here] for each in run(whole)])
            order += places
        back = torch.tensor(order).argsort()
        return tuple(torch.cat(each, dim=2)[:, :, back] for each in zip(*found, strict=True))

    def _caught(self, text: int, **streams: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        call, like = self.call, next(self.call.module.parameters())
        n = len(streams["x"])
        given = {
            getattr(call, name): tensor.to(like.device, like.dtype)
            for name, tensor in streams.items()
        }
        args = [given.get(index, self._of(each, text, n)) for index, each in enumerate(call.args)]
        kwargs = {
            name: given.get(name, self._of(each, text, n)) for name, each in call.kwargs.items()
        }
        real: dict[TokenAxis, Tensor] = {}
        with _Catching(real=real).running():
            try:
                call.module(*args, **kwargs)
            except _CaughtError as caught:
                q, k, v = map(kept, caught.qkv)
                return q, k, v
        raise AssertionError("an attention module calls attention")

    def _of(self, value: Any, text: int, n: int) -> Any:
        """An argument of the whole batch, for one text repeated."""
        if isinstance(value, tuple):
            return tuple(self._of(each, text, n) for each in value)
        if not isinstance(value, Tensor):
            return value
        of_text = value.shape[:1] == (self.n_text,) and (
            value.dim() > 2 or not value.is_floating_point()
        )
        # a copy, because no gradient can go through tensors of inference mode
        value = value[text : text + 1].clone() if of_text else value.clone()
        return value.expand(n, *value.shape[1:]) if of_text else value

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """The tensors that are kept for it."""
        return tuple(_gathered((*self.call.args, *self.call.kwargs.values())))


def _distinct(positions: list[int]) -> Iterator[list[int]]:
    """Places in the list, in groups in which no position occurs twice."""
    rest = list(range(len(positions)))
    while rest:
        first = {positions[place]: place for place in reversed(rest)}
        yield (here := sorted(first.values()))
        taken = set(here)
        rest = [place for place in rest if place not in taken]


def _gathered(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _gathered(each)

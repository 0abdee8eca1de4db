"""The neurons of one feed-forward network at one token: which fire, and what each adds to a logit.

The last matrix of a feed-forward network makes what it writes a sum with one summand for each
neuron: activation · row of W_out (Geva et al. 2021). With the scale of the last norm frozen, each
adds activation · (row · direction of the logit); what later parts make of it is not counted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from model.analysis.attribution import direction_of
from model.analysis.weights.decoding import Spoken, added, spoken
from model.errors import NumericsError, UnavailableError
from model.finite import all_finite
from model.trace.predictions import Prediction, log_softmax
from model.trace.stream import Renorm, Stream, Write, summands
from model.trace.trace import Trace

FIELD = "analyse.neurons"
SPOKEN = 5  # tokens that are listed for each neuron
# of a layer, and of GPT-2's; and which argument is what the matrix is multiplied by
_PRODUCTS: Mapping[Any, int] = {torch.nn.functional.linear: 0, torch.addmm: 1}
_CLOSE = 1e-3  # of the largest number that the network writes


@dataclass(frozen=True)
class Neuron:
    """One neuron, by how much it adds to the logit."""

    neuron: int
    activation: float
    value: float  # what it adds to the logit
    raises: tuple[Spoken, ...]  # as `decoding.decode` has them; () where no matrix gives logits
    lowers: tuple[Spoken, ...]


@dataclass(frozen=True)
class Neurons:
    """Those of one layer at one position of one text."""

    position: int
    token: Prediction
    against: Prediction | None
    n_neurons: int
    n_active: int  # with an activation above 0
    value: float  # what the whole network adds: all neurons and the bias
    bias: float
    # those that add most first, of either sign; at another token, those that write most
    neurons: tuple[Neuron, ...]


def neurons(
    trace: Trace,
    *,
    layer: int,
    at: int | None,
    position: int | None,
    token: int | None,
    against: int | None,
    top_k: int,
) -> list[Neurons]:
    """The neurons of a layer at the token `at`, for the logit at `position`, for each text.

    None means where the model predicts, and the likeliest token there.

    Raises:
        UnavailableError: nothing is predicted; the stream is not known; or the layer has no
            feed-forward network that ends with one matrix.
        InputError: there is no such layer, position or token.
        NumericsError: a number is not finite.
    """
    stages, unembed, spell = trace.head(FIELD)
    stream = trace.stream_to_read("its neurons cannot be read", field=FIELD)
    trace.pick_sites([layer], field=FIELD)
    write = _network(trace, stream, layer)
    positions = trace.read_positions(position, FIELD)
    places = positions if at is None else trace.each_at(at, f"{FIELD}.at")
    found = []
    for text, (read_at, place) in enumerate(zip(positions, places, strict=True)):
        normed = stages[-1, text, read_at]
        logits = unembed(normed)
        log_p = log_softmax(logits, model=trace.model)
        trace.check_ids(len(logits), FIELD, token=token, against=against)
        wanted = int(logits.argmax()) if token is None else token
        assert stream.raw_unembed is not None
        direction = direction_of(stream.raw_unembed, normed, wanted, against)
        for step in _after(stream, write):
            direction = step.norm.pull(direction, text, read_at)
        fired = _fired(trace, stream, write, text, place)
        direct = 1.0 if place == read_at else 0.0  # elsewhere, later parts must carry it
        values = direct * fired.activations * (fired.rows @ direction)
        bias = 0.0 if fired.bias is None else direct * float(fired.bias @ direction)
        sizes = values.abs() if direct else fired.activations.abs() * fired.rows.norm(dim=1)
        if not all_finite(values):
            raise NumericsError("What a neuron adds is not finite; expected all finite.")

        def named(id: int, log_p: Tensor = log_p) -> Prediction:
            return Prediction(id, spell(id), log_p[id].exp().item())

        order = sizes.topk(min(top_k, len(values))).indices
        said = added(trace, stream, fired.rows[order])
        listed = []
        for row, neuron in enumerate(order.tolist()):
            words: tuple[tuple[Spoken, ...], ...] = ((), ())
            if not isinstance(said, str):
                words = spoken(said[row] - said[row].mean(), SPOKEN, spell)
            listed.append(
                Neuron(neuron, float(fired.activations[neuron]), float(values[neuron]), *words)
            )
        found.append(
            Neurons(
                position=place,
                token=named(wanted),
                against=None if against is None else named(against),
                n_neurons=len(values),
                n_active=int((fired.activations > 0).sum()),
                value=values.sum(dtype=torch.float64).item() + bias,
                bias=bias,
                neurons=tuple(listed),
            )
        )
    return found


@dataclass(frozen=True, eq=False)
class _Fired:
    """What a feed-forward network computed at one token: out = activations · rows + bias."""

    activations: Float[Tensor, " neuron"]
    rows: Float[Tensor, "neuron d_model"]
    bias: Float[Tensor, " d_model"] | None


def _network(trace: Trace, stream: Stream, layer: int) -> Write:
    for step in stream.steps:
        if isinstance(step, Write) and step.part.kind == "mlp" and step.part.layer == layer:
            if step.function is None:
                break
            return step
    raise UnavailableError(
        f"Layer {layer} of {trace.model} has no feed-forward network before the prediction that "
        "could be run by itself.",
        field=f"{FIELD}.layer",
    )


def _after(stream: Stream, write: Write) -> list[Renorm]:
    """The norms that what was written goes through, the last one first."""
    place = next(n for n, step in enumerate(stream.steps) if step is write)
    found = [step for step in reversed(stream.steps[place:]) if isinstance(step, Renorm)]
    final = [] if stream.final is None else [Renorm(norm=stream.final, layer=None)]
    return [*final, *found]


def _fired(trace: Trace, stream: Stream, write: Write, text: int, at: int) -> _Fired:
    _, parts = summands(stream, trace.sites, text=text, positions=[at], until=write)
    x = parts.sum(dim=0)  # 1 d_model
    if write.reads is not None:
        x = write.reads.push(x[None], text, torch.tensor([at]))[0]
        x = x if write.reads.bias is None else x + write.reads.bias
    assert write.function is not None
    last = _last_matrix(write.function, x.shape[-1])
    if last is not None:
        with _Given(last.weight) as seen:
            out = write.function(x)[0]
        rows = last.weight if type(last).__name__ == "Conv1D" else last.weight.T
        given = last.bias
        if len(seen.found) == 1:
            fired = _Fired(
                seen.found[0].reshape(-1).detach().float().cpu(),
                rows.detach().float().cpu(),
                None if given is None else given.detach().float().cpu(),
            )
            made = fired.activations @ fired.rows + (0.0 if fired.bias is None else fired.bias)
            wrote = write.out[min(text, len(write.out) - 1), at]
            if (made - out).abs().max() <= _CLOSE * out.abs().max():
                if (wrote - out).abs().max() > 10 * _CLOSE * out.abs().max():
                    raise _edited(trace, write)
                return fired
    raise UnavailableError(
        f"The feed-forward network of layer {write.part.layer} of {trace.model} does not end with "
        "one matrix, as where experts are mixed or a norm follows, so its neurons do not add up to "
        "what it writes.",
        field=f"{FIELD}.layer",
    )


class _Given(TorchFunctionMode):
    """Keeps what a matrix is multiplied by in this thread: a hook would see other requests, too."""

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.weight = weight
        self.found: list[Tensor] = []

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        if func in _PRODUCTS and any(each is self.weight for each in args):
            self.found.append(args[_PRODUCTS[func]])
        return func(*args, **(kwargs or {}))


def _edited(trace: Trace, write: Write) -> UnavailableError:
    return UnavailableError(
        f"An intervention changes what the feed-forward network of layer {write.part.layer} of "
        f"{trace.model} gives, so its neurons do not add up to it. Take the intervention back.",
        field=FIELD,
    )


def _last_matrix(function: Callable[[Tensor], Tensor], d_model: int) -> Any:
    """The module that makes what a network writes: the last matrix as wide as the stream."""
    modules: Sequence[nn.Module] = (
        (function,) if isinstance(function, nn.Module) else getattr(function, "modules", ())
    )
    for module in reversed(modules):
        for each in reversed(list(module.modules())):
            if isinstance(each, nn.Linear) and each.out_features == d_model:
                return each
            if type(each).__name__ == "Conv1D" and each.nf == d_model:  # of GPT-2
                return each
    return None

"""Gradients of a logit: how fast it moves with what each part of a run computes.

To first order, a small change of a part moves the logit by change · gradient: the saliency of
Simonyan et al. (2014), with respect to activations in the place of inputs. It is the slope at this
run alone, so a saturated softmax or a muted head gives 0 although a large change would matter.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import torch
from jaxtyping import Float
from torch import Tensor

from model.core.editing import Place
from model.errors import NumericsError, UnavailableError
from model.finite import all_finite
from model.sources.runner import Runner
from model.trace.trace import Trace

GradientName = Literal["resid_pre", "q", "k", "v", "z", "resid_mid", "mlp_out", "resid_post"]
NAMES: tuple[GradientName, ...] = get_args(GradientName)
OF_HEADS: frozenset[str] = frozenset({"q", "k", "v", "z"})
FIELD = "analyse.gradients"


@dataclass(frozen=True, eq=False)
class Nudge:
    """An editor that adds 0 at the wanted places, with respect to which gradients can be taken."""

    places: Collection[Place]
    nudges: dict[Place, Tensor] = field(default_factory=dict)
    found: dict[Place, Tensor] = field(default_factory=dict)

    def __call__(self, place: Place, x: Tensor) -> Tensor:
        if place not in self.places:
            return x
        self.found[place] = x.detach().float().cpu()
        self.nudges[place] = torch.zeros_like(x, requires_grad=True)
        return x + self.nudges[place]

    def slopes(self, of: Tensor) -> dict[Place, Tensor | None]:
        """The gradient of a number at each place; None where the number does not depend on it."""
        nudges = list(self.nudges.values())
        slopes = torch.autograd.grad(of, nudges, allow_unused=True)
        return dict(zip(self.nudges, slopes, strict=True))


@dataclass(frozen=True)
class AskedGradients:
    """The logit, and what it is differentiated by."""

    tensors: Sequence[GradientName]
    layers: Sequence[int] | None = None  # None: all
    position: int | None = None  # where the logit is read; None: where the model predicts
    token: int | None = None  # None: the likeliest there
    against: int | None = None  # if given, the difference of two logits


def gradients(
    trace: Trace, runner: Runner, asked: AskedGradients
) -> dict[str, Float[Tensor, "batch ..."]]:
    """The gradient of each text's logit by the named tensors, such as `layers.2.resid_mid`.

    Those of the stream are (batch position d_model), those of a site (batch head position d_head).
    In an encoder–decoder, names begin with `encoder.` or `decoder.`; at padding all are 0.

    Raises:
        UnavailableError: the model predicts nothing, or has nothing that can be changed there.
        InputError: there is no such layer, position or token.
        NumericsError: a number is not finite.
    """
    names = _names(trace, asked)
    by_text = [
        _of_text(trace, runner, asked, names, text, at)
        for text, at in enumerate(trace.read_positions(asked.position, FIELD))
    ]
    found: dict[str, Tensor] = {}
    for place, name in names.items():
        each = [one[place] for one in by_text if place in one]
        if each:
            found[name] = torch.cat(each)
    for tensor in asked.tensors:
        if not any(name.endswith(f".{tensor}") for name in found):
            raise UnavailableError(
                f"{trace.model} cannot be changed at {tensor}, so it has no gradient there.",
                field=f"{FIELD}.tensors",
            )
    if not all(all_finite(tensor) for tensor in found.values()):
        raise NumericsError("A gradient is not finite; expected all finite.")
    return found


def _names(trace: Trace, asked: AskedGradients) -> Mapping[Place, str]:
    found: dict[Place, str] = {}
    for site in trace.pick_sites(asked.layers, field=FIELD):
        stack = "" if site.kind == "self" else f"{site.kind}."
        for name in asked.tensors:
            if name in OF_HEADS:
                found[Place(name, site.layer, site.kind)] = f"{site.name}.{name}"
            elif site.kind != "cross":
                found[Place(name, site.layer, site.kind)] = f"{stack}layers.{site.layer}.{name}"
    return found


def _of_text(
    trace: Trace,
    runner: Runner,
    asked: AskedGradients,
    places: Collection[Place],
    text: int,
    position: int,
) -> dict[Place, Float[Tensor, "1 ..."]]:
    _, unembed, _ = trace.head(FIELD)
    nudge = Nudge(places)
    with torch.inference_mode(False), torch.enable_grad():
        logits = unembed(runner(nudge, text=text)[0, position])
        trace.check_ids(len(logits), FIELD, token=asked.token, against=asked.against)
        of = logits[int(logits.argmax()) if asked.token is None else asked.token]
        if asked.against is not None:
            of = of - logits[asked.against]
        slopes = nudge.slopes(of)
    return {
        place: (torch.zeros_like(nudge.nudges[place]) if slope is None else slope)
        .detach()
        .float()
        .cpu()
        for place, slope in slopes.items()
    }

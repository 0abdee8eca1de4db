"""Gradients: a small step along a random direction moves the logit as they say."""

import pytest
import torch

from model.analysis.gradients import NAMES, AskedGradients, gradients
from model.core.checkpoint import SHIPPED
from model.core.editing import Affine, AffineEdits, Place
from model.errors import InputError
from model.interventions import Intervention
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead, Source

STEP = 2e-3
TEXTS = ("Mary near the boys saw", "the dog")


def found_in(source: Source, inputs: Inputs, asked: AskedGradients) -> dict[str, torch.Tensor]:
    with torch.inference_mode():  # as on a server
        trace = source.trace(inputs)
        with torch.inference_mode(False), torch.no_grad():
            runner = source.runner(inputs)
        return gradients(trace, runner, asked)


def moved(
    source: Source,
    inputs: Inputs,
    place: Place,
    text: int,
    direction: torch.Tensor,
    tokens: list[int],
) -> float:
    """How fast the lead of one token moves along a direction, by central differences."""
    trace = source.trace(inputs)
    at = trace.read_positions(None, "here")[text]
    assert trace.unembed is not None
    ends = []
    for step in (STEP, -STEP):
        shift = step * direction
        edit = AffineEdits({place: Affine(torch.ones(*shift.shape[:-1], 1), shift)})
        logits = trace.unembed(source.runner(inputs)(edit, text=text)[0, at])
        ends.append(float(logits[tokens[0]] - logits[tokens[1]]))
    return (ends[0] - ends[1]) / (2 * STEP)


@pytest.mark.parametrize(
    "inputs",
    [
        Inputs(TEXTS),
        Inputs(
            TEXTS,
            muted=(MutedHead(2, 1),),
            interventions=(Intervention(kind="scale", at="mlp", layer=1, factor=0.3),),
        ),
    ],
)
def test_a_small_step_moves_the_logit_as_the_gradient_says(inputs: Inputs) -> None:
    source = NativeSource("shipped", SHIPPED)
    found = found_in(source, inputs, AskedGradients(NAMES, token=9, against=40))
    assert len(found) == 3 * len(NAMES)
    generator = torch.Generator().manual_seed(1)
    for name in NAMES:
        for layer, text in ((0, 0), (2, 1)):
            gradient = found[f"layers.{layer}.{name}"][text][None]
            direction = torch.randn(gradient.shape, generator=generator)
            expected = moved(source, inputs, Place(name, layer), text, direction, [9, 40])
            slope = float((gradient * direction).sum())
            assert abs(slope - expected) <= 2e-2 * abs(expected) + 2e-2, (name, layer)
    # nothing after the token that is read from, and no padding, can matter to it
    assert not found["layers.0.resid_pre"][1, 3:].any()
    muted = found["layers.2.z"][:, 1]
    assert bool(inputs.muted) is not bool(muted.any())


def test_what_is_not_there_is_refused() -> None:
    source = NativeSource("shipped", SHIPPED)
    for asked, field in (
        (AskedGradients(("z",), layers=(3,)), "layers"),
        (AskedGradients(("z",), position=99), "position"),
        (AskedGradients(("z",), token=10**6), "token"),
        (AskedGradients(("z",), against=10**6), "against"),
    ):
        with pytest.raises(InputError) as caught:
            found_in(source, Inputs(TEXTS), asked)
        assert caught.value.field == f"analyse.gradients.{field}"

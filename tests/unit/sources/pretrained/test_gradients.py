"""Gradients in checkpoints: those of both stacks of an encoder–decoder."""

import torch

from model.analysis.gradients import AskedGradients
from model.core.editing import Place
from model.kinds import SiteKind
from model.sources.source import Inputs
from tests.unit.analysis.test_gradients import found_in, moved
from tests.unit.sources.pretrained.conftest import Load


def test_each_stack_of_an_encoder_decoder_has_its_own(load: Load) -> None:
    source = load("t5")
    inputs = Inputs(("the cat sat", "a dog"), targets=("le chat", "un"))
    asked = AskedGradients(("q", "k", "z", "resid_post"), layers=(1,), token=5, against=7)
    found = found_in(source, inputs, asked)
    kinds: tuple[SiteKind, ...] = ("encoder", "decoder", "cross")
    of_heads = {f"{site.name}.{name}" for site in source.info.sites for name in ("q", "k", "z")}
    assert {name for name in found if not name.endswith("resid_post")} == {
        name for name in of_heads if ".1." in f"{name}."
    }
    assert {name for name in found if name.endswith("resid_post")} == {
        "encoder.layers.1.resid_post",
        "decoder.layers.1.resid_post",
    }
    generator = torch.Generator().manual_seed(2)
    for kind in kinds:
        [site] = [one for one in source.info.sites if (one.kind, one.layer) == (kind, 1)]
        gradient = found[f"{site.name}.k"][0][None]
        direction = torch.randn(gradient.shape, generator=generator)
        expected = moved(source, inputs, Place("k", 1, kind), 0, direction, [5, 7])
        assert abs(float((gradient * direction).sum()) - expected) <= 2e-2 * abs(expected) + 1e-3

"""Neurons of checkpoints: they add up to the share that attribution gives their network."""

import pytest

from model.analysis.attribution import attribution
from model.errors import UnavailableError
from model.sources.source import Inputs
from tests.unit.analysis.test_neurons import read
from tests.unit.sources.pretrained.conftest import Load


@pytest.mark.parametrize("family", ["gpt2", "llama", "bert", "t5", "bart"])
def test_checkpoints_have_neurons(load: Load, family: str) -> None:
    source = load(family)
    targets = ("le chat",) if source.info.takes_targets else None
    trace = source.trace(Inputs(("the cat sat",), targets=targets, stream=True))
    [one] = read(trace, token=5, against=7)
    [whole] = attribution(trace, token=5, against=7)
    parts = [
        each for each in whole.contributions if each.part.kind == "mlp" and each.part.layer == 1
    ]
    assert one.value == pytest.approx(sum(each.value for each in parts), abs=1e-4)
    assert len(one.neurons) == one.n_neurons and one.neurons[0].value != 0


def test_a_norm_behind_a_network_is_told(load: Load) -> None:
    trace = load("gemma2").trace(Inputs(("the cat sat",), stream=True))
    with pytest.raises(UnavailableError, match="a norm follows"):
        read(trace)

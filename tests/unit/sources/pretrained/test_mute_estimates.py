"""Mute estimates in an encoder–decoder, whose heads stand in three kinds of sites."""

import pytest

from model.sources.source import Inputs
from tests.unit.analysis.test_mute_estimates import estimated, slope_of
from tests.unit.sources.pretrained.conftest import Load
from tests.unit.sources.test_growing_rows import apart

pytestmark = pytest.mark.long


@pytest.mark.parametrize("family", ["t5", "bart", "gpt2"])
def test_estimates_are_slopes_in_every_site(load: Load, family: str) -> None:
    source = load(family)
    targets = ("her cat",) if source.info.takes_targets else None
    inputs = Inputs(("the cat sat on the old mat",), targets=targets)
    [found] = estimated(source, inputs, exact=3)
    heads = sum(site.n_heads for site in source.info.sites)
    assert len(found.effects) == heads
    assert {one.kind for one in found.effects} == {site.kind for site in source.info.sites}
    for row in (0, heads // 2, heads - 1):
        estimate = found.effects[row].estimate
        expected = slope_of(source, inputs, 0, found, row)
        assert estimate is not None
        assert abs(estimate - expected) <= 5e-2 * abs(expected) + 2e-4


@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_mutes_from_a_layer_on_are_those_of_whole_runs(load: Load, family: str) -> None:
    assert apart(load(family), Inputs(("the cat sat on the old mat",))) <= 1e-5

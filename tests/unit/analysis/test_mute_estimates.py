"""Mute estimates: slopes that a small step confirms, and measured changes of those that matter."""

import torch

from model.analysis.mute_estimates import MuteEstimates, mute_estimates
from model.core.checkpoint import SHIPPED
from model.core.editing import Affine, AffineEdits, Place
from model.sources.inputs import muted_heads
from model.sources.muting import MUTED
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead, Source

STEP = 1e-2
TEXTS = ("Mary near the boys saw", "the dog")


def estimated(source: Source, inputs: Inputs, *, exact: int = 0) -> list[MuteEstimates]:
    with torch.inference_mode():  # as on a server
        trace = source.trace(inputs)
        with torch.inference_mode(False), torch.no_grad():
            runner = source.runner(inputs)
        return mute_estimates(
            trace,
            source.info.sites,
            muted_heads(inputs.muted, source.info),
            runner,
            position=None,
            token=None,
            exact=exact,
        )


def slope_of(source: Source, inputs: Inputs, text: int, found: MuteEstimates, row: int) -> float:
    """How ln p changes with a head's z, by central differences."""
    unembed = source.trace(inputs).unembed
    assert unembed is not None
    effect = found.effects[row]
    site = next(
        one for one in source.info.sites if (one.kind, one.layer) == (effect.kind, effect.layer)
    )
    ends = []
    for factor in (1 - STEP, 1 + STEP):
        scale = torch.ones(1, site.n_heads, 1, 1)
        scale[0, effect.head] = factor
        edit = AffineEdits({Place("z", effect.layer, effect.kind): Affine(scale)})
        resid = source.runner(inputs)(edit, text=text)[0, found.position]
        ends.append(float(torch.log_softmax(unembed(resid), -1)[found.token.id]))
    return (ends[0] - ends[1]) / (2 * STEP)


def test_an_estimate_is_the_slope_towards_a_muted_head() -> None:
    source, inputs = NativeSource("shipped", SHIPPED), Inputs(TEXTS)
    for text, found in enumerate(estimated(source, inputs)):
        assert len(found.effects) == 24 and found.agreement is None
        assert all(effect.change is None for effect in found.effects)
        for row in (0, 7, 12, 19, 23):
            expected = slope_of(source, inputs, text, found, row)
            estimate = found.effects[row].estimate
            assert estimate is not None
            assert abs(estimate - expected) <= 2e-2 * abs(expected) + 2e-3


def test_the_heads_that_may_matter_most_are_muted_in_earnest() -> None:
    source = NativeSource("shipped", SHIPPED)
    inputs = Inputs(TEXTS, muted=(MutedHead(2, 3),))
    exact = source.mute_effects(inputs)
    for found, whole in zip(estimated(source, inputs, exact=6), exact, strict=True):
        assert (found.position, found.token) == (whole.position, whole.token)
        by_place = {(one.layer, one.head): one for one in whole.effects}
        measured = [one for one in found.effects if one.change is not None]
        assert len(measured) == 6 and -1 <= (found.agreement or 0) <= 1
        for one in measured:
            change = by_place[one.layer, one.head].change
            assert change is not None and one.change is not None
            assert abs(one.change - change) <= 1e-5
        [muted] = [one for one in found.effects if one.reason is not None]
        assert (muted.layer, muted.head, muted.reason) == (2, 3, MUTED)
        assert muted.estimate is None and muted.change is None
    # of the opening sentence, what matters most is among them
    [found] = estimated(source, Inputs(TEXTS[:1]), exact=6)
    largest = min(found.effects, key=lambda one: one.change or 0.0)
    assert (largest.layer, largest.head) == (2, 3)


def test_all_heads_measured_give_the_agreement_of_both_orders() -> None:
    source = NativeSource("shipped", SHIPPED)
    [found] = estimated(source, Inputs(TEXTS[:1]), exact=256)
    assert all(one.change is not None for one in found.effects)
    assert found.agreement is not None and found.agreement > 0.3

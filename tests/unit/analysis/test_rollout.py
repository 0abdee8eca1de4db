"""Rollout: worked by hand, compared with whole matrices, and rows that always sum to 1."""

from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

import model.masks.mask
from model.analysis import rollout
from model.errors import NumericsError, UnavailableError
from model.masks.rules import Cell, MaskSettings, PaddingSide
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead
from model.trace.recorded import SiteKind
from model.trace.site import Site
from model.trace.trace import Trace
from tests.unit.analysis.building import stored, trace_of


def site(pattern: Tensor, layer: int, kind: SiteKind = "self", **settings: Any) -> Site:
    return stored(pattern, name=f"layers.{layer}", layer=layer, kind=kind, **settings)


def trace_with(*sites: Site) -> Trace:
    return trace_of([4, 4], sites=sites)


# the mean of the two heads is [[0, 1], [½, ½]], so Â is [[½, ½], [¼, ¾]]
FIRST = torch.tensor([[[[0.0, 1.0], [1.0, 0.0]], [[0.0, 1.0], [0.0, 1.0]]]])
# Â is [[1, 0], [½, ½]]
SECOND = torch.tensor([[[[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]]]])


def test_two_layers_by_hand() -> None:
    expected = [[[0.5, 0.5], [0.375, 0.625]]]  # Â₂ · Â₁
    first, second = site(FIRST, 0), site(SECOND, 1)
    assert rollout(trace_with(first, second)).tolist() == expected
    assert (
        rollout(trace_with(second, first)).tolist() == expected
    )  # the layer counts, not the place
    other_way = rollout(trace_with(replace(first, layer=1), replace(second, layer=0)))
    assert other_way.tolist() == [[[0.75, 0.25], [0.625, 0.375]]]


def test_a_muted_head_moves_nothing() -> None:
    # one head is left: its rows count half, (½ A + I) / 1½
    got = rollout(trace_with(site(FIRST, 0, muted=(1,))))
    torch.testing.assert_close(got, torch.tensor([[[2 / 3, 1 / 3], [1 / 3, 2 / 3]]]))
    got = rollout(trace_with(site(FIRST, 0, muted=(0, 1))))
    assert torch.equal(got, torch.eye(2)[None])


def test_whole_matrices_give_the_same(source: NativeSource) -> None:
    trace = source.trace(Inputs(("the red cat sat on a mat", "a dog")))
    expected = torch.eye(8).expand(2, 8, 8)
    for layer in trace.sites:
        mean = layer.derive(["pattern"])["pattern"].mean(1)
        expected = (0.5 * mean + 0.5 * torch.eye(8)) @ expected
    for stripe in (3, 256):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(model.masks.mask, "STRIPE", stripe)
            torch.testing.assert_close(rollout(trace), expected)


cells = st.lists(
    st.builds(
        Cell,
        layer=st.none() | st.integers(0, 1),
        head=st.none() | st.integers(0, 2),
        query=st.none() | st.integers(0, 2),
        key=st.none() | st.integers(0, 2),
    ),
    max_size=3,
).map(tuple)


@settings(max_examples=40)
@given(
    blocked=cells,
    side=st.sampled_from(["left", "right"]),
    muted=st.sampled_from([(), (MutedHead(0, 1),), tuple(MutedHead(1, head) for head in range(3))]),
    is_causal=st.sampled_from([None, False]),
)
def test_every_row_sums_to_one(
    source: NativeSource,
    blocked: tuple[Cell, ...],
    side: PaddingSide,
    muted: tuple[MutedHead, ...],
    is_causal: bool | None,
) -> None:
    masks = MaskSettings(blocked=blocked, padding_side=side, causal=is_causal)
    got = rollout(source.trace(Inputs(("the red cat", "a"), masks=masks, muted=muted)))
    assert got.shape == (2, 4, 4)
    assert got.ge(0).all()
    torch.testing.assert_close(got.sum(-1), torch.ones(2, 4))
    if is_causal is None:
        assert got.triu(1).eq(0).all()


def test_a_wholly_blocked_row_keeps_to_itself(source: NativeSource) -> None:
    masks = MaskSettings(padding_side="left")
    got = rollout(source.trace(Inputs(("the red cat", "a"), masks=masks)))
    assert torch.equal(got[1, :2], torch.eye(4)[:2])
    alone = rollout(source.trace(Inputs(("a",))))
    torch.testing.assert_close(got[1, 2:, 2:], alone[0])


def test_an_encoder_is_rolled_out_without_its_decoder() -> None:
    encoder = (site(FIRST, 0, "encoder"), site(SECOND, 1, "encoder"))
    decoder = (site(SECOND, 0, "decoder"), site(FIRST, 0, "cross"))
    assert torch.equal(rollout(trace_with(*encoder, *decoder)), rollout(trace_with(*encoder)))


@pytest.mark.parametrize("kinds", [[], ["decoder", "cross"], ["self", "cross"]])
def test_without_a_single_stack_there_is_no_rollout(kinds: list[SiteKind]) -> None:
    with pytest.raises(UnavailableError, match="no single stack of self-attention") as caught:
        rollout(trace_with(*(site(FIRST, 0, kind) for kind in kinds)))
    assert (caught.value.code, caught.value.field) == ("unavailable", "analyse.rollout")


def test_a_pattern_that_is_not_finite_raises() -> None:
    with pytest.raises(NumericsError):
        rollout(trace_with(site(FIRST * float("nan"), 0)))

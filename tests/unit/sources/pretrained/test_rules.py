"""Recognising a model's own mask from its cells."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from model.masks.mask import Mask
from model.masks.rules import MaskSettings
from model.sources.pretrained.opening.rules import Rules, recognise, split

ALL_REAL = torch.ones(2, 13, dtype=torch.bool)


def looked_at(cells: Tensor, real: Tensor) -> Rules:
    return recognise(lambda rows: cells[:, :, rows], cells.shape[2], cells.shape[3], real)


@given(n=st.integers(2, 13), causal=st.booleans(), window=st.none() | st.integers(1, 13))
def test_causal_masks_and_windows_are_recognised(n: int, causal: bool, window: int | None) -> None:
    cells = Mask(n, n, MaskSettings(causal=causal, window=window)).allows()
    rules = looked_at(cells, ALL_REAL[:, :n])
    assert rules.cells is None
    told = MaskSettings(causal=rules.causal, window=rules.window)
    assert torch.equal(Mask(n, n, told).allows(), cells)


def test_padding_in_a_mask_is_left_to_the_reader() -> None:
    real = torch.ones(2, 7, dtype=torch.bool)
    real[1, 4:] = False
    cells = Mask(7, 7, MaskSettings(causal=True), real_keys=real, batch=2).allows()
    assert looked_at(cells, real) == Rules(causal=True)


def test_long_masks_are_compared_to_the_end() -> None:
    n = 600  # more than two stripes
    cells = Mask(n, n, MaskSettings(causal=True)).allows().clone()
    assert looked_at(cells, torch.ones(1, n, dtype=torch.bool)) == Rules(causal=True)
    cells[0, 0, 590, 3] = False
    assert looked_at(cells, torch.ones(1, n, dtype=torch.bool)).cells is not None


@pytest.mark.parametrize("causal", (True, False))
def test_another_mask_is_kept_cell_by_cell(causal: bool) -> None:
    place = torch.arange(9)
    chunks = (place[:, None] // 3 == place[None] // 3)[None, None]
    cells = chunks & (place[:, None] >= place[None]) if causal else chunks
    rules = looked_at(cells, torch.ones(1, 9, dtype=torch.bool))
    assert rules.causal is causal and rules.window is None and rules.cells is not None
    mask = Mask(9, 9, MaskSettings(causal=causal), own=rules.cells)
    assert torch.equal(mask.allows(), cells)


def test_cross_attention_has_no_rules_of_places() -> None:
    assert looked_at(torch.ones(1, 1, 3, 7, dtype=torch.bool), ALL_REAL[:1, :7]) == Rules()


def test_an_additive_mask_is_what_it_allows_and_what_it_adds() -> None:
    slope = -torch.arange(5.0).expand(1, 2, 5, 5)
    allowed = torch.ones(1, 1, 5, 5, dtype=torch.bool).tril()
    mask = slope.masked_fill(~allowed, torch.finfo(torch.float32).min)
    cells, bias = split(mask)
    assert torch.equal(cells, allowed.expand(1, 2, 5, 5))
    assert bias is not None and torch.equal(bias, slope.masked_fill(~allowed, 0.0))
    assert split(torch.zeros(1, 1, 3, 3))[1] is None
    assert split(allowed) == (allowed, None)

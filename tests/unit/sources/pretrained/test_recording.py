"""How the attention function handles a call, without any model."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn
from transformers.masking_utils import causal_mask_function

from model.sources.pretrained import recording
from model.sources.pretrained.recording import Recording, UnsupportedError
from model.trace.recorded import TokenAxis

N = 5
REAL: dict[TokenAxis, Tensor] = {"tokens": torch.ones(1, N, dtype=torch.bool)}


def call(given: Tensor | None, **options: Any) -> Tensor:
    q, k, v = (
        torch.randn(1, 2, N, 4, generator=torch.Generator().manual_seed(i)) for i in (1, 2, 3)
    )
    return recording._answer(nn.Module(), q, k, v, given, **options)[0]


def mask() -> Tensor:
    causal: Any = causal_mask_function  # its types say int, and it is called with tensors
    return recording._make_mask(1, N, N, mask_function=causal)


def test_an_unknown_keyword_of_attention_is_refused() -> None:
    with Recording(real=REAL).running():
        with pytest.raises(UnsupportedError, match="calls attention with block_indices, topk"):
            call(None, topk=3, block_indices=torch.zeros(1))
        call(None, topk=None, dropout=0.0, sliding_window=4, position_ids=torch.arange(N))


def test_a_mask_that_was_handed_out_means_its_rules_sliced_or_not() -> None:
    kept = Recording(real=REAL)
    with kept.running():
        whole = mask()
        assert whole.shape == (1, 1, N, N) and whole.untyped_storage().nbytes() == 1
        answers = [call(whole), call(whole[:, :, :, :N]), call(None)]
    assert [site.mask.settings.causal for site in kept.sites] == [True, True, False]
    torch.testing.assert_close(answers[0], answers[1])
    assert (answers[0] - answers[2]).abs().max() > 1e-3
    assert [site.name for site in kept.sites] == ["layers.0", "layers.1", "layers.2"]


def test_a_mask_of_a_models_own_making_is_read() -> None:
    own = torch.zeros(1, 1, N, N).masked_fill(
        torch.ones(N, N, dtype=torch.bool).triu(1), torch.finfo(torch.float32).min
    )
    kept = Recording(real=REAL)
    with kept.running():
        answers = [call(own), call(mask())]
    assert [site.mask.settings.causal for site in kept.sites] == [True, True]
    assert all(site.bias is None for site in kept.sites)
    torch.testing.assert_close(*answers)


def test_lengths_that_differ_from_the_texts_are_refused() -> None:
    longer: dict[TokenAxis, Tensor] = {"tokens": torch.ones(1, N + 1, dtype=torch.bool)}
    with Recording(real=longer).running():
        with pytest.raises(UnsupportedError, match="has 5 queries and 5 keys; expected 6 and 6"):
            call(None)


def test_calls_of_other_threads_and_times_are_nobodys() -> None:
    with pytest.raises(AssertionError, match="within a Recording"):
        call(None)

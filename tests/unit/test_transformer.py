"""The small transformer, compared with a loop over its parameters, and the effect of its masks."""

from typing import Any

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from model.core.attention import attend
from model.core.embedding import Positions, rotary, rotate, sinusoidal
from model.core.transformer import Transformer, TransformerConfig
from model.errors import InputError

SIZES: dict[str, Any] = {
    "vocab_size": 17,
    "n_layers": 2,
    "n_heads": 3,
    "d_model": 10,
    "d_head": 4,
    "d_mlp": 14,
    "max_tokens": 64,
}


def lively(seed: int = 0, **settings: Any) -> Transformer:
    """A random model whose attention is far from uniform."""
    torch.manual_seed(seed)
    model = Transformer(TransformerConfig(**SIZES | settings))
    for name, parameter in model.named_parameters():
        spread = 0.5 if parameter.dim() > 1 else 0.1
        torch.nn.init.normal_(parameter, float("norm" in name and "weight" in name), spread)
    return model.eval().requires_grad_(False)


MODEL = lively()


def relative(got: Tensor, expected: Tensor) -> float:
    return ((got - expected).abs().max() / expected.abs().max()).item()


def by_hand(model: Transformer, ids: Tensor, positions: Tensor, mask: Tensor | None) -> Tensor:
    """The same stack, written out: pre-norm, one head at a time, tied logits."""
    p = dict(model.named_parameters())
    config, n = model.config, ids.shape[1]

    def norm(x: Tensor, name: str) -> Tensor:
        x = (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True, correction=0) + 1e-5).sqrt()
        return x * p[f"{name}.weight"] + p[f"{name}.bias"]

    x = p["embedding.token.weight"][ids]
    if config.positions == "learned":
        x = x + p["embedding.learned.weight"][positions]
    if config.positions == "sinusoidal":
        x = x + sinusoidal(positions, config.d_model)
    for layer in range(config.n_layers):
        block = f"blocks.{layer}"
        qkv = norm(x, f"{block}.norm_attention") @ p[f"{block}.attention.w_qkv.weight"].T
        heads = []
        for head in range(config.n_heads):
            q, k, v = (
                qkv[..., 12 * which + 4 * head : 12 * which + 4 * head + 4] for which in range(3)
            )
            if config.positions == "rotary":
                turn = rotary(positions, 4)
                q, k = rotate(q[:, None], turn)[:, 0], rotate(k[:, None], turn)[:, 0]
            scores = q @ k.mT / 2  # √d_head
            if mask is not None:
                scores = scores.masked_fill(~mask, -torch.inf)
            heads.append(scores.softmax(-1) @ v)
        x = x + torch.cat(heads, -1) @ p[f"{block}.attention.w_o.weight"].T
        inner = norm(x, f"{block}.norm_mlp") @ p[f"{block}.mlp.0.weight"].T
        inner = F.gelu(inner + p[f"{block}.mlp.0.bias"])
        x = x + inner @ p[f"{block}.mlp.2.weight"].T + p[f"{block}.mlp.2.bias"]
    assert x.shape == (*ids.shape, config.d_model) and n == x.shape[1]
    return norm(x, "norm")


@pytest.mark.parametrize("positions", ["none", "learned", "sinusoidal", "rotary"])
@pytest.mark.parametrize("causal", [True, False])
def test_the_stack_equals_the_same_stack_by_hand(positions: Positions, causal: bool) -> None:
    model = lively(1, positions=positions, causal=causal)
    ids, places = torch.randint(17, (2, 7)), torch.tensor([[0, 1, 2, 3, 4, 5, 6]]).expand(2, 7)
    mask = torch.ones(7, 7, dtype=torch.bool).tril() if causal else None
    expected = by_hand(model, ids, places, mask)
    torch.testing.assert_close(model(ids).resid, expected)
    shifted = model(ids, positions=places + 3).resid
    torch.testing.assert_close(shifted, by_hand(model, ids, places + 3, mask))


def test_logits_are_read_by_the_tied_embedding() -> None:
    ids = torch.randint(17, (2, 7), generator=torch.Generator().manual_seed(0))
    resid = MODEL(ids).resid
    logits = MODEL.unembed(resid)
    assert logits.shape == (2, 7, 17)
    torch.testing.assert_close(logits, resid @ MODEL.embedding.token.weight.T)
    torch.testing.assert_close(MODEL.unembed(resid[1, 3]), logits[1, 3])


@given(n=st.integers(2, 60), at=st.data(), seed=st.integers(0, 2**20))
def test_future_token_cannot_change_past_rows(n: int, at: st.DataObject, seed: int) -> None:
    cut = at.draw(st.integers(1, n - 1))
    g = torch.Generator().manual_seed(seed)
    ids = torch.randint(17, (2, n), generator=g)
    other = ids.clone()
    other[:, cut:] = torch.randint(17, (2, n - cut), generator=g)
    kept, changed = MODEL(ids, record=True), MODEL(other, record=True)
    alone = MODEL(ids[:, :cut], record=True)
    assert relative(changed.resid[:, :cut], kept.resid[:, :cut]) <= 1e-5
    assert relative(alone.resid, kept.resid[:, :cut]) <= 1e-5
    for ran in (kept, changed):
        for layer in ran.attention:
            pattern = attend(layer.q, layer.k, layer.v, mask=MODEL.own_mask(n), need="all").pattern
            assert pattern.triu(1).eq(0).all()


def test_future_token_does_change_past_rows_without_the_causal_mask() -> None:
    model = lively(causal=False)
    ids = torch.arange(8)[None]
    other = ids.clone()
    other[0, 7] = 16
    assert relative(model(other).resid[:, :7], model(ids).resid[:, :7]) > 1e-3


def test_rotary_positions_are_relative() -> None:
    ids, places = torch.arange(9)[None], torch.arange(9)[None]
    here, there = (MODEL(ids, positions=places + shift).resid for shift in (0, 200))
    assert relative(there, here) <= 1e-4
    stretched = MODEL(ids, positions=2 * places).resid
    assert relative(stretched, here) > 1e-3


def test_recording_changes_nothing_and_keeps_each_layer() -> None:
    ids = torch.arange(14).reshape(2, 7)
    plain, recorded = MODEL(ids), MODEL(ids, record=True)
    assert torch.equal(plain.resid, recorded.resid)
    assert plain.attention == [] and len(recorded.attention) == 2
    assert plain.stages is None and recorded.stages is not None
    assert torch.equal(recorded.stages[-1], recorded.resid)
    for layer in recorded.attention:
        assert layer.q.shape == layer.k.shape == layer.v.shape == (2, 3, 7, 4)


def test_a_stage_is_what_a_stack_of_so_many_layers_gives() -> None:
    ids = torch.arange(14).reshape(2, 7)
    stages = MODEL(ids, record=True).stages
    assert stages is not None and stages.shape == (3, 2, 7, 10)
    for n_layers in range(3):
        cut = lively()
        cut.blocks = cut.blocks[:n_layers]
        shorter = cut(ids, masks=[MODEL.own_mask(7)] * n_layers).resid
        torch.testing.assert_close(stages[n_layers], shorter)


def test_each_layer_has_its_own_mask() -> None:
    ids = torch.arange(7)[None]
    closed = torch.eye(7, dtype=torch.bool)[None, None]
    own = MODEL.own_mask(7)
    ran = MODEL(ids, masks=[own, closed], record=True)
    last = ran.attention[1]
    # seeing itself only, a token's z is its own v
    expected = last.v.transpose(1, 2).flatten(2) @ MODEL.blocks[1].attention.w_o.weight.T  # type: ignore[union-attr]
    torch.testing.assert_close(last.output, expected)
    torch.testing.assert_close(ran.attention[0].output, MODEL(ids, record=True).attention[0].output)


def test_muting_equals_zeroing_the_columns_of_w_o_of_that_layer() -> None:
    ids = torch.arange(14).reshape(2, 7)
    silent = torch.tensor([[[False, False, False], [True, False, True]]])
    muted = MODEL(ids, muted=silent)
    cut = lively()
    weight = dict(cut.named_parameters())["blocks.1.attention.w_o.weight"]
    weight[:, :4] = 0.0
    weight[:, 8:] = 0.0
    torch.testing.assert_close(muted.resid, cut(ids).resid)
    assert relative(muted.resid, MODEL(ids).resid) > 1e-3
    one_row = MODEL(ids, muted=torch.cat([torch.zeros_like(silent), silent]))
    torch.testing.assert_close(one_row.resid[0], MODEL(ids).resid[0])
    torch.testing.assert_close(one_row.resid[1], muted.resid[1])


def test_own_mask_is_the_lower_triangle_or_none() -> None:
    mask = MODEL.own_mask(3)
    assert mask is not None
    assert mask[0, 0].long().tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert lively(causal=False).own_mask(3) is None


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"n_layers": 0}, "n_layers"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"d_head": 5}, "d_head"),
        ({"d_model": 9, "positions": "sinusoidal"}, "d_model"),
    ],
)
def test_impossible_sizes_are_refused(settings: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        TransformerConfig(**SIZES | settings)
    assert (caught.value.code, caught.value.field) == ("invalid_input", field)

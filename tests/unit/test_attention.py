"""Our attention, compared with torch's own functions and with a reference computed cell by cell.

Every axis has a size of its own, so that no swapped axis fits.
"""

import math
from itertools import product
from typing import Any, NamedTuple

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from model.core.attention import (
    AttentionConfig,
    MultiHeadAttention,
    Packing,
    Scale,
    SoftmaxOver,
    attend,
)
from model.core.embedding import rotary, rotate
from model.errors import InputError

BATCH, HEAD, QUERY, KEY, D_HEAD, D_VALUE = 2, 3, 5, 7, 4, 6


class Case(NamedTuple):
    """Random q, k, v with everything else that `attend` takes."""

    q: Tensor
    k: Tensor
    v: Tensor
    mask: Tensor
    bias: Tensor
    sink: Tensor


def case(seed: int, mask_heads: int = 1, bias_heads: int = HEAD, blocked: float = 0.4) -> Case:
    g = torch.Generator().manual_seed(seed)

    def randn(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=g)

    mask = torch.rand(BATCH, mask_heads, QUERY, KEY, generator=g) >= blocked
    mask[0, :, 1] = False  # a query that may attend to nothing
    mask[1, :, :, 2] = False  # a key that nothing may attend to
    return Case(
        randn(BATCH, HEAD, QUERY, D_HEAD),
        randn(BATCH, HEAD, KEY, D_HEAD),
        randn(BATCH, HEAD, KEY, D_VALUE),
        mask,
        randn(1, bias_heads, QUERY, KEY),
        randn(HEAD),
    )


def by_hand(
    c: Case,
    *,
    mask: Tensor | None,
    bias: Tensor | None,
    sink: Tensor | None,
    soft_cap: float | None,
    scale: float | None,
    softmax_over: SoftmaxOver,
) -> tuple[Tensor, Tensor, Tensor]:
    """Scores, pattern and z, one number at a time, in Python floats."""
    factor = 1 / math.sqrt(D_HEAD) if scale is None else scale
    scores = torch.zeros(BATCH, HEAD, QUERY, KEY)
    allowed = torch.ones(BATCH, HEAD, QUERY, KEY, dtype=torch.bool)
    for b, h, i, j in product(range(BATCH), range(HEAD), range(QUERY), range(KEY)):
        x = factor * sum(c.q[b, h, i, d].item() * c.k[b, h, j, d].item() for d in range(D_HEAD))
        if soft_cap is not None:
            x = soft_cap * math.tanh(x / soft_cap)
        if bias is not None:
            x += bias[0, h if bias.shape[1] > 1 else 0, i, j].item()
        scores[b, h, i, j] = x
        if mask is not None:
            allowed[b, h, i, j] = mask[b, h if mask.shape[1] > 1 else 0, i, j]
    pattern = torch.zeros_like(scores)
    for b, h in product(range(BATCH), range(HEAD)):
        rows = [[(i, j) for j in range(KEY)] for i in range(QUERY)]
        columns = [[(i, j) for i in range(QUERY)] for j in range(KEY)]
        for cells in rows if softmax_over == "key" else columns:
            open_cells = [cell for cell in cells if allowed[b, h][cell]]
            total = sum(math.exp(scores[b, h][cell].item()) for cell in open_cells)
            if sink is not None:
                total += math.exp(sink[h].item())
            for cell in open_cells:
                pattern[b, h][cell] = math.exp(scores[b, h][cell].item()) / total
    z = torch.zeros(BATCH, HEAD, QUERY, D_VALUE)
    for b, h, i, d in product(range(BATCH), range(HEAD), range(QUERY), range(D_VALUE)):
        z[b, h, i, d] = sum(pattern[b, h, i, j] * c.v[b, h, j, d] for j in range(KEY))
    return scores, pattern, z


@pytest.mark.parametrize("softmax_over", ["key", "query"])
@pytest.mark.parametrize("soft_cap", [None, 0.7])
@pytest.mark.parametrize("has_sink", [False, True])
@pytest.mark.parametrize("has_bias", [False, True])
@pytest.mark.parametrize("mask_heads", [None, 1, HEAD])
def test_every_setting_equals_the_reference_by_hand(
    softmax_over: SoftmaxOver,
    soft_cap: float | None,
    has_sink: bool,
    has_bias: bool,
    mask_heads: int | None,
) -> None:
    c = case(seed=1, mask_heads=mask_heads or 1, bias_heads=1 if mask_heads == HEAD else HEAD)
    settings: dict[str, Any] = {
        "mask": None if mask_heads is None else c.mask,
        "bias": c.bias if has_bias else None,
        "sink": c.sink if has_sink else None,
        "soft_cap": soft_cap,
        "scale": 1.3 if has_sink else None,
        "softmax_over": softmax_over,
    }
    scores, pattern, z = by_hand(c, **settings)
    got = attend(c.q, c.k, c.v, **settings, need="all")
    torch.testing.assert_close(got.scores, scores)
    torch.testing.assert_close(got.pattern, pattern)
    torch.testing.assert_close(got.z, z)
    torch.testing.assert_close(attend(c.q, c.k, c.v, **settings, need="z"), z)


@pytest.mark.parametrize("scale", [None, 0.0, 1.0, -0.6, 0.3])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("biased", [False, True])
def test_all_equals_torch_scaled_dot_product_attention(
    scale: float | None, masked: bool, biased: bool
) -> None:
    c = case(seed=2, mask_heads=HEAD)
    mask = c.mask if masked else None
    bias = c.bias if biased else None
    merged = mask
    if bias is not None:
        blocked = torch.zeros(BATCH, HEAD, QUERY, KEY)
        if masked:
            blocked[~c.mask] = -torch.inf
        merged = bias + blocked
    expected = F.scaled_dot_product_attention(c.q, c.k, c.v, attn_mask=merged, scale=scale)
    got = attend(c.q, c.k, c.v, mask=mask, bias=bias, scale=scale, need="all")
    torch.testing.assert_close(got.z, expected)


@given(
    seed=st.integers(0, 2**20),
    n_query=st.integers(1, 40),
    n_key=st.integers(1, 40),
    scale=st.sampled_from([None, 0.0, 1.0, 0.2]),
    masked=st.sampled_from([None, 1, HEAD]),
    biased=st.sampled_from([None, 1, HEAD]),
    blocked=st.floats(0, 1),
)
def test_fused_equals_all(
    seed: int,
    n_query: int,
    n_key: int,
    scale: float | None,
    masked: int | None,
    biased: int | None,
    blocked: float,
) -> None:
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(BATCH, HEAD, n_query, 8, generator=g)
    k = torch.randn(BATCH, HEAD, n_key, 8, generator=g)
    v = torch.randn(BATCH, HEAD, n_key, 8, generator=g)
    mask = bias = None
    if masked is not None:
        mask = torch.rand(BATCH, masked, n_query, n_key, generator=g) >= blocked
        mask[0, :, 0] = False
    if biased is not None:
        bias = torch.randn(1, biased, n_query, n_key, generator=g)
    fused = attend(q, k, v, mask=mask, bias=bias, scale=scale, need="z")
    whole = attend(q, k, v, mask=mask, bias=bias, scale=scale, need="all")
    torch.testing.assert_close(fused, whole.z)
    if mask is not None:
        empty = (~mask).all(-1).expand(BATCH, HEAD, n_query)
        assert fused[empty].eq(0).all()
        assert whole.z[empty].eq(0).all()
        assert whole.pattern[empty].eq(0).all()


@given(
    seed=st.integers(0, 2**20),
    softmax_over=st.sampled_from(["key", "query"]),
    has_sink=st.booleans(),
    blocked=st.floats(0, 1),
    size=st.sampled_from([0.1, 1.0, 30.0]),
)
def test_pattern_sums_to_one_less_the_sink_and_blocked_cells_are_exactly_zero(
    seed: int, softmax_over: SoftmaxOver, has_sink: bool, blocked: float, size: float
) -> None:
    c = case(seed, mask_heads=HEAD, blocked=blocked)
    sink = c.sink if has_sink else None
    got = attend(
        c.q * size, c.k, c.v, mask=c.mask, sink=sink, softmax_over=softmax_over, need="all"
    )
    dim = -1 if softmax_over == "key" else -2
    some = c.mask.any(dim, keepdim=True)
    expected = some.float()
    if sink is not None:
        logits = got.scores.masked_fill(~c.mask, -torch.inf).logsumexp(dim, keepdim=True)
        expected = some * torch.sigmoid(logits - sink[None, :, None, None])
    torch.testing.assert_close(got.pattern.sum(dim, keepdim=True), expected, rtol=0, atol=1e-5)
    assert got.pattern[~c.mask].eq(0).all()
    assert got.pattern.isfinite().all() and got.z.isfinite().all()
    assert got.scores.isfinite().all()  # blocked cells too
    assert (got.pattern >= 0).all()


@pytest.mark.parametrize("softmax_over", ["key", "query"])
@pytest.mark.parametrize("has_sink", [False, True])
def test_a_mask_after_the_softmax_only_sets_cells_to_zero(
    softmax_over: SoftmaxOver, has_sink: bool
) -> None:
    c = case(seed=7, mask_heads=HEAD)
    settings: dict[str, Any] = {"sink": c.sink if has_sink else None, "softmax_over": softmax_over}
    free = attend(c.q, c.k, c.v, **settings, need="all")
    settings |= {"mask": c.mask, "mask_applied": "after"}
    late = attend(c.q, c.k, c.v, **settings, need="all")
    torch.testing.assert_close(late.scores, free.scores)
    torch.testing.assert_close(late.pattern, free.pattern.masked_fill(~c.mask, 0.0))
    torch.testing.assert_close(late.z, late.pattern @ c.v)
    torch.testing.assert_close(attend(c.q, c.k, c.v, **settings, need="z"), late.z)


def test_scores_do_not_know_the_mask() -> None:
    c = case(seed=3)
    with_mask = attend(c.q, c.k, c.v, mask=c.mask, bias=c.bias, need="all")
    without = attend(c.q, c.k, c.v, bias=c.bias, need="all")
    torch.testing.assert_close(with_mask.scores, without.scores, rtol=0, atol=0)


def test_a_row_with_nothing_to_attend_to_stays_finite_under_training() -> None:
    c = case(seed=4)
    for need in ("z", "all"):
        q = c.q.clone().requires_grad_()
        z: Any = attend(q, c.k, c.v, mask=c.mask, need=need)
        (z if need == "z" else z.z).sum().backward()
        assert q.grad is not None and q.grad.isfinite().all()


# --- the module ---------------------------------------------------------------------------------


def torch_twin(
    d_model: int, n_heads: int, *, bias: bool
) -> tuple[MultiHeadAttention, nn.MultiheadAttention]:
    """Our module and torch's, with the same weights."""
    torch.manual_seed(5)
    config = AttentionConfig(d_model, n_heads, d_model // n_heads, qkv_bias=bias, output_bias=bias)
    ours = MultiHeadAttention(config).eval()
    theirs = nn.MultiheadAttention(d_model, n_heads, bias=bias, batch_first=True).eval()
    assert ours.w_o is not None
    for parameter in ours.parameters():
        nn.init.normal_(parameter, std=0.5)
    projections = (ours.w_q, ours.w_k, ours.w_v)
    theirs.in_proj_weight.data.copy_(torch.cat([w.weight for w in projections]))
    theirs.out_proj.weight.data.copy_(ours.w_o.weight)
    if bias:
        theirs.in_proj_bias.data.copy_(torch.cat([w.bias for w in projections]))
        theirs.out_proj.bias.data.copy_(ours.w_o.bias)
    return ours, theirs


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("cross", [False, True])
@pytest.mark.parametrize("masks", ["none", "causal", "padding", "both", "by head"])
def test_module_equals_torch_multihead_attention(bias: bool, cross: bool, masks: str) -> None:
    ours, theirs = torch_twin(12, 3, bias=bias)
    x = torch.randn(2, 5, 12)
    context = torch.randn(2, 7, 12) if cross else x
    n_key = context.shape[1]
    mask = torch.ones(2, 1, 5, n_key, dtype=torch.bool)
    attn_mask = key_padding_mask = None
    if masks in ("causal", "both"):
        mask = mask.tril()
        attn_mask = ~torch.ones(5, n_key, dtype=torch.bool).tril()
    if masks in ("padding", "both"):
        key_padding_mask = torch.zeros(2, n_key, dtype=torch.bool)
        key_padding_mask[1, -2:] = True
        mask = mask & ~key_padding_mask[:, None, None]
    if masks == "by head":
        mask = torch.rand(2, 3, 5, n_key) > 0.4
        mask[..., 0] = True
        attn_mask = ~mask.flatten(0, 1)
    expected, pattern = theirs(
        x,
        context,
        context,
        attn_mask=attn_mask,
        key_padding_mask=key_padding_mask,
        average_attn_weights=False,
    )
    ran = ours(x, context if cross else None, mask=None if masks == "none" else mask)
    torch.testing.assert_close(ran.output, expected)
    got = attend(ran.q, ran.k, ran.v, mask=mask, **ours.settings(), need="all")
    torch.testing.assert_close(got.pattern, pattern)


PACKINGS: tuple[Packing, ...] = ("qkv head d_head", "head qkv d_head", "d_head qkv head")


def sliced(row: list[float], packing: Packing, which: int, head: int, d: int) -> float:
    """One number of a fused projection's output, by counting: 3 heads of d_head 4."""
    match packing:
        case "qkv head d_head":
            return row[which * 12 + head * 4 + d]
        case "head qkv d_head":
            return row[head * 12 + which * 4 + d]
        case "d_head qkv head":
            return row[d * 9 + which * 3 + head]


@pytest.mark.parametrize("cross", [False, True])
@pytest.mark.parametrize("packing", PACKINGS)
def test_fused_projection_is_unpacked_in_its_order(packing: Packing, cross: bool) -> None:
    torch.manual_seed(6)
    config = AttentionConfig(10, 3, 4, projections="fused", packing=packing, qkv_bias=True)
    module = MultiHeadAttention(config)
    x = torch.randn(2, 5, 10)
    context = torch.randn(2, 7, 10) if cross else x
    got = module.project(x, context)
    for which, tensor in enumerate(got):
        rows = module.w_qkv(x if which == 0 else context).tolist()
        assert tensor.shape == (2, 3, len(rows[0]), 4)
        for b, h, t, d in product(range(2), range(3), range(len(rows[0])), range(4)):
            expected = sliced(rows[b][t], packing, which, h, d)
            assert tensor[b, h, t, d].item() == pytest.approx(expected, abs=1e-6)


def test_packing_order_matters() -> None:
    torch.manual_seed(6)
    x = torch.randn(2, 5, 10)
    outputs = []
    for packing in PACKINGS:
        config = AttentionConfig(10, 3, 4, projections="fused", packing=packing, output=False)
        torch.manual_seed(7)
        outputs.append(MultiHeadAttention(config)(x).output)
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert not torch.allclose(outputs[one], outputs[other], atol=1e-3)


def test_fused_equals_separate_with_the_same_weights() -> None:
    torch.manual_seed(8)
    fused = MultiHeadAttention(AttentionConfig(10, 3, 4, projections="fused"))
    apart = MultiHeadAttention(AttentionConfig(10, 3, 4))
    assert fused.w_o is not None and apart.w_o is not None
    for index, linear in enumerate((apart.w_q, apart.w_k, apart.w_v)):
        linear.weight.data.copy_(fused.w_qkv.weight[12 * index : 12 * index + 12])
    apart.w_o.load_state_dict(fused.w_o.state_dict())
    x, context = torch.randn(2, 5, 10), torch.randn(2, 7, 10)
    torch.testing.assert_close(fused(x).output, apart(x).output)
    torch.testing.assert_close(fused(x, context).output, apart(x, context).output)


def test_without_projections_the_heads_share_out_x() -> None:
    torch.manual_seed(9)
    module = MultiHeadAttention(
        AttentionConfig(12, 3, 4, projections="none", output=False, scale=1.0)
    )
    assert not list(module.parameters())
    x = torch.randn(2, 5, 12)
    ran = module(x)
    parts = [part[:, None] for part in x.chunk(3, dim=-1)]
    expected = [((part @ part.mT).softmax(-1) @ part)[:, 0] for part in parts]
    torch.testing.assert_close(ran.output, torch.cat(expected, dim=-1))


@pytest.mark.parametrize(
    ("scale", "expected"),
    [
        ("1/sqrt(d_head)", 0.5),
        ("1/sqrt(d_model)", 1 / math.sqrt(10)),
        (0.0, 0.0),
        (1.0, 1.0),
        (0.7, 0.7),
    ],
)
def test_each_scale_setting_multiplies_the_scores(scale: Scale, expected: float) -> None:
    torch.manual_seed(10)
    module = MultiHeadAttention(AttentionConfig(10, 3, 4, scale=scale, output=False))
    assert module.config.scale_factor == pytest.approx(expected)
    x = torch.randn(2, 5, 10)
    ran = module(x)
    pattern = ((ran.q @ ran.k.mT) * expected).softmax(-1)
    expected_output = (pattern @ ran.v).transpose(1, 2).flatten(2)
    torch.testing.assert_close(ran.output, expected_output)


def test_soft_cap_sink_and_softmax_axis_of_the_config_reach_the_pass() -> None:
    torch.manual_seed(11)
    x = torch.randn(2, 5, 10)
    config = AttentionConfig(
        10, 3, 4, soft_cap=0.8, sink=True, softmax_over="query", output=False, scale=2.0
    )
    module = MultiHeadAttention(config)
    assert module.sink is not None
    nn.init.normal_(module.sink)
    ran = module(x)
    scores = 0.8 * torch.tanh(2.0 * (ran.q @ ran.k.mT) / 0.8)
    pattern = scores.exp()
    pattern = pattern / (pattern.sum(-2, keepdim=True) + module.sink.exp()[None, :, None, None])
    torch.testing.assert_close(ran.output, (pattern @ ran.v).transpose(1, 2).flatten(2))


def test_rotary_turns_q_and_k_and_leaves_v() -> None:
    torch.manual_seed(12)
    module = MultiHeadAttention(AttentionConfig(10, 3, 4, projections="fused"))
    x = torch.randn(2, 5, 10)
    turn = rotary(torch.arange(5).expand(2, 5), 4)
    plain, turned = module(x), module(x, rotary=turn)
    torch.testing.assert_close(turned.q, rotate(plain.q, turn))
    torch.testing.assert_close(turned.k, rotate(plain.k, turn))
    torch.testing.assert_close(turned.v, plain.v)
    assert not torch.allclose(turned.output, plain.output, atol=1e-3)


@pytest.mark.parametrize("muted", [(), (1,), (0, 2)])
def test_muting_equals_zeroing_the_columns_of_w_o(muted: tuple[int, ...]) -> None:
    torch.manual_seed(13)
    module = MultiHeadAttention(AttentionConfig(10, 3, 4, output_bias=True))
    x = torch.randn(2, 5, 10)
    silent = torch.tensor([[head in muted for head in range(3)]])
    whole, got = module(x), module(x, muted=silent)
    one_row = module(x, muted=torch.cat([torch.zeros_like(silent), silent]))
    assert module.w_o is not None
    for head in muted:
        module.w_o.weight.data[:, 4 * head : 4 * head + 4] = 0.0
    torch.testing.assert_close(got.output, module(x).output)
    torch.testing.assert_close(one_row.output[0], whole.output[0])
    torch.testing.assert_close(one_row.output[1], got.output[1])
    assert torch.allclose(got.output, whole.output, atol=1e-3) == (not muted)


def test_w_o_by_head_adds_up_to_the_output() -> None:
    torch.manual_seed(14)
    module = MultiHeadAttention(AttentionConfig(10, 3, 4, output_bias=True))
    ran = module(torch.randn(2, 5, 10))
    z = attend(ran.q, ran.k, ran.v, **module.settings())
    blocks = module.w_o_by_head
    assert module.w_o is not None and blocks is not None and blocks.shape == (3, 4, 10)
    result = torch.stack([z[:, head] @ blocks[head] for head in range(3)])
    torch.testing.assert_close(result.sum(0) + module.w_o.bias, ran.output)
    assert MultiHeadAttention(AttentionConfig(10, 3, 4, output=False)).w_o_by_head is None


def test_tokens_have_no_order_without_positions() -> None:
    torch.manual_seed(15)
    module = MultiHeadAttention(AttentionConfig(10, 3, 4))
    x, order = torch.randn(2, 5, 10), torch.tensor([3, 0, 4, 1, 2])
    torch.testing.assert_close(module(x[:, order]).output, module(x).output[:, order])


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"d_model": 0}, "d_model"),
        ({"n_heads": 0}, "n_heads"),
        ({"d_head": -1}, "d_head"),
        ({"projections": "none"}, "d_head"),
        ({"soft_cap": 0.0}, "soft_cap"),
        ({"soft_cap": math.nan}, "soft_cap"),
    ],
)
def test_impossible_settings_are_refused(settings: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        AttentionConfig(**{"d_model": 10, "n_heads": 3, "d_head": 4} | settings)
    assert (caught.value.code, caught.value.field) == ("invalid_input", field)

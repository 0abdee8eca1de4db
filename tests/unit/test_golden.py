"""The numbers that five study notebooks printed, reproduced by our attention."""

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from model.core.attention import AttentionConfig, MultiHeadAttention, attend

GOLDEN = Path(__file__).parents[1] / "golden"


def golden(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    return content


def assert_close(got: Tensor, expected: object, tolerance: float) -> None:
    torch.testing.assert_close(got, torch.tensor(expected), rtol=0.0, atol=tolerance)


def causal(n: int) -> Tensor:
    return torch.ones(1, 1, n, n, dtype=torch.bool).tril()


def notebook_head() -> tuple[Tensor, Tensor]:
    """q and k of batch 0, drawn as in the notebook: key first, then query."""
    torch.manual_seed(1337)
    x = torch.randn(4, 8, 32)
    key, query = nn.Linear(32, 16, bias=False), nn.Linear(32, 16, bias=False)
    q, k = query(x)[:1, None].detach(), key(x)[:1, None].detach()
    return q, k


def test_single_head_scores_and_pattern_of_the_notebook() -> None:
    expected = golden("single_head")
    q, k = notebook_head()
    got = attend(q, k, k, mask=causal(8), scale=1.0, need="all")
    assert_close(got.scores[0, 0], expected["scores"], expected["tolerance"])
    assert_close(got.pattern[0, 0], expected["pattern_softmax_over_key"], expected["tolerance"])
    assert got.pattern[0, 0].triu(1).eq(0).all()


def test_single_head_softmax_over_queries_as_the_notebook_ran_it() -> None:
    expected = golden("single_head")
    q, k = notebook_head()
    got = attend(q, k, k, mask=causal(8), scale=1.0, softmax_over="query", need="all")
    assert_close(got.pattern[0, 0], expected["pattern_softmax_over_query"], expected["tolerance"])


def test_single_head_through_the_module() -> None:
    expected = golden("single_head")
    config = AttentionConfig(32, 1, 16, output=False, scale=1.0)
    module = MultiHeadAttention(config)
    torch.manual_seed(1337)
    x = torch.randn(4, 8, 32)
    module.w_k, module.w_q = nn.Linear(32, 16, bias=False), nn.Linear(32, 16, bias=False)
    ran = module(x, mask=causal(8))
    got = attend(ran.q, ran.k, ran.v, mask=causal(8), **module.settings(), need="all")
    assert_close(got.scores[0, 0], expected["scores"], expected["tolerance"])
    assert_close(got.pattern[0, 0], expected["pattern_softmax_over_key"], expected["tolerance"])


def test_averaging_in_its_three_equal_forms() -> None:
    expected = golden("averaging")
    torch.manual_seed(0)
    x = torch.randn(1, 8, 3)
    config = AttentionConfig(3, 1, 3, projections="none", output=False, scale=0.0)
    module = MultiHeadAttention(config)
    ran = module(x, mask=causal(8))
    settings = module.settings()
    pattern = attend(ran.q, ran.k, ran.v, mask=causal(8), **settings, need="all").pattern[0, 0]
    assert_close(pattern, expected["pattern"], expected["tolerance"])
    triangle = torch.ones(8, 8).tril()
    triangle = triangle / triangle.sum(1, keepdim=True)
    torch.testing.assert_close(pattern, triangle)
    loop = torch.stack([x[0, : t + 1].mean(0) for t in range(8)])
    torch.testing.assert_close(ran.output[0], loop)
    torch.testing.assert_close(triangle @ x[0], loop)


def test_softmax_sharpens_as_scores_grow() -> None:
    expected = golden("sharpening")
    # one query of 1 against keys that are the logits: q·k is the logits themselves
    q, k = torch.ones(1, 1, 1, 1), torch.tensor(expected["logits"])[None, None, :, None]
    for scale, name in ((1.0, "softmax"), (float(expected["times"]), "softmax_times")):
        pattern = attend(q, k, k, scale=scale, need="all").pattern[0, 0, 0]
        assert_close(pattern, expected[name], expected["tolerance"])


def test_scores_have_variance_d_head_unscaled_and_one_scaled() -> None:
    expected = golden("sharpening")["score_variance"]
    torch.manual_seed(expected["seed"])
    torch.randn(4, 8, 32)
    for _ in range(3):
        nn.Linear(32, 16, bias=False)
    k, q = torch.randn(4, 1, 8, 16), torch.randn(4, 1, 8, 16)
    unscaled = attend(q, k, k, scale=1.0, need="all").scores.var()
    # the notebook draws k first, then q, a second time
    k, q = torch.randn(4, 1, 8, 16), torch.randn(4, 1, 8, 16)
    scaled = attend(q, k, k, need="all").scores.var()  # 1/√d_head is the default
    assert_close(unscaled, expected["unscaled"], 6e-4)
    assert_close(scaled, expected["scaled"], 6e-5)


def padded_batch() -> tuple[dict[str, Any], Tensor, Tensor, Tensor]:
    """q, k, v of the first sequence, unpacked from the projection: heads of (q, k, v)."""
    expected = golden("padded_batch")
    packed = torch.tensor(expected["qkv_packed_head_qkv_dhead"])  # head, position, qkv · d_head
    q, k, v = (packed[None, ..., 2 * i : 2 * i + 2] for i in range(3))
    return expected, q, k, v


def test_padded_batch_without_its_mask_is_what_the_notebook_printed() -> None:
    expected, q, k, v = padded_batch()
    got = attend(q, k, v, need="all")
    assert_close(got.scores[0], expected["scores_scaled"], expected["tolerance"])
    assert_close(got.pattern[0], expected["pattern_without_mask"], expected["tolerance"])
    z = torch.cat([got.z[0, 0], got.z[0, 1]], dim=-1)
    assert_close(z, expected["z_concatenated"], expected["tolerance"])


def test_padded_batch_with_its_mask_gives_padding_exactly_nothing() -> None:
    expected, q, k, v = padded_batch()
    real = torch.tensor(expected["ids"])[:1] != 0
    mask = real[:, None, None, :].expand(1, 1, 4, 4)
    pattern = attend(q, k, v, mask=mask, need="all").pattern[0]
    assert pattern[:, :, 2:].eq(0).all()
    without = torch.tensor(expected["pattern_without_mask"])[:, :, :2]
    renormalised = without / without.sum(-1, keepdim=True)
    assert_close(pattern[:, :, :2], renormalised.tolist(), 2 * expected["tolerance"])


def test_padded_batch_through_a_fused_projection_packed_by_head() -> None:
    expected, q, k, v = padded_batch()
    x = torch.tensor(expected["embedding"], dtype=torch.float)[:1]
    packed = torch.cat([torch.cat([t[0, head] for t in (q, k, v)], -1) for head in range(2)], -1)
    config = AttentionConfig(4, 2, 2, projections="fused", packing="head qkv d_head", output=False)
    module = MultiHeadAttention(config)
    # the projection that turns the two real embeddings into the printed numbers
    solved = torch.linalg.lstsq(x[0, :2], packed[:2], driver="gelsd").solution.T
    module.w_qkv.weight.data.copy_(solved)
    assert_close(module(x).output[0], expected["z_concatenated"], expected["tolerance"])

"""The tensors of the residual stream are those that the model's own layers pass on."""

import pytest
import torch
from torch import Tensor

from model.core.checkpoint import SHIPPED
from model.errors import InputError, UnavailableError
from model.masks.rules import MaskSettings
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead
from model.trace.stream_tensors import STREAM_TENSORS, stream_tensors
from model.trace.trace import Trace

TEXTS = ("Maria saw herself in the mirror", "The cat")
D_LAYER = ("resid_pre", "resid_mid", "resid_post", "mlp_out", "attn_scale", "mlp_scale")


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


def traced(source: NativeSource, **more: object) -> Trace:
    return source.trace(Inputs(texts=TEXTS, stream=True, **more))  # type: ignore[arg-type]


def turned_by_hand(x: Tensor) -> Tensor:
    """Each pair of channels (i, i + d/2) of a position turned by its angle: rotary positions."""
    half = x.shape[-1] // 2
    turned = x.clone()
    for position in range(x.shape[2]):
        for pair in range(half):
            angle = torch.tensor(position * 10_000.0 ** (-pair / half))
            one, other = x[:, :, position, pair], x[:, :, position, pair + half]
            turned[:, :, position, pair] = one * angle.cos() - other * angle.sin()
            turned[:, :, position, pair + half] = one * angle.sin() + other * angle.cos()
    return turned


def run_by_hand(source: NativeSource, trace: Trace) -> dict[str, Tensor]:
    """The layers one by one, written out here: x + attention(norm(x)), then x + mlp(norm(x))."""
    model, found = source.model, {}
    ids = torch.tensor([[token.id for token in row] for row in trace.tokens])
    positions = torch.arange(ids.shape[1]).expand(ids.shape)
    x = model.embedding(ids, positions)
    for layer, block in enumerate(model.layers):
        site, attention = trace.sites[layer], block.attention
        assert block.norm_attention is not None and block.norm_mlp is not None
        assert block.mlp is not None
        found[f"layers.{layer}.resid_pre"] = x
        found[f"layers.{layer}.attn_scale"] = (x.var(-1, correction=0) + 1e-5).sqrt()
        normed = block.norm_attention(x)
        q, k, v = attention.project(normed, normed)
        q, k = (turned_by_hand(each) for each in (q, k))
        scores = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
        pattern = scores.masked_fill(~site.mask.allows(), -torch.inf).softmax(-1)
        z = (
            pattern.nan_to_num(0.0) @ v
        )  # a padding token whose window has only padding sees nothing
        for head in site.muted:
            z[:, head] = 0.0
        assert attention.w_o is not None
        x = x + attention.w_o(z.transpose(1, 2).flatten(2))
        found[f"layers.{layer}.resid_mid"] = x
        found[f"layers.{layer}.mlp_scale"] = (x.var(-1, correction=0) + 1e-5).sqrt()
        found[f"layers.{layer}.mlp_out"] = block.mlp(block.norm_mlp(x))
        x = x + found[f"layers.{layer}.mlp_out"]
        found[f"layers.{layer}.resid_post"] = x
    found["final.final_scale"] = (x.var(-1, correction=0) + 1e-5).sqrt()
    found["final.logits"] = model.norm(x) @ model.embedding.token.weight.T
    return found


@pytest.mark.parametrize(
    "more",
    [{}, {"muted": (MutedHead(1, 2),)}, {"masks": MaskSettings(window=2)}],
    ids=["plain", "muted", "window"],
)
def test_they_are_those_of_a_run_by_hand(shipped: NativeSource, more: dict[str, object]) -> None:
    trace = traced(shipped, **more)
    names = [name for name in STREAM_TENSORS if name != "resid_mid_cross"]
    with torch.inference_mode():
        expected = run_by_hand(shipped, trace)
        found = stream_tensors(trace, names)
    assert set(found) == set(expected)
    for name, tensor in expected.items():
        size = max(
            1.0, tensor.abs().max().item()
        )  # up to 180 here, where float32 has steps of 2e-5
        torch.testing.assert_close(found[name], tensor, atol=1e-5 * size, rtol=0, msg=name)


def test_a_part_is_cut_from_the_whole(shipped: NativeSource) -> None:
    trace = traced(shipped)
    whole = stream_tensors(trace, ["resid_mid", "logits"])
    part = stream_tensors(trace, ["resid_mid", "logits"], layers=[1], positions=slice(2, 5))
    assert set(part) == {"layers.1.resid_mid", "final.logits"}
    for name, tensor in part.items():
        assert torch.equal(tensor, whole[name][:, 2:5])


def test_what_is_refused(shipped: NativeSource) -> None:
    with pytest.raises(UnavailableError, match="was not recorded"):
        stream_tensors(shipped.trace(Inputs(texts=TEXTS)), ["resid_pre"])
    trace = traced(shipped)
    with pytest.raises(UnavailableError, match="has no resid_mid_cross"):
        stream_tensors(trace, ["resid_mid_cross"])
    with pytest.raises(InputError, match="layers 0 to"):
        stream_tensors(trace, ["resid_pre"], layers=[99])
    with pytest.raises(InputError, match=r"positions \[0, "):
        stream_tensors(trace, ["resid_pre"], positions=slice(1, 99))

"""A pass of our own transformer, layer by layer in plain torch, to be changed by hand."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from model.core.embedding import rotary, rotate
from model.core.transformer import Transformer

Change = Callable[[str, int, Tensor], Tensor]


def unchanged(point: str, layer: int, x: Tensor) -> Tensor:
    return x


def normed(weights: dict[str, Tensor], name: str, x: Tensor) -> Tensor:
    mean = x.mean(-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(-1, keepdim=True)
    return (x - mean) / (variance + 1e-5).sqrt() * weights[f"{name}.weight"] + weights[
        f"{name}.bias"
    ]


def by_hand(model: Transformer, ids: Tensor, change: Change = unchanged) -> Tensor:
    """The logits of one row of ids (pos vocab_size) under a causal mask."""
    weights, config = dict(model.state_dict()), model.config
    n, heads, d_head = len(ids), config.n_heads, config.d_head
    turn = rotary(torch.arange(n)[None], d_head)
    x = weights["embedding.token.weight"][ids]
    for layer in range(config.n_layers):
        block = f"blocks.{layer}"
        x = change("resid_pre", layer, x)
        inside = normed(weights, f"{block}.norm_attention", x)
        joint = inside @ weights[f"{block}.attention.w_qkv.weight"].T
        q, k, v = joint.view(n, 3, heads, d_head).permute(1, 2, 0, 3)
        q, k = rotate(q[None], turn)[0], rotate(k[None], turn)[0]
        q, k, v = (change(name, layer, part) for name, part in (("q", q), ("k", k), ("v", v)))
        scores = q @ k.transpose(1, 2) / math.sqrt(d_head)
        future = torch.ones(n, n, dtype=torch.bool).triu(1)
        z = scores.masked_fill(future, -math.inf).softmax(-1) @ v
        z = change("z", layer, z)  # head pos d_head
        w_o = weights[f"{block}.attention.w_o.weight"]
        x = x + sum(z[h] @ w_o[:, h * d_head : (h + 1) * d_head].T for h in range(heads))
        x = change("resid_mid", layer, x)
        inside = normed(weights, f"{block}.norm_mlp", x)
        hidden = inside @ weights[f"{block}.mlp.0.weight"].T + weights[f"{block}.mlp.0.bias"]
        mlp_out = torch.nn.functional.gelu(hidden) @ weights[f"{block}.mlp.2.weight"].T
        mlp_out = change("mlp_out", layer, mlp_out + weights[f"{block}.mlp.2.bias"])
        x = change("resid_post", layer, x + mlp_out)
    logits: Tensor = normed(weights, "norm", x) @ weights["embedding.token.weight"].T
    return logits

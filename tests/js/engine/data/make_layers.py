"""Writes layers.json: passes of single layers, which tests/js/engine/layers.test.mjs expects.

Run it as `python -m tests.js.engine.data.make_layers`. Both sides draw the weights, then x and the
context, as torch.randn from one seed.
"""

from pathlib import Path
from random import Random
from typing import Any

import torch
from torch import Tensor

from model.core.attention import AttentionConfig
from model.core.block import Block, BlockConfig
from model.core.embedding import Rotary, rotary, sinusoidal
from tests.js.engine.data.writing import listed, written

FILE = Path(__file__).with_name("layers.json")
CASES = 32
PACKINGS = ("qkv head d_head", "head qkv d_head", "d_head qkv head")


def configured(seed: int) -> dict[str, Any]:
    draw = Random(seed)
    projections = draw.choice(["none", "separate", "fused", "fused"])
    n_heads, d_head = draw.choice([(2, 4), (3, 2)])
    d_model = n_heads * d_head if projections == "none" else 5
    output = projections != "none" or draw.random() < 0.5
    attention = {
        "d_model": d_model,
        "n_heads": n_heads,
        "d_head": d_head,
        "projections": projections,
        "packing": draw.choice(PACKINGS),
        "read_as": draw.choice([None, *PACKINGS]),
        "qkv_bias": draw.random() < 0.5,
        "output": output,
        "output_bias": output and draw.random() < 0.5,
        "scale": draw.choice(["1/sqrt(d_head)", "1/sqrt(d_model)", 0.3]),
        "softmax_over": draw.choice(["key", "key", "query"]),
        "mask_applied": draw.choice(["before", "before", "after"]),
        "soft_cap": draw.choice([None, 2.0]),
        "sink": draw.random() < 0.3,
    }
    block = {
        "norm": draw.choice(["none", "pre", "post"]),
        "residual": draw.random() < 0.7,
        "d_ff": draw.choice([0, 7]),
        "activation": draw.choice(["gelu", "relu"]),
    }
    cross = draw.random() < 0.4
    return {
        "seed": seed,
        "attention": attention,
        "block": block,
        "cross": cross,
        "rotary": not cross and draw.random() < 0.5,
        "causal": not cross and draw.random() < 0.5,
        "muted": draw.choice([None, [[True] + [False] * (n_heads - 1)]]),
    }


def case(seed: int) -> dict[str, Any]:
    given = configured(seed)
    block = Block(BlockConfig(AttentionConfig(**given["attention"]), **given["block"]))
    generator = torch.Generator().manual_seed(seed)

    def randn(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    shapes = {}
    with torch.no_grad():
        for name, parameter in block.named_parameters():
            parameter.copy_(randn(*parameter.shape))
            shapes[name] = list(parameter.shape)
        d_model = given["attention"]["d_model"]
        x = randn(2, 3, d_model)
        context = randn(2, 4, d_model) if given["cross"] else None
        mask = torch.ones(1, 1, 3, 3, dtype=torch.bool).tril() if given["causal"] else None
        passed = block(x, context, mask=mask, rotary=angles(given), muted=muted(given["muted"]))
    w_o = block.attention.w_o_by_head
    attention = passed.attention
    found = {
        "x": passed.resid_post,
        **attention._asdict(),
        **({} if w_o is None else {"w_o_by_head": w_o}),
    }
    return given | {
        "shapes": shapes,
        "found": {name: listed(one) for name, one in found.items() if one is not None},
    }


def angles(given: dict[str, Any]) -> Rotary | None:
    """One text begins at position 0, the other later."""
    positions = torch.tensor([[0, 1, 2], [700, 1000, 1001]])
    return rotary(positions, given["attention"]["d_head"]) if given["rotary"] else None


def muted(heads: list[list[bool]] | None) -> Tensor | None:
    return None if heads is None else torch.tensor(heads)


def content() -> dict[str, Any]:
    waves = sinusoidal(torch.tensor([[0, 1, 2], [5, 100, 1023]]), 6)
    return {"cases": [case(seed) for seed in range(CASES)], "sinusoidal": listed(waves)}


if __name__ == "__main__":
    FILE.write_text(written(content()))

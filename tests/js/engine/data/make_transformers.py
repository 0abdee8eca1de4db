"""Writes transformers.json: small random models and what they compute, which
tests/js/engine/transformer.test.mjs expects.

Run it as `python tests/js/engine/data/make_transformers.py`. All sizes differ. The weights are
safetensors files in byte planes, in base64; most hold float16.
"""

import base64
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save

from model.core.embedding import Positions
from model.core.transformer import Transformer, TransformerConfig
from server.pages.export.packing import in_byte_planes

IDS = ((1, 4, 2, 8, 5), (0, 3, 3, 7, 6))
POSITIONS = ((0, 1, 2, 3, 4), (0, 0, 1, 2, 3))
MASK = torch.ones(2, 1, 5, 5, dtype=torch.bool).tril(1)
MUTED = torch.tensor([[[0, 0, 1], [0, 0, 0]], [[0, 0, 0], [1, 1, 0]]], dtype=torch.bool)


def case(positions: Positions, causal: bool, dtype: torch.dtype, **other: Any) -> dict[str, Any]:
    torch.manual_seed(len(positions))
    model = Transformer(
        TransformerConfig(
            vocab_size=9,
            n_layers=2,
            n_heads=3,
            d_model=10,
            d_head=4,
            positions=positions,
            causal=causal,
            max_tokens=6,
            **{"d_mlp": 14, **other},
        )
    )
    for name, parameter in model.named_parameters():
        mean, spread = float("norm" in name and "weight" in name), 0.3 / parameter.dim()
        torch.nn.init.normal_(parameter, mean=mean, std=spread)
        parameter.data = parameter.data.to(dtype).float()
    weights = {name: tensor.to(dtype) for name, tensor in model.state_dict().items()}
    with torch.inference_mode():
        plain = model(torch.tensor(IDS), record=True)
        edited = model(
            torch.tensor(IDS), positions=torch.tensor(POSITIONS), masks=[None, MASK], muted=MUTED
        )
        logits = model.unembed(plain.resid[0, -1])
    file = in_byte_planes(save(weights))
    return {
        "config": asdict(model.config),
        "weights": base64.b64encode(file).decode(),
        "stages": plain.stages.tolist(),
        "q": plain.attention[1].q.tolist(),
        "edited": edited.resid.tolist(),
        "logits": logits.tolist(),
    }


def main() -> None:
    found = {
        "ids": IDS,
        "positions": POSITIONS,
        "mask": MASK.int().tolist(),
        "muted": MUTED.int().tolist(),
        "cases": [
            case("rotary", True, torch.float16),
            case("learned", False, torch.float32),
            case("sinusoidal", True, torch.float16),
            case("none", False, torch.float16),
            case("learned", True, torch.float16, d_mlp=0, norm="none", scale=0.7),
            case("rotary", True, torch.float16, norm="post", residual=False),
            case("none", True, torch.float16, kernel="linear", gate=True, window=3),
            case("none", True, torch.float32, kernel="product", selective=True),
            case("rotary", True, torch.float32, n_kv_heads=1, d_latent=5, sink=True),
        ],
    }
    rounded = json.loads(json.dumps(found), parse_float=lambda text: float(f"{float(text):.7g}"))
    path = Path(__file__).with_name("transformers.json")
    path.write_text(json.dumps(rounded) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Writes random.json: numbers drawn by torch, which tests/js/engine/random.test.mjs expects.

Run it as `python -m tests.js.engine.data.make_random` from the root of the repository.
"""

import json
from pathlib import Path
from typing import Any

import torch

FILE = Path(__file__).with_name("random.json")
SEEDS = (0, 7, 2**31 - 1, 2**32 + 7, 2**63 - 1)
SIZES = (1, 2, 3, 15, 16, 17, 31, 32, 40)  # drawn one after the other from one generator


def generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def drawn(seed: int) -> dict[str, object]:
    normal, uniform, double, exponential = (generator(seed) for _ in range(4))
    many = torch.randn(2000, generator=generator(seed))
    return {
        "seed": str(seed),
        "randn": [[round(x, 7) for x in torch.randn(n, generator=normal).tolist()] for n in SIZES],
        "many": [round(float(many[at]), 7) for at in (0, 623, 624, 1247, 1248, 1990, 1999)],
        "uniform": torch.rand(4, generator=uniform).tolist(),
        "double": torch.rand(4, generator=double, dtype=torch.double).tolist(),
        "exponential": torch.empty(4, dtype=torch.double)
        .exponential_(generator=exponential)
        .tolist(),
    }


def document() -> Any:
    return [drawn(seed) for seed in SEEDS]


if __name__ == "__main__":
    FILE.write_text(json.dumps(document(), separators=(",", ":")) + "\n")

"""Writes generation.json: tokens that Python appends, for tests/js/engine/generation.test.mjs.

Run it as `python -m tests.js.engine.data.make_generation` from the root of the repository.
"""

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model.core.tokenizer import Token
from model.sources.generation import Generate, generate

FILE = Path(__file__).with_name("generation.json")
N_VOCAB = 6000
SETTINGS: list[dict[str, Any]] = [
    {"sampled": False},
    {"sampled": True},
    {"sampled": True, "temperature": 0.5},
    {"sampled": True, "temperature": 30.0},
    {"sampled": True, "top_k": 5},
    {"sampled": True, "top_p": 0.3},
    {"sampled": True, "top_k": 400, "top_p": 0.9, "temperature": 2.0},
]
SEEDS = (*range(8), 2**31, 2**53 - 1, 9_007_199_254_740_996_000)


def logits(rows: list[list[Token]]) -> Tensor:
    """Numbers without noise, all different in a row: the test computes them, too."""
    ids = torch.arange(N_VOCAB)
    hashed = [(ids * 7919 + 31 * len(row) + 101 * at) % 8191 for at, row in enumerate(rows)]
    return torch.stack(hashed) / 512.0


def document() -> Any:
    cases: list[dict[str, Any]] = []
    for settings in SETTINGS:
        for seed in SEEDS if settings["sampled"] else (0,):
            rows = [[Token(1, "x", 0, 0, special=False)] for _ in range(2)]
            chosen = Generate(3, seed=seed, **settings)
            grown = generate(rows, chosen, logits, spell=str)
            ids = [[token.id for token in row if token.generated] for row in grown.rows]
            given: dict[str, Any] = {"n_tokens": 3, "seed": seed} | settings
            cases.append({"settings": given, "ids": ids})
    return {"n_vocab": N_VOCAB, "cases": cases}


if __name__ == "__main__":
    FILE.write_text(json.dumps(document(), separators=(",", ":")) + "\n")

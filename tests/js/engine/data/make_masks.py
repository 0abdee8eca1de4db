"""Writes masks.json: masks by random settings, which tests/js/engine/masks.test.mjs expects.

Run it as `python -m tests.js.engine.data.make_masks`.
"""

from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import torch

from model.masks.mask import Mask, site_mask
from model.masks.rules import Cell, MaskSettings
from tests.js.engine.data.writing import written

FILE = Path(__file__).with_name("masks.json")
CASES = 100
BATCH, HEADS = 2, 3


def cells(draw: Random, n_query: int, n_key: int) -> tuple[Cell, ...]:
    def some(n: int) -> int | None:
        return draw.choice([None, draw.randrange(n)])

    return tuple(
        Cell(
            text=some(BATCH),
            layer=some(2),
            head=draw.choice([None, None, some(HEADS)]),
            query=some(n_query),
            key=some(n_key),
            kind=draw.choice([None, None, "self", "cross"]),
        )
        for _ in range(draw.choice([0, 0, 1, 2, 5]))
    )


def case(seed: int) -> dict[str, Any]:
    draw = Random(seed)
    kind = draw.choice(["self", "self", "cross"])
    n_key = draw.randint(1, 6)
    n_query = n_key if kind == "self" else draw.randint(1, 7)
    settings = MaskSettings(
        causal=draw.choice([None, True, False]),
        padding=draw.random() < 0.7,
        padding_side=draw.choice(["right", "left"]),
        window=draw.choice([None, 1, 2, 3]),
        prefix=draw.choice([None, None, 1, 2, 9]),
        sinks=draw.choice([None, None, 1, 2]),
        blocked=cells(draw, n_query, n_key),
        allowed=cells(draw, n_query, n_key),
    )
    lengths = [n_key, draw.randint(1, n_key)]
    if draw.random() < 0.3:
        lengths = [n_key, n_key]
    real = torch.tensor([[key < n for key in range(n_key)] for n in lengths])
    if settings.padding_side == "left":
        real = real.flip(1)
    own = None
    if draw.random() < 0.3:
        shape = (draw.choice([1, BATCH]), draw.choice([1, HEADS]), n_query, n_key)
        generator = torch.Generator().manual_seed(seed)
        own = torch.rand(shape, generator=generator) < 0.7
    site: dict[str, Any] = {
        "layer": 1,
        "kind": kind,
        "n_query": n_query,
        "n_key": n_key,
        "n_heads": HEADS,
        "causal": draw.random() < 0.5,
        "diagonal": draw.choice([0, 0, 0, 1, -1]),
        "window": draw.choice([None, None, 2]),
    }
    mask = site_mask(settings, real_keys=real, own=own, **site)
    rows = sorted(draw.choices(range(n_query + 1), k=2))
    return {
        "settings": asdict(settings),
        "site": site,
        "real_keys": real.int().tolist(),
        "own": None if own is None else own.int().tolist(),
        **expected(mask),
        "rows": rows,
    }


def expected(mask: Mask) -> dict[str, Any]:
    bits = mask.blocked_by()
    return {
        "is_open": mask.is_open,
        "shape": list(bits.shape),
        "blocked_by": bytes(bits.flatten().tolist()).hex(),
        "blocked_rows": [asdict(each) for each in mask.blocked_rows],
        "blocked_columns": [asdict(each) for each in mask.blocked_columns],
    }


def content() -> list[dict[str, Any]]:
    return [case(seed) for seed in range(CASES)]


if __name__ == "__main__":
    FILE.write_text(written(content()))

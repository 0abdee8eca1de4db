"""Writes sites.json: tensors of random sites, which tests/js/engine/site.test.mjs expects.

Run it as `python -m tests.js.engine.data.make_sites`. Both sides draw q, k, v and the rest from the
seed, in the order in which `site_of` does, as torch.randn.
"""

from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import torch
from torch import Tensor

from model.masks.mask import site_mask
from model.masks.rules import Cell, MaskSettings
from model.trace.site import Site
from model.trace.words import Word
from tests.js.engine.data.writing import listed, written

FILE = Path(__file__).with_name("sites.json")
CASES = 30
BATCH, HEADS, KEY, D_HEAD, D_MODEL = 2, 4, 5, 2, 4


def site_of(settings: dict[str, Any]) -> Site:
    generator = torch.Generator().manual_seed(settings["seed"])

    def randn(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    n_query = settings["n_query"]
    q, k, v = (randn(BATCH, HEADS, n, D_HEAD) for n in (n_query, KEY, KEY))
    bias, sink = randn(*settings["bias"], n_query, KEY), randn(HEADS)
    w_o, stored = randn(HEADS, D_HEAD, D_MODEL), randn(BATCH, HEADS, n_query, KEY).softmax(-1)
    gate = randn(BATCH, HEADS, n_query, 1).sigmoid()
    real = torch.tensor([[True] * KEY, [key < settings["length"] for key in range(KEY)]])
    mask = site_mask(
        MaskSettings(
            window=settings["window"], blocked=tuple(Cell(**cell) for cell in settings["blocked"])
        ),
        layer=0,
        n_query=n_query,
        n_key=KEY,
        n_heads=HEADS,
        real_keys=real,
        causal=settings["causal"],
    )
    has = settings["has"]
    return Site(
        name="layers.0",
        kind="self",
        layer=0,
        mask=mask,
        n_heads=HEADS,
        n_kv_heads=HEADS,
        scale=settings["scale"],
        q=q if "q" in has else None,
        k=k if "q" in has else None,
        v=v if "v" in has else None,
        stored_pattern=stored if "stored_pattern" in has else None,
        bias=bias if "bias" in has else None,
        gate=gate if "gate" in has else None,
        minus=settings["minus"],
        soft_cap=settings["soft_cap"],
        sink=sink if "sink" in has else None,
        softmax_over=settings["softmax_over"],
        mask_applied=settings["mask_applied"],
        w_o=w_o if "w_o" in has else None,
        muted=tuple(settings["muted"]),
    )


def drawn(seed: int) -> dict[str, Any]:
    draw = Random(seed)
    everything = [
        "q",
        "v",
        *(name for name in ("bias", "gate", "sink", "w_o") if draw.random() < 0.6),
    ]
    n_query = draw.choice([4, KEY])
    cell = {"query": draw.randrange(n_query), "head": draw.choice([None, 1])}
    return {
        "seed": seed,
        "n_query": n_query,
        "bias": draw.choice([[1, 1], [1, HEADS], [BATCH, 1], [BATCH, HEADS]]),
        "length": draw.choice([KEY, 3]),
        "window": draw.choice([None, 2]),
        "blocked": draw.choice([[], [cell]]),  # a whole row
        "causal": draw.random() < 0.5,
        "has": ["stored_pattern", "v"] if seed % 9 == 0 else everything,
        "scale": draw.choice([D_HEAD**-0.5, 1.0, 0.0]),
        "soft_cap": draw.choice([None, 0.7]),
        "softmax_over": draw.choice(["key", "key", "query"]),
        "mask_applied": draw.choice(["before", "before", "after"]),
        "muted": draw.choice([[], [2], [0, 1]]),
        "minus": draw.choice([None, 0.7]),
    }


def cut(draw: Random, n: int) -> list[Word]:
    """Some neighbouring tokens together."""
    ends = sorted({*draw.sample(range(1, n + 1), draw.randint(1, n)), n})
    return [Word("", start, stop) for start, stop in pairwise([0, *ends])]


def case(seed: int) -> dict[str, Any]:
    settings = drawn(seed)
    draw = Random(1000 + seed)
    site = site_of(settings)
    chosen: dict[str, Any] = {
        "heads": draw.choice([None, [2], [2, 0]]),
        "rows": draw.choice([[0, 1], [1, 3]]),
        "text": draw.choice([None, 0, 1]),
    }
    if chosen["heads"] is None:
        chosen["rows"] = [1, 2]
    derived = site.derive(
        site.tensors, heads=chosen["heads"], rows=slice(*chosen["rows"]), text=chosen["text"]
    )
    small = {name: site.thumbnail(3, name=name) for name in ("pattern", "blocked_by")}
    means = {name: site.thumbnail(3, name=name, pooling="mean") for name in small}
    words = [[cut(draw, n) for _ in range(BATCH)] for n in (site.mask.n_query, KEY)]
    merged = {name: site.in_words(*words, name=name) for name in small}
    pooled = {name: site.in_words(*words, name=name, resolution=2) for name in small}
    return settings | {
        "chosen": chosen,
        "tensors": {name: listed(tensor) for name, tensor in derived.items()},
        "blocked_slices": [[each.text, each.head, each.index] for each in site.blocked_slices],
        "thumbnails": {name: listed(tensor[:, :2]) for name, tensor in small.items()},
        "words": [[[word._asdict() for word in row] for row in axis] for axis in words],
        "merged": {name: listed(tensor[:, :2]) for name, tensor in merged.items()},
        "merged_small": {name: listed(tensor[:, :2]) for name, tensor in pooled.items()},
        "means": {name: listed(tensor[:, :2]) for name, tensor in means.items()},
    }


def content() -> list[dict[str, Any]]:
    return [case(seed) for seed in range(CASES)]


if __name__ == "__main__":
    FILE.write_text(written(content()))

"""Writes scratch.json: runs of mechanisms, which tests/js/engine/scratch-source.test.mjs expects.

Run it as `python -m tests.js.engine.data.make_scratch`.
"""

import base64
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import torch
from safetensors.torch import save
from torch import Tensor

from model.core.attention import Packing
from model.errors import HeadlightError
from model.masks.rules import Cell, MaskSettings
from model.scratch.mechanisms import MECHANISMS, configure
from model.sources.scratch import ScratchSource
from model.sources.source import Inputs, MutedHead
from model.trace.site import Site
from tests.js.engine.data.writing import listed, written

FILE = Path(__file__).with_name("scratch.json")
RANDOM = 38
TEXTS = ["the cat, the dog", "don’t look"]
TARGETS = ["der Hund und die Katze", "sieh weg!"]
POSITIONS = ["none", "sinusoidal", "learned", "rotary"]
PACKINGS: tuple[Packing, ...] = ("qkv head d_head", "head qkv d_head", "d_head qkv head")


def uploads() -> Iterator[dict[str, Any]]:
    """Weights of one mechanism: right ones, and each way in which they may not fit."""
    generator = torch.Generator().manual_seed(1)

    def randn(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    w_q, huge = "layers.0.attention.w_q.weight", torch.full((4, 4), 1e25)
    for tensors in (
        {w_q: randn(4, 4), "layers.0.attention.w_o.weight": randn(4, 4).half()},
        {"embedding.weight": randn(8, 4)},
        {"embedding.weight": randn(3, 4)},
        {"embedding.weight": randn(8, 3)},
        {"embedding.weight": randn(4)},
        {w_q: randn(4)},
        {w_q: randn(4, 5)},
        {"layers.1.attention.w_q.weight": randn(4, 4)},
        {w_q: huge},
        {"layers.0.attention.w_v.weight": huge},
        {w_q: huge / 1e9, "layers.0.attention.w_k.weight": huge / 1e9},
    ):
        content = base64.b64encode(save(tensors)).decode()
        yield {"changes": {"d_model": 4, "n_heads": 2}, "weights": content}


def refused() -> Iterator[dict[str, Any]]:
    yield {"texts": []}
    yield {"texts": ["fine", " "]}
    yield {"texts": ["a " * 257]}
    yield {"texts": ["a b c"], "max_tokens": 2}
    yield {"texts": ["fine", "half \ud800"]}
    yield {"targets": TARGETS}
    yield {"mechanism": "cross-attention"}
    yield {"mechanism": "cross-attention", "targets": ["one"]}
    yield {"mechanism": "cross-attention", "targets": ["fine", ""]}
    yield {"pairs": ["a", "b"]}
    yield {"muted": [[0, 4, None]]}
    yield {"muted": [[1, 0, None]]}
    yield {"muted": [[0, 0, "cross"]]}
    yield {"masks": {"blocked": [{"layer": 1}]}}
    yield {"masks": {"allowed": [{"kind": "encoder"}]}}
    yield {"masks": {"blocked": [{"query": 99}]}}


def random(seed: int) -> dict[str, Any]:
    draw = Random(seed)
    mechanism = draw.choice(list(MECHANISMS))
    row = MECHANISMS[mechanism]
    n_heads = draw.choice([1, 2])
    d_head = draw.choice([2, 4])
    changes: dict[str, Any] = {
        "seed": draw.choice([0, 1, 2**31 - 1]),
        "n_heads": n_heads,
        "d_model": n_heads * d_head,
        "d_head": draw.choice([None, d_head]),
        "scale": draw.choice(["1/sqrt(d_head)", "1/sqrt(d_model)", 0.5, 1.0]),
        "softmax_over": draw.choice(["key", "key", "query"]),
        "mask_applied": draw.choice(["before", "before", "after"]),
        "causal_diagonal": draw.choice([0, 0, 1, -1]),
        "kernel": draw.choice(["exp", "exp", "linear", "product"]),
        "selective": draw.random() < 0.3 and not row.cross,
        "window": draw.choice([None, None, 2]),
        "gate": draw.random() < 0.3,
        "sink": draw.choice([None, None, 0.5]),
        "positions": draw.choice(
            ["none", "sinusoidal", "learned", "rotary", "alibi"][: 3 if row.cross else 5]
        ),
        "rope_scaling": draw.choice(["none", "linear", "ntk"]),
        "rope_factor": draw.choice([2.5, 8.0]),
        "norm": draw.choice(["none", "pre", "post"]),
        "residual": draw.random() < 0.5,
        "d_ff": draw.choice([0, 6]),
        "n_layers": draw.choice([1, 2]),
        "tokens": draw.choice(["words", "words", "characters"]),
    }
    if changes["kernel"] == "product":
        changes |= {"softmax_over": "key", "mask_applied": "before", "sink": None}
    if row.projections == "separate":
        changes["n_kv_heads"] = draw.choice([None, 1, n_heads])
        changes["d_latent"] = draw.choice([None, None, 1, 3])
        if row.output != "none":  # without W_O, pairs are narrower than the stream
            changes["minus"] = draw.choice([None, None, 0.5])
        if changes.get("minus") is not None:
            changes |= {"n_heads": 2, "d_model": 2 * d_head, "n_kv_heads": None}
    if row.projections == "fused":
        changes |= {"packing": draw.choice(PACKINGS), "read_as": draw.choice([None, *PACKINGS])}
    return {
        "mechanism": mechanism,
        "changes": changes,
        "targets": TARGETS if row.cross else None,
        "masks": {
            "causal": draw.choice([None, None, True, False]),
            "padding": draw.random() < 0.7,
            "padding_side": draw.choice(["right", "left"]),
            "window": draw.choice([None, None, 2]),
            "blocked": draw.choice([[], [{"query": 1, "head": 0}]]),
        },
        "muted": draw.choice([[], [], [[0, 0, None]]]),
    }


def given() -> Iterator[dict[str, Any]]:
    for id, row in MECHANISMS.items():
        yield {"mechanism": id, "targets": TARGETS if row.cross else None}
    yield {"mechanism": "single-head", "changes": {"d_model": 6, "d_head": 4, "d_ff": 3}}
    for n_heads in (3, 6, 8):  # of which 8 alone is a power of two
        sizes = {"n_heads": n_heads, "n_kv_heads": 1, "d_model": 12, "d_head": 2}
        yield {"mechanism": "grouped-query", "changes": {**sizes, "positions": "alibi"}}
    yield from map(random, range(RANDOM))
    yield from uploads()
    yield from refused()


def case(settings: dict[str, Any]) -> dict[str, Any]:
    weights = settings.get("weights")
    config = configure(
        settings.get("mechanism", "multi-head"),
        settings.get("changes"),
        None if weights is None else base64.b64decode(weights),
    )
    masks = dict(settings.get("masks", {}))
    for name in ("blocked", "allowed"):
        masks[name] = tuple(Cell(**cell) for cell in masks.get(name, ()))

    def texts(name: str) -> tuple[str, ...] | None:
        return None if settings.get(name) is None else tuple(settings[name])

    settings["texts"] = settings.get("texts", TEXTS)
    inputs = Inputs(
        texts=tuple(settings["texts"]),
        targets=texts("targets"),
        pairs=texts("pairs"),
        masks=MaskSettings(**masks),
        muted=tuple(MutedHead(*head) for head in settings.get("muted", ())),
        settings=config,
    )
    try:
        trace = ScratchSource("scratch").trace(inputs, max_tokens=settings.get("max_tokens"))
    except HeadlightError as error:
        return settings | {
            "error": {"code": error.code, "field": error.field, "limit": error.limit},
            "message": error.message,
        }
    rows = (*trace.tokens, *(trace.target_tokens or ()))
    return settings | {
        "ids": [[token.id for token in row] for row in rows],
        "sites": [found(site) for site in trace.sites],
    }


def found(site: Site) -> dict[str, Any]:
    """The last two query rows of the last head, in every text."""
    names = [name for name in ("q", "pattern", "z", "result") if name in site.tensors]
    n_query = site.mask.n_query
    rows = slice(n_query - 2, n_query)
    derived = site.derive(names, heads=[site.n_heads - 1], rows=rows)
    return {
        "name": site.name,
        "kind": site.kind,
        "muted": list(site.muted),
        "blocked": [[each.text, each.head, each.index] for each in site.blocked_slices],
        **{name: listed(tensor) for name, tensor in derived.items()},
    }


def content() -> dict[str, Any]:
    info = asdict(ScratchSource("scratch").info)
    return {"info": info, "cases": [case(each) for each in given()]}


if __name__ == "__main__":
    FILE.write_text(written(content()))

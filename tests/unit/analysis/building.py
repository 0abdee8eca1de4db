"""Traces made of given tokens and patterns, for tests of analyses."""

from typing import Any

from torch import Tensor

from model.core.tokenizer import Token
from model.masks.mask import Mask
from model.trace.site import Site
from model.trace.trace import Trace

PAD, BOS, COMMA = 0, 1, 2


def token(id: int) -> Token:
    text = {PAD: "[PAD]", BOS: "[BOS]", COMMA: ","}.get(id, f" w{id}")
    return Token(id, text, 0, 0, special=id in (PAD, BOS), padding=id == PAD)


def trace_of(
    *rows: list[int], sites: tuple[Site, ...], targets: list[list[int]] | None = None
) -> Trace:
    return Trace(
        model="m",
        tokens=tuple(tuple(map(token, row)) for row in rows),
        target_tokens=None if targets is None else tuple(tuple(map(token, r)) for r in targets),
        sites=sites,
    )


def stored(pattern: Tensor, mask: Mask | None = None, **settings: Any) -> Site:
    """A site of which only the pattern is known."""
    n_heads, n_query, n_key = pattern.shape[1:]
    return Site(
        **{
            "name": "layers.0",
            "kind": "self",
            "layer": 0,
            "mask": mask or Mask(n_query, n_key, batch=len(pattern), n_heads=n_heads),
            "n_heads": n_heads,
            "n_kv_heads": n_heads,
            "scale": 1.0,
            "stored_pattern": pattern,
            **settings,
        }
    )

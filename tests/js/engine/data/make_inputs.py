"""Writes inputs.json: what Python's checks say of inputs, for tests/js/engine/inputs.test.mjs.

Run it as `python -m tests.js.engine.data.make_inputs` from the root of the repository.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

from model.core.tokenizer import Token
from model.errors import HeadlightError
from model.masks.rules import Cell, MaskSettings, PaddingSide
from model.sources.generation import Generate
from model.sources.inputs import (
    check_cells,
    check_length,
    check_text,
    check_unmixed,
    muted_heads,
    padded,
)
from model.sources.source import Inputs, MutedHead, SiteInfo, SourceInfo
from model.trace.settings import Size, SourceSettings

FILE = Path(__file__).with_name("inputs.json")


def info(name: str, sites: tuple[SiteInfo, ...], **more: Any) -> SourceInfo:
    sizes = dict.fromkeys(("n_layers", "n_heads", "d_model", "d_head", "vocab_size"), 4)
    rest = {"n_parameters": 1, "max_tokens": 2000, "trained_tokens": 9, "causal": True}
    given = {**sizes, **rest, "predicts": "next", "tensors": (), **more}
    return SourceInfo(name=name, description="", licence="", sites=sites, **given)


STACK = info("stack", tuple(SiteInfo(f"layers.{n}", "self", n, 4) for n in range(3)))
PAIRED = info(
    "paired",
    (
        SiteInfo("encoder.layers.0", "encoder", 0, 4),
        SiteInfo("encoder.layers.1", "encoder", 1, 3),
        SiteInfo("decoder.layers.0", "decoder", 0, 4),
        SiteInfo("decoder.layers.0.cross", "cross", 0, 2),
    ),
    predicts=None,
    takes_targets=True,
    takes_pairs=True,
    settings="other",
)
INFOS = {"stack": STACK, "paired": PAIRED}


@dataclass(frozen=True, slots=True)
class Other(SourceSettings):
    name: ClassVar[str] = "other"

    @property
    def size(self) -> Size:
        raise NotImplementedError

    causal = needs_targets = False
    nbytes = 0


MIXED: list[dict[str, Any]] = [
    {"texts": []},
    {"texts": ["a"]},
    {"texts": ["a"], "targets": ["b"]},
    {"texts": ["a"], "targets": []},
    {"texts": ["a", "b"], "targets": ["b"]},
    {"texts": ["a", "b"], "pairs": ["b", "c", "d"]},
    {"texts": ["a"], "pairs": ["b"], "targets": ["c"]},
    {"texts": ["a"], "generate": {"n_tokens": 2}},
    {"texts": ["a"], "settings": {"name": "other"}},
]
LENGTHS: list[tuple[int, int | None, int]] = [
    *((0, None, 0), (1, None, 0), (2000, None, 0), (2001, None, 0), (1999, None, 2)),
    *((5, 4, 0), (4, 4, 0), (3, 4, 1200), (2500, 3000, 0)),
]
CELLS: list[dict[str, Any]] = [
    *({}, {"layer": 2}, {"layer": 3}, {"layer": 1, "kind": "decoder"}, {"kind": "self"}),
    *({"kind": "cross", "layer": 0}, {"layer": 7, "kind": "encoder"}),
]
MUTED: list[list[tuple[int, int, Any]]] = [
    [],
    [(0, 1, None)],
    [(2, 3, None), (0, 0, None)],
    [(0, 2, None)],
    [(1, 3, "encoder")],
    [(0, 1, "cross")],
    [(0, 2, "cross")],
    [(0, 0, "self")],
    [(4, 0, None)],
    [(0, 4, None)],
]
GENERATES: list[dict[str, Any]] = [
    *({"n_tokens": 0}, {"n_tokens": 1, "top_k": 0}, {"n_tokens": 1, "top_p": 1.5}),
    *({"n_tokens": 1, "temperature": -0.5}, {"n_tokens": 1, "top_p": -0.5}, {"n_tokens": 3}),
]
SIDES: tuple[PaddingSide, ...] = ("left", "right")
ROWS = [[0, 3, 5], [2], [1, 9]]  # the ends of each row's tokens


def outcome(check: Callable[..., Any], *given: Any, **more: Any) -> Any:
    """What a check gives, or its error."""
    try:
        return {"gives": check(*given, **more)}
    except HeadlightError as error:
        fields = ("message", "code", "field", "limit")
        return {"error": {name: getattr(error, name) for name in fields}}


def inputs_of(given: dict[str, Any]) -> Inputs:
    generate = Generate(**given["generate"]) if "generate" in given else None
    settings = Other() if "settings" in given else None
    targets, pairs = (tuple(given[n]) if n in given else None for n in ("targets", "pairs"))
    return Inputs(tuple(given["texts"]), targets, pairs, generate=generate, settings=settings)


def row(ends: list[int]) -> list[Token]:
    return [Token(n, "x", end, end, special=False) for n, end in enumerate(ends)]


def painted(cell: dict[str, Any], model: SourceInfo) -> None:
    check_cells(MaskSettings(allowed=(Cell(**cell),)), model)


def muted(heads: list[tuple[int, int, Any]], model: SourceInfo) -> Any:
    return muted_heads([MutedHead(*head) for head in heads], model).int().tolist()


def appended(given: dict[str, Any]) -> dict[str, Any]:
    return asdict(Generate(**given))


def document() -> Any:
    mixed, cells, heads, lengths = [], [], [], []
    for name, model in INFOS.items():
        mixed += [[name, x, outcome(check_unmixed, inputs_of(x), model)] for x in MIXED]
        cells += [[name, x, outcome(painted, x, model)] for x in CELLS]
        heads += [[name, x, outcome(muted, x, model)] for x in MUTED]
    for n, limit, more in LENGTHS:
        place = ("Text 2", "texts.1")
        said = outcome(check_length, row([0] * n), STACK, limit, *place, more=more)
        lengths.append([n, limit, more, said])
    return {
        "infos": {name: asdict(model) for name, model in INFOS.items()},
        "mixed": mixed,
        "cells": cells,
        "muted": heads,
        "length": lengths,
        "text": [[text, outcome(check_text, text, "texts.3")] for text in ("a", "a\ud800")],
        "rows": ROWS,
        "padded": [
            [side, [[asdict(t) for t in r] for r in padded([row(ends) for ends in ROWS], 9, side)]]
            for side in SIDES
        ],
        "generates": [[given, outcome(appended, given)] for given in GENERATES],
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(document(), separators=(",", ":")) + "\n")

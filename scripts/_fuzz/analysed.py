"""Trace requests whose analyses fit their texts, so that almost all of them are computed."""

from collections.abc import Callable, Mapping
from random import Random
from types import NoneType
from typing import Any, get_args

from scripts._fuzz import schemas
from server.api.analyses import ANALYSES

LAYERS, HEADS, D_MODEL = 3, 8, 128  # of the shipped model
# of which each is one token, so that two sentences of a length align
WORDS = "the cat dog man woman saw helped old near on is was and said it".split()


def trace(rng: Random) -> dict[str, Any]:
    """The body of a POST /api/trace with one analysis that takes options, and some that do not."""
    n, texts = rng.randint(5, 8), rng.choice((1, 1, 2))
    name, (kind, _) = rng.choice([each for one in ANALYSES for each in one.request.items()])
    asked: dict[str, Any] = {
        other: True
        for one in ANALYSES
        for other, (its, _) in one.request.items()
        if its is bool and (other == name or rng.random() < 0.3)
    }
    if kind is not bool:
        [schema] = [part for part in get_args(kind) if part is not NoneType]
        asked[name] = schemas.options(rng, schema.model_json_schema(), _fitting(n, texts))
    if name in _AMENDED:
        _AMENDED[name](rng, asked[name])
    unfitted(asked)
    if rng.random() < 0.3:
        asked.setdefault("lens", {})
    body: dict[str, Any] = {"texts": [sentence(rng, n) for _ in range(texts)], "analyse": asked}
    if rng.random() < 0.3:
        body["muted"] = [[rng.randrange(LAYERS), rng.randrange(HEADS)]]
    return body


def unfitted(analyse: dict[str, Any]) -> None:
    """Ask for no tuned lens, which a server would fit for half a minute."""
    for name in ("lens", "decided"):
        if (analyse.get(name) or {}).get("tuned"):
            analyse[name]["tuned"] = False
    for one in (analyse.get("directions") or {}).get("each", ()):
        if one.get("of") == "lens":
            one["of"] = "embedding"


def sentence(rng: Random, n: int) -> str:
    """Of n words, and so of n + 1 tokens."""
    return " ".join(rng.choice(WORDS) for _ in range(n))


def _fitting(n: int, texts: int) -> Mapping[str, schemas.Draw]:
    """By the names of fields: values for texts of n words that the causal mask allows."""

    def span(rng: Random) -> list[int]:
        return sorted(rng.sample(range(n + 2), 2))

    def pair(rng: Random) -> list[int]:
        return sorted(rng.sample(range(n + 1), 2), reverse=True)

    def some(most: int) -> schemas.Draw:
        return lambda rng: sorted(rng.sample(range(most), rng.randint(1, most)))

    def one(most: int) -> schemas.Draw:
        return lambda rng: rng.randrange(most)

    return {
        "layer": one(LAYERS),
        "layers": some(LAYERS),
        "head": one(HEADS),
        "heads": some(HEADS),
        "position": one(n),
        "positions": span,
        "rows": span,
        "text": one(texts),
        "token": one(300),
        "against": lambda rng: rng.choice((None, rng.randrange(300, 600))),
        "query": lambda rng: n,
        "key": one(n),
        "cells": lambda rng: [pair(rng)],
        "pairs": lambda rng: [[at, at] for at in range(n + 1)],
        "kind": lambda rng: "self",
        "kinds": lambda rng: ["self"],
        "clean": lambda rng: sentence(rng, n),
        "without": _parts,
        "vectors": lambda rng: [[rng.gauss(0, 1) for _ in range(D_MODEL)]],
        "sentences": lambda rng: [sentence(rng, n) for _ in range(rng.randint(1, 4))],
    }


def _parts(rng: Random) -> list[dict[str, Any]]:
    """Parts of the stream that every layer but the first reads."""
    parts = [
        {"kind": "embedding"},
        {"kind": "mlp", "layer": 0},
        {"kind": "head", "site": "layers.0", "layer": 0, "head": rng.randrange(HEADS)},
    ]
    sides = ("query", "key", "both")
    return [{"part": part, "side": rng.choice(sides)} for part in rng.sample(parts, 2)]


def _cell(rng: Random, asked: dict[str, Any]) -> None:
    asked["layer"] = rng.randrange(1, LAYERS)


def _patching(rng: Random, asked: dict[str, Any]) -> None:
    if asked.get("by") == "head":
        asked["at"] = "head"


def _other_attention(rng: Random, asked: dict[str, Any]) -> None:
    if asked.get("position") == 0:  # which looks at itself alone
        asked["position"] = 1


def _decode(rng: Random, asked: dict[str, Any]) -> None:
    for name in ("layer", "head", "kind"):  # whose vectors are narrower
        asked.pop(name, None)


def _directions(rng: Random, asked: dict[str, Any]) -> None:
    asked["each"] = [
        {
            "of": rng.choice(("embedding", "unembedding", "ov")),  # a lens takes long to be fitted
            "token": rng.randrange(300),
            "layer": rng.randrange(LAYERS),
            "head": rng.randrange(HEADS),
        }
        for _ in range(rng.choice((1, 1, 3)))
    ]


def _space(rng: Random, asked: dict[str, Any]) -> None:
    if asked.get("sentences") is not None or asked.get("method") == "tsne":
        asked.pop("everyday", None)  # of many sentences t-SNE takes long


# what one field says about another
_AMENDED: Mapping[str, Callable[[Random, dict[str, Any]], None]] = {
    "cell": _cell,
    "patching": _patching,
    "other_attention": _other_attention,
    "decode": _decode,
    "directions": _directions,
    "space": _space,
}

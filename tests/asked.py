"""Requests of every kind, for a small text: each analysis, mutes, masks and interventions."""

from collections.abc import Mapping
from typing import Any

TEXT, OTHER = "the cat sat on the mat", "the dog sat on the mat"
ACT = {"layer": 0, "head": 0}
ANALYSES: Mapping[str, Mapping[str, Any]] = {
    "scores": {"scores": True},
    "specials": {"specials": True, "rollout": True},
    "match": {"match": {"cells": [[2, 1], [4, 0]]}},
    "rollout": {"rollout": True},
    "lens": {"lens": {}},
    "decided": {"decided": {}},
    "branches": {"branches": {"top_k": 2, "n_tokens": 3}},
    "stream": {"stream": {}},
    "gradients": {"gradients": {"tensors": ["resid_post", "z"]}},
    "directions": {"directions": {"each": [{"of": "ov", "token": 7, **ACT}]}},
    "decode": {"decode": {"top_k": 3}},
    "neurons": {"neurons": {"layer": 0}},
    "attribution": {"attribution": {}},
    "top_keys": {"top_keys": {}},
    "far_links": {"far_links": {"min_distance": 2}},
    "overview": {"overview": {}},
    "cell": {"cell": {**ACT, "layer": 1, "query": 3, "key": 1}},
    "composition": {"composition": True},
    "weight_composition": {"weight_composition": True},
    "mute_effects": {"mute_effects": {}},
    "mute_estimates": {"mute_estimates": {"exact": 3}},
    "vector_effects": {"vector_effects": True},
    "paths": {"paths": {"limit": 3}},
    "edges": {"edges": {"corrupted": OTHER, "listed": 5, "sets": [[0, 5]]}},
    "patching": {"patching": {"clean": OTHER, "by": "head", "at": "head"}},
    "flow": {"flow": True},
    "space": {"space": {**ACT, "sentences": [OTHER, TEXT]}},
    "explanations": {"explanations": {"steps": 1}},
    "court": {"court": {"steps": 1}},
    "other_attention": {"other_attention": {"restarts": 1, "steps": 2}},
}
INTERVENTIONS: Mapping[str, Mapping[str, Any]] = {
    "scaled": {"kind": "scale", "at": "mlp", "layer": 0, "factor": 50},
    "zeroed": {"kind": "zero", **ACT},
    "averaged": {"kind": "mean", "at": "resid_post", "layer": 0, "texts": [OTHER]},
    "patched": {"kind": "patch", "layer": 1, "source": OTHER},
}


def requests_of(
    model: str, predicts: str | None, kind: str, d_model: int
) -> dict[str, dict[str, Any]]:
    """The bodies of all requests, by name, for a model that predicts so and has such sites."""
    direction = [1.0, -1.0] * (d_model // 2)
    end = " [MASK]" if predicts == "fill" else ""
    plain: dict[str, Any] = {"model": model, "texts": [TEXT + end]}
    muted: list[Any] = [0, 1]
    if kind == "encoder":
        plain["targets"] = ["the dog sat"]
        muted.append(kind)
    found = {"plain": plain, "muted": plain | {"muted": [muted]}}
    found["unmasked"] = plain | {"masks": {"causal": False}}
    for name, analysis in ANALYSES.items():
        found[name] = plain | {"analyse": with_end(analysis, end)}
    found["cell"]["analyse"]["cell"]["kind"] = kind
    for name, one in INTERVENTIONS.items():
        found[name] = plain | {"interventions": [with_end(one, end)]}
    found["scaled"]["analyse"] = {"mute_effects": {}}
    found["decode"]["analyse"]["decode"]["vectors"] = [direction]
    if kind == "encoder":
        found["space"]["analyse"]["space"] |= {"kind": kind, "sentences": None}
        found["directions"]["analyse"]["directions"]["each"][0]["kind"] = "decoder"
        del found["edges"]  # which are refused where a site reads two streams
    parts: dict[str, Any] = {"mute_effects": {}, "attribution": {}}
    probe = {"kind": "probe", "layer": 0, "weights": [direction], "read": "first"}
    found["probed"] = plain | {"answer": probe, "analyse": parts}
    found["sure"] = plain | {"answer": {"kind": "entropy"}, "analyse": parts}
    if kind != "encoder":
        like = {"kind": "similarity", "texts": ["the dog", "a cat sat"]}
        found["like"] = plain | {"answer": like, "analyse": parts}
    return found


def with_end(value: Any, end: str) -> Any:
    """The same request, for sentences that end so."""
    if isinstance(value, Mapping):
        return {key: with_end(of, end) for key, of in value.items()}
    if isinstance(value, list):
        return [with_end(of, end) for of in value]
    return value + end if value == OTHER else value

"""Writes mechanisms.json: mechanisms as Python configures them, for mechanisms.test.mjs.

Run it as `python -m tests.js.engine.data.make_mechanisms` from the root of the repository.
"""

import json
import random
from dataclasses import asdict
from pathlib import Path
from typing import Any

from model.errors import InputError
from model.scratch.mechanisms import MECHANISMS, ROWS, configure
from server.api.schemas.scratch import mechanism_of, setting_of

FILE = Path(__file__).with_name("mechanisms.json")
VALUES: dict[str, list[Any]] = {
    "seed": [0, 7, 2**31 - 1, 2**31, -1],
    "d_model": [1, 7, 12, 16, 32, 256, 257, 0],
    "n_heads": [1, 2, 3, 4, 16, 17],
    "d_head": [1, 3, 8, 16, 256, 300],
    "n_kv_heads": [0, 1, 2, 4, 17],
    "d_latent": [0, 1, 8, 256, 257],
    "window": [0, 1, 4, 256, 257],
    "minus": [-0.5, 0.0, 0.25, 2.0, 2.5],
    "sink": [-21, -20.0, 0.0, 1.5, 20.5],
    "rope_factor": [0.5, 1.0, 4.0, 64.0, 65.5],
    "scale": [0.0, 0.25, 1.0, 100.0, 100.5, "1/sqrt(d_head)", "1/sqrt(d_model)"],
    "causal_diagonal": [-2, -1, 0, 1, 2],
    "d_ff": [0, 16, 1024, 1025],
    "n_layers": [1, 2, 6, 7],
    "residual": [False, True],
    "gate": [False, True],
    "selective": [False, True],
}
SPECIAL: list[tuple[str, dict[str, Any]]] = [
    ("multi-head", {"n_heads": 16, "d_head": 65}),
    ("multi-head", {"n_heads": 16, "d_head": 64}),
    ("cross-attention", {"positions": "rotary"}),
    ("cross-attention", {"positions": "alibi"}),
    ("grouped-query", {"n_kv_heads": 3}),
    ("grouped-query", {"n_kv_heads": 1}),
    ("fused-multi-head", {"n_kv_heads": 2}),
    ("fused-multi-head", {"d_latent": 2}),
    ("fused-multi-head", {"minus": 0.5}),
    ("differential", {"n_heads": 3, "d_head": 4}),
    ("differential", {"n_kv_heads": 4}),
    ("retention", {"softmax_over": "query"}),
    ("state-space", {"sink": 1.5}),
    ("linear", {"kernel": "product", "mask_applied": "after"}),
    ("cross-attention", {"selective": True}),
    ("single-head", {"n_layers": 2}),
    ("single-head", {"n_layers": 2, "d_head": 32}),
    ("single-head", {"residual": True}),
    ("multi-head", {"positions": "rotary", "d_head": 3}),
    ("block", {"positions": "sinusoidal", "d_model": 33, "d_head": 8}),
    ("fused-single", {"read_as": "qkv head d_head"}),
    ("multi-head", {"packing": "head qkv d_head"}),
    ("multi-head", {"read_as": "head qkv d_head"}),
]
OPTIONS: dict[str, list[Any]] = {
    name: list(setting_of(name).options) or [False, True] for name in ROWS
}


def outcome(mechanism: Any, changes: dict[str, Any]) -> dict[str, Any]:
    try:
        config = configure(mechanism, changes)
    except InputError as error:
        fields = ("message", "code", "field", "limit")
        return {"error": {name: getattr(error, name) for name in fields}}
    parameters = asdict(config.parameters)
    return {"parameters": parameters, "modified": config.modified, "block": asdict(config.block)}


def document() -> Any:
    rng = random.Random(0)
    cases: list[list[Any]] = [[name, {}, outcome(name, {})] for name in MECHANISMS]
    cases += [[name, changes, outcome(name, changes)] for name, changes in SPECIAL]
    for _ in range(110):
        name = rng.choice(list(MECHANISMS))
        chosen = rng.sample(list(ROWS), rng.randrange(1, 5))
        changes = {key: rng.choice(VALUES.get(key) or OPTIONS[key]) for key in chosen}
        cases.append([name, changes, outcome(name, changes)])
    return {
        "mechanisms": [mechanism_of(row).model_dump() for row in MECHANISMS.values()],
        "settings": [setting_of(name).model_dump() for name in ROWS],
        "cases": cases,
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(document(), separators=(",", ":")) + "\n")

"""Writes analyses.json: what the analyses find in Python, for tests/js/engine/analyses.test.mjs.

Run it as `python -m tests.js.engine.data.make_analyses`. There are two kinds of cases: made-up
patterns under all kinds of masks, and requests to the shipped model.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from fastapi.testclient import TestClient
from torch import Tensor

from model.analysis import METRICS, HeadScores, head_scores, rollout, sink_share
from model.analysis.flow import flow
from model.analysis.words import is_punctuation
from model.core.tokenizer import Token
from model.masks.mask import Mask, site_mask
from model.masks.rules import Cell, MaskSettings
from model.trace.site import Site
from model.trace.trace import Trace
from server.api.analyses import ANSWERS
from server.app import create_app
from server.settings import Settings

FILE = Path(__file__).with_name("analyses.json")
PAD, BOS = 0, 1
TEXTS = {PAD: "[PAD]", BOS: "[BOS]", 2: ",", 3: "␣", 4: " \"x'", 5: "—", 6: "$␣"}
# each with padding, repeated tokens and punctuation; rows of one case are equally long
ROWS = {
    "plain": [[BOS, 7, 8, 2, 7, 8, 7]],
    "padded": [[BOS, 7, 7, 2, 5, 9], [PAD, PAD, BOS, 9, 9, 4], [BOS, 6, 3, PAD, PAD, PAD]],
    "bare": [[BOS, PAD], [PAD, PAD]],
}
MASKS = [
    MaskSettings(causal=True),
    MaskSettings(causal=False),
    MaskSettings(causal=True, window=2, sinks=1),
    MaskSettings(causal=True, padding=False, prefix=2),
    MaskSettings(causal=False, blocked=(Cell(query=3), Cell(head=1, key=0), Cell(layer=0, head=0))),
    MaskSettings(
        causal=True,
        blocked=(Cell(),),
        allowed=(Cell(query=1, key=0), Cell(text=0, head=1, query=1)),
    ),
]
SENTENCES = ["The cat saw itself in the mirror, and the cat", "A dog"]
REQUESTS: list[dict[str, Any]] = [
    {"texts": SENTENCES, "analyse": {"scores": True, "rollout": True, "flow": True}},
    {
        "texts": SENTENCES,
        "masks": {"causal": False, "padding_side": "left"},
        "muted": [[0, 1], [2, 7]],
        "analyse": {"rollout": True, "flow": True, "lens": {"top_k": 3}, "decided": {}},
    },
    {
        "texts": ["Maria saw herself (and “Tom”)"],
        "masks": {"window": 3, "sinks": 1, "blocked": [{"layer": 1, "query": 4}]},
        "muted": [[1, 0]],
        "analyse": {"mute_effects": {}, "lens": {}, "decided": {}, "flow": True},
    },
    {
        "texts": ["the old dog"],
        "analyse": {"mute_effects": {"position": 1, "token": 40}, "lens": {"position": 0}},
    },
    {
        "texts": SENTENCES,
        "masks": {"blocked": [{"text": 1, "layer": 1, "head": 3, "query": 2, "key": 2}]},
        "analyse": {"match": {"cells": [[3, 2], [1, 0], [2, 2], [3, 3], [0, 0]], "text": 1}},
    },
    {"texts": ["the dog"], "analyse": {"match": {"cells": [[0, 2], [0, 1]]}}},
    {"texts": ["the dog"], "analyse": {"match": {"cells": [[0, 0], [0, 1]]}}},
    {"texts": ["the dog"], "analyse": {"match": {"cells": [[3, 0]]}}},
    {"texts": ["the dog"], "analyse": {"match": {"cells": [[1, 0]], "text": 1}}},
    {"texts": ["the dog"], "analyse": {"match": {"cells": [[1, 0]], "kind": "cross"}}},
    {"texts": ["the dog"], "analyse": {"lens": {"position": 9}, "scores": True}},
    {"texts": ["the dog"], "analyse": {"mute_effects": {"position": 9}}},
    {"texts": ["the dog"], "analyse": {"mute_effects": {"token": 6232}}},
    {"texts": ["the dog " * 12], "analyse": {"flow": True}},
]
PUNCTUATION = [
    "",
    "␣",
    ",",
    ", ",
    "a,",
    "٣",
    "—",
    "€",
    "☃",
    "x☃",
    "́",
    "⁀",
    "½",
    "_",
    "🙂",
    "中",
    "()",
]


def token(id: int) -> Token:
    text = TEXTS.get(id, f" w{id}")
    return Token(id, text, 0, 0, special=id in (PAD, BOS), padding=id == PAD)


def made_up(rows: list[list[int]], settings: MaskSettings, seed: int) -> dict[str, Any]:
    """Two layers of two heads, the first with a muted head, and what the analyses find."""
    n, generator = len(rows[0]), torch.Generator().manual_seed(seed)
    settings = settings.within(n)
    real = torch.tensor([[id != PAD for id in row] for row in rows])
    sites = []
    for layer in range(2):
        mask = site_mask(
            settings,
            layer=layer,
            n_query=n,
            n_key=n,
            n_heads=2,
            real_keys=real,
            causal=True,
        )
        scores = 2 * torch.randn(len(rows), 2, n, n, generator=generator)
        pattern = scores.masked_fill(~mask.allows(), -torch.inf).softmax(-1).nan_to_num(0.0)
        pattern = (pattern * 1e3).round() / 1e3  # short in JSON
        sites.append(
            site(f"layers.{layer}", layer, mask, pattern, muted=(1,) if layer == 0 else ())
        )
    trace = Trace(
        model="m", tokens=tuple(tuple(map(token, row)) for row in rows), sites=tuple(sites)
    )
    return {
        "rows": rows,
        "masks": asdict(settings),
        "sites": [{"muted": each.muted, "pattern": numbers(each.stored_pattern)} for each in sites],
        "scores": [
            [of_heads(head_scores(trace, text, specials=specials)) for specials in (False, True)]
            for text in range(len(rows))
        ],
        "sink_share": [sink_share(head_scores(trace, text)) for text in range(len(rows))],
        "rollout": numbers(rollout(trace)),
        "flow": numbers(flow(trace)),
    }


def site(name: str, layer: int, mask: Mask, pattern: Tensor, **rest: Any) -> Site:
    return Site(
        name=name,
        kind="self",
        layer=layer,
        mask=mask,
        n_heads=mask.n_heads,
        n_kv_heads=mask.n_heads,
        scale=1.0,
        stored_pattern=pattern,
        **rest,
    )


def of_heads(heads: list[HeadScores]) -> list[Any]:
    """For each head: its scores, then the counts."""
    return [scored([asdict(head.scores[metric.name]) for metric in METRICS]) for head in heads]


def of_answer(heads: list[dict[str, Any]]) -> list[Any]:
    return [scored(list(head["scores"].values())) for head in heads]


def scored(scores: list[dict[str, Any]]) -> list[list[Any]]:
    """The value of each metric, or the first words of the reason why there is none; the counts."""
    values = [
        " ".join(each["reason"].split()[:3]) if each["value"] is None else round(each["value"], 6)
        for each in scores
    ]
    return [values, [each["over"] for each in scores]]


def numbers(tensor: Tensor | None) -> Any:
    assert tensor is not None
    return rounded(tensor.tolist())


def rounded(value: Any) -> Any:
    """Numbers with six digits after the point, wherever they stand."""
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, list):
        return [rounded(each) for each in value]
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    return value


def answered(client: TestClient, request: dict[str, Any]) -> dict[str, Any]:
    """The analyses in the server's answer, or its error."""
    select = {"select": {"tensors": ["pattern"], "layers": [0], "heads": [0], "rows": [0, 1]}}
    answer = client.post("/api/trace", json={"model": "shipped", **request, **select}).json()
    if "error" in answer:
        return {"request": request, "error": answer["error"]}
    found = {name: value for name in ANSWERS if (value := answer[name]) is not None}
    if "scores" in found:
        for text in found["scores"]:
            text["heads"] = of_answer(text["heads"])
    if "mute_effects" in found:
        for text in found["mute_effects"]:
            text["effects"] = [list(effect.values()) for effect in text["effects"]]
    return {"request": request, "answer": rounded(found)}


def probed(client: TestClient) -> dict[str, Any]:
    answer: dict[str, Any] = client.get("/api/models/shipped/heads").json()
    while answer["state"] == "computing":
        answer = client.get("/api/models/shipped/heads").json()
    found: dict[str, Any] = rounded({**answer, "heads": of_answer(answer["heads"])})
    return found


def all_made_up() -> list[dict[str, Any]]:
    cases = [("bare", MASKS[:1]), ("plain", MASKS[-2:]), ("padded", MASKS)]
    together = [(ROWS[name], masks) for name, several in cases for masks in several]
    return [made_up(rows, masks, seed) for seed, (rows, masks) in enumerate(together)]


def content() -> dict[str, Any]:
    settings = Settings(allowed_hosts=("testserver",), models=())
    with TestClient(create_app(settings)) as client:
        return {
            "made_up": all_made_up(),
            "punctuation": {text: is_punctuation(text) for text in PUNCTUATION},
            "answered": [answered(client, request) for request in REQUESTS],
            "probe": probed(client),
        }


if __name__ == "__main__":
    FILE.write_text(
        json.dumps(content(), ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8"
    )

"""Writes native.json: traces of the shipped model, which tests/js/engine/native.test.mjs expects.

Run it as `python tests/js/engine/data/make_native.py`. Of each tensor it keeps about twelve
numbers, `size // 12 + 1` apart.
"""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model.core.checkpoint import SHIPPED
from model.errors import HeadlightError
from model.masks.rules import Cell, MaskSettings
from model.sources.generation import Generate
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead, unedited
from model.trace.trace import Trace

TEXTS = ("Maria saw herself in the old mirror.", "The keys")

# name, inputs, the settings of `predict`, the position of the lens and the mute effects
CASES: list[tuple[str, Inputs, dict[str, Any], int | None]] = [
    ("one text", Inputs(TEXTS[:1]), {"top_k": 10}, None),
    ("padding on the right", Inputs(TEXTS), {"top_k": 3, "position": 2, "temperature": 0.5}, 1),
    (
        "padding on the left, with a window and a sink",
        Inputs(TEXTS, masks=MaskSettings(padding_side="left", window=2, sinks=1)),
        {"top_k": 5, "top_p": 0.3, "tokens": (7, 4000)},
        None,
    ),
    (
        "padding that is seen, without a causal mask",
        Inputs(TEXTS, masks=MaskSettings(causal=False, padding=False, padding_side="left")),
        {"top_k": 5, "temperature": 2.5},
        4,
    ),
    (
        "painted cells and muted heads",
        Inputs(
            TEXTS[:1],
            masks=MaskSettings(
                prefix=2,
                blocked=(Cell(layer=1, head=3, key=0), Cell(layer=0, query=3)),
                allowed=(Cell(layer=2, head=5, query=1, key=6),),
            ),
            muted=(MutedHead(0, 1), MutedHead(2, 7, "self"), MutedHead(1, 0)),
        ),
        {"top_k": 4, "top_p": 0.99},
        None,
    ),
    (
        "generated tokens, with a cell painted on one",
        Inputs(
            ("Mary chose tea. Mary chose", "The dogs"),
            masks=MaskSettings(blocked=(Cell(text=1, query=8, key=0),)),
            generate=Generate(n_tokens=4),
        ),
        {"top_k": 3},
        None,
    ),
    (
        "a text longer than any in training",
        Inputs(("The old man saw the cats near the park. " * 9,)),
        {"top_k": 3},
        None,
    ),
    ("no text", Inputs(("",)), {"top_k": 3}, None),
]
ROWS = ((39, 76, 113, 39, 76), (400,))

# name, what fails
ERRORS: list[tuple[str, Callable[[NativeSource], object]]] = [
    ("no texts", lambda source: source.trace(Inputs(()))),
    ("lone surrogate", lambda source: source.trace(Inputs(("a", "b\ud800")))),
    ("too many tokens", lambda source: source.trace(Inputs(("a b c d",)), max_tokens=4)),
    (
        "too many to generate",
        lambda source: source.trace(Inputs(("a",), generate=Generate(n_tokens=1023))),
    ),
    ("targets", lambda source: source.trace(Inputs(("a",), targets=("b",)))),
    ("pairs", lambda source: source.trace(Inputs(("a",), pairs=("b",)))),
    ("no such head", lambda source: source.trace(Inputs(("a",), muted=(MutedHead(0, 8),)))),
    ("no such layer", lambda source: source.trace(Inputs(("a",), muted=(MutedHead(3, 0),)))),
    (
        "no such kind",
        lambda source: source.trace(Inputs(("a",), muted=(MutedHead(0, 0, "cross"),))),
    ),
    (
        "no such cell",
        lambda source: source.trace(
            Inputs(("a",), masks=MaskSettings(blocked=(Cell(layer=0, query=9),)))
        ),
    ),
    (
        "no such layer of a cell",
        lambda source: source.trace(Inputs(("a",), masks=MaskSettings(allowed=(Cell(layer=9),)))),
    ),
    ("no rows", lambda source: source.trace_ids([])),
    ("special id", lambda source: source.trace_ids([[5], [1]])),
    ("position", lambda source: source.trace(Inputs(("a",))).predict(top_k=1, position=5)),
    ("temperature", lambda source: source.trace(Inputs(("a",))).predict(top_k=1, temperature=0)),
    ("top_k", lambda source: source.trace(Inputs(("a",))).predict(top_k=0)),
    ("top_p", lambda source: source.trace(Inputs(("a",))).predict(top_k=1, top_p=0)),
    ("token", lambda source: source.trace(Inputs(("a",))).predict(top_k=1, tokens=(6232,))),
    ("nuclei", lambda source: source.trace(Inputs(("a",))).nuclei(top_p=1.5)),
    ("lens position", lambda source: source.trace(Inputs(("a",))).lens(top_k=1, position=-1)),
    ("lens top_k", lambda source: source.trace(Inputs(("a",))).lens(top_k=0)),
    ("muted position", lambda source: source.mute_effects(Inputs(("a",)), position=99)),
    ("muted token", lambda source: source.mute_effects(Inputs(("a",)), token=6232)),
]


def rounded(value: Any) -> Any:
    match value:
        case float():
            return float(f"{value:.7g}")
        case dict():
            return {name: rounded(part) for name, part in value.items()}
        case list() | tuple():
            return [rounded(part) for part in value]
    return value


def sample(tensor: Tensor) -> dict[str, Any]:
    step = tensor.numel() // 12 + 1
    return {"shape": list(tensor.shape), "numbers": rounded(tensor.flatten()[::step].tolist())}


def of_trace(trace: Trace) -> dict[str, Any]:
    assert trace.stages is not None
    names = ("q", "k", "v", "pattern", "result")
    return {
        "ids": [[token.id for token in row] for row in trace.tokens],
        "muted": [site.muted for site in trace.sites],
        "sites": [
            {name: sample(tensor) for name, tensor in site.derive(names).items()}
            for site in trace.sites
        ],
        "stages": sample(trace.stages),
    }


def case(
    source: NativeSource, name: str, inputs: Inputs, predict: dict[str, Any], position: int | None
) -> dict[str, Any]:
    trace = source.trace(inputs)
    plain = source.trace(unedited(inputs, trace))
    effects = source.mute_effects(inputs, position=position)
    return {
        "name": name,
        "inputs": asdict(inputs),
        "predict": predict,
        "position": position,
        "trace": of_trace(trace),
        "predictions": rounded(
            [[asdict(one) for one in row] for row in trace.predict(**predict, unedited=plain)]
        ),
        "nuclei": rounded([asdict(one) for one in trace.nuclei(top_p=0.8)]),
        "lens": rounded([asdict(one) for one in trace.lens(top_k=2, position=position)]),
        "mute_effects": [
            {
                "position": one.position,
                "token": rounded(asdict(one.token)),
                "changes": rounded([effect.change for effect in one.effects]),
            }
            for one in effects
        ],
    }


def error(
    source: NativeSource, name: str, fails: Callable[[NativeSource], object]
) -> dict[str, Any]:
    try:
        fails(source)
    except HeadlightError as found:
        return {
            "name": name,
            "message": found.message,
            "code": found.code,
            "field": found.field,
            "limit": found.limit,
        }
    raise AssertionError(f"{name} does not fail")


def main() -> None:
    torch.set_num_threads(1)
    source = NativeSource("shipped", SHIPPED)
    found = {
        "cases": [case(source, *each) for each in CASES],
        "rows": ROWS,
        "of_rows": of_trace(source.trace_ids(ROWS)),
        "errors": [error(source, *each) for each in ERRORS],
    }
    path = Path(__file__).with_name("native.json")
    path.write_text(json.dumps(found, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Requests that the server and the page's engine should answer alike."""

import json
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from scripts._fuzz import bodies, mutations
from server.api.analyses import ANALYSES

Kind = Literal["trace", "stream"]  # with tensors as numbers, or as nested lists in JSON

# ranges of code points whose letters, marks and spaces tokenizers are unsure of
RANGES = (
    *((0x20, 0x7F), (0xA0, 0x180), (0x300, 0x370), (0x370, 0x400), (0x5D0, 0x600)),
    *((0x900, 0x980), (0xE00, 0xE80), (0x1E00, 0x1F00), (0x2000, 0x2070), (0x3000, 0x3100)),
    *((0x4E00, 0x4E40), (0xFB00, 0xFE20), (0xFF00, 0xFFF0), (0x10400, 0x10450), (0x1F600, 0x1F650)),
)


# the fields of `analyse` that the engine knows
IN_PAGE = {name for one in ANALYSES if not one.needs_server for name in one.request}


@dataclass(frozen=True)
class Question:
    """One request, and the form in which its answer is asked for."""

    kind: Kind
    body: Any


def question(seed: int, number: int) -> Question:
    """The request of that number; a third are broken."""
    rng = Random(f"{seed} {number}")
    body = bodies.trace(rng)
    if rng.random() < 0.95:
        for name in ("interventions", "answer"):  # the engine refuses them
            body.pop(name, None)
    asked = body.get("analyse", {})
    body["analyse"] = {name: value for name, value in asked.items() if name in IN_PAGE}
    if rng.random() < 0.3 and "texts" in body:
        body["texts"] = [_strange(rng) for _ in body["texts"]]
    if rng.random() < 0.1:
        body["generate"] = bodies.generate(rng)
    if rng.random() < 0.1:
        watched = {"position": rng.choice((None, 0, 2)), "token": rng.choice((None, 5))}
        body["analyse"]["mute_effects"] = watched
    if rng.random() < 0.33:
        body = mutations.mutated(rng, body)
    if isinstance(body, dict) and "ids" in body:
        body.pop("texts", None)  # the page never sends both
    # in JavaScript, NaN and the infinities become null when they are sent, and integers are rounded
    body = json.loads(
        json.dumps(body), parse_constant=lambda _: None, parse_int=lambda text: _rounded(int(text))
    )
    if rng.random() < 0.8:
        return Question("trace", body)
    # rounded numbers are compared in their own type, which JSON does not tell
    written = json.dumps(body)
    for dtype in ("float16", "uint8"):
        written = written.replace(f'"{dtype}"', '"float32"')
    return Question("stream", json.loads(written))


def _rounded(number: int) -> int:
    return number if abs(number) < 2**53 else int(float(number))


def _strange(rng: Random) -> str:
    return "".join(
        " " if rng.random() < 0.2 else chr(rng.randrange(*rng.choice(RANGES)))
        for _ in range(rng.randrange(24))
    )

"""Well-formed trace requests; the server may still refuse some of them."""

import base64
from random import Random
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np
from safetensors.numpy import save

from model.interventions import DIRECTIONS, KINDS, At
from model.interventions import Kind as Change
from model.kinds import SiteKind as Kind
from model.masks.rules import ROWS, TYPES
from model.scratch.mechanisms import ROWS as SETTINGS
from model.scratch.mechanisms import TYPES as SETTING_TYPES
from model.scratch.mechanisms import MechanismId
from model.trace.pooling import PoolingName
from scripts._fuzz import analysed, schemas
from server.api.analyses import ANALYSES
from server.api.schemas.select import SHARES, DType, TensorName

WORDS = (
    "the a cat dog herself Maria keys near old cabinet are is ( ) [ ] \" ' — … é ß 中文 🙂 e\u0301 "
    "\u202e \u200b \x00 \t \n 0 42 3.14 [PAD] [BOS] </script> {{ }} %00 ' or 1=1 don't x-y-z"
).split(" ")


def trace(rng: Random) -> dict[str, Any]:
    """The body of a POST /api/trace."""
    if rng.random() < 0.35:
        return analysed.trace(rng)
    n = rng.choice((1, 1, 1, 2, 3))
    body: dict[str, Any] = {"texts": [text(rng) for _ in range(n)]}
    kind = rng.random()
    if kind < 0.25:
        body |= {"model": "scratch", "scratch": scratch(rng)}
        if body["scratch"].get("mechanism") == "cross-attention" or rng.random() < 0.1:
            body["targets"] = [text(rng) for _ in range(n)]
    elif kind < 0.5:
        body["model"] = "nobody" if _seldom(rng) else rng.choice(("shipped", None, "scratch"))
    if rng.random() < 0.1:
        body["special_tokens"] = rng.choice((True, False, None))
    if rng.random() < 0.05 and body.get("model") != "scratch":
        body["ids"] = [ids(rng) for _ in range(n)]
        if not _seldom(rng):
            del body["texts"]
    if rng.random() < 0.03:
        body["pairs"] = [text(rng) for _ in range(n)]
    for chance, name, draw in (
        (0.3, "masks", masks),
        (0.2, "muted", muted),
        (0.15, "interventions", interventions),
        (0.05, "generate", generate),
        (0.12, "answer", answer),
        (0.3, "predict", predict),
        (0.3, "analyse", analyse),
    ):
        if rng.random() < chance:
            body[name] = draw(rng)
    looks = rng.random()
    if looks < 0.5:
        body["select"] = select(rng)
    elif looks < 0.8:
        names = rng.sample(("grid", "head", "a", "z_9", "rows"), rng.randint(1, 3))
        body["parts"] = {name: select(rng) for name in names}
    return body


def text(rng: Random) -> str:
    length = rng.choice((0, 1, 2, 5, 5, 12, 12, 12, 40))
    if rng.random() < 0.01:
        length = rng.choice((600, 3000))
    words = " ".join(rng.choice(WORDS) for _ in range(length))
    return words * 50 if rng.random() < 0.003 else words


def ids(rng: Random) -> list[int]:
    most = 1_000_000 if _seldom(rng) else 300
    return [rng.randrange(most) for _ in range(rng.choice((0, 1, 3, 8)))]


def select(rng: Random) -> dict[str, Any]:
    pooled = rng.random() < 0.3
    tensors = SHARES if pooled else get_args(TensorName)
    found: dict[str, Any] = {"tensors": rng.sample(tensors, rng.randint(1, min(3, len(tensors))))}
    if pooled:
        found["resolution"] = rng.choice((1, 2, 16, 64, 1024))
        found["pooling"] = rng.choice(get_args(PoolingName))
    elif rng.random() < 0.2:
        start = rng.randint(0, 12)
        found["rows"] = [start, start + rng.randint(1, 8)]
    if rng.random() < 0.6:
        found["layers"] = rng.sample(range(3 + _seldom(rng)), rng.randint(0, 3))
    if rng.random() < 0.6:
        found["heads"] = rng.sample(range(8 + _seldom(rng)), rng.randint(1, 3))
    if rng.random() < 0.05:
        found["kinds"] = rng.sample(get_args(Kind), 2)
    if rng.random() < 0.5:
        fits = set(found["tensors"]) <= set(SHARES) or _seldom(rng)
        found["dtype"] = rng.choice(get_args(DType)[: 3 if fits else 2])
    return found


def _seldom(rng: Random) -> bool:
    """Now and then: a value of the right type that the server still refuses."""
    return rng.random() < 0.02


def masks(rng: Random) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, kind in TYPES.items():
        if get_origin(kind) is tuple:
            if rng.random() < 0.4:
                n = 2000 if rng.random() < 0.01 else rng.randint(0, 5)
                found[name] = [cell(rng) for _ in range(n)]
        elif get_origin(kind) is Literal:
            found[name] = rng.choice(get_args(kind))
        elif int in get_args(kind):
            found[name] = rng.choice((None, None, 1, 2, 7, ROWS[name].maximum))
        else:
            found[name] = rng.choice((True, False, *((None,) if get_args(kind) else ())))
    return found


def cell(rng: Random) -> dict[str, Any]:
    axes = {"text": 1, "layer": 3, "head": 8, "query": 3, "key": 3}
    return {
        name: rng.choice((None, rng.randrange(most + _seldom(rng))))
        for name, most in axes.items()
        if rng.random() < 0.8
    }


def muted(rng: Random) -> list[list[Any]]:
    return [[rng.randrange(3 + _seldom(rng)), rng.randrange(8)] for _ in range(rng.randint(0, 4))]


def interventions(rng: Random) -> list[dict[str, Any]]:
    return [intervention(rng) for _ in range(rng.randint(0, 3))]


def intervention(rng: Random) -> dict[str, Any]:
    kind = rng.choice(get_args(Change))
    row = KINDS[kind]
    found: dict[str, Any] = {"kind": kind, "layer": rng.randrange(3 + _seldom(rng))}
    found["at"] = rng.choice(get_args(At) if _seldom(rng) else row.acts_at)
    if found["at"] == "head" and rng.random() < 0.7:
        found["head"] = rng.randrange(8 + _seldom(rng))
    if rng.random() < 0.3:
        found["text"] = rng.choice((None, 0, 0, 1))
    drawn: dict[str, Any] = {
        "positions": rng.sample(range(5), rng.randint(1, 3)),
        "factor": rng.choice((0.0, 1.0, -0.5, 1000)),
        "texts": [text(rng) for _ in range(rng.randint(1, 2))],
        "source": text(rng),
        "pairs": [[rng.randrange(3), position] for position in rng.sample(range(4), 2)],
        "minus": text(rng),
        "token": rng.choice((3, 10**9, text(rng), " the")),
        "vector": [rng.choice((0.0, 1.5, -1e6)) for _ in range(rng.choice((1, 16, 128)))],
    }
    for name in row.takes:
        clash = name == "positions" and "pairs" in found
        if name in row.needs or (rng.random() < 0.5 and not clash):
            found[name] = drawn[name]
    if "pairs" in found:
        found.pop("positions", None)
    if kind == "add" and not _seldom(rng):  # takes one of three
        kept = rng.choice(DIRECTIONS)
        found[kept] = drawn[kept]
        for name in set(DIRECTIONS) - {kept}:
            found.pop(name, None)
        if kept != "source":
            found.pop("minus", None)
    return found


def generate(rng: Random) -> dict[str, Any]:
    return {
        "n_tokens": rng.choice((1, 2, 4, 8)),
        "sampled": rng.random() < 0.5,
        "temperature": rng.choice((0.05, 1, 100)),
        "seed": rng.choice((0, 1, 2**63 - 1)),
        "top_k": rng.choice((None, 1, 1_000_000)),
        "top_p": rng.choice((None, 0.001, 0.5, 1)),
    }


def predict(rng: Random) -> dict[str, Any] | None:
    if rng.random() < 0.2:
        return None
    return {
        "top_k": rng.choice((1, 10, 100)),
        "position": 900 if _seldom(rng) else rng.choice((None, None, 0)),
        "temperature": rng.choice((0.05, 1, 100)),
        "top_p": rng.choice((None, 0.001, 0.9, 1)),
        "tokens": rng.sample((0, 1, 2, 5, 900 + 999_999 * _seldom(rng)), rng.randint(0, 3)),
        "unedited": rng.random() < 0.3,
    }


def analyse(rng: Random) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for one in ANALYSES:
        for name, (kind, _) in one.request.items():
            if kind is bool:
                found[name] = rng.random() < 0.4
            elif rng.random() < (0.4 if one.too_slow is None else 0.04):
                [schema] = [part for part in get_args(kind) if part is not NoneType]
                found[name] = schemas.options(rng, schema.model_json_schema())
    analysed.unfitted(found)
    return found


def answer(rng: Random) -> dict[str, Any]:
    kind = rng.choice(("probe", "similarity", "entropy", "loss"))
    if kind == "probe":
        return {"kind": kind, **probe(rng)}
    found: dict[str, Any] = {"kind": kind}
    if kind == "similarity":
        found["texts"] = list({text(rng) for _ in range(rng.choice((1, 2, 3)))})
        if rng.random() < 0.5:
            found["read"] = rng.choice(("mean", "first", "last"))
        if rng.random() < 0.3:
            found["scale"] = rng.choice((1, 20, 0.5))
    if kind == "entropy" and rng.random() < 0.3:
        found["position"] = rng.choice((0, 1, 2, 90 if _seldom(rng) else 0))
    return found


def probe(rng: Random) -> dict[str, Any]:
    width = rng.choice((1, 127, 128, 128, 128, 128))  # of the shipped model's stream: 128
    rows = rng.choice((1, 1, 2, 5))
    found: dict[str, Any] = {
        "layer": 3 if _seldom(rng) else rng.randrange(3),
        "weights": [[rng.gauss(0, 1) for _ in range(width)] for _ in range(rows)],
    }
    if rng.random() < 0.5:
        found["bias"] = [rng.choice((0, -1e6, 0.5)) for _ in range(rows + _seldom(rng))]
    if rng.random() < 0.5:
        found["classes"] = [f"c{n}" for n in range(max(2, rows) + _seldom(rng))]
    if rng.random() < 0.3:
        found["read"] = rng.choice(("first", "last"))
    return found


def scratch(rng: Random) -> dict[str, Any]:
    found: dict[str, Any] = {"mechanism": rng.choice(get_args(MechanismId))}
    for name, row in SETTINGS.items():
        named = _named(SETTING_TYPES[name])
        if row.limits is not None and rng.random() < 0.15:
            found[name] = schemas.number(rng, *row.limits)
        if named and rng.random() < 0.15:
            found[name] = rng.choice(named)
    if rng.random() < 0.15:
        found["weights"] = base64.b64encode(weights(rng)).decode()
    return found


def _named(kind: Any) -> tuple[Any, ...]:
    """The values of a type that are not numbers."""
    if kind is bool:
        return (True, False)
    parts = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    found = [value for part in parts if get_origin(part) is Literal for value in get_args(part)]
    return tuple(found) + ((None,) if NoneType in parts else ())


def weights(rng: Random) -> bytes:
    """A safetensors file: sometimes of the right shapes, sometimes odd, sometimes broken."""
    shape: tuple[int, ...] = rng.choice(((32, 32), (2, 32), (0, 5), (1,), (1,) * 65, (3, 4, 5)))
    dtype = rng.choice(("float32", "float64", "float16", "int8", "uint8", "bool"))
    values = np.ones(shape[:32], dtype)
    if dtype.startswith("float") and values.size:
        values.flat[0] = rng.choice((0.0, 1.0, np.nan, np.inf, 3e38 if dtype != "float16" else 6e4))
    name = rng.choice(("layers.0.attention.w_q.weight", "embedding.weight", "w_o", "x" * 300))
    made = bytearray(save({name: values.reshape(shape[:32])}))
    if len(shape) > 32:  # more axes than numpy has, in the header alone
        made = bytearray(bytes(made).replace(b"[1," * 2, b"[" + b"1," * 60, 1))
    if rng.random() < 0.3 and made:
        made[rng.randrange(len(made))] ^= 1 << rng.randrange(8)
    return bytes(made[: rng.randint(0, len(made))] if rng.random() < 0.1 else made)

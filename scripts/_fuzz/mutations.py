"""Breaks a request's body: its values, its JSON, its bytes."""

import json
from copy import deepcopy
from random import Random
from typing import Any

HOSTILE: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        2,
        63,
        1.5,
        -0.0,
        1e308,
        -1e308,
        1e-320,
        10**30,
        -(10**30),
        2**63,
    ),
    *(
        float("nan"),
        float("inf"),
        "",
        "a",
        "1",
        "\ud800",
        "\udfff a",
        "x" * 5_000,
        "\u0000",
        "../../etc",
    ),
    *([], {}, [[]], [None], {"": None}, {"a": {"b": {}}}, [0] * 50, ["the"] * 9, [-1, 2**40]),
)
NAMES = (
    "__proto__",
    "",
    "select",
    "parts",
    "texts",
    "a" * 100,
    "\ud83d",
    "tensors",
    "größe",
    "model",
)


def mutated(rng: Random, body: Any) -> Any:
    """A copy of the body with a few random changes."""
    body = json.loads(json.dumps(body))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        places = list(_places(body))
        if not places:
            return _hostile(rng)
        holder, key = rng.choice(places)
        what = rng.random()
        if what < 0.55:
            holder[key] = _hostile(rng)
        elif what < 0.7:
            del holder[key]
        elif what < 0.85 and isinstance(holder, dict):
            holder[rng.choice(NAMES)] = _hostile(rng)
        elif isinstance(holder, list):
            holder.extend([holder[key]] * rng.choice((1, 9, 200)))
        else:
            holder[key] = [holder[key]]
    return body


def _hostile(rng: Random) -> Any:
    return deepcopy(rng.choice(HOSTILE))  # because another mutation may change it


def _places(value: Any) -> Any:
    """Everything that can be changed: its container, and its key there."""
    match value:
        case dict():
            keys: Any = list(value)
        case list():
            keys = range(len(value))
        case _:
            return
    for key in keys:
        yield value, key
        yield from _places(value[key])


def as_json(rng: Random, body: Any) -> bytes:
    """JSON as Python writes it, which allows NaN and lone surrogates."""
    return json.dumps(body, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")


def broken(rng: Random, content: bytes) -> bytes:
    """Bytes that are not JSON, or barely."""
    at = rng.randrange(len(content) + 1)
    depth = rng.choice((50, 2_000, 60_000))
    match rng.randrange(11):
        case 0:
            return content[:at]
        case 1:
            return content[:at] + bytes(rng.randrange(256) for _ in range(3)) + content[at:]
        case 2:
            return b"\xef\xbb\xbf" + content
        case 3:
            return b'{"texts":' + b"[" * depth + b"]" * depth + b"}"
        case 4:
            return b'{"masks":' + b'{"a":' * depth
        case 5:
            return content.replace(b"{", b'{"texts":["twice"],', 1)
        case 6:
            return content + b" {}"
        case 7:
            return b""
        case 8:
            return content.decode("utf-8", "replace").encode(
                rng.choice(("utf-16", "utf-32", "latin-1", "utf-8")), "replace"
            )
        case 9:
            return content.replace(
                b"0", rng.choice((b"0x10", b"00", b"1e999", b"-", b"9" * 5_000)), 1
            )
        case _:
            return bytes(rng.randrange(256) for _ in range(rng.randrange(200)))

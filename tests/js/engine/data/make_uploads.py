"""Writes uploads.json: what Python says of safetensors files, for tests/js/engine/uploads.test.mjs.

Run it as `python -m tests.js.engine.data.make_uploads` from the root of the repository.
"""

import base64
import json
import random
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save

from model.errors import InputError
from model.scratch.uploads import read_weights, weight_names
from tests.unit.scratch.test_uploads import doubled, file, of_one

FILE = Path(__file__).with_name("uploads.json")
ONE = b'"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}'
HEADERS = [
    *(
        b"{" + ONE + b"}",
        b"  {" + ONE + b"}  ",
        b"\xef\xbb\xbf{" + ONE + b"}",
        b"{",
        b"[]",
        b"\xff",
    ),
    ("{" + ONE.decode() + "}").encode("utf-16"),
    *(b'{"__metadata__":' + value + b"," + ONE + b"}" for value in (b"null", b"{}", b'{"x":"y"}')),
    *(b'{"__metadata__":' + value + b"," + ONE + b"}" for value in (b"1", b"[]", b"true", b'"x"')),
    *(
        b'{"__metadata__":{' + value + b"}," + ONE + b"}"
        for value in (b'"x":1', b'"x":{}', b'"x":null', b'"x":"\\ud800"', b'"\\ud800":"x"')
    ),
    *(
        b'{"__metadata__":{' + value + b"}," + ONE + b"}"
        for value in (b'"x":"1","x":"2"', b'"x":NaN')
    ),
    b'{"__metadata__":{"x":"\\"a\\": 1.5 {"},' + ONE + b"}",
    b'{"__proto__":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}',
    b'{"__proto__":{},' + ONE + b"}",
    b'{"\\u0061":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}',
    b'{"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},"\\u0061":' + ONE[4:] + b"}",
    *(
        b"{" + ONE.replace(b"[1]", shape) + b"}"
        for shape in (b"[1.0]", b"[1e0]", b"[]", b"[01]", b"[+1]")
    ),
    *(b"{" + ONE.replace(b"[0,4]", span) + b"}" for span in (b"[-0,4]", b"[0,4.0]", b"[ 0 , 4 ]")),
    b'{"a":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}}',
    b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1}}',
    *(b'{"a":' + value + b"}" for value in (b'"abc"', b"3", b"[1]", b"true", b"{}")),
]
FILES = [
    *(file(header, bytes(4)) for header in HEADERS),
    *(doubled(), file({}), file({}, b"x"), b"", b"\0" * 7, (2**63).to_bytes(8, "little")),
    *(of_one(shape=[-1]), of_one(shape=[True]), of_one(shape="1"), of_one(shape=[2**62, 2**62])),
    *(
        of_one(shape=[1, 1, 1]),
        of_one(shape=[0, 2**40], offsets=[0, 0]),
        of_one(None),
        of_one("I32"),
    ),
    *(
        of_one(offsets=[0]),
        of_one(offsets=[4, 0]),
        of_one(offsets=[4, 8]),
        of_one(offsets=[0, 2**64]),
    ),
    *(
        of_one("F64", offsets=[0, 8]),
        of_one("BF16", [2]),
        of_one("F16", [2, 1]),
        of_one("BF16", offsets=[0, 2]),
    ),
    *(
        of_one(name=name)
        for name in ("\ud800", "", "<script>", "a" * 201, "a" * 200, "é", "a.b_C9")
    ),
]
WHOLE = [
    {"b": torch.tensor([[0.5, -2.0, 1.25]], dtype=dtype), "a.w": torch.ones(2, 5).to(dtype) / 3}
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64)
]
NUMBERS = [
    {"a": torch.tensor([1.0, number], dtype=dtype)}
    for number in (float("nan"), float("inf"), 1e39, -1e39, 3e38)
    for dtype in (torch.float32, torch.float64)
]


def of_two(first: tuple[int, int], second: tuple[int, int], size: int) -> bytes:
    """Two tensors of one number each, with these offsets in so many bytes."""
    entry = {"dtype": "F32", "shape": [1]}
    spans = {"b": second, "a": first}
    return file({n: {**entry, "data_offsets": span} for n, span in spans.items()}, bytes(size))


PAIRS = [
    of_two((0, 4), (4, 8), 8),
    of_two((4, 8), (0, 4), 8),
    of_two((0, 4), (0, 4), 4),
    of_two((0, 4), (2, 6), 6),
    of_two((0, 4), (8, 12), 12),
]


def outcome(content: bytes) -> dict[str, Any]:
    found: dict[str, Any] = {"file": base64.b64encode(content).decode()}
    try:
        tensors = read_weights(content)
    except InputError as error:
        return found | {"error": error.message}
    return found | {
        "names": weight_names(content),
        "tensors": {name: [list(t.shape), t.flatten().tolist()] for name, t in tensors.items()},
    }


def document() -> Any:
    rng = random.Random(0)
    files = FILES + PAIRS + [save(tensors) for tensors in WHOLE + NUMBERS]
    good = save(WHOLE[2], metadata={"of": "a test"})
    for _ in range(100):  # a few bytes changed
        changed = bytearray(good)
        for _ in range(rng.randrange(1, 4)):
            changed[rng.randrange(len(changed))] = rng.choice(
                b'0123456789{}[]",:.eE- abF\x00\xff\x41'
            )
        files.append(bytes(changed))
    cases = [outcome(content) for content in files]
    return cases


if __name__ == "__main__":
    FILE.write_text(json.dumps(document(), separators=(",", ":")) + "\n")

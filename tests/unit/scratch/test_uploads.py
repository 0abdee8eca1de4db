"""Uploaded weights: any file either works or is refused."""

import json
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import save

from model.errors import InputError
from model.scratch.mechanisms import configure
from model.scratch.uploads import MAX_HEADER_BYTES, read_weights, weight_names
from model.sources.scratch import ScratchSource
from model.sources.source import Inputs

SOURCE = ScratchSource("scratch")
W_Q = "layers.0.attention.w_q.weight"
TABLE = "embedding.weight"


def file(header: object, numbers: bytes = b"") -> bytes:
    """A file with that header, which no library would write."""
    raw = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(raw).to_bytes(8, "little") + raw + numbers


def of_one(dtype: Any = "F32", shape: Any = (1,), offsets: Any = (0, 4), name: str = "a") -> bytes:
    return file({name: {"dtype": dtype, "shape": shape, "data_offsets": offsets}}, bytes(4))


def doubled() -> bytes:
    """Two tensors with the same name, which JSON allows."""
    one = b'"a":{"dtype":"F32","shape":[1],"data_offsets":[%d,%d]}'
    return file(b"{" + one % (0, 4) + b"," + one % (4, 8) + b"}", bytes(8))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (of_one(shape=[1] * 65), "at most 2 whole numbers"),
        (of_one(shape=[1, 1, 1]), "at most 2 whole numbers"),
        (of_one(shape=[-1]), "shape of at most 2 whole numbers"),
        (of_one(shape=[1.0]), "shape of at most 2 whole numbers"),
        (of_one(shape=[True]), "shape of at most 2 whole numbers"),
        (of_one(shape="1"), "shape of at most 2 whole numbers"),
        (of_one(shape=[0, 2**40], offsets=[0, 0]), "a dimension of its shape is 0"),
        (of_one(shape=[0], offsets=[0, 0]), "a dimension of its shape is 0"),
        (of_one(shape=[2**62, 2**62]), "does not match its shape and dtype"),
        (of_one(shape=[10**4000]), "does not match its shape and dtype"),
        (file(b'{"a":{"dtype":"F32","shape":[' + b"9" * 5_000 + b"]}}"), "cannot be read"),
        (of_one("I32"), "have a floating dtype"),
        (of_one("C64", [1], [0, 4]), "have a floating dtype"),
        (of_one("F4", [8]), "have a floating dtype"),
        (of_one("F8_E8M0", [4]), "have a floating dtype"),
        (of_one(None), "have a floating dtype"),
        (of_one(["F32"]), "have a floating dtype"),
        (of_one(offsets=[0, 2**64]), "does not match its shape and dtype"),
        (of_one(offsets=[4, 0]), "does not match its shape and dtype"),
        (of_one(offsets=[0]), "has no valid offsets"),
        (of_one(offsets=[0, 4.0]), "has no valid offsets"),
        (of_one(offsets=[4, 8]), "overlap or have gaps"),
        (of_one("BF16", [1], [0, 2]), "overlap or have gaps"),
        (of_one(name="\ud800"), "parameter names"),
        (of_one(name=""), "parameter names"),
        (of_one(name="a" * 201), "parameter names"),
        (of_one(name="<script>"), "parameter names"),
        (doubled(), "cannot be read"),
        (file({"a": None}), "does not describe a"),
        (file({"a": {"dtype": "F32", "shape": [1]}}, bytes(4)), "does not describe a"),
        (file({f"a{n}": {} for n in range(257)}), "at most 256 tensors"),
        (file(b'{"a":' * 5_000), "cannot be read"),
        (file([]), "cannot be read"),
        (file(b"\xff"), "cannot be read"),
        (file({"__metadata__": {"a": 1}}), "cannot be read"),
        (file({"__metadata__": {"a": "x" * MAX_HEADER_BYTES}}), "at most 65,536 bytes"),
        ((2**63).to_bytes(8, "little"), "cannot be read"),
        (b"\0" * 7, "cannot be read"),
    ],
)
def test_a_header_that_describes_no_weights_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said) as raised:
        read_weights(content)
    assert raised.value.field == "scratch.weights"


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_every_floating_type_is_read_as_float32(dtype: torch.dtype) -> None:
    tensors = {W_Q: torch.tensor([[0.5, -2.0, 1.25]], dtype=dtype), "b": torch.ones(5).to(dtype)}
    content = save(tensors, metadata={"of": "a reader"})
    found = read_weights(content)
    assert sorted(found) == weight_names(content) == ["b", W_Q]
    assert all(tensor.dtype == torch.float32 for tensor in found.values())
    assert found[W_Q].tolist() == [[0.5, -2.0, 1.25]]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1e39])
def test_what_float32_cannot_hold_is_refused(number: float) -> None:
    content = save({"a": torch.tensor([number], dtype=torch.float64)})
    with pytest.raises(InputError, match="finite numbers in the range of float32"):
        read_weights(content)


SIZES = st.integers(-1, 40) | st.sampled_from([2**31, 2**63, 1.0, True, None, "1"])
SHAPES = st.lists(SIZES, max_size=4) | st.just([1] * 65) | st.sampled_from([[32, 32], [6, 32]])
DTYPES = st.sampled_from(["F16", "BF16", "F32", "F64", "I64", "BOOL", "F8_E4M3", "C64", "", 1])
NAMES = st.sampled_from([W_Q, TABLE, "layers.0", "__metadata__"]) | st.text(max_size=5)
DESCRIPTIONS = st.fixed_dictionaries(
    {"dtype": DTYPES, "shape": SHAPES, "data_offsets": st.lists(st.integers(0, 9_000), max_size=3)}
)
GOOD = save({W_Q: torch.ones(32, 32), TABLE: torch.randn(6, 32)})
HUGE = st.sampled_from([0.0, 1e-45, 1e10, 3e38])


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Arbitrary headers, valid files with changed bytes, and large numbers."""
    kind = draw(st.sampled_from(["header", "bytes", "numbers"]))
    if kind == "header":
        return file(draw(st.dictionaries(NAMES, DESCRIPTIONS, max_size=3)), draw(st.binary()))
    if kind == "numbers":
        return save({TABLE: torch.full((6, 32), draw(HUGE)), W_Q: torch.full((32, 32), draw(HUGE))})
    content = bytearray(GOOD)
    for _ in range(draw(st.integers(1, 4))):
        content[draw(st.integers(0, 300))] = draw(st.integers(0, 255))
    return bytes(content[: draw(st.integers(0, len(content)))])


@settings(max_examples=300)
@given(files())
def test_any_file_is_run_or_refused(content: bytes) -> None:
    try:
        trace = SOURCE.trace(
            Inputs(("The cat sat on the mat",), settings=configure("multi-head", {}, content))
        )
    except InputError as error:
        assert error.field == "scratch.weights"
        error.message.encode()  # so that it can be sent
    else:
        assert all(bool(site.q.isfinite().all()) for site in trace.sites if site.q is not None)

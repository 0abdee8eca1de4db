"""Weights that a reader brings: a safetensors file, checked from its header before it is read.

The file is eight bytes that tell the header's length, the header as JSON (each tensor's dtype,
shape and place), then the numbers. https://github.com/huggingface/safetensors#format
"""

import json
import math
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load
from torch import Tensor

from model.errors import InputError

FIELD = "scratch.weights"
BYTES = {"F16": 2, "BF16": 2, "F32": 4, "F64": 8}  # of one number, by the dtypes that are read
MAX_RANK = 2  # a bias, a gain; a matrix, a table of vectors
MAX_TENSORS = 256  # more than the largest mechanism has parameters
MAX_HEADER_BYTES = 65_536
_NAME = re.compile(r"[A-Za-z0-9_.]{1,200}")
_UNREADABLE = "Expected the weights as a safetensors file in base64; it cannot be read."


def read_weights(content: bytes) -> dict[str, Tensor]:
    """The tensors of a safetensors file, in float32.

    Raises:
        InputError: it is no such file, or holds something that is not a parameter: of other ranks,
            dtypes or sizes, or not finite.
    """
    weight_names(content)
    try:
        tensors = load(content)
    except (SafetensorError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise _refusal(_UNREADABLE) from error
    found = {name: tensor.float() for name, tensor in tensors.items()}
    for name, tensor in found.items():
        if not bool(tensor.isfinite().all()):
            raise _refusal(f"{name} should hold finite numbers, within float32; it does not.")
    return found


def weight_names(content: bytes) -> list[str]:
    """The names of the tensors in a file, in alphabetical order; its header is sound.

    Raises:
        InputError: see `read_weights`.
    """
    header, n_bytes = _header(content)
    header.pop("__metadata__", None)
    if len(header) > MAX_TENSORS:
        raise _refusal(f"Expected at most {MAX_TENSORS} tensors; this file has {len(header):,}.")
    places = sorted(_place(name, said) for name, said in header.items())
    ends = [(0, 0), *places, (n_bytes, n_bytes)]
    if any(before[1] != after[0] for before, after in pairwise(ends)):
        raise _refusal(f"{_UNREADABLE} Its tensors overlap, or leave gaps between them.")
    return sorted(header)


def _header(content: bytes) -> tuple[dict[str, Any], int]:
    """The header, and how many bytes of numbers follow it."""
    length = int.from_bytes(content[:8], "little")
    n_bytes = len(content) - 8 - length
    if len(content) < 8 or n_bytes < 0:
        raise _refusal(_UNREADABLE)
    if length > MAX_HEADER_BYTES:
        raise _refusal(
            f"Expected a header of at most {MAX_HEADER_BYTES:,} bytes in the safetensors file; "
            f"this one has {length:,}. Leave out its metadata, and whatever is not a parameter."
        )
    try:
        header = json.loads(content[8 : 8 + length], object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise _refusal(_UNREADABLE) from error
    if not isinstance(header, dict):
        raise _refusal(_UNREADABLE)
    return header, n_bytes


def _place(name: str, said: object) -> tuple[int, int]:
    """Where one tensor begins and ends, which its dtype and shape must agree with."""
    if not _NAME.fullmatch(name):
        raise _refusal(
            "Expected names of parameters (letters, digits, dots, underscores), such as "
            "layers.0.attention.w_q.weight; this file has another one."
        )
    if not isinstance(said, Mapping) or set(said) != {"dtype", "shape", "data_offsets"}:
        raise _refusal(f"{_UNREADABLE} Its header does not describe {name}.")
    dtype, shape, offsets = said["dtype"], said["shape"], said["data_offsets"]
    if not isinstance(dtype, str) or dtype not in BYTES:
        raise _refusal(f"{name} should be of a floating type ({', '.join(BYTES)}); it is not.")
    if not _are_sizes(shape) or len(shape) > MAX_RANK:
        raise _refusal(
            f"{name} should have {MAX_RANK} dimensions at most, of whole numbers; it has others."
        )
    if 0 in shape:
        raise _refusal(f"{name} should hold numbers; a dimension of its shape is 0.")
    if not _are_sizes(offsets) or len(offsets) != 2:
        raise _refusal(f"{_UNREADABLE} Its header does not tell where {name} is.")
    begin, end = offsets
    if end - begin != math.prod(shape) * BYTES[dtype]:
        raise _refusal(f"{_UNREADABLE} {name} is not as long as its shape and dtype say.")
    return begin, end


def _are_sizes(value: object) -> bool:
    return isinstance(value, list) and all(type(size) is int and size >= 0 for size in value)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which no name stands twice: which of the two is meant, nobody can say."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _refusal(message: str) -> InputError:
    return InputError(message, field=FIELD)

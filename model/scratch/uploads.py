"""Uploaded weights: a safetensors file whose header is checked before the tensors are read.

The file consists of eight bytes with the header's length, the header as JSON (each tensor's dtype,
shape and offsets), and the data. https://github.com/huggingface/safetensors#format
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
from model.facts import limit

FIELD = "scratch.weights"
BYTES = {"F16": 2, "BF16": 2, "F32": 4, "F64": 8}  # per number, for each dtype accepted
MAX_RANK = limit("upload_rank")  # of biases and gains it is 1, of matrices and embedding tables 2
MAX_TENSORS = limit("upload_tensors")  # the largest mechanism has fewer parameters
MAX_HEADER_BYTES = limit("upload_header_bytes")
_NAME = re.compile(r"[A-Za-z0-9_.]{1,200}")
_UNREADABLE = "Expected the weights as a safetensors file in base64; this one cannot be read."


def read_weights(content: bytes) -> dict[str, Tensor]:
    """The tensors of a safetensors file, in float32.

    Raises:
        InputError: the file is invalid, or a tensor has an unexpected name, rank, dtype or size or
            is not finite.
    """
    weight_names(content)
    try:
        tensors = load(content)
    except (SafetensorError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise _refusal(_UNREADABLE) from error
    found = {name: tensor.float() for name, tensor in tensors.items()}
    for name, tensor in found.items():
        if not bool(tensor.isfinite().all()):
            raise _refusal(
                f"{name} should hold finite numbers in the range of float32; it does not."
            )
    return found


def weight_names(content: bytes) -> list[str]:
    """The names of the tensors in a file, sorted, after checking its header.

    Raises:
        InputError: see `read_weights`.
    """
    header, n_bytes = _header(content)
    header.pop("__metadata__", None)
    if len(header) > MAX_TENSORS:
        raise _refusal(f"Expected at most {MAX_TENSORS} tensors; this file has {len(header):,}.")
    spans = sorted(_span(name, entry) for name, entry in header.items())
    spans = [(0, 0), *spans, (n_bytes, n_bytes)]
    if any(before[1] != after[0] for before, after in pairwise(spans)):
        raise _refusal(f"{_UNREADABLE} Its tensors overlap or have gaps between them.")
    return sorted(header)


def _header(content: bytes) -> tuple[dict[str, Any], int]:
    """The header, and the number of data bytes after it."""
    length = int.from_bytes(content[:8], "little")
    n_bytes = len(content) - 8 - length
    if len(content) < 8 or n_bytes < 0:
        raise _refusal(_UNREADABLE)
    if length > MAX_HEADER_BYTES:
        raise _refusal(
            f"Expected a header of at most {MAX_HEADER_BYTES:,} bytes in the safetensors file; "
            f"this one has {length:,}. Remove its metadata and everything that is not a parameter."
        )
    try:
        header = json.loads(content[8 : 8 + length], object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise _refusal(_UNREADABLE) from error
    if not isinstance(header, dict):
        raise _refusal(_UNREADABLE)
    return header, n_bytes


def _span(name: str, entry: object) -> tuple[int, int]:
    """Where a tensor begins and ends in the data; checked against its dtype and shape."""
    if not _NAME.fullmatch(name):
        raise _refusal(
            "Expected parameter names made of letters, digits, dots and underscores, such as "
            "layers.0.attention.w_q.weight; this file has a different one."
        )
    if not isinstance(entry, Mapping) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise _refusal(f"{_UNREADABLE} Its header does not describe {name}.")
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(dtype, str) or dtype not in BYTES:
        raise _refusal(f"{name} should have a floating dtype ({', '.join(BYTES)}); it does not.")
    if not _are_sizes(shape) or len(shape) > MAX_RANK:
        raise _refusal(
            f"{name} should have a shape of at most {MAX_RANK} whole numbers; it does not."
        )
    if 0 in shape:
        raise _refusal(f"{name} should not be empty; a dimension of its shape is 0.")
    if not _are_sizes(offsets) or len(offsets) != 2:
        raise _refusal(f"{_UNREADABLE} Its header has no valid offsets for {name}.")
    begin, end = offsets
    if end - begin != math.prod(shape) * BYTES[dtype]:
        raise _refusal(f"{_UNREADABLE} The length of {name} does not match its shape and dtype.")
    return begin, end


def _are_sizes(value: object) -> bool:
    return isinstance(value, list) and all(type(size) is int and size >= 0 for size in value)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different; with a duplicate it would be ambiguous."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name appears twice")
    return found


def _refusal(message: str) -> InputError:
    return InputError(message, field=FIELD)

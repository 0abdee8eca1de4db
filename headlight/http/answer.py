"""Reads the safetensors file that answers a trace: the JSON part, and the tensors."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

_DTYPES: Mapping[str, np.dtype[Any]] = {
    "F32": np.dtype("<f4"),
    "F16": np.dtype("<f2"),
    "U8": np.dtype("u1"),
}
_LENGTH_BYTES = 8  # of the header's length, at the start


@dataclass(frozen=True)
class Answer:
    """An answer to POST /api/trace."""

    document: dict[str, Any]  # the JSON part
    tensors: Mapping[str, Array]  # such as `layers.2.pattern`; read-only
    metadata: Mapping[str, str] = field(default_factory=dict)  # what else the file says


def read(content: bytes) -> Answer:
    """Read a safetensors file. The tensors are views of it, so nothing is copied."""
    start = _LENGTH_BYTES + int.from_bytes(content[:_LENGTH_BYTES], "little")
    header = json.loads(content[_LENGTH_BYTES:start])
    metadata = header.pop("__metadata__")
    document = json.loads(metadata.pop("trace"))
    tensors = {}
    for name, about in header.items():
        first, last = about["data_offsets"]
        dtype = _DTYPES[about["dtype"]]
        count = (last - first) // dtype.itemsize
        flat = np.frombuffer(content, dtype, count=count, offset=start + first)
        tensors[name] = flat.reshape(about["shape"])
    return Answer(document, tensors, metadata)


def with_metadata(content: bytes, more: Mapping[str, str]) -> bytes:
    """A safetensors file that says more beside its tensors."""
    start = _LENGTH_BYTES + int.from_bytes(content[:_LENGTH_BYTES], "little")
    header = json.loads(content[_LENGTH_BYTES:start])
    header["__metadata__"] |= more
    written = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    written += b" " * (-len(written) % 8)  # tensors begin at a multiple of 8 bytes
    return len(written).to_bytes(_LENGTH_BYTES, "little") + written + content[start:]

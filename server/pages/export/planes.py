"""Numbers in byte planes: their first bytes first, then all second bytes, and so on.

The bytes that hold the exponents then follow one another, so gzip finds how alike they are: it
makes a tenth to a quarter less of the numbers. static/js/files/planes.js undoes it.
"""

import json
import struct

import torch

_BYTES = {"U8": 1, "F16": 2, "F32": 4}


def in_byte_planes(file: bytes) -> bytes:
    """A safetensors file with its widest numbers in byte planes, and single bytes as they are.

    The metadata's `byte_planes` gives the number of planes, so that readers can undo it.

    Args:
        file: float16, float32 or single bytes. The wider numbers come first, as safetensors
            writes them.
    """
    (length,) = struct.unpack_from("<Q", file)
    header = json.loads(file[8 : 8 + length])
    metadata = header.pop("__metadata__", {})
    n_planes = max(_BYTES[entry["dtype"]] for entry in header.values())
    wide = [entry for entry in header.values() if _BYTES[entry["dtype"]] == n_planes]
    end = max(entry["data_offsets"][1] for entry in wide)
    assert end == sum(to - start for start, to in (entry["data_offsets"] for entry in wide))
    metadata["byte_planes"] = str(n_planes)
    text = json.dumps({"__metadata__": metadata, **header}).encode()
    text += b" " * (-len(text) % 8)
    body = torch.frombuffer(bytearray(file[8 + length :]), dtype=torch.uint8)
    planes = body[:end].reshape(-1, n_planes).T.contiguous()
    return struct.pack("<Q", len(text)) + text + bytes(planes.numpy()) + bytes(body[end:].numpy())

"""How the numbers of a page are packed: in byte planes, and as characters that a page keeps.

**Byte planes**: the first bytes of all numbers come first, then all second bytes, and so on. The
bytes that hold the exponents then follow one another, so gzip finds how alike they are: it makes a
tenth to a quarter less of the numbers. static/js/files/planes.js undoes it.

**Letters**: 7 bits in each byte of UTF-8, where base64 has 6. Of the 128 characters of one byte,
121 are safe in a script element and in a string of JavaScript. Two of them have 14,641 values. 14
bits have 16,384: the others are characters of two bytes. So 14 bits always take two bytes.
static/js/files/letters.js does the same.
"""

import json
import struct

import numpy as np
import torch

# what the HTML parser changes, or ends an element; what ends a string; what editors change
_UNSAFE = '\0\t\n\r"<\\'
_SAFE = [chr(code) for code in range(128) if chr(code) not in _UNSAFE]
_OTHERS = range(0x100, 0x100 + 2**14 - len(_SAFE) ** 2)
_PAIRS = np.array(
    [(one + other).encode() for one in _SAFE for other in _SAFE]
    + [chr(code).encode() for code in _OTHERS]
)
_END = b"\x80"  # after it come zeros, as many as make the length a multiple of 7 bytes
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


def to_letters(content: bytes) -> str:
    """Any bytes as text without NUL, tabs, line breaks, quotation marks, `<` and backslashes."""
    filled = content + _END
    filled += bytes(-len(filled) % 7)
    sevens = np.zeros((len(filled) // 7, 8), dtype=np.uint8)
    sevens[:, 1:] = np.frombuffer(filled, dtype=np.uint8).reshape(-1, 7)
    shifts = np.array([42, 28, 14, 0], dtype=np.uint64)
    values = sevens.view(">u8") >> shifts & np.uint64(2**14 - 1)
    return str(_PAIRS[values].tobytes(), "utf-8")

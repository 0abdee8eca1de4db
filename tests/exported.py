"""Reads an exported page: what it carries inside, as static/js/files/ reads it."""

import base64
import gzip
import json
import re
import struct

import numpy as np

_SAFE = [code for code in range(128) if chr(code) not in '\0\t\n\r"<\\']


def inside(html: str) -> dict[str, bytes]:
    """What a page carries, by name."""
    found = re.findall(r'data-inside="([^"]+)">([^<]*)<', html)
    return {name: unpacked(text) for name, text in found}


def written_by(document: str) -> str:
    """The page that the frame of a notebook writes."""
    [packed] = re.findall(r'id="page">([^<]*)<', document)
    return gzip.decompress(base64.b64decode(packed)).decode()


def brought(script: str) -> dict[str, bytes]:
    """What a script of a course puts into its page, by name."""
    found = re.findall(r'\["([^"]+)", "([^"]*)"\]', script)
    return {name: unpacked(text) for name, text in found}


def unpacked(text: str) -> bytes:
    return gzip.decompress(from_letters(text))


def from_letters(text: str) -> bytes:
    """The bytes that server/pages/export/packing.py made text of: 14 bits in each two of UTF-8."""
    first, second = np.frombuffer(text.encode(), np.uint8).reshape(-1, 2).astype(np.uint64).T
    digits = np.zeros(256, np.uint64)
    digits[_SAFE] = range(len(_SAFE))
    two_letters = digits[first] * len(_SAFE) + digits[second]
    one_letter = ((first & 0x1F) << 6 | second & 0x3F) - 0x100 + len(_SAFE) ** 2
    a, b, c, d = np.where(first < 128, two_letters, one_letter).reshape(-1, 4).T
    sevens = (a << 42 | b << 28 | c << 14 | d).astype(">u8").view(np.uint8).reshape(-1, 8)[:, 1:]
    return sevens.tobytes().rstrip(b"\0").removesuffix(b"\x80")


def out_of_planes(file: bytes) -> bytes:
    """A safetensors file with its widest numbers one after another again."""
    (length,) = struct.unpack_from("<Q", file)
    header, body = file[: 8 + length], file[8 + length :]
    entries = json.loads(header[8:])
    n_planes = int(entries.pop("__metadata__")["byte_planes"])
    dtype = {2: "F16", 4: "F32"}[n_planes]
    end = max(each["data_offsets"][1] for each in entries.values() if each["dtype"] == dtype)
    n = end // n_planes
    numbers = bytearray(end)
    for plane in range(n_planes):
        numbers[plane::n_planes] = body[plane * n : (plane + 1) * n]
    return header + bytes(numbers) + body[end:]

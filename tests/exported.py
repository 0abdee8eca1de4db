"""Reads an exported page: what it carries inside, as static/js/files/ reads it."""

import base64
import gzip
import json
import re
import struct

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
    """The bytes that server/pages/export/packing.py made text of, read digit by digit."""
    digits = {chr(code): digit for digit, code in enumerate(_SAFE)}
    letters, bits = iter(text), []
    for letter in letters:
        if letter in digits:
            value = digits[letter] * len(_SAFE) + digits[next(letters)]
        else:
            value = ord(letter) - 0x100 + len(_SAFE) ** 2
        bits.append(f"{value:014b}")
    written = "".join(bits)
    assert len(written) % 8 == 0
    whole = int(written, 2).to_bytes(len(written) // 8) if written else b""
    return whole.rstrip(b"\0").removesuffix(b"\x80")


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

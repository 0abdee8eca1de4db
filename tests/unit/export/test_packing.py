"""Bytes as characters that a page keeps as they are."""

import gzip
import zlib
from functools import partial
from itertools import product, starmap
from pathlib import Path
from random import Random

import numpy as np
import pytest
from safetensors.numpy import load_file

from model.core.checkpoint import SHIPPED
from server.pages.export.carried import packed
from server.pages.export.packing import to_letters
from tests.exported import from_letters


@pytest.mark.parametrize(
    "content",
    [
        *(bytes(n) for n in range(9)),
        *(b"\xff" * n for n in range(9)),
        b"\x80\x80\x00\x80\x00",
        Random(1).randbytes(70_001),
    ],
)
def test_any_bytes_come_out_again_and_never_end_an_element_or_a_string(content: bytes) -> None:
    text = to_letters(content)
    assert from_letters(text) == content
    assert not set(text) & set('\0\t\n\r"<\\')
    assert len(text.encode()) == 8 * (len(content) // 7 + 1)


def test_every_value_has_letters_of_its_own() -> None:
    values = range(2**14)
    content = int("".join(f"{value:014b}" for value in values), 2).to_bytes(2**14 * 14 // 8)
    text = to_letters(content)
    assert from_letters(text) == content
    assert len(text.encode()) == 2 * 2**14 + 8


def test_weights_only_get_codes_and_text_is_looked_up() -> None:
    rows = load_file(SHIPPED / "model.safetensors")["embedding.token.weight"][:400]
    weights = rows.view(np.uint8).reshape(-1, rows.itemsize).T.tobytes()  # in byte planes
    text = Path(__file__).read_bytes()
    for content in (weights, text):
        short = from_letters(str(packed(content)))
        assert gzip.decompress(short) == content
        looked_up = min(
            starmap(partial(_looked_up, content), product((0, zlib.Z_FILTERED), (7, 9)))
        )
        assert len(short) < looked_up if content is weights else len(short) <= looked_up


def _looked_up(content: bytes, strategy: int, memory: int) -> int:
    one = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS + 16, memory, strategy)
    return len(one.compress(content) + one.flush())

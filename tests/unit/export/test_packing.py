"""Bytes as characters that a page keeps as they are."""

from random import Random

import pytest

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

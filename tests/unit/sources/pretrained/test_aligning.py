"""Places of pieces in a text, for tokenizers that do not tell them."""

import pytest

from model.sources.pretrained.text.aligning import places_of


@pytest.mark.parametrize(
    ("pieces", "text", "expected"),
    [
        (["▁The", "▁c", "at"], "The cat", ["The", "c", "at"]),
        (["the", "na", "##ive"], "The naïve", ["The", "na", "ïve"]),
        (["low", "er</w>", "low@@", "er"], "lower lower", ["low", "er", "low", "er"]),
        (["▁", "t", "he", "▁", "你"], "the 你", ["", "t", "he", "", "你"]),
        ([None, "cat"], "Zürich cat", ["Zürich", "cat"]),
        (["a", None], "a 😀 😀", ["a", "😀 😀"]),
        ([None, None, "b"], "x y b", ["x y", "", "b"]),
        (["ﬁ", "n"], "fin", ["fi", "n"]),  # compared by what they are made of
        (["cat", "dog", "sat"], "cat sat", ["cat", "", "sat"]),  # no such thing in the text
        (list("aé".encode("latin-1").decode("latin-1")), "aé", ["a", "é"]),
        ([chr(byte) for byte in "a我".encode()], "a我", ["a", "我", "我", "我"]),
        ([], "", []),
        ([None], "", [""]),
    ],
    ids=str,
)
def test_each_piece_has_what_was_typed(
    pieces: list[str | None], text: str, expected: list[str]
) -> None:
    assert [text[start:end] for start, end in places_of(pieces, text)] == expected


def test_places_never_go_back() -> None:
    text = "An ÀÉÎ ﬁne day, 你好 😀!"
    pieces = ["▁an", "▁", "ae", "i", "▁fin", "e", None, "day", "!", "x", None]
    places = places_of(pieces, text)
    ends = [0, *(end for _, end in places)]
    assert all(
        end <= start <= after <= len(text)
        for end, (start, after) in zip(ends, places, strict=False)
    )

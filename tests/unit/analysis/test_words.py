"""Which tokens are real, special or punctuation."""

import pytest

from model.analysis.words import is_punctuation, words_of
from model.core.tokenizer import Token


@pytest.mark.parametrize("text", [",", " .", "!?", " “", "—", "$", "…", "+="])
def test_a_mark_or_symbol_is_punctuation(text: str) -> None:
    assert is_punctuation(text)


@pytest.mark.parametrize(
    "text",
    ["", " ", "\n\t", "␣", "a", " cat", "don't", "7", "½", "…ing", "<0xE2>", "猫", "ि", "\u200b"],
)
def test_a_letter_digit_accent_or_space_is_not(text: str) -> None:
    assert not is_punctuation(text)


def test_padding_is_not_there_and_special_tokens_are_not_punctuation() -> None:
    row = [
        Token(0, "[PAD]", 0, 0, True, padding=True),
        Token(1, "[BOS]", 0, 0, True),
        Token(9, ",", 0, 1, False),
        Token(8, "a", 1, 2, False),
        Token(7, "|", 2, 2, True),
    ]
    words = words_of(row)
    assert words.ids.tolist() == [0, 1, 9, 8, 7]
    assert words.real.tolist() == [False, True, True, True, True]
    assert words.special.tolist() == [False, True, False, False, True]
    assert words.punctuation.tolist() == [False, False, True, False, False]
    assert words.first == 1
    assert words.counted(specials=False).tolist() == [False, False, True, True, False]
    assert words.counted(specials=True).tolist() == words.real.tolist()

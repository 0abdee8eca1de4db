"""Words and characters as tokens, numbered as they come."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors import TextError
from model.words import tokenize


def texts_of(text: str) -> list[str]:
    [row], _ = tokenize([text], "words")
    return [token.text for token in row]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The cat sat.", ["The", " cat", " sat", "."]),
        ("don't, well-known", ["don't", ",", " well-known"]),
        ("  a  b  ", ["  a", "  b  "]),
        ("3.5 €", ["3", ".", "5", " €"]),
        ("日本 語", ["日本", " 語"]),
        ("", []),
        (" \n", []),
    ],
)
def test_every_word_and_every_mark_is_a_token(text: str, words: list[str]) -> None:
    assert texts_of(text) == words


def test_ids_count_up_from_one_over_all_texts_and_case_does_not_matter() -> None:
    rows, words = tokenize(["The cat the", "a cat"], "words")
    assert [[token.id for token in row] for row in rows] == [[1, 2, 1], [3, 2]]
    assert words == ["", "the", "cat", "a"]


def test_characters_are_tokens_with_their_spaces() -> None:
    [row], words = tokenize(["a b a"], "characters")
    assert [token.id for token in row] == [1, 2, 3, 2, 1]
    assert words == ["", "a", " ", "b"]


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(["words", "characters"]))
def test_tokens_joined_are_the_typed_text(text: str, unit: str) -> None:
    [row], words = tokenize([text], unit)  # type: ignore[arg-type]
    joined = "".join(token.text for token in row)
    assert joined == (text if row else "")
    assert all(text[token.start : token.end] == token.text for token in row)
    assert all(0 < token.id < len(words) for token in row)
    assert bool(row) == bool(text if unit == "characters" else text.strip())


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(TextError):
        tokenize(["a \ud800"], "words")

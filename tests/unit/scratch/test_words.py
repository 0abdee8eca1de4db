"""Words and characters as tokens, numbered in order of appearance."""

import re
import sys
from itertools import accumulate

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from model.errors import TextError
from model.scratch.words import tokenize


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
        ("日本語", ["日", "本", "語"]),
        ("我爱 Python 很多", ["我", "爱", " Python", " 很", "多"]),
        ("ฉันรักแมว", ["ฉั", "น", "รั", "ก", "แ", "ม", "ว"]),
        ("ฉัน รัก แมว", ["ฉัน", " รัก", " แมว"]),
        ("बिल्ली चटाई पर", ["बिल्ली", " चटाई", " पर"]),
        ("e\u0301te\u0301", ["e\u0301te\u0301"]),
        ("می\u200cخواهم", ["می\u200cخواهم"]),
        ("hi 👩\u200d👩\u200d👧👍🏽!", ["hi", " 👩\u200d👩\u200d👧", "👍🏽", "!"]),
        ("a \u0301", ["a", " \u0301"]),
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


def test_a_character_keeps_its_marks() -> None:
    [row], _ = tokenize(["क्षe\u0301🇫🇷"], "characters")
    assert [token.text for token in row] == ["क्ष", "e\u0301", "🇫🇷"]


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


# All words in one pattern, where every code point is a character of a script that has spaces. It
# takes quadratic time, so `tokenize` works differently.
DEFINITION = re.compile(r"\s*(?:\w+(?:['’-]\w+)*|[^\w\s])")
# More of the special characters than random texts would have.
MIXED = st.text(st.sampled_from(" \t\u00a0\u2028\x1caZé9_'’-.,(é€"), max_size=30)
ANY = st.text(st.sampled_from(" aक्षिन้ีか日👩🏽🇫\u0301\u200d\r\n'-"), max_size=30) | st.text(
    st.characters(exclude_categories=["Cs"])
)


@settings(max_examples=400)
@given(MIXED)
def test_words_are_those_of_the_definition(text: str) -> None:
    ends = [match.end() for match in DEFINITION.finditer(text)]
    [row], _ = tokenize([text], "words")
    assert [token.end for token in row] == ([*ends[:-1], len(text)] if ends else [])


@settings(max_examples=400)
@given(ANY)
def test_no_word_ends_within_a_character(text: str) -> None:
    [row], _ = tokenize([text], "words")
    ends = set(accumulate(map(len, regex.findall(r"\X", text))))
    assert {token.end for token in row} <= ends


def test_no_character_is_both_space_and_part_of_a_word() -> None:
    """Which is why the space before a word can be left to whoever cuts it."""
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    assert not set(re.findall(r"\s", every)) & set(re.findall(r"\w", every))


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(TextError):
        tokenize(["a \ud800"], "words")

"""Words in place of pieces: how texts are cut, and what becomes of patterns and bits."""

import pytest
import torch

from model.core.tokenizer import Token
from model.masks.rules import MaskSettings
from model.sources.native import NativeSource
from model.sources.source import Inputs
from model.trace.trace import Trace
from model.trace.words import words_of_row

TEXTS = ("The walrus ate ivory, and the café closed.", "A cat.")


def cut(*pieces: str, special: bool = False) -> list[str]:
    """The words of a text that is cut into these pieces."""
    tokens, end = [], 0
    for piece in pieces:
        tokens.append(Token(0, piece, end, end + len(piece), special))
        end += len(piece)
    return [word.text for word in words_of_row(tokens)]


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        (("un", "bel", "ievable", " x"), ["unbelievable", " x"]),
        (("the", " ", "cat"), ["the", " ", "cat"]),
        (("don", "'", "t", "!", "!"), ["don", "'", "t", "!", "!"]),
        (("foo", "_", "b1", "=", "2"), ["foo_b1", "=", "2"]),
        (("cafe", "\u0301", "s"), ["cafe\u0301s"]),  # a combining accent
        (("世", "界", "です"), ["世", "界", "です"]),  # no spaces: each character
        (("ส", "ว", "\u0e31", "ด"), ["ส", "ว\u0e31", "ด"]),  # with its vowel sign
        (("word", "世", "word"), ["word", "世", "word"]),
        (("para", "\n", "para"), ["para", "\n", "para"]),
        ((" \u0301", "a"), [" \u0301a"]),
    ],
)
def test_a_word_is_a_run_of_letters_or_one_mark(pieces: tuple[str, ...], words: list[str]) -> None:
    assert cut(*pieces) == words
    assert "".join(words) == "".join(pieces)


def test_special_tokens_stand_alone() -> None:
    assert cut("a", "b", special=True) == ["a", "b"]
    named = [Token(0, "a", 0, 1, False), Token(1, "[X]", 1, 1, True), Token(2, "b", 1, 2, False)]
    assert [word.text for word in words_of_row(named)] == ["a", "[X]", "b"]


def test_several_tokens_of_one_character_are_one_word() -> None:
    # with a place that they share, and names of their own
    shared = [Token(0, "é₁⁄₂", 3, 4, False), Token(1, "é₂⁄₂", 3, 4, False)]
    row = [Token(9, "caf", 0, 3, False), *shared, Token(2, "s", 4, 5, False)]
    assert words_of_row(row) == [("cafés", 0, 4)]
    # or without one
    bytes_of = [Token(9, "世", 0, 1, False), Token(1, "", 1, 1, False), Token(2, "", 1, 1, False)]
    assert words_of_row([*bytes_of, Token(3, "界", 1, 2, False)]) == [("世", 0, 3), ("界", 3, 4)]


def test_other_segments_and_gaps_begin_a_word() -> None:
    row = [Token(0, "a", 0, 1, False), Token(1, "b", 1, 2, False, segment=1)]
    assert len(words_of_row(row)) == 2
    assert len(words_of_row([row[0], Token(1, "c", 2, 3, False)])) == 2


@pytest.fixture(scope="module")
def trace(source: NativeSource) -> Trace:
    return source.trace(Inputs(TEXTS, masks=MaskSettings(window=5)))


def test_every_token_is_in_one_word(trace: Trace) -> None:
    for row, words in zip(trace.tokens, trace.words["tokens"], strict=True):
        assert [index for word in words for index in range(word.start, word.stop)] == list(
            range(len(row))
        )
    [first, second] = trace.words["tokens"]
    assert len(first) < len(trace.tokens[0])
    assert [word.text for word in first[:4]] == ["[BOS]", "The", " walrus", " ate"]
    assert [word.text for word in second[:4]] == ["[BOS]", "A", " cat", "."]


@pytest.mark.parametrize("heads", [None, [2, 0]])
def test_weights_are_summed_over_keys_and_averaged_over_queries(
    trace: Trace, heads: list[int] | None
) -> None:
    site, words = trace.sites[1], trace.words["tokens"]
    whole = site.derive(["pattern"], heads=heads)["pattern"]
    got = site.in_words(words, words, heads=heads)
    most = max(map(len, words))
    assert got.shape == (2, whole.shape[1], most, most)
    for text, row in enumerate(words):
        for i, query in enumerate(row):
            for j, key in enumerate(row):
                block = whole[text, :, query.start : query.stop, key.start : key.stop]
                expected = block.sum(-1).mean(-1)
                torch.testing.assert_close(got[text, :, i, j], expected)
        real = got[text, :, : len(row), : len(row)]
        typed = [not trace.tokens[text][word.start].padding for word in row]
        sums = real.sum(-1)[:, torch.tensor(typed)]
        torch.testing.assert_close(sums, torch.ones_like(sums))
        assert not got[text, :, len(row) :].any() and not got[text, :, :, len(row) :].any()


def test_a_word_is_blocked_if_all_of_its_cells_are(trace: Trace) -> None:
    site, words = trace.sites[0], trace.words["tokens"]
    whole = site.derive(["blocked_by"])["blocked_by"]
    got = site.in_words(words, words, name="blocked_by")
    for text, row in enumerate(words):
        for i, query in enumerate(row):
            for j, key in enumerate(row):
                block = whole[text, 0, query.start : query.stop, key.start : key.stop].flatten()
                bits = 0
                for cell in block.tolist():
                    bits |= cell
                assert got[text, 0, i, j] == (bits if (block > 0).all() else 0)


def test_words_are_pooled_like_tokens(trace: Trace) -> None:
    site, words = trace.sites[1], trace.words["tokens"]
    whole = site.in_words(words, words)
    small = site.in_words(words, words, resolution=3)
    assert small.shape[2:] == (3, 3)
    assert small.amax() == whole.amax()
    torch.testing.assert_close(site.in_words(words, words, resolution=99), whole)

"""The Chinese grammar: classifiers, pairs, words without blanks, and nothing that is held out."""

import re
from random import Random

import pytest

from model.core.checkpoint import LANGUAGES
from model.core.tokenizer import Tokenizer, word_tokenizer
from model.training.evaluation.look import place
from model.training.grammar.chinese import lexicon as lex
from model.training.grammar.chinese.grammar import GRAMMAR
from model.training.grammar.chinese.writer import PAIRS, Writer, finish
from model.training.grammar.dice import is_held_out

pytestmark = pytest.mark.long

CLASSIFIER = {noun.word: noun.classifier for nouns in lex.KINDS.values() for noun in nouns}
NUMBERS = "|".join(lex.NUMBERS)


@pytest.fixture(scope="module")
def sentences() -> list[str]:
    """With blanks between their words."""
    writer = Writer(Random(11))
    return [writer.words() for _ in range(3_000)]


def test_a_counted_noun_has_its_own_classifier(sentences: list[str]) -> None:
    counted = rf"(?<!\S)(?:{NUMBERS}|这|那) (\S+) (?:\S+ (?:\S+ )?的 )?(\S+)"
    found = [
        (classifier, noun)
        for sentence in sentences
        for classifier, noun in re.findall(counted, sentence)
        if noun in CLASSIFIER and classifier in CLASSIFIER.values()
    ]
    assert len(found) > 1_500
    assert not [pair for pair in found if CLASSIFIER[pair[1]] != pair[0]]


def test_a_noun_that_comes_first_is_counted_by_its_classifier() -> None:
    writer = Writer(Random(2))
    for _ in range(300):
        [(noun, classifier)] = re.findall(r".*?(\S+) ， .* (\S+)$", writer.topic_first())
        assert CLASSIFIER[noun] == classifier


def test_both_parts_of_a_pair_are_there() -> None:
    writer, pairs = Writer(Random(3)), {(pair.first, pair.second) for pair in lex.PAIRS}
    for _ in range(300):
        words = writer.correlated().split()
        assert any(first in words and second in words for first, second in pairs), words


def test_brackets_and_quotes_close_the_one_opened_last(sentences: list[str]) -> None:
    for sentence in sentences:
        stack: list[str] = []
        for mark in sentence:
            if mark in PAIRS:
                stack.append(mark)
            elif mark in PAIRS.values():
                assert PAIRS[stack.pop()] == mark, sentence
        assert not stack, sentence


def test_training_never_shows_a_held_out_pair_of_a_name_and_a_verb(sentences: list[str]) -> None:
    measured = {verb for name in ("lose", "handle") for verb in lex.VERBS[name]}
    pairs = {
        pair
        for sentence in sentences
        for pair in re.findall(rf"(?<!和 )\b({'|'.join(lex.NAMES)}) (\S+) 了", sentence)
        if pair[1] in measured
    }
    assert len(pairs) > 300
    assert not {pair for pair in pairs if is_held_out(*pair)}


def test_words_are_cut_as_the_grammar_writes_them(sentences: list[str]) -> None:
    tokenizer = Tokenizer.load(LANGUAGES / "chinese" / "tokenizer.json")
    wrong = []
    for sentence in sentences[:1_000]:
        text = finish(sentence)
        cut = [token.text for token in tokenizer.encode(text)[1:]]
        assert "".join(cut) == text
        if cut[: len(sentence.split())] != sentence.split():
            wrong.append((sentence, cut))
    assert len(wrong) < 20, wrong  # where two words make another one, as in 在/上海/鲜


def test_characters_are_read_one_by_one(sentences: list[str]) -> None:
    tokenizer = Tokenizer.load(LANGUAGES / "characters" / "tokenizer.json")
    for sentence in sentences[:1_000]:
        text = finish(sentence)
        assert [token.text for token in tokenizer.encode(text)[1:]] == list(text)


@pytest.mark.parametrize("name", ["chinese", "characters"])
def test_the_words_of_examples_are_found_among_the_tokens(name: str) -> None:
    tokenizer = Tokenizer.load(LANGUAGES / name / "tokenizer.json")
    for row in GRAMMAR.tested(1):
        for _ in range(20):
            example = row.write()
            tokens, placed = tokenizer.encode(example.text), place(tokenizer, example)
            looker = "".join(token.text for token in tokens[placed.first : placed.last + 1])
            assert looker == example.looker, example
            if placed.others is not None:
                assert placed.ids[placed.first] not in placed.others, example


def test_the_longest_word_wins_and_what_is_unknown_is_read_by_characters() -> None:
    tokenizer = word_tokenizer(["大学", "学生", "大学生", "书"])
    tokens = tokenizer.encode("大学生 爱书。")
    assert [token.text for token in tokens] == ["[BOS]", "大学生", " 爱", "", "", "书", "。"]
    assert tokenizer.decode([token.id for token in tokens]) == "大学生爱书。"
    assert tokenizer.token_text(tokens[1].id) == "大学生"
    assert tokenizer.normalise("书,大学生?") == "书，大学生？"

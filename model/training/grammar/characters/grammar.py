"""The grammar of Chinese for a model that reads it character by character."""

from dataclasses import replace

from model.core.tokenizer import Tokenizer, word_tokenizer
from model.training.grammar.chinese.grammar import GRAMMAR as BY_WORDS
from model.training.grammar.chinese.grammar import known_words


def tokenizer() -> Tokenizer:
    """Every character of the words that the grammar writes."""
    return word_tokenizer(character for word in known_words() for character in word)


GRAMMAR = replace(BY_WORDS, language="zh-x-chars", tokenizer=tokenizer, steps=2_400)

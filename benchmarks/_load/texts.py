"""The texts that are typed: sentences of the shipped model's grammar, growing or of one length."""

from collections.abc import Iterator
from random import Random

from model.core.checkpoint import SHIPPED
from model.core.tokenizer import Tokenizer
from model.training.grammar.english.writer import Writer

TOKENS = 16  # of the sentence with which a keystroke is measured, [BOS] included


def typed(seed: int) -> Iterator[str]:
    """The text in the box after each keystroke: one sentence stays, the next one grows.

    About as long as the sentence with which a keystroke is measured; hardly any two are equal.
    """
    writer = Writer(Random(seed))
    before = writer.sentence()
    while True:
        sentence = writer.sentence()
        for end in range(1, len(sentence) + 1):
            yield f"{before} {sentence[:end]}"
        before = sentence


def of_length(seed: int) -> Iterator[str]:
    """Different texts of exactly `TOKENS` tokens."""
    tokenizer = Tokenizer.load(SHIPPED / "tokenizer.json")
    writer = Writer(Random(seed))
    while True:
        text = writer.sentence()
        while len(tokenizer.encode(text)) < TOKENS:
            text = f"{text} {writer.sentence()}"
        tokens = tokenizer.encode(text)
        cut = text[: tokens[TOKENS - 1].end]
        if len(tokenizer.encode(cut)) == TOKENS:  # a cut word may become other tokens
            yield cut

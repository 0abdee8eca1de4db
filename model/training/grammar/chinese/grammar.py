"""The grammar of Chinese, as the recipe takes it, and what is measured of it."""

from random import Random

from model.core.tokenizer import Tokenizer, word_tokenizer
from model.training.grammar.chinese.held_out import HeldOut, Unseen
from model.training.grammar.chinese.writer import Writer
from model.training.grammar.grammar import Along, Grammar, Share, Tested, in_any_language

VOCABULARY_SENTENCES = 60_000


def tokenizer() -> Tokenizer:
    """Every word that the grammar writes, and every character of them for what is unknown."""
    return word_tokenizer(known_words())


def known_words() -> set[str]:
    """The words of many sentences."""
    writer = Writer(Random(0))
    return {word for _ in range(VOCABULARY_SENTENCES) for word in writer.words().split()}


def tested(seed: int) -> list[Tested]:
    """What is measured, in the order of the table."""
    held_out, unseen = HeldOut(Random(seed)), Unseen(Random(seed + 1))
    return [
        Tested(
            held_out.topic_of_classifier,
            Along("topic_of_classifier", "classifier → the noun before it", "predicting", 0.8),
            Share("the classifier of a noun before it", 0.95),
        ),
        Tested(
            held_out.classifier_of_noun,
            Along(
                "classifier_of_noun", "noun → its classifier, across adjectives", "predicting", 0.8
            ),
            Share("a noun that fits its classifier", 0.95),
        ),
        Tested(
            held_out.antecedent_of_possessive,
            Along("antecedent_of_possessive", "possessive → antecedent", "predicting", 0.8),
            Share("gender of a possessive", 0.95),
        ),
        Tested(
            held_out.antecedent_after_because,
            Along(
                "antecedent_after_because", "他 or 她 after 因为 → antecedent", "predicting", 0.8
            ),
            Share("他 or 她 after 因为", 0.95),
        ),
        Tested(
            held_out.first_of_pair,
            Along("first_of_pair", "second correlative → the first", "predicting", 0.8),
            Share("the second correlative", 0.95),
        ),
        Tested(
            held_out.question_word_of_particle,
            Along("question_word_of_particle", "呢 → the question word", "predicting", 0.8),
            Share("吗 or 呢", 0.95),
        ),
        *in_any_language(held_out),
        Tested(
            unseen.any_closing, None, Share("closing around unknown words", 0.8), is_unknown=True
        ),
    ]


GRAMMAR = Grammar("zh", "Chinese-like", Writer, tokenizer, tested, steps=2_000)

"""The grammar of English, as the recipe takes it, and what is measured of it."""

from random import Random

from model.core.tokenizer import Tokenizer, build_tokenizer
from model.training.grammar.english.held_out import HeldOut, Unseen
from model.training.grammar.english.writer import Writer, lexicon_words
from model.training.grammar.grammar import Along, Grammar, Share, Tested

VOCABULARY_SENTENCES = 60_000  # enough for the words that the grammar adds to the lexicon's
CLOSING = Share("closing brackets and quotes", 0.98)


def tokenizer() -> Tokenizer:
    """The tokenizer of the shipped model: the lexicon's words and those that the grammar adds."""
    writer = Writer(Random(0), invented=0.0)
    seen = {
        word
        for _ in range(VOCABULARY_SENTENCES)
        for word in "".join(c if c.isalpha() else " " for c in writer.sentence().lower()).split()
    }
    return build_tokenizer(lexicon_words() | {word for word in seen if len(word) > 1})


def tested(seed: int) -> list[Tested]:
    """What is measured, in the order of the table."""
    held_out, unseen = HeldOut(Random(seed)), Unseen(Random(seed + 1))
    return [
        Tested(
            held_out.subject_of_verb,
            Along("subject_of_verb", "verb → its subject, across a distractor", "predicting", 0.95),
            Share("agreement across a distractor", 0.98),
        ),
        Tested(
            held_out.antecedent_of_reflexive,
            Along("antecedent_of_reflexive", "reflexive → antecedent", "either", 0.95),
        ),
        Tested(
            held_out.antecedent_of_possessive,
            Along("antecedent_of_possessive", "possessive → antecedent", "either", 0.90),
            Share("gender of a possessive", 0.97),
        ),
        Tested(
            held_out.antecedent_after_because,
            Along(
                "antecedent_after_because",
                "he, she, it after “because” → antecedent",
                "either",
                0.80,
            ),
            Share("he or she after “because”", 0.95),
        ),
        Tested(
            held_out.opener_of_bracket,
            Along("opener_of_bracket", "closing bracket → its opener, nested", "either", 0.90),
            CLOSING,
        ),
        Tested(
            held_out.opener_of_quote,
            Along("opener_of_quote", "closing quote → its opener, nested", "either", 0.90),
            CLOSING,
        ),
        Tested(
            held_out.determiner_of_noun,
            Along("determiner_of_noun", "noun → its determiner, across adjectives", "either", 0.90),
        ),
        Tested(
            held_out.value_of_key,
            Along("value_of_key", "key–value recall: key → value", "predicting", 0.90),
            Share("key–value recall", 0.95),
        ),
        Tested(held_out.receiver, None, Share("indirect object", 0.90)),
        Tested(
            unseen.subject_of_verb, None, Share("agreement of unknown words", 0.85), is_unknown=True
        ),
        Tested(
            unseen.any_closing, None, Share("closing around unknown words", 0.85), is_unknown=True
        ),
    ]


GRAMMAR = Grammar("en", "English-like", Writer, tokenizer, tested)

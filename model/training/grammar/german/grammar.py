"""The grammar of German, as the recipe takes it, and what is measured of it."""

import re
from random import Random

from model.core.tokenizer import GERMAN, Tokenizer, build_tokenizer
from model.training.grammar.german.held_out import HeldOut, Unseen
from model.training.grammar.german.writer import Writer
from model.training.grammar.grammar import Along, Grammar, Share, Tested, in_any_language

VOCABULARY_SENTENCES = 60_000
SEEN = 3  # a word that is written less often is spelled in pieces


def tokenizer() -> Tokenizer:
    """Every word that the grammar writes a few times, as it is spelled."""
    writer, seen = Writer(Random(0)), dict[str, int]()
    for _ in range(VOCABULARY_SENTENCES):
        for word in re.findall(r"[^\W\d_]+", writer.sentence()):
            seen[word] = seen.get(word, 0) + 1
    words = {word for word, count in seen.items() if count >= SEEN and len(word) > 1}
    return build_tokenizer(words, alphabet=GERMAN)


def tested(seed: int) -> list[Tested]:
    """What is measured, in the order of the table."""
    held_out, unseen = HeldOut(Random(seed)), Unseen(Random(seed + 1))
    return [
        Tested(
            held_out.subject_of_verb,
            Along("subject_of_verb", "verb → its subject, across a distractor", "predicting", 0.8),
            Share("agreement across a distractor", 0.95),
        ),
        Tested(
            held_out.subject_of_last_verb,
            Along("subject_of_last_verb", "verb at the end → its subject", "predicting", 0.8),
            Share("agreement of a verb at the end", 0.95),
        ),
        Tested(
            held_out.verb_of_prefix,
            Along("verb_of_prefix", "prefix that parted → its verb", "predicting", 0.8),
            Share("a prefix that the verb can have", 0.95),
        ),
        Tested(
            held_out.auxiliary_of_verb,
            Along(
                "auxiliary_of_verb", "participle or infinitive → its auxiliary", "predicting", 0.8
            ),
            Share("participle or infinitive", 0.95),
        ),
        Tested(
            held_out.verb_of_case,
            Along("verb_of_case", "article → the verb that asks for its case", "predicting", 0.8),
            Share("dative or accusative", 0.95),
        ),
        Tested(
            held_out.antecedent_of_possessive,
            Along("antecedent_of_possessive", "possessive → antecedent", "predicting", 0.8),
            Share("gender of a possessive", 0.95),
        ),
        Tested(
            held_out.antecedent_of_pronoun,
            Along("antecedent_of_pronoun", "er, sie, es → antecedent", "either", 0.8),
            Share("er, sie or es", 0.9),
        ),
        *in_any_language(held_out),
        Tested(
            unseen.subject_of_verb, None, Share("agreement of unknown words", 0.8), is_unknown=True
        ),
    ]


GRAMMAR = Grammar("de", "German-like", Writer, tokenizer, tested, steps=2_000)

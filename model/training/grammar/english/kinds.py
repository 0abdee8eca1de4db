"""Which nouns and adjectives go together, and which pairs of words training never shows.

Pairs are split by a hash of the two words: a noun and its distractor ("the keys near the old
cabinet"), a name and a verb ("Mary lost"), two names ("when Mary and John"). Training uses no pair
for which `is_held_out` is true; evaluation uses only those.
"""

from functools import cache

from model.training.grammar.dice import is_held_out
from model.training.grammar.english import lexicon as lex
from model.training.grammar.english.lexicon import Noun, Verb

PEOPLE = lex.MEN + lex.WOMEN + lex.JOBS
OBJECTS = lex.THINGS + lex.CLOTHES
SUBJECTS = PEOPLE + lex.ANIMALS + OBJECTS + lex.FOODS + lex.ABSTRACT
DISTRACTORS = PEOPLE + lex.ANIMALS + OBJECTS + lex.PLACES
KINDS = {
    "person": PEOPLE,
    "animal": lex.ANIMALS,
    "thing": OBJECTS,
    "place": lex.PLACES,
    "food": lex.FOODS,
    "topic": lex.ABSTRACT,
    "body": lex.BODY,
}
KIND_OF = {noun: kind for kind, nouns in reversed(KINDS.items()) for noun in nouns}
ADJECTIVES = {
    "person": lex.TRAITS + lex.MOODS[:20],
    "animal": lex.SIZES + lex.COLORS + lex.TRAITS,
    "thing": lex.SIZES + lex.QUALITIES + lex.COLORS + lex.QUALITIES,
    "place": lex.SIZES + lex.QUALITIES,
    "food": lex.TASTES + lex.COLORS,
    "topic": lex.TOPIC_TRAITS,
    "body": lex.SIZES,
}
NAMES = lex.HE_NAMES + lex.SHE_NAMES


@cache
def distractors(noun: str, held_out: bool = False) -> tuple[Noun, ...]:
    """The nouns that may stand in a phrase after this one, in training or in the held-out half."""
    return tuple(other for other in DISTRACTORS if is_held_out(noun, other.one) == held_out)


@cache
def verbs_of(name: str, verbs: tuple[Verb, ...], held_out: bool = False) -> tuple[Verb, ...]:
    """The verbs that a name may have, in training or in the held-out half."""
    return tuple(verb for verb in verbs if is_held_out(name, verb.base) == held_out)


@cache
def partners(name: str, held_out: bool = False) -> tuple[str, ...]:
    """The names that may follow a name in "when Mary and John", in training or held out."""
    return tuple(other for other in NAMES if other != name and is_held_out(name, other) == held_out)

"""Invented words."""

import re
from functools import cache
from random import Random

from model.training.grammar.dice import Dice
from model.training.grammar.english import lexicon as lex
from model.training.grammar.english.kinds import DISTRACTORS, SUBJECTS
from model.training.grammar.english.lexicon import Noun, Verb

ONSETS = (
    "b bl br c ch cl d dr f fl g gl gr h j k l m n p pl pr r s sh sl sn st t th tr v w z".split()
)
VOWELS = "a e i o u ai ea ee oo ou".split()
CODAS = "b ck d ff g l ll m mp n nd ng nk nt p r rd rk rt s sp st t x zz".split()
# Beginnings and endings of English words, split at a vowel, to invent words that look English.
_SPELLED = sorted({noun.one for noun in SUBJECTS + DISTRACTORS})
_BEGINNINGS = [found[0] for w in _SPELLED if (found := re.match(r"[^aeiou]*[aeiou][^aeiou]?", w))]
_ENDS = [found[0] for w in _SPELLED if (found := re.search(r"[aeiou]+[^aeiou]+(e|y)?$", w))]


@cache
def real_words() -> frozenset[str]:
    """All words that an invented word must differ from, including the held-out words."""
    seen = {form for noun in SUBJECTS + DISTRACTORS for form in (noun.one, noun.many)}
    seen |= {form for noun in lex.UNSEEN.nouns for form in (noun.one, noun.many)}
    return frozenset(seen | {form for verb in lex.UNSEEN.verbs for form in verb})


class Draws(Dice):
    """Draws from one random generator, and invents words.

    `invented` is the share of nouns and verbs that are invented, `strange` the share of sentences
    in which all of them are.
    """

    def __init__(self, rng: Random, invented: float = 0.0, strange: float = 0.0) -> None:
        super().__init__(rng)
        self._invented = invented
        self._strange = strange

    def invented_word(self) -> str:
        """An invented word: random syllables, or the start of one word and the end of another."""
        if self.chance(0.6):
            word = self.pick(_BEGINNINGS) + self.pick(_ENDS)
        else:
            syllables = range(1 + int(self._random() * 2))
            word = "".join(self.pick(ONSETS) + self.pick(VOWELS) for _ in syllables)
            word += self.pick(CODAS)
        forms = {word, *lex.noun(word), *lex.verb(word)}
        return word if forms.isdisjoint(real_words()) else word + "ock"

    def invented_noun(self) -> Noun:
        """With a regular plural."""
        return lex.noun(self.invented_word(), self.pick(("it", "any")))

    def invented_verb(self) -> Verb:
        """With regular forms."""
        return lex.verb(self.invented_word())

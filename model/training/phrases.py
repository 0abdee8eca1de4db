"""Noun phrases of the grammar: who and what a sentence is about, where and when.

Pairs of a noun and a distractor ("the keys near the old cabinet") are split by a hash of the two
words: no phrase ever shows a pair that `is_held_out` names.
"""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import NamedTuple, TypeVar
from zlib import crc32

from model.training import lexicon as lex
from model.training.lexicon import Noun

T = TypeVar("T")
HELD_OUT_SHARE = 0.1


class Pronoun(NamedTuple):
    """he, him, his, himself"""

    subject: str
    object: str
    possessive: str
    reflexive: str


class Phrase(NamedTuple):
    """A noun phrase, and what the rest of the sentence must know of it."""

    text: str
    kind: str  # what it can do: person, animal, thing, place, food or topic
    plural: bool
    pronoun: Pronoun
    noun: Noun | None = None


HE = Pronoun("he", "him", "his", "himself")
SHE = Pronoun("she", "her", "her", "herself")
IT = Pronoun("it", "it", "its", "itself")
THEY = Pronoun("they", "them", "their", "themselves")
PRONOUNS = {"he": HE, "she": SHE, "it": IT}
SPEAKERS = (
    Phrase("I", "person", True, Pronoun("I", "me", "my", "myself")),
    Phrase("you", "person", True, Pronoun("you", "you", "your", "yourself")),
    Phrase("we", "person", True, Pronoun("we", "us", "our", "ourselves")),
)
OWNERS = ("my", "your", "his", "her", "our", "their")

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
ADJECTIVES = {
    "person": lex.TRAITS + lex.MOODS[:20],
    "animal": lex.SIZES + lex.COLORS + lex.TRAITS,
    "thing": lex.SIZES + lex.QUALITIES + lex.COLORS + lex.QUALITIES,
    "place": lex.SIZES + lex.QUALITIES,
    "food": lex.TASTES + lex.COLORS,
    "topic": lex.TOPIC_TRAITS,
    "body": lex.SIZES,
}
ONSETS = (
    "b bl br c ch cl d dr f fl g gl gr h j k l m n p pl pr r s sh sl sn st t th tr v w z".split()
)
VOWELS = "a e i o u ai ea ee oo ou".split()
CODAS = "b ck d ff g ll m mp n nd ng nk p r rd rk rt sp st t x zz".split()


@cache
def is_held_out(noun: str, distractor: str) -> bool:
    """Whether training never shows a noun with a distractor, both named in the singular."""
    return crc32(f"{noun} {distractor}".encode()) / 2**32 < HELD_OUT_SHARE


@cache
def distractors(noun: str, held_out: bool = False) -> tuple[Noun, ...]:
    """The nouns that may stand in a phrase after this one, in training or in the held-out half."""
    return tuple(other for other in DISTRACTORS if is_held_out(noun, other.one) == held_out)


class Phrases:
    """Draws noun phrases from one random generator. `invented` is the share of made-up nouns."""

    def __init__(self, rng: Random, invented: float = 0.03) -> None:
        self._random = rng.random
        self._invented = invented

    def chance(self, share: float) -> bool:
        return self._random() < share

    def pick(self, items: Sequence[T]) -> T:
        return items[int(self._random() * len(items))]

    def noun_phrase(
        self,
        kind: str,
        *,
        determiner: str | None = None,
        plural: bool | None = None,
        noun: Noun | None = None,
    ) -> Phrase:
        """A determiner, perhaps adjectives, and a noun; None draws what is left open."""
        if noun is None:
            noun = self.invented_noun() if self.chance(self._invented) else self.pick(KINDS[kind])
        if plural is None:
            plural = self.chance(0.4)
        words = noun.many if plural else noun.one
        if self.chance(0.3):
            words = f"{self.pick(ADJECTIVES[kind])} {words}"
            if self.chance(0.15):
                words = f"{self.pick(lex.SIZES)} {words}"
            elif self.chance(0.1):
                words = f"{self.pick(lex.DEGREE)} {words}"
        text = self.determined(words, plural) if determiner is None else f"{determiner} {words}"
        pronoun = THEY if plural else self.pronoun(noun)
        return Phrase(text.lstrip(), kind, plural, pronoun, noun)

    def determined(self, words: str, plural: bool) -> str:
        draw = self._random()
        if draw < 0.55:
            return f"the {words}"
        if draw < 0.65:
            return f"{self.pick(OWNERS)} {words}"
        if plural:
            if draw < 0.75:
                return words
            return f"{self.pick(lex.SOME_MANY) if draw < 0.9 else self.pick(lex.NUMBERS)} {words}"
        return article(words) if draw < 0.88 else f"{self.pick(lex.ONE)} {words}"

    def pronoun(self, noun: Noun) -> Pronoun:
        return self.pick((HE, SHE)) if noun.pronoun == "any" else PRONOUNS[noun.pronoun]

    def invented_noun(self) -> Noun:
        """A word that does not exist, with a regular plural."""
        word = "".join(
            self.pick(ONSETS) + self.pick(VOWELS) for _ in range(1 + int(self._random() * 2))
        )
        return lex.noun(word + self.pick(CODAS), self.pick(("it", "any")))

    def name(self) -> Phrase:
        if self.chance(0.5):
            return Phrase(self.pick(lex.HE_NAMES), "person", False, HE)
        return Phrase(self.pick(lex.SHE_NAMES), "person", False, SHE)

    def person(self) -> Phrase:
        return self.name() if self.chance(0.45) else self.noun_phrase("person")

    def gendered(self, he: bool) -> Phrase:
        """A person of whom the words say the gender."""
        if self.chance(0.7):
            return Phrase(
                self.pick(lex.HE_NAMES if he else lex.SHE_NAMES), "person", False, HE if he else SHE
            )
        nouns = lex.MEN if he else lex.WOMEN
        return self.noun_phrase("person", determiner="the", plural=False, noun=self.pick(nouns))

    def two_people(self) -> tuple[Phrase, Phrase]:
        """Two people of different gender, so that a pronoun means one of them."""
        he = self.chance(0.5)
        return self.gendered(he), self.gendered(not he)

    def actor(self) -> Phrase:
        """Somebody who can do something: a person, an animal, or one of those who speak."""
        draw = self._random()
        if draw < 0.6:
            return self.person()
        if draw < 0.75:
            return self.noun_phrase("animal")
        if draw < 0.85:
            return self.pick(SPEAKERS)
        pronoun = self.pick((HE, SHE, THEY))
        return Phrase(pronoun.subject, "person", pronoun is THEY, pronoun)

    def somebody(self) -> str:
        """A person or an animal as an object."""
        draw = self._random()
        if draw < 0.2:
            return self.pick(
                (HE, SHE, THEY, SPEAKERS[0].pronoun, SPEAKERS[1].pronoun, SPEAKERS[2].pronoun)
            ).object
        return self.person().text if draw < 0.8 else self.noun_phrase("animal").text

    def beside(self, noun: Noun | None, plural: bool | None = None) -> str:
        """Where a noun is: a preposition and another noun, never of a held-out pair."""
        other = self.pick(distractors(noun.one) if noun else DISTRACTORS)
        determiner = self.pick(("the", "the", "the", "", "my"))
        phrase = self.noun_phrase(KIND_OF[other], noun=other, determiner=determiner, plural=plural)
        text = phrase.text if determiner or phrase.plural else article(phrase.text)
        return f"{self.pick(lex.PREPOSITIONS)} {text}"

    def where(self) -> str:
        """A place, after a verb."""
        if self.chance(0.1):
            return f"in {self.pick(lex.PLACE_NAMES)}"
        within = self.pick(lex.WITHIN)
        return f"{within} {self.noun_phrase('place', determiner='the', plural=False).text}"

    def thing(self, placed: float = 0.2) -> str:
        """A thing as an object, sometimes with where it is."""
        thing = self.noun_phrase("thing")
        return f"{thing.text} {self.beside(thing.noun)}" if self.chance(placed) else thing.text

    def topic(self) -> str:
        if self.chance(0.3):
            return self.pick(lex.SINGLE_TOPICS)
        topic = self.noun_phrase("topic").text
        return f"{topic} about {self.pick(lex.SINGLE_TOPICS)}" if self.chance(0.2) else topic

    def when(self) -> str:
        draw = self._random()
        if draw < 0.35:
            return self.pick(lex.WHEN)
        if draw < 0.5:
            return f"on {self.pick(lex.DAYS)}"
        if draw < 0.6:
            return f"in {self.pick(lex.MONTHS)}"
        unit = self.pick(lex.UNITS)
        if draw < 0.75:
            return f"{self.pick(('every', 'last', 'next', 'this', 'that', 'each'))} {unit.one}"
        if draw < 0.85:
            return f"for {self.pick(lex.NUMBERS)} {unit.many}"
        if draw < 0.93:
            return f"at {1 + int(self._random() * 12)}" + self.pick((" o'clock", ":30", ""))
        return f"{self.pick(lex.NUMBERS)} {unit.many} ago"


def article(words: str) -> str:
    """The words after "a" or "an"."""
    return f"{'an' if words[0].lower() in 'aeiou' else 'a'} {words}"


KIND_OF = {noun: kind for kind, nouns in reversed(KINDS.items()) for noun in nouns}

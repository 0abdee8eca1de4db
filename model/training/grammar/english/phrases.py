"""Noun phrases of the grammar: people and things, places and times."""

import re
from typing import NamedTuple

from model.training.grammar.english import lexicon as lex
from model.training.grammar.english.draws import Draws
from model.training.grammar.english.kinds import (
    ADJECTIVES,
    DISTRACTORS,
    KIND_OF,
    KINDS,
    distractors,
    partners,
)
from model.training.grammar.english.lexicon import Noun


class Pronoun(NamedTuple):
    """he, him, his, himself"""

    subject: str
    object: str
    possessive: str
    reflexive: str


class Phrase(NamedTuple):
    """A noun phrase, and its properties that the rest of the sentence needs."""

    text: str
    kind: str  # person, animal, thing, place, food or topic
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
# "his", "her" and "him" are used only if there is an antecedent that determines the gender.
OWNERS = ("my", "your", "our", "their")

_SPELLING_MISLEADS = re.compile(r"uni(?!mp|nt)|us[eu]|euro|one\b|hono|hones|hour|heir")


class Phrases(Draws):
    """Draws noun phrases."""

    def noun_phrase(
        self,
        kind: str,
        *,
        determiner: str | None = None,
        plural: bool | None = None,
        noun: Noun | None = None,
    ) -> Phrase:
        """A determiner, perhaps adjectives, and a noun; arguments that are None are drawn."""
        if noun is None:
            noun = self.invented_noun() if self.chance(self._invented) else self.pick(KINDS[kind])
        if plural is None:
            plural = self.chance(0.4)
        words = noun.many if plural else noun.one
        if self.chance(0.33):
            words = f"{self.pick(ADJECTIVES[kind])} {words}"
            if self.chance(0.25):
                words = f"{self.pick(lex.SIZES)} {words}"
            elif self.chance(0.1):
                words = f"{self.pick(lex.DEGREE)} {words}"
        text = self.determined(words, plural) if determiner is None else f"{determiner} {words}"
        pronoun = THEY if plural else self.pronoun(noun)
        return Phrase(text.lstrip(), kind, plural, pronoun, noun)

    def determined(self, words: str, plural: bool) -> str:
        """The words after a determiner, which often tells their number."""
        draw = self._random()
        if draw < 0.45:
            return f"the {words}"
        if draw < 0.53:
            return f"{self.pick(OWNERS)} {words}"
        if plural:
            if draw < 0.65:
                return words
            return f"{self.pick(lex.SOME_MANY) if draw < 0.9 else self.pick(lex.NUMBERS)} {words}"
        return article(words) if draw < 0.78 else f"{self.pick(lex.ONE)} {words}"

    def pronoun(self, noun: Noun) -> Pronoun:
        return self.pick((HE, SHE)) if noun.pronoun == "any" else PRONOUNS[noun.pronoun]

    def name(self) -> Phrase:
        if self.chance(0.5):
            return Phrase(self.favour(lex.HE_NAMES), "person", False, HE)
        return Phrase(self.favour(lex.SHE_NAMES), "person", False, SHE)

    def person(self) -> Phrase:
        return self.name() if self.chance(0.45) else self.noun_phrase("person")

    def gendered(self, he: bool) -> Phrase:
        """A person of whom the words say the gender."""
        if self.chance(0.7):
            return Phrase(
                self.favour(lex.HE_NAMES if he else lex.SHE_NAMES),
                "person",
                False,
                HE if he else SHE,
            )
        nouns = lex.MEN if he else lex.WOMEN
        return self.noun_phrase("person", determiner="the", plural=False, noun=self.favour(nouns))

    def two_names(self) -> tuple[Phrase, Phrase]:
        """Two names, of any gender, that training may show together."""
        one = self.name()
        other = self.pick(partners(one.text))
        return one, Phrase(other, "person", False, HE if other in lex.HE_NAMES else SHE)

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
            return self.pick((THEY, *(speaker.pronoun for speaker in SPEAKERS))).object
        return self.person().text if draw < 0.8 else self.noun_phrase("animal").text

    def beside(self, noun: Noun | None, plural: bool | None = None) -> str:
        """Where a noun is: a preposition and another noun, never of a held-out pair."""
        if self.chance(self._invented):
            other = self.invented_noun()
        else:
            other = self.pick(distractors(noun.one) if noun else DISTRACTORS)
        determiner = self.pick(("the", "the", "the", "", "my"))
        kind = KIND_OF.get(other, "thing")  # an invented noun is a thing
        phrase = self.noun_phrase(kind, noun=other, determiner=determiner, plural=plural)
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
    """The words after "a" or "an", by sound where spelling misleads: a useful day, an hour."""
    vowel = words[0].lower() in "aeiou"
    if _SPELLING_MISLEADS.match(words.lower()):
        vowel = not vowel
    return f"{'an' if vowel else 'a'} {words}"

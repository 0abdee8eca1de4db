"""Noun phrases of German: a determiner, adjectives and a noun, in a case."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from model.training.grammar.dice import Dice, is_held_out
from model.training.grammar.german import lexicon as lex
from model.training.grammar.german.lexicon import Adjective, Case, Gender, Noun

Number = Gender | str  # m, f, n, or "pl"
# The endings of "dies-" and "d-" by gender (or plural) and case.
ENDINGS: dict[str, dict[Case, str]] = {
    "m": {"nom": "er", "acc": "en", "dat": "em"},
    "f": {"nom": "e", "acc": "e", "dat": "er"},
    "n": {"nom": "es", "acc": "es", "dat": "em"},
    "pl": {"nom": "e", "acc": "e", "dat": "en"},
}
THE: dict[str, dict[Case, str]] = {
    "m": {"nom": "der", "acc": "den", "dat": "dem"},
    "f": {"nom": "die", "acc": "die", "dat": "der"},
    "n": {"nom": "das", "acc": "das", "dat": "dem"},
    "pl": {"nom": "die", "acc": "die", "dat": "den"},
}
BARE = {("m", "nom"), ("n", "nom"), ("n", "acc")}  # "ein" has no ending here
OWNERS = ("mein", "dein", "unser")
JOINED = {
    "in dem": "im",
    "an dem": "am",
    "zu dem": "zum",
    "zu der": "zur",
    "bei dem": "beim",
    "von dem": "vom",
    "in das": "ins",
}
NEAR = ("neben", "hinter", "vor", "unter")  # with the dative
BESIDE = ("neben", "hinter", "vor", "unter", "bei", "mit", "auf", "von")
SYLLABLES = (
    "ba be bi bo bru da del dor fa fel fri ga glo gru ka kel kno la lam lo ma mel mo na "
    "nor pa pil plo ra ro sa schi schlo spa sto ta tel tra ul wa wil wo za zi zu"
).split()


class Pronoun(NamedTuple):
    """er, ihn, ihm, and the stem of "sein Buch"."""

    nom: str
    acc: str
    dat: str
    owner: str


PRONOUNS = {
    "m": Pronoun("er", "ihn", "ihm", "sein"),
    "f": Pronoun("sie", "sie", "ihr", "ihr"),
    "n": Pronoun("es", "es", "ihm", "sein"),
    "pl": Pronoun("sie", "sie", "ihnen", "ihr"),
}


class Phrase(NamedTuple):
    """A noun phrase, and its properties that the rest of the sentence needs."""

    text: str
    kind: str  # person, animal, thing, place, food or topic
    plural: bool
    gender: Gender  # of the singular
    noun: Noun | None = None

    @property
    def pronoun(self) -> Pronoun:
        return PRONOUNS["pl" if self.plural else self.gender]


def owned(stem: str, number: str, case: Case) -> str:
    """ "ein", "kein", "mein" with its ending."""
    return stem if (number, case) in BARE else stem + ENDINGS[number][case]


def joined(preposition: str, words: str) -> str:
    """A preposition before a phrase: im Garten, not in dem Garten."""
    first, _, rest = words.partition(" ")
    whole = JOINED.get(f"{preposition} {first}")
    return f"{whole} {rest}" if whole else f"{preposition} {words}"


class Phrases(Dice):
    """Draws noun phrases. `invented` is the share of nouns that are invented, `strange` the share
    of sentences in which all are."""

    def __init__(self, rng: Random, invented: float = 0.0, strange: float = 0.0) -> None:
        super().__init__(rng)
        self._invented, self._strange = invented, strange

    def invented_noun(self) -> Noun:
        """A noun of random syllables, with a gender and a plural that fits it."""
        stem = "".join(self.pick(SYLLABLES) for _ in range(2 + self.chance(0.4))).capitalize()
        gender = self.pick(lex.GENDERS)
        if gender == "f":
            return Noun(f"{stem}ne", f"{stem}nen", "f")
        return Noun(f"{stem}n", f"{stem}ne", gender)

    def noun(self, kind: str) -> Noun:
        return self.invented_noun() if self.chance(self._invented) else self.pick(lex.KINDS[kind])

    def noun_phrase(
        self,
        kind: str,
        case: Case = "nom",
        *,
        plural: bool | None = None,
        noun: Noun | None = None,
        determiner: str = "",
    ) -> Phrase:
        """What is not given is drawn. `determiner`: the, or the stem of a possessive."""
        noun = noun or self.noun(kind)
        plural = self.chance(0.4) if plural is None else plural
        number = "pl" if plural else noun.gender
        describing = self._different(lex.ADJECTIVES[kind], self._n_adjectives())
        text = self._determined(number, case, describing, determiner)
        whole = f"{text} {noun.form(case, plural)}".lstrip()
        return Phrase(whole, kind, plural, noun.gender, noun)

    def _different(self, words: Sequence[Adjective], n: int) -> list[Adjective]:
        found: list[Adjective] = []
        while len(found) < n:
            word = self.pick(words)
            found += [] if word in found else [word]
        return found

    def _n_adjectives(self) -> int:
        draw = self._random()
        return 0 if draw < 0.68 else 1 if draw < 0.92 else 2

    def _determined(
        self, number: str, case: Case, describing: list[Adjective], determiner: str
    ) -> str:
        """A determiner, and adjectives with the endings that it asks for."""
        draw = self._random()
        if determiner == "the" or (not determiner and draw < 0.5):
            first, ending = THE[number][case], self._weak(number, case)
        elif determiner or draw < 0.6:
            stem = determiner or self.pick(OWNERS)
            first, ending = owned(stem, number, case), self._after_ein(number, case)
        elif draw < 0.7:
            stem = self.pick(("dies", "jed" if number != "pl" else "all"))
            first, ending = stem + ENDINGS[number][case], self._weak(number, case)
        elif number != "pl":
            stem = "ein" if draw < 0.95 else "kein"
            first, ending = owned(stem, number, case), self._after_ein(number, case)
        else:
            few = ("", "", "viele", "einige", "wenige", "mehrere")
            first = self.pick((self.pick(few), self.pick(lex.NUMBERS)))
            if first in few and first and case == "dat":
                first += "n"
            ending = ENDINGS["pl"][case]
        return " ".join(filter(None, [first, *(each.stem + ending for each in describing)]))

    def _weak(self, number: str, case: Case) -> str:
        """The ending of an adjective after der, dieser, jeder."""
        strong = number == "pl" or case == "dat" or (number, case) == ("m", "acc")
        return "en" if strong else "e"

    def _after_ein(self, number: str, case: Case) -> str:
        weak = self._weak(number, case)
        return weak if weak == "en" else ENDINGS[number][case]

    def name(self) -> Phrase:
        he = self.chance(0.5)
        return self.named(self.favour(lex.HE_NAMES if he else lex.SHE_NAMES))

    def named(self, name: str) -> Phrase:
        return Phrase(name, "person", False, "m" if name in lex.HE_NAMES else "f")

    def person(self, case: Case = "nom") -> Phrase:
        return self.name() if self.chance(0.45) else self.noun_phrase("person", case)

    def two_names(self) -> tuple[Phrase, Phrase]:
        """Two different names that training may show together."""
        one = self.name()
        rest = [name for name in lex.NAMES if name != one.text]
        return one, self.named(
            self.pick([name for name in rest if not is_held_out(one.text, name)])
        )

    def two_people(self) -> tuple[Phrase, Phrase]:
        """A man and a woman by name, so that a pronoun means one of them."""
        he, she = self.favour(lex.HE_NAMES), self.favour(lex.SHE_NAMES)
        both = (self.named(he), self.named(she))
        return both if self.chance(0.5) else both[::-1]

    def actor(self) -> Phrase:
        """A person, an animal, or one of those meant by a pronoun."""
        draw = self._random()
        if draw < 0.75:
            return self.person()
        if draw < 0.9:
            return self.noun_phrase("animal")
        gender = self.pick(("m", "f"))
        plural = self.chance(0.3)
        text = PRONOUNS["pl" if plural else gender].nom
        return Phrase(text, "person", plural, "m" if gender == "m" else "f")

    def somebody(self, case: Case) -> str:
        """A person or an animal as an object."""
        draw = self._random()
        if draw < 0.1:
            pronoun = self.pick(tuple(PRONOUNS.values()))
            return pronoun.acc if case == "acc" else pronoun.dat
        return self.person(case).text if draw < 0.8 else self.noun_phrase("animal", case).text

    def beside(self, noun: Noun | None, plural: bool | None = None) -> str:
        """Where a noun is: a preposition and another noun, never of a held-out pair."""
        if self.chance(self._invented):
            other = self.invented_noun()
        else:
            others = lex.KINDS[self.pick(("thing", "thing", "person", "animal", "place"))]
            free = [one for one in others if noun is None or not is_held_out(noun.one, one.one)]
            other = self.pick(free)
        return self.placed(other, plural)

    def placed(
        self, other: Noun, plural: bool | None = None, prepositions: Sequence[str] = BESIDE
    ) -> str:
        kind = lex.KIND_OF.get(other, "thing")  # an invented noun is a thing
        phrase = self.noun_phrase(kind, "dat", noun=other, plural=plural, determiner="the")
        return joined(self.pick(prepositions), phrase.text)

    def nearby(self) -> str:
        """Where something happens: beside a thing."""
        return self.placed(self.noun("thing"), prepositions=NEAR)

    def where(self) -> str:
        """A place where something happens."""
        if self.chance(0.15):
            return f"in {self.pick(lex.PLACE_NAMES)}"
        place = self.noun_phrase("place", "dat", plural=False, determiner="the")
        return joined(self.pick(("in", "in", "in", "vor", "hinter", "bei", "neben")), place.text)

    def towards(self) -> str:
        """Where somebody goes."""
        draw = self._random()
        if draw < 0.2:
            return f"nach {self.pick(lex.PLACE_NAMES)}"
        preposition, case = self.pick(_TOWARDS)
        place = self.noun_phrase("place", case, plural=False, determiner="the")
        return joined(preposition, place.text)


_TOWARDS: tuple[tuple[str, Case], ...] = (
    ("in", "acc"),
    ("in", "acc"),
    ("zu", "dat"),
    ("durch", "acc"),
    ("aus", "dat"),
)

"""Held-out sentences for evaluation: relations in combinations that training never shows.

Each example names the word that looks, the word that it should look at, and the alternatives.
"""

from random import Random

from model.training.grammar.dice import is_held_out
from model.training.grammar.english import lexicon as lex
from model.training.grammar.english.kinds import (
    ADJECTIVES,
    KIND_OF,
    KINDS,
    NAMES,
    SUBJECTS,
    distractors,
    partners,
    verbs_of,
)
from model.training.grammar.english.lexicon import Noun, Verb
from model.training.grammar.english.phrases import HE, SHE, Phrase
from model.training.grammar.english.relations import (
    CHOICES,
    PAIRS,
    TELLS_MANY,
    TELLS_ONE,
    VALUES,
    WENT,
)
from model.training.grammar.english.writer import Writer
from model.training.grammar.grammar import Example

# Nouns whose number can be read ("sheep" and its like cannot).
COUNTED = tuple(noun for noun in SUBJECTS if noun.one != noun.many)


class HeldOut(Writer):
    """Writes examples; the same state of the generator gives the same ones."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng, invented=0.0)

    def subject_of_verb(self) -> Example:
        """The keys near the old cabinet are"""
        noun, plural = self.pick(COUNTED), self.chance(0.5)
        right, wrong = self.verb_forms(plural)
        between = f" {self.distractor(noun, not plural)} "
        return Example("The ", noun.many if plural else noun.one, between, right, (wrong,))

    def verb_forms(self, plural: bool) -> tuple[str, str]:
        """A verb that agrees, and the one that would agree with the other number."""
        one, many = self.pick((("is", "are"), ("was", "were"), ("has", "have")))
        return (many, one) if plural else (one, many)

    def distractor(self, noun: Noun, plural: bool) -> str:
        """A phrase with a second noun, in a pair that no training sentence has."""
        other = self.pick(
            [other for other in distractors(noun.one, True) if other.one != other.many]
        )
        adjective = f"{self.pick(ADJECTIVES[KIND_OF[other]])} " if self.chance(0.5) else ""
        words = f"the {adjective}{other.many if plural else other.one}"
        return f"{self.pick(lex.PREPOSITIONS)} {words}"

    def somebody_did(self, verbs: tuple[Verb, ...]) -> tuple[Phrase, str, str, str]:
        """A person, the words before and after, and a held-out verb for what they did."""
        he = self.chance(0.5)
        if self.chance(0.6):
            name = self.pick(lex.HE_NAMES if he else lex.SHE_NAMES)
            who = Phrase(name, "person", False, HE if he else SHE)
            verb = self.pick(verbs_of(name, verbs, held_out=True) or verbs)
            place = f" {self.pick(lex.PREPOSITIONS)} the {self.pick(lex.PLACES).one}"
            return who, "", place if self.chance(0.3) else "", verb.past
        noun = self.pick(lex.MEN if he else lex.WOMEN)
        who = Phrase(noun.one, "person", False, HE if he else SHE, noun)
        place = f" {self.distractor(noun, plural=self.chance(0.5))}"
        return who, "The ", place if self.chance(0.6) else "", self.pick(verbs).past

    def antecedent_of_reflexive(self) -> Example:
        """The woman near the boys saw herself"""
        who, before, place, did = self.somebody_did(lex.REFLECT)
        other = (SHE if who.pronoun is HE else HE).reflexive
        return Example(before, who.text, f"{place} {did} ", who.pronoun.reflexive, (other,))

    def antecedent_of_possessive(self) -> Example:
        """Mary lost her"""
        who, before, place, did = self.somebody_did(lex.WEAR)
        other = (SHE if who.pronoun is HE else HE).possessive
        return Example(before, who.text, f"{place} {did} ", who.pronoun.possessive, (other,))

    def antecedent_after_because(self) -> Example:
        """The cat sat on the mat because it"""
        if self.chance(2 / 3):
            who, before, place, did = self.somebody_did(lex.ACT)
            other = (SHE if who.pronoun is HE else HE).subject
            between = f"{place} {did} because "
            return Example(before, who.text, between, who.pronoun.subject, (other,))
        noun = self.pick(lex.ANIMALS + lex.THINGS)
        verbs = lex.ACT if noun in lex.ANIMALS else lex.HAPPEN
        place = f" {self.distractor(noun, plural=self.chance(0.5))}"
        did = self.pick(verbs).past
        return Example("The ", noun.one, f"{place} {did} because ", "it", ())

    def opener_of_bracket(self) -> Example:
        return self.closing("([")

    def opener_of_quote(self) -> Example:
        return self.closing("\"'")

    def closing(self, marks: str) -> Example:
        """The boy (the girl "the cat" and the dog)"""
        opener = self.pick(marks)
        inside = self.enclosed_words()
        if self.chance(0.7):
            inside += f" {self.enclosed(1, opener)} {self.pick(('and', 'near'))} "
            inside += self.enclosed_words()
        before = f"The {self.noun_phrase('person', determiner='').text} "
        others = tuple(mark for mark in ")]\"'" if mark != PAIRS[opener])
        return Example(before, opener, inside, PAIRS[opener], others)

    def determiner_of_noun(self) -> Example:
        """These big old keys"""
        kind, plural = self.pick(("thing", "person", "animal", "place", "food")), self.chance(0.5)
        noun = self.pick([noun for noun in KINDS[kind] if noun.one != noun.many])
        adjectives = self.many_adjectives(kind, "")
        article = self.pick(TELLS_MANY if plural else TELLS_ONE[:-1])
        return Example("Mary saw ", article, f" {adjectives}", noun.many if plural else noun.one)

    def value_of_key(self) -> Example:
        """Ben chose milk, Anna chose tea and Eva chose rice. Anna chose tea"""
        verb = self.pick(CHOICES)
        pairs = self.choices([name for name in NAMES if is_held_out(name, verb.base)], VALUES)
        clauses = [f"{name} {verb.past} {value}" for name, value in pairs]
        question = int(self._random() * len(pairs))
        before = ", ".join(clauses[:question])
        before += "" if question == 0 else " and " if question == len(clauses) - 1 else ", "
        before += clauses[question].removesuffix(pairs[question][1])
        after = [*(", " + one for one in clauses[question + 1 : -1])]
        after += [f" and {clauses[-1]}"] if question < len(clauses) - 1 else []
        name, value = pairs[question]
        return Example(before, value, f"{''.join(after)}. {name} {verb.past} ", value, None)

    def receiver(self) -> Example:
        """When Mary and John went to the store, John gave a drink to Mary"""
        one = self.name().text
        two = self.pick(partners(one, held_out=True))
        start = f"{self.pick(WENT)} to the {self.pick(lex.PLACES).one}"
        gave = f"{self.pick(lex.GIVE).past} the {self.pick(lex.THINGS).one} to "
        if self.chance(0.5):
            return Example("When ", one, f" and {two} {start}, {two} {gave}", one, (two,))
        return Example(f"When {one} and ", two, f" {start}, {one} {gave}", two, (one,))


class Unseen(HeldOut):
    """The same with nouns and verbs that never occur in training."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._invented = 1.0

    def invented_noun(self) -> Noun:
        return self.pick(lex.UNSEEN.nouns)

    def invented_verb(self) -> Verb:
        return self.pick(lex.UNSEEN.verbs)

    def subject_of_verb(self) -> Example:
        """The gherkins that wobbled near the walrus are"""
        noun, plural = self.invented_noun(), self.chance(0.5)
        right, wrong = self.verb_forms(plural)
        other = self.invented_noun()
        place = f"{self.pick(lex.PREPOSITIONS)} the {other.one if plural else other.many}"
        between = (
            f" that {self.invented_verb().past} {place} " if self.chance(0.5) else f" {place} "
        )
        return Example("The ", noun.many if plural else noun.one, between, right, (wrong,))

    def any_closing(self) -> Example:
        return self.closing("([\"'")

    def enclosed_words(self) -> str:
        who = self.noun_phrase("thing")
        draw = self._random()
        if draw < 0.4:
            return who.text
        if draw < 0.7:
            return f"{who.text} that {self.invented_verb().past}"
        return f"{who.text} {self.beside(who.noun)}"

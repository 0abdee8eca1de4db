"""Held-out German sentences for evaluation: relations between words that training never pairs."""

from random import Random

from model.training.grammar.dice import is_held_out
from model.training.grammar.german import lexicon as lex
from model.training.grammar.german.lexicon import Noun, Verb
from model.training.grammar.german.phrases import PRONOUNS, THE, Phrase, owned
from model.training.grammar.german.writer import CHOICES, PAIRS, VALUES, Writer
from model.training.grammar.grammar import Example

# Nouns whose number can be read ("Schlüssel" and its like have one form).
COUNTED = tuple(
    noun
    for kind in ("person", "animal", "thing", "food")
    for noun in lex.KINDS[kind]
    if noun.one != noun.many
)
OTHERS = tuple(noun for kind in ("person", "animal", "thing", "place") for noun in lex.KINDS[kind])
PREFIXES_OF = {
    one.base: {each.prefix for name in ("separable_thing", "separable_act")
               for each in lex.VERBS[name] if each.base == one.base}
    for name in ("separable_thing", "separable_act")
    for one in lex.VERBS[name]
}  # fmt: skip
PREFIXES = sorted(set().union(*PREFIXES_OF.values()))


class HeldOut(Writer):
    """Writes examples; the same state of the generator gives the same ones."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)

    def capital(self, number: str) -> str:
        return THE[number]["nom"].capitalize()

    def subject_and_place(self) -> tuple[str, Noun, bool, str]:
        """A determiner, a noun and whether it is plural, and a place of the other number."""
        noun, plural = self.pick(COUNTED), self.chance(0.5)
        others = [one for one in OTHERS if is_held_out(noun.one, one.one) and one.one != one.many]
        place = self.placed(self.pick(others or OTHERS), not plural)
        return THE["pl" if plural else noun.gender]["nom"], noun, plural, place

    def subject_of_verb(self) -> Example:
        """Die Schlüssel neben dem alten Schrank sind"""
        the, noun, plural, place = self.subject_and_place()
        forms = self.pick((("ist", "sind"), ("war", "waren")))
        text = noun.form("nom", plural)
        return Example(f"{the.capitalize()} ", text, f" {place} ", forms[plural],
                       (forms[not plural],))  # fmt: skip

    def subject_of_last_verb(self) -> Example:
        """Anna glaubt, dass die Schlüssel neben dem Schrank kaputt sind"""
        the, noun, plural, place = self.subject_and_place()
        kind = lex.KIND_OF[noun]
        forms = self.pick((("ist", "sind"), ("war", "waren")))
        start = f"{self.name().text} {self.pick(lex.VERBS['know']).third}, dass {the} "
        between = f" {place} {self.quality(kind)} "
        return Example(start, noun.form("nom", plural), between, forms[plural],
                       (forms[not plural],))  # fmt: skip

    def somebody_does(self, name: str) -> tuple[Phrase, Verb]:
        """A name and a verb that training never puts together."""
        while True:
            who = self.named(self.pick(lex.NAMES))
            verbs = [verb for verb in lex.VERBS[name] if is_held_out(who.text, verb.name)]
            if verbs:
                return who, self.pick(verbs)

    def verb_of_prefix(self) -> Example:
        """Anna macht die alte Tür auf"""
        who, verb = self.somebody_does("separable_thing")
        known = PREFIXES_OF[verb.base]
        others = tuple(prefix for prefix in PREFIXES if prefix not in known)
        thing = self.noun_phrase("thing", "acc", determiner="the").text
        return Example(f"{who.text} ", verb.third, f" {thing} ", verb.prefix, others)

    def auxiliary_of_verb(self) -> Example:
        """Anna hat den alten Brief gelesen"""
        while True:
            who, verb = self.somebody_does("handle")
            if verb.participle != verb.base:
                break
        thing = self.noun_phrase("thing", "acc").text
        if self.chance(0.5):
            return Example(f"{who.text} ", "hat", f" {thing} ", verb.participle, (verb.base,))
        modal = self.pick(("will", "kann", "muss"))
        return Example(f"{who.text} ", modal, f" {thing} ", verb.base, (verb.participle,))

    def verb_of_case(self) -> Example:
        """Peter hilft heute dem"""
        dative = self.chance(0.5)
        who, verb = self.somebody_does("dative_person" if dative else "accusative_person")
        adverb = f" {self.pick(lex.ALWAYS + lex.WHEN_NOW)} "
        articles = ("dem", "den") if dative else ("den", "dem")
        return Example(f"{who.text} ", verb.third, adverb, articles[0], articles[1:])

    def antecedent_of_possessive(self) -> Example:
        """Anna verlor ihren"""
        who, verb = self.somebody_does("own")
        ending = self.pick(("m", "f", "n"))
        mine = owned(who.pronoun.owner, ending, "acc")
        other = owned("ihr" if who.pronoun.owner == "sein" else "sein", ending, "acc")
        return Example("", who.text, f" {verb.past} ", mine, (other,))

    def antecedent_of_pronoun(self) -> Example:
        """Die Lampe neben dem Tisch ist kaputt, weil sie"""
        noun = self.pick(lex.KINDS["thing"])
        others = [one for one in lex.KINDS["thing"]
                  if one.gender != noun.gender and is_held_out(noun.one, one.one)]  # fmt: skip
        place = f" {self.placed(self.pick(others), False)}" if others else ""
        pronouns = tuple(PRONOUNS[each].nom for each in lex.GENDERS if each != noun.gender)
        between = f"{place} ist {self.quality('thing')}, weil "
        again = PRONOUNS[noun.gender].nom
        return Example(f"{self.capital(noun.gender)} ", noun.one, between, again, pronouns)

    def opener_of_bracket(self) -> Example:
        return self.closing("([")

    def opener_of_quote(self) -> Example:
        return self.closing("„")

    def closing(self, marks: str) -> Example:
        """Der Junge (das Mädchen „die Katze“ und der Hund)"""
        opener = self.pick(marks)
        inside = self.enclosed_words()
        if self.chance(0.7):
            inside += f" {self.enclosed(1, opener)} und {self.enclosed_words()}"
        who = self.noun_phrase("person", determiner="the").text
        others = tuple(mark for mark in PAIRS.values() if mark != PAIRS[opener])
        before = f"{who[0].upper()}{who[1:]} "
        return Example(before, opener, inside, PAIRS[opener], others)

    def value_of_key(self) -> Example:
        """Max wählt Tee, Anna wählt Milch und Eva wählt Reis. Anna wählt Milch"""
        verb = self.pick(CHOICES)
        names = [name for name in lex.NAMES if is_held_out(name, verb.name)]
        pairs = self.choices(names, VALUES)
        clauses = [f"{name} {verb.third} {value}" for name, value in pairs]
        asked = int(self._random() * (len(pairs) - 1))  # the last one has "und" before it
        name, value = pairs[asked]
        before = "".join(f"{clause}, " for clause in clauses[:asked]) + f"{name} {verb.third} "
        after = "".join(f", {clause}" for clause in clauses[asked + 1 : -1])
        between = f"{after} und {clauses[-1]}. {name} {verb.third} "
        return Example(before, value, between, value, None)

    def receiver_of_gift(self) -> Example:
        """Als Anna und Peter im Park waren, schenkte Peter Anna"""
        one = self.name().text
        two = self.pick([name for name in lex.NAMES if name != one and is_held_out(one, name)])
        arrived = self.arrived()
        verb = self.pick(lex.VERBS["give"]).past
        giver, whom = (one, two) if self.chance(0.5) else (two, one)
        start, end = f"Als {one} und {two} {arrived}, {verb} ", f"{giver} "
        if whom == one:
            return Example("Als ", one, f" und {two} {arrived}, {verb} {end}", one, (two,))
        return Example(f"Als {one} und ", two, f"{start.partition(two)[2]}{end}", two, (one,))


class Unseen(HeldOut):
    """The same with nouns that never occur in training."""

    def subject_of_verb(self) -> Example:
        noun, plural = self.pick(lex.UNSEEN), self.chance(0.5)
        while noun.one == noun.many:
            noun = self.pick(lex.UNSEEN)
        other = self.pick(lex.UNSEEN)
        the = THE["pl" if plural else noun.gender]["nom"].capitalize()
        forms = self.pick((("ist", "sind"), ("war", "waren")))
        place = f" {self.placed(other, not plural)} "
        return Example(f"{the} ", noun.form("nom", plural), place, forms[plural],
                       (forms[not plural],))  # fmt: skip

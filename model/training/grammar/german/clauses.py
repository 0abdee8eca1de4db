"""Clauses of German: the finite verb comes second, or last; the rest of the verb closes it."""

from collections.abc import Callable
from typing import NamedTuple

from model.training.grammar.dice import is_held_out, weighted
from model.training.grammar.german import lexicon as lex
from model.training.grammar.german.lexicon import Case, Verb
from model.training.grammar.german.phrases import PRONOUNS, Phrase, Phrases

MODALS = (("will", "wollen"), ("kann", "können"), ("muss", "müssen"), ("soll", "sollen"),
          ("darf", "dürfen"), ("möchte", "möchten"))  # fmt: skip
HAVE, BE = ("hat", "haben"), ("ist", "sind")
WAS = ("war", "waren")
TALKING = ("sagt", "glaubt", "weiß", "hofft", "denkt", "meint", "hört", "sieht")


OBJECTS = {form for each in PRONOUNS.values() for form in (each.acc, each.dat)}


class Predicate(NamedTuple):
    """The finite verb, what follows it, and what closes the clause; perhaps a clause after it."""

    finite: str
    middle: str
    final: str = ""
    is_prefix: bool = False  # `final` and the finite verb are one word at the end of a clause
    after: str = ""

    def main(self, who: str) -> str:
        """Anna macht heute die Tür auf"""
        return _words(who, self.finite, self.middle, self.final) + self.after

    def inverted(self, opener: str, who: str) -> str:
        """Heute macht Anna die Tür auf"""
        return _words(opener, self.finite, who, self.middle, self.final) + self.after

    def last(self, who: str) -> str:
        """(weil) Anna heute die Tür aufmacht"""
        end = self.final + self.finite if self.is_prefix else _words(self.final, self.finite)
        return _words(who, self.middle, end) + self.after


def _words(*parts: str) -> str:
    return " ".join(filter(None, parts))


class Clauses(Phrases):
    """Draws a predicate for a subject. `depth` counts the enclosing clauses."""

    _is_opened = False  # whether an adverb of time opens the sentence
    _is_past: bool | None = None  # the time of all clauses of a sentence; None: any

    def conjugate(
        self, verb: Verb, who: Phrase, rest: str = "", after: str = "", first: str = ""
    ) -> Predicate:
        """A verb in some tense, agreeing with its subject, and perhaps an adverb before `rest`.

        `first` comes before the adverb, as a pronoun does: hat sich oft verletzt.
        """
        number, is_past = int(who.plural), self.draw_tense()
        middle = _words(first, self.aside(is_past), rest)
        if self.chance(0.6):
            finite = verb.finite(who.plural, past=is_past)
            return Predicate(finite, middle, verb.prefix, verb.prefix != "", after)
        if is_past:
            auxiliary = BE if verb.name in lex.MOVES else HAVE
            closing = verb.prefix + verb.participle
            return Predicate(auxiliary[number], middle, closing, after=after)
        return Predicate(self.pick(MODALS)[number], middle, verb.name, after=after)

    def draw_tense(self) -> bool:
        """Whether a clause is about the past. Clauses of one sentence are about the same time."""
        return self.chance(0.45) if self._is_past is None else self._is_past

    def of(self, name: str, who: Phrase) -> Verb:
        """A verb of a list that is not held out for this subject."""
        subject = who.text if who.noun is None else ""
        while is_held_out(subject, (verb := self.pick(lex.VERBS[name])).name):
            pass  # nine of ten are free
        return verb

    def aside(self, past: bool) -> str:
        """An adverb before the object that fits the tense, or nothing."""
        draw = self._random()
        if draw < 0.55 or self._is_opened:
            return ""
        return self.pick(lex.WHEN_PAST if past else lex.WHEN_NOW) if draw < 0.8 else self.often()

    def often(self) -> str:
        return self.pick(lex.ALWAYS)

    def opened(self, who: Phrase, depth: int = 0) -> str:
        """Heute macht Anna die Tür auf"""
        opener = self.pick(lex.OPENERS)
        self._is_opened = opener in lex.WHEN + lex.ALWAYS  # one is enough
        try:
            return self.predicate(who, depth).inverted(opener, who.text)
        finally:
            self._is_opened = False

    def predicate(self, who: Phrase, depth: int = 0) -> Predicate:
        if who.kind in ("person", "animal"):
            does = _ANIMAL if who.kind == "animal" else _PERSON if depth < 1 else _PERSON_FLAT
            return self.pick(does)(self, who)
        if who.kind in ("topic", "place", "food") or self.chance(0.65):
            return self.state(who)
        name = self.pick(("happen", "happen_sein"))
        return self.conjugate(self.of(name, who), who)

    def quality(self, kind: str) -> str:
        """An adjective after "ist"."""
        word = self.pick(lex.ADJECTIVES[kind]).alone
        return f"{self.pick(lex.DEGREE)} {word}" if self.chance(0.25) else word

    def state(self, who: Phrase) -> Predicate:
        """ist …, war …"""
        finite = (WAS if self.draw_tense() else BE)[int(who.plural)]
        draw = self._random()
        if draw < 0.12:
            return Predicate(finite, self.where())
        if draw < 0.2:
            return Predicate(finite, f"{self.pick(lex.COMPARATIVES)} als {self.compared(who)}")
        middle = self.pick(("nicht", "immer", "noch", "auch", "", "", "", "", "", ""))
        return Predicate(finite, _words(middle, self.quality(who.kind)))

    def compared(self, who: Phrase) -> str:
        return self.noun_phrase(who.kind, "nom", plural=who.plural, determiner="the").text

    def act(self, who: Phrase) -> Predicate:
        manner = self.pick((*lex.MANNER, "nicht")) if self.chance(0.5) else ""
        return self.conjugate(self.of("act", who), who, manner)

    def stand(self, who: Phrase) -> Predicate:
        where = self.where() if self.chance(0.6) else self.nearby()
        return self.conjugate(self.of("stand", who), who, where)

    def go(self, who: Phrase) -> Predicate:
        return self.conjugate(self.of("motion", who), who, self.towards())

    def meet(self, who: Phrase) -> Predicate:
        return self._towards("accusative_person", who, self.somebody("acc"))

    def help(self, who: Phrase) -> Predicate:
        return self._towards("dative_person", who, self.somebody("dat"))

    def handle(self, who: Phrase) -> Predicate:
        return self._with("handle", who, self.thing())

    def part(self, who: Phrase) -> Predicate:
        """macht die Tür auf"""
        if self.chance(0.35):
            return self._with("separable_act", who, "")
        return self._with("separable_thing", who, self.thing())

    def own(self, who: Phrase) -> Predicate:
        """verliert seinen Schlüssel"""
        thing = self.noun_phrase("thing", "acc", determiner=who.pronoun.owner)
        return self._with("own", who, thing.text)

    def reflect(self, who: Phrase) -> Predicate:
        verb = self.of("reflect", who)
        return self.conjugate(verb, who, first="sich")

    def consume(self, who: Phrase) -> Predicate:
        if self.chance(0.5):
            return self._with("drink" if self.chance(0.3) else "eat", who, self.mass())
        return self._with("eat", who, self.noun_phrase("food", "acc").text)

    def give(self, who: Phrase) -> Predicate:
        both = f"{self.person('dat').text} {self.thing()}"
        return self._with("give", who, both)

    def mind(self, who: Phrase) -> Predicate:
        return self._with("mind", who, self.noun_phrase("topic", "acc").text)

    def say(self, who: Phrase) -> Predicate:
        """glaubt, dass die Kinder schlafen"""
        return self.conjugate(self.of("know", who), who, after=f", dass {self.last_clause()}")

    def last_clause(self) -> str:
        """A clause with the verb at its end; the subject may be far from it."""
        who = self.subject()
        place = f" {self.beside(who.noun, self._other(who))}" if self._has_place(who) else ""
        return self.predicate(who, 1).last(who.text + place)

    def _has_place(self, who: Phrase) -> bool:
        return who.noun is not None and self.chance(0.3)

    def _other(self, who: Phrase) -> bool | None:
        """Mostly the other number: there the nearest noun is the wrong one to agree with."""
        return not who.plural if self.chance(0.7) else None

    def subject(self) -> Phrase:
        if self.chance(0.7):
            return self.actor()
        kind = self.pick(("thing", "thing", "food", "topic", "place"))
        return self.noun_phrase(kind)

    def thing(self, case: Case = "acc") -> str:
        return self.noun_phrase("thing", case).text

    def mass(self) -> str:
        """Milch, kein Wasser, den Tee"""
        return self.pick(lex.MASS[self.pick(lex.GENDERS)])

    def _towards(self, name: str, who: Phrase, whom: str) -> Predicate:
        """A verb and a person, who comes first as a pronoun."""
        if whom in OBJECTS:
            return self.conjugate(self.of(name, who), who, first=whom)
        return self._with(name, who, whom)

    def _with(self, name: str, who: Phrase, rest: str) -> Predicate:
        """A verb of a list and its object."""
        return self.conjugate(self.of(name, who), who, rest)


_PERSON_FLAT: tuple[Callable[[Clauses, Phrase], Predicate], ...] = weighted({
    Clauses.act: 3, Clauses.stand: 3, Clauses.go: 3, Clauses.meet: 4, Clauses.help: 4,
    Clauses.handle: 3, Clauses.part: 5, Clauses.own: 4, Clauses.reflect: 1, Clauses.consume: 3,
    Clauses.give: 3, Clauses.mind: 3, Clauses.state: 4,
})  # fmt: skip
_PERSON = _PERSON_FLAT + weighted({Clauses.say: 3})
_ANIMAL: tuple[Callable[[Clauses, Phrase], Predicate], ...] = weighted({
    Clauses.act: 2, Clauses.stand: 3, Clauses.go: 3, Clauses.meet: 2, Clauses.consume: 2,
    Clauses.state: 4,
})  # fmt: skip

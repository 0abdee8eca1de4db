"""Clauses of the grammar: verbs that agree with their subject, and their complements."""

from collections.abc import Callable

from model.training.grammar.dice import weighted
from model.training.grammar.english import lexicon as lex
from model.training.grammar.english.kinds import ADJECTIVES, verbs_of
from model.training.grammar.english.lexicon import Verb
from model.training.grammar.english.phrases import Phrase, Phrases, article


class Clauses(Phrases):
    """Draws a predicate for a subject. `depth` counts the enclosing clauses."""

    def be(self, who: Phrase, past: bool = False) -> str:
        if who.text == "I":
            return "was" if past else "am"
        if past:
            return "were" if who.plural else "was"
        return "are" if who.plural else "is"

    def have(self, who: Phrase) -> str:
        return "had" if self.chance(0.5) else "have" if who.plural else "has"

    def conjugate(self, verb: Verb, who: Phrase) -> str:
        """A verb in some tense, agreeing with its subject."""
        draw = self._random()
        if draw < 0.4:
            return verb.past
        if draw < 0.62:
            return verb.base if who.plural else verb.third
        if draw < 0.72:
            return f"{self.be(who, past=draw < 0.66)} {verb.ing}"
        if draw < 0.80:
            return f"{self.have(who)} {verb.participle}"
        if draw < 0.86:
            return f"{self.pick(lex.MODALS)} {verb.base}"
        if draw < 0.90:
            return f"{self.pick(lex.ALWAYS)} {verb.past}"
        if draw < 0.93:
            return f"did not {verb.base}"
        if draw < 0.96:
            return f"{'do' if who.plural else 'does'} not {verb.base}"
        cannot = self.pick(("didn", "couldn", "wouldn", "don" if who.plural else "doesn"))
        return f"{cannot}'t {verb.base}"

    def does(self, verbs: tuple[Verb, ...], who: Phrase) -> str:
        """One of these verbs, or an invented one, agreeing with its subject."""
        if self.chance(self._invented):
            return self.conjugate(self.invented_verb(), who)
        return self.conjugate(self.one_of(verbs, who), who)

    def did_one(self, verbs: tuple[Verb, ...], who: Phrase) -> str:
        """One of these verbs in the past."""
        return self.one_of(verbs, who).past

    def one_of(self, verbs: tuple[Verb, ...], who: Phrase) -> Verb:
        """A verb that is not held out for this name."""
        return self.pick(verbs_of(who.text if who.noun is None else "", verbs))

    def predicate(self, who: Phrase, depth: int = 0) -> str:
        """A verb that agrees with its subject, and its complements."""
        if who.kind == "person":
            deeper = _PERSON_DOES if depth < 2 else _PERSON_DOES_FLAT
            return self.pick(deeper)(self, who, depth)
        if who.kind == "animal":
            return self.pick(_ANIMAL_DOES)(self, who, depth)
        if self.chance(0.6) or who.kind not in ("thing", "food"):
            return self.state(who, depth)
        verb, adverb = self.does(lex.HAPPEN, who), ""
        if self.chance(0.4):
            adverb = f" {self.pick(lex.MANNER)}"
        return verb + adverb

    def clause(self, depth: int = 0) -> str:
        """A subject and a predicate."""
        draw = self._random()
        if draw < 0.7:
            who = self.actor()
        else:
            who = self.noun_phrase(self.pick(("thing", "food", "topic", "thing", "place")))
        return f"{who.text} {self.predicate(who, depth)}"

    def quality(self, who: Phrase) -> str:
        """An adjective for a subject, to follow "is"."""
        words = lex.TASTES if who.kind == "food" else ADJECTIVES[who.kind]
        if who.kind == "person":
            words = lex.MOODS + lex.TRAITS
        adjective = self.pick(words)
        return f"{self.pick(lex.DEGREE)} {adjective}" if self.chance(0.25) else adjective

    def state(self, who: Phrase, depth: int) -> str:
        """is …, was …, seems …"""
        draw = self._random()
        if draw < 0.12:
            verbs = lex.TASTE if who.kind == "food" else lex.LINK
            return f"{self.does(verbs, who)} {self.quality(who)}"
        be = self.be(who, past=self.chance(0.4))
        if draw < 0.2:
            be += self.pick((" not", " always", " never", " often", " still", " also"))
        if draw < 0.65 or who.kind == "topic":
            return f"{be} {self.quality(who)}"
        if draw < 0.75 and who.kind == "person":
            job = self.pick(lex.JOBS)
            return (
                f"{be} {self.quality(who)} {job.many}" if who.plural else f"{be} {article(job.one)}"
            )
        if draw < 0.8 and who.kind != "person":
            return f"{be} made of {self.pick(lex.MASS)}"
        return f"{be} {self.beside(who.noun)}" if draw < 0.92 else f"{be} {self.where()}"

    def act(self, who: Phrase, depth: int) -> str:
        draw = self._random()
        if draw < 0.4:
            return f"{self.does(lex.ACT, who)} {self.pick(lex.MANNER)}"
        if draw < 0.7:
            return f"{self.does(lex.STAND, who)} {self.beside(None)}"
        return self.does(lex.ACT, who)

    def go(self, who: Phrase, depth: int) -> str:
        place = self.pick(
            (
                self.noun_phrase("place", determiner="the", plural=False).text,
                self.pick(lex.PLACE_NAMES),
            )
        )
        return f"{self.does(lex.MOTION, who)} {self.pick(lex.TOWARDS)} {place}"

    def meet(self, who: Phrase, depth: int) -> str:
        verb = self.does(lex.MEET, who)
        if self.chance(0.2):
            animal = self.noun_phrase(self.pick(("animal", "person")))
            return f"{verb} {animal.text} {self.beside(animal.noun)}"
        return f"{verb} {self.somebody()}"

    def handle(self, who: Phrase, depth: int) -> str:
        verb = self.does(lex.HANDLE, who)
        return f"{verb} it" if self.chance(0.08) else f"{verb} {self.thing()}"

    def own(self, who: Phrase, depth: int) -> str:
        """Mary lost her key."""
        kind = self.pick(("thing", "thing", "body", "food"))
        verbs = {"thing": lex.WEAR, "body": lex.REFLECT, "food": lex.EAT}[kind]
        owned = self.noun_phrase(kind, determiner=who.pronoun.possessive)
        return f"{self.does(verbs, who)} {owned.text}"

    def reflect(self, who: Phrase, depth: int) -> str:
        """Mary saw herself."""
        tail = f" {self.pick(('in the mirror', 'again', 'in the water', 'yesterday', 'well'))}"
        verb = self.does(lex.REFLECT, who)
        return f"{verb} {who.pronoun.reflexive}{tail if self.chance(0.3) else ''}"

    def consume(self, who: Phrase, depth: int) -> str:
        if self.chance(0.4):
            amount = self.pick(("some", "the", "much", "a lot of", "enough", "no"))
            return f"{self.does(lex.CONSUME, who)} {amount} {self.pick(lex.MASS)}"
        return f"{self.does(lex.EAT, who)} {self.noun_phrase('food').text}"

    def give(self, who: Phrase, depth: int) -> str:
        verb, thing, person = (
            self.does(lex.GIVE, who),
            self.thing(placed=0.0),
            self.somebody(),
        )
        return f"{verb} {thing} to {person}" if self.chance(0.6) else f"{verb} {person} {thing}"

    def mind(self, who: Phrase, depth: int) -> str:
        return f"{self.does(lex.MIND, who)} {self.topic()}"

    def say(self, who: Phrase, depth: int) -> str:
        verbs = lex.SAY if self.chance(0.5) else lex.KNOW
        that = self.pick(("that ", "that ", ""))
        return f"{self.does(verbs, who)} {that}{self.clause(depth + 1)}"

    def tell(self, who: Phrase, depth: int) -> str:
        verb, person = self.does(lex.TELL, who), self.somebody()
        return f"{verb} {person} {self.pick(('to', 'not to', 'how to'))} {self.infinitive()}"

    def wish(self, who: Phrase, depth: int) -> str:
        return f"{self.does(lex.WISH, who)} to {self.infinitive()}"

    def infinitive(self) -> str:
        draw = self._random()
        if draw < 0.3:
            return self.pick(lex.ACT).base
        if draw < 0.5:
            return f"{self.pick(lex.MEET).base} {self.somebody()}"
        if draw < 0.7:
            return f"{self.pick(lex.HANDLE).base} {self.thing(placed=0.0)}"
        if draw < 0.85:
            return f"{self.pick(lex.MIND).base} {self.topic()}"
        return f"be {self.pick(lex.MOODS)}"


_PERSON_DOES_FLAT: tuple[Callable[[Clauses, Phrase, int], str], ...] = weighted({
    Clauses.act: 4, Clauses.go: 3, Clauses.meet: 4, Clauses.handle: 4, Clauses.own: 3,
    Clauses.reflect: 1, Clauses.consume: 2, Clauses.give: 2, Clauses.mind: 3, Clauses.state: 5,
})  # fmt: skip
_PERSON_DOES = _PERSON_DOES_FLAT + weighted({Clauses.say: 3, Clauses.tell: 2, Clauses.wish: 2})
_ANIMAL_DOES: tuple[Callable[[Clauses, Phrase, int], str], ...] = weighted({
    Clauses.act: 4, Clauses.go: 2, Clauses.meet: 2, Clauses.consume: 1, Clauses.state: 4,
    Clauses.reflect: 1,
})  # fmt: skip

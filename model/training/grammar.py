"""The grammar: kinds of sentences, each for a relation that attention can show, and short stories.

No rule rejects what it drew, so no loop can run away.
"""

from collections.abc import Callable
from typing import NamedTuple

from model.training import lexicon as lex
from model.training.clauses import Clauses, weighted
from model.training.lexicon import Noun, Verb
from model.training.phrases import (
    ADJECTIVES,
    HE,
    IT,
    KIND_OF,
    KINDS,
    OBJECTS,
    SUBJECTS,
    THEY,
    Phrase,
    article,
    distractors,
)


class Agreement(NamedTuple):
    """A sentence's beginning, the verb that agrees with its subject, and the distractor's verb."""

    prefix: str
    right: str
    wrong: str


class Writer(Clauses):
    """Writes sentences and stories; the same state of the generator gives the same ones."""

    def sentence(self) -> str:
        """One sentence, with its capital letter and its final mark."""
        return _finish(self.pick(_SENTENCES)(self))

    def story(self) -> str:
        """A few sentences about the same two people and a thing, who recur as pronouns."""
        hero, other = self.two_people()
        thing = self.noun_phrase(
            self.pick(("thing", "animal", "food")), determiner="the", plural=False
        )
        told = [
            f"{hero.text} {self.have(hero)} {article(thing.text.removeprefix('the '))}",
            f"{hero.text} and {other.text} {self.pick(('were', 'lived', 'met'))} {self.where()}",
        ]
        subject = hero
        for _ in range(1 + int(self._random() * 4)):
            if self.chance(0.25):
                subject = other if subject is hero else hero
            told.append(
                self.pick(_STORY_LINES)(self, subject, other if subject is hero else hero, thing)
            )
        if self.chance(0.5):
            del told[int(self._random() * 2)]
        return " ".join(_finish(line) for line in told)

    def held_out_agreement(self) -> Agreement:
        """A subject and a distractor of the other number, of a pair of nouns that no sentence has.

        "Sheep" and its like are left out: their number cannot be read.
        """
        noun = self.pick([noun for noun in SUBJECTS if noun.one != noun.many])
        plural = self.chance(0.5)
        others = [
            other for other in distractors(noun.one, held_out=True) if other.one != other.many
        ]
        other = self.pick(others)
        adjective = f"{self.pick(ADJECTIVES[KIND_OF[other]])} " if self.chance(0.5) else ""
        distractor = f"the {adjective}{other.one if plural else other.many}"
        subject = (
            f"The {noun.many if plural else noun.one} {self.pick(lex.PREPOSITIONS)} {distractor}"
        )
        singular, many = self.pick((("is", "are"), ("was", "were"), ("has", "have")))
        return Agreement(subject, many, singular) if plural else Agreement(subject, singular, many)

    # ── kinds of sentences ───────────────────────────────────────────────────────────────────

    def simple(self) -> str:
        draw = self._random()
        clause = self.clause()
        if draw < 0.15:
            return f"{clause} {self.when()}"
        if draw < 0.25:
            return f"{self.pick(lex.OPENERS)}, {clause}"
        return f"{clause}!" if draw < 0.29 else clause

    def agreement(self) -> str:
        """The keys near the old cabinet are on the table."""
        who = self.noun_phrase(
            self.pick(("thing", "thing", "person", "animal", "food", "topic")),
            determiner=self.pick(("the", "the", "the", "my", "our", "his", "her")),
        )
        # Mostly the other number: there the nearest noun is the wrong one to agree with.
        other = not who.plural if self.chance(0.7) else None
        chain = self.beside(who.noun, other)
        return f"{who.text} {chain} {self.agreeing(who)}"

    def agreeing(self, who: Phrase) -> str:
        """A predicate whose verb shows the number of its subject."""
        draw = self._random()
        if draw < 0.6:
            return self.state(who, 0)
        if draw < 0.75:
            have = "have" if who.plural else "has"
            return f"{have} {self.pick(('been', 'become'))} {self.quality(who)}"
        return self.predicate(who)

    def relative(self) -> str:
        """The dog that the boys chased is hungry."""
        who = self.noun_phrase(self.pick(("person", "animal")), determiner="the")
        link = self.pick(("who", "that")) if who.kind == "person" else "that"
        if self.chance(0.5):
            return f"{who.text} {link} {self.predicate(who, 2)} {self.agreeing(who)}"
        by = self.noun_phrase("person", determiner="the") if self.chance(0.6) else self.name()
        verb = self.pick(lex.MEET)
        return f"{who.text} {link} {by.text} {self.conjugate(verb, by)} {self.agreeing(who)}"

    def reflexive(self) -> str:
        who = self.gendered(self.chance(0.5)) if self.chance(0.6) else self.noun_phrase("person")
        place = f" {self.beside(who.noun)}" if who.noun and self.chance(0.3) else ""
        return f"{who.text}{place} {self.reflect(who, 0)}"

    def possessive(self) -> str:
        who, other = self.two_people()
        if self.chance(0.4):
            thing = self.noun_phrase("thing", determiner=who.pronoun.possessive).text
            return f"{who.text} {self.conjugate(self.pick(lex.GIVE), who)} {other.text} {thing}"
        if self.chance(0.2):
            owned = f"{other.text}'s {self.pick(OBJECTS).one}"
            return f"{who.text} {self.conjugate(self.pick(lex.HANDLE), who)} {owned}"
        return f"{who.text} {self.own(who, 0)}"

    def because(self) -> str:
        """The cat sat on the mat because it was tired."""
        why = self.pick(
            ("because", "because", "because", "although", "so", "since", "until", "before", "after")
        )
        if self.chance(0.5):
            who, other = self.two_people()
            meant = who if self.chance(0.5) else other
            act = f"{self.conjugate(self.pick(lex.MEET), who)} {other.text}"
        else:
            who = self.noun_phrase(self.pick(("animal", "thing", "person")), determiner="the")
            meant = who
            act = self.act(who, 0) if who.kind != "thing" else self.predicate(who)
        return f"{who.text} {act} {why} {self.meaning(meant)}"

    def meaning(self, who: Phrase) -> str:
        """A clause whose subject is the pronoun of somebody named before."""
        again = Phrase(who.pronoun.subject, who.kind, who.plural, who.pronoun, who.noun)
        if self.chance(0.6):
            return f"{again.text} {self.be(again, past=self.chance(0.8))} {self.quality(again)}"
        return f"{again.text} {self.predicate(again, 2)}"

    def joined(self) -> str:
        """Mary gave the ball to John, and he thanked her."""
        link = self.pick(("and", "and", "but", "so", "or", "yet", "and then"))
        if self.chance(0.6):
            who, other = self.two_people()
            act = (
                self.give_to(who, other)
                if self.chance(0.6)
                else f"{self.conjugate(self.pick(lex.MEET), who)} {other.text}"
            )
            answer = self.conjugate(self.pick(lex.MEET), other)
            return f"{who.text} {act}, {link} {other.pronoun.subject} {answer} {who.pronoun.object}"
        if self.chance(0.3):
            who = self.actor()
            return f"{who.text} {self.predicate(who, 2)} and {self.predicate(who, 2)}"
        return f"{self.clause(1)}, {link} {self.clause(1)}"

    def give_to(self, who: Phrase, other: Phrase) -> str:
        return (
            f"{self.conjugate(self.pick(lex.GIVE), who)} {self.thing(placed=0.0)} to {other.text}"
        )

    def quoted(self) -> str:
        who, verb = (
            self.person(),
            self.pick(("said", "asked", "shouted", "whispered", "answered", "replied")),
        )
        inside = self.clause(1)
        if self.chance(0.3):
            speaker = self.name()
            after = self.pick(("to me", "again", "yesterday", "to us", "twice"))
            inside = f"{speaker.text} said '{inside}' {after}"
        if self.chance(0.5):
            return f'{who.text} {verb}, "{inside}{self.pick((".", ".", "!", "?"))}"'
        return f'"{inside}{self.pick((",", ",", "!", "?"))}" {verb} {who.text}'

    def bracketed(self) -> str:
        who = self.noun_phrase(self.pick(("person", "thing", "animal")), determiner="the")
        again = Phrase(who.pronoun.subject, who.kind, who.plural, who.pronoun, who.noun)
        inside = self.pick(
            (f"which {self.state(who, 0)}", self.noun_phrase(who.kind).text, self.meaning(again))
        )
        if self.chance(0.35):
            inside += f" [{self.pick((self.when(), self.topic()))}]"
            if self.chance(0.4):
                inside += f" {self.pick(lex.WHEN)}"
        return f"{who.text} ({inside}) {self.agreeing(who)}"

    def question(self) -> str:
        draw = self._random()
        if draw < 0.2:
            thing = self.noun_phrase(
                self.pick(("thing", "person", "animal", "food")), determiner="the"
            )
            ask = self.pick(("where", "how", "what", "whose"))
            return f"{ask} {self.be(thing, past=self.chance(0.4))} {thing.text}?"
        if draw < 0.4:
            who = self.person()
            ask = self.pick(("did", "does" if not who.plural else "do", *lex.MODALS))
            return f"{ask} {who.text} {self.infinitive()}?"
        if draw < 0.6:
            who = self.person()
            return (
                f"{self.pick(('when', 'why', 'where', 'how'))} did {who.text} {self.infinitive()}?"
            )
        if draw < 0.8:
            who = Phrase(self.pick(("who", "who", "what", "which one")), "person", False, HE)
            return f"{who.text} {self.predicate(who, 2)}?"
        who = self.noun_phrase(self.pick(("person", "thing", "animal")), determiner="the")
        be = self.be(who, past=self.chance(0.4))
        return f"{be} {who.text} {self.pick((self.quality(who), self.beside(who.noun)))}?"

    def listing(self) -> str:
        who, kind = self.actor(), self.pick(("food", "thing", "thing", "animal"))
        items = [self.noun_phrase(kind).text for _ in range(3 + int(self._random() * 2))]
        verb = self.pick(lex.CONSUME[:6] if kind != "thing" else lex.HANDLE)
        start = f"{who.text} {self.conjugate(verb, who)} {', '.join(items[:-1])}"
        return f"{start}, {self.pick(('and', 'and', 'or'))} {items[-1]}"

    def conditional(self) -> str:
        link = self.pick(
            (
                "if",
                "when",
                "while",
                "after",
                "before",
                "because",
                "although",
                "as soon as",
                "unless",
            )
        )
        weather = ("rained", "snowed", "was raining", "was dark", "was late", "got cold", "was hot")
        it_rained = f"it {self.pick(weather)}"
        first = it_rained if self.chance(0.15) else self.clause(2)
        return f"{link} {first}, {self.clause(2)}"

    def imperative(self) -> str:
        start = self.pick(("please ", "", "do not ", "don't ", "let us ", "never ", "always "))
        return f"{start}{self.infinitive()}{self.pick(('', '', '!'))}"

    def indirect_object(self) -> str:
        """When Mary and John went to the store, John gave a drink to Mary."""
        one, two = self.two_people()
        place = self.noun_phrase("place", determiner="the", plural=False).text
        giver, receiver = (one, two) if self.chance(0.5) else (two, one)
        went = self.pick(("went", "walked", "came", "drove", "got", "returned"))
        start = f"when {one.text} and {two.text} {went} to {place}"
        gave = f"{giver.text} {self.pick(lex.GIVE).past} {self.thing(placed=0.0)}"
        return f"{start}, {gave} to {receiver.text}"

    def there(self) -> str:
        thing = self.noun_phrase(self.pick(("thing", "animal", "person", "food")))
        be = self.be(thing, past=self.chance(0.4))
        assert thing.noun is not None  # as in every phrase that `noun_phrase` draws
        words = thing.noun.many if thing.plural else article(thing.noun.one)
        return f"there {be} {words} {self.beside(thing.noun)}"

    def compared(self) -> str:
        one = self.noun_phrase(
            kind := self.pick(("thing", "animal", "person", "place")), determiner="the"
        )
        other = self.noun_phrase(kind, determiner=self.pick(("the", "my", "your")))
        be = self.be(one, past=self.chance(0.3))
        draw = self._random()
        if draw < 0.5:
            much = self.pick(("", "", "much "))
            return f"{one.text} {be} {much}{self.pick(lex.COMPARATIVES)} than {other.text}"
        if draw < 0.7:
            return f"{one.text} {be} the {self.pick(lex.SUPERLATIVES)} of all"
        if draw < 0.85:
            return f"{one.text} {be} as {self.quality(one)} as {other.text}"
        return f"{one.text} {be} more {self.quality(one)} than {other.text}"

    def counted(self) -> str:
        who, kind = self.actor(), self.pick(("thing", "food", "animal"))
        number = 2 + int(self._random() * 98)
        noun = self.pick(KINDS[kind])
        return f"{who.text} {self.have(who)} {number} {noun.many}"

    def compound(self) -> str:
        """John and Mary are at home. John and Mary like each other."""
        one, two = self.two_people()
        both = Phrase(f"{one.text} and {two.text}", "person", True, THEY)
        if self.chance(0.2):
            return f"{both.text} {self.conjugate(self.pick(lex.MEET), both)} each other"
        return f"{both.text} {self.predicate(both)}"

    def short_form(self) -> str:
        """It's late. I'm tired. We can't wait."""
        start = self.pick(
            (
                "it's",
                "that's",
                "he's",
                "she's",
                "I'm",
                "you're",
                "we're",
                "they're",
                "there's nothing",
            )
        )
        end = self.pick(
            (self.pick(lex.MOODS), self.pick(lex.QUALITIES), self.pick(lex.TOPIC_TRAITS))
        )
        well_known = self.pick(
            ("well-known", "old-fashioned", "long-term", "twenty-five", "part-time", "so-called")
        )
        anyone = "nobody everybody everyone someone nothing something everything".split()
        greetings = "hello yes no thanks oh okay goodbye sorry".split()
        words = {
            0: f"{start} {end}",
            1: f"I'll {self.infinitive()}",
            2: f"I've {self.pick(lex.MIND).participle} {self.topic()}",
            3: f"this is {self.pick(('the', 'a'))} {well_known} {self.pick(lex.ABSTRACT).one}",
            4: f"{self.pick(anyone)} was {end}",
            5: f"{self.pick(greetings)}, {self.name().text}{self.pick('!.')}",
        }
        return words[int(self._random() * len(words))]

    # ── lines of a story: who it is about, the other one, the thing ──────────────────────────

    def line_pronoun(self, who: Phrase, other: Phrase, thing: Phrase) -> str:
        return self.meaning(who)

    def line_thing(self, who: Phrase, other: Phrase, thing: Phrase) -> str:
        again = thing if self.chance(0.6) else Phrase("it", thing.kind, False, IT, thing.noun)
        return f"{again.text} {self.state(again, 0)}"

    def line_give(self, who: Phrase, other: Phrase, thing: Phrase) -> str:
        receiver = other.text if self.chance(0.7) else other.pronoun.object
        return f"{who.text} {self.pick(lex.GIVE).past} {thing.text} to {receiver}"

    def line_name(self, who: Phrase, other: Phrase, thing: Phrase) -> str:
        return f"{who.text} {self.predicate(who, 2)}"

    def line_then(self, who: Phrase, other: Phrase, thing: Phrase) -> str:
        subject = Phrase(who.pronoun.subject, "person", False, who.pronoun, who.noun)
        opener = self.pick(lex.OPENERS)
        handled = self.conjugate(self.pick(lex.HANDLE), subject)
        return f"{opener}, {subject.text} {handled} {thing.text}"

    def line_meet(self, who: Phrase, other: Phrase, thing: Phrase) -> str:
        met = other.text if self.chance(0.6) else other.pronoun.object
        start = who.text if self.chance(0.5) else who.pronoun.subject
        return f"{start} {self.conjugate(self.pick(lex.MEET), who)} {met}"

    def line_said(self, who: Phrase, other: Phrase, thing: Phrase) -> str:
        named = self.pick((thing.text, other.text, "this"))
        return f'"{named} is {self.quality(thing)}," said {who.text}'


def lexicon_words() -> set[str]:
    """Every word of the lexicon, in every form, in lower case."""
    found: set[str] = set()
    for value in vars(lex).values():
        for entry in value if isinstance(value, tuple) else ():
            match entry:
                case Noun(one, many):
                    found |= {one, many}
                case Verb():
                    found.update(entry)
                case _:
                    found.update(entry.lower().split())
    return found


def _finish(words: str) -> str:
    start = 1 if words[0] in "\"'(" else 0
    end = "" if words[-1] in ".!?" or words[-2:] in ('."', '!"', '?"') else "."
    return f"{words[:start]}{words[start].upper()}{words[start + 1 :]}{end}"


_SENTENCES: tuple[Callable[[Writer], str], ...] = weighted({
    Writer.simple: 18, Writer.agreement: 22, Writer.relative: 6, Writer.reflexive: 6,
    Writer.possessive: 6, Writer.because: 8, Writer.joined: 7, Writer.quoted: 5,
    Writer.bracketed: 4, Writer.question: 6, Writer.listing: 4, Writer.conditional: 4,
    Writer.imperative: 2, Writer.indirect_object: 5, Writer.there: 4, Writer.compared: 4,
    Writer.counted: 2, Writer.compound: 2, Writer.short_form: 3,
})  # fmt: skip
_STORY_LINES: tuple[Callable[[Writer, Phrase, Phrase, Phrase], str], ...] = weighted({
    Writer.line_pronoun: 3, Writer.line_thing: 3, Writer.line_give: 2, Writer.line_name: 2,
    Writer.line_then: 2, Writer.line_meet: 2, Writer.line_said: 1,
})  # fmt: skip

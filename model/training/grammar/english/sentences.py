"""Sentences of every kind: statements, questions, lists, orders. Relations stand among them."""

from model.training.grammar.english import lexicon as lex
from model.training.grammar.english.clauses import Clauses
from model.training.grammar.english.kinds import KINDS
from model.training.grammar.english.phrases import HE, THEY, Phrase, article


class Sentences(Clauses):
    """Draws sentences without their capital letter and final mark."""

    def simple(self) -> str:
        draw = self._random()
        clause = self.clause()
        if draw < 0.15:
            return f"{clause} {self.when()}"
        if draw < 0.25:
            return f"{self.pick(lex.OPENERS)}, {clause}"
        return f"{clause}!" if draw < 0.29 else clause

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
        verbs = lex.CONSUME[:6] if kind != "thing" else lex.HANDLE
        start = f"{who.text} {self.does(verbs, who)} {', '.join(items[:-1])}"
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
            return f"{both.text} {self.does(lex.MEET, both)} each other"
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

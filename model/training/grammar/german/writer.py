"""The German grammar: sentences around relations between their words, and short stories."""

from collections.abc import Callable

from model.training.grammar.dice import is_held_out, weighted
from model.training.grammar.german import lexicon as lex
from model.training.grammar.german.clauses import HAVE, Clauses, Predicate
from model.training.grammar.german.phrases import Phrase, joined, owned

PAIRS = {"(": ")", "[": "]", "„": "“"}
# What somebody may choose, as one word: the values of key–value recall.
VALUES = tuple(word for words in lex.MASS.values() for word in words) + tuple(
    noun.many for noun in lex.KINDS["food"]
)
CHOICES = tuple(
    lex.verb(entry)
    for entry in "wählen kaufen mögen/mag/mochte/gemocht suchen "
    "nehmen/nimmt/nahm/genommen bestellen/bestellt/bestellte/bestellt".split()
)
CAME = ("in", "in", "zu", "aus")

FRAMES: tuple[tuple[str, lex.Case], ...] = (("dative_person", "dat"), ("accusative_person", "acc"))


class Writer(Clauses):
    """Writes sentences and stories; the same state of the generator gives the same ones."""

    def sentence(self) -> str:
        """One sentence, with its capital letter and its final mark."""
        usual = self._invented
        if self.chance(self._strange):
            self._invented = 1.0
        try:
            return finish(self.pick(_SENTENCES)(self))
        finally:
            self._invented, self._is_past = usual, None

    def story(self) -> str:
        """A few sentences about the same two people, who recur as pronouns."""
        hero, other = self.two_people()
        lines = [Predicate("waren", self.where()).main(f"{hero.text} und {other.text}")]
        for _ in range(2 + int(self._random() * 4)):
            who = hero if self.chance(0.7) else other
            again = Phrase(who.pronoun.nom, who.kind, False, who.gender)
            draw = self._random()
            if draw < 0.4:
                lines.append(self.predicate(again, 1).main(again.text))
            elif draw < 0.7:
                lines.append(self.opened(again, 1))
            else:
                lines.append(self.predicate(who, 1).main(who.text))
        return " ".join(finish(line) for line in lines)

    def simple(self) -> str:
        who = self.subject()
        return self.opened(who) if self.chance(0.35) else self.predicate(who).main(who.text)

    def agreement(self) -> str:
        """Die Schlüssel neben dem alten Schrank sind kaputt."""
        who = self.noun_phrase(self.pick(("thing", "thing", "person", "animal", "food", "topic")),
                               determiner="the")  # fmt: skip
        subject = f"{who.text} {self.beside(who.noun, self._other(who))}"
        predicate = self.state(who) if self.chance(0.55) else self.predicate(who)
        return predicate.main(subject)

    def verb_last(self) -> str:
        """Anna glaubt, dass die Schlüssel neben dem Schrank kaputt sind."""
        draw = self._random()
        if draw < 0.5:
            verb = self.pick(lex.VERBS["know"])
            who = self.person()
            return f"{who.text} {verb.finite(who.plural)}, dass {self.last_clause()}"
        self._is_past = self.chance(0.4)
        link = self.pick(("weil", "obwohl", "als" if self._is_past else "wenn"))
        who = self.subject()
        if draw < 0.75:
            return f"{self.predicate(who, 1).main(who.text)}, {link} {self.last_clause()}"
        return f"{link} {self.last_clause()}, {self.predicate(who, 1).inverted('', who.text)}"

    def frames(self) -> str:
        """Peter hilft dem Mann und Anna sieht den Jungen. Dense evidence of what verbs ask for."""
        clauses = []
        for _ in range(2 + int(self._random() * 2)):
            who = self.name()
            name, case = self.pick(FRAMES)
            kind = self.pick(("person", "person", "animal"))
            whom = self.noun_phrase(kind, case, plural=False, determiner="the")
            verb = self.of(name, who)
            past = self.chance(0.3)
            fitting = lex.WHEN_PAST if past else lex.WHEN_NOW
            adverb = f" {self.pick(lex.ALWAYS + fitting)}" if self.chance(0.35) else ""
            clauses.append(f"{who.text} {verb.finite(False, past)}{adverb} {whom.text}")
        return listed(clauses)

    def parts(self) -> str:
        """Anna macht die Tür auf und Peter hebt den Ball hoch. Dense evidence of prefixes."""
        clauses = []
        for _ in range(2 + int(self._random() * 2)):
            who = self.person()
            verb = self.of("separable_thing", who)
            finite = verb.finite(who.plural, self.chance(0.3))
            thing = self.noun_phrase("thing", "acc", determiner="the").text
            clauses.append(f"{who.text} {finite} {thing} {verb.prefix}")
        return listed(clauses)

    def brackets_of_verbs(self) -> str:
        """Anna hat das Buch gelesen und Peter will den Brief lesen."""
        clauses = []
        for _ in range(2):
            who = self.person()
            name = self.pick(("handle", "handle", "mind", "eat", "separable_thing"))
            kind = {"mind": "topic", "eat": "food"}.get(name, "thing")
            verb = self.of(name, who)
            what = self.noun_phrase(kind, "acc").text
            number = int(who.plural)
            if self.chance(0.5):
                clauses.append(f"{who.text} {HAVE[number]} {what} {verb.prefix}{verb.participle}")
            else:
                modal = self.pick((("will", "wollen"), ("kann", "können"), ("muss", "müssen")))
                clauses.append(f"{who.text} {modal[number]} {what} {verb.name}")
        return listed(clauses)

    def possessive(self) -> str:
        """Anna verlor ihren Schlüssel."""
        who = self.name()
        return self.own(who).main(who.text)

    def chained(self) -> str:
        """Anna verlor ihren Hut, Peter suchte seinen Ball und Eva fand ihr Buch."""
        clauses = []
        for _ in range(3 + int(self._random() * 2)):
            who = self.name()
            verb = self.of("own", who)
            noun = self.pick(lex.KINDS["thing"])
            thing = f"{owned(who.pronoun.owner, noun.gender, 'acc')} {noun.form('acc', False)}"
            clauses.append(f"{who.text} {verb.finite(False, past=True)} {thing}")
        return listed(clauses)

    def meant(self) -> str:
        """Die Lampe neben dem Tisch leuchtet nicht, weil sie alt ist."""
        draw = self._random()
        if draw < 0.3:
            who = self.name()
        else:
            kind = self.pick(("thing", "thing", "thing", "food", "topic", "animal"))
            who = self.noun_phrase(kind, determiner="the", plural=self.chance(0.25))
        place = f" {self.beside(who.noun)}" if self._has_place(who) else ""
        again = who.pronoun.nom
        self._is_past = self.chance(0.35)
        first = self.predicate(who, 1)
        if who.kind not in ("person", "animal"):
            first = self.state(who)
        link = self.pick(("weil",) * 4 + ("obwohl", "obwohl", "als" if self._is_past else "wenn"))
        if self.chance(0.3):
            return f"{first.main(who.text + place)}, denn {self.state(who).main(again)}"
        if self.chance(0.25):
            return f"{first.main(who.text + place)}. {finish(self.state(who).main(again))}"
        return f"{first.main(who.text + place)}, {link} {self.state(who).last(again)}"

    def relative(self) -> str:
        """Der Hund, den die Kinder suchen, ist müde."""
        who = self.noun_phrase(self.pick(("person", "animal")), determiner="the")
        number = "pl" if who.plural else who.gender
        draw = self._random()
        if draw < 0.4:
            inside = self.predicate(who, 1).last(_LINKS[number][0])
        elif draw < 0.75:
            by = self.person()
            verb = self.of("accusative_person", by)
            inside = f"{_LINKS[number][1]} {by.text} {verb.finite(by.plural, self.chance(0.4))}"
        else:
            by = self.person()
            verb = self.of("dative_person", by)
            inside = f"{_LINKS[number][2]} {by.text} {verb.finite(by.plural, self.chance(0.4))}"
        return self.state(who).main(f"{who.text}, {inside},")

    def question(self) -> str:
        who = self.person()
        draw = self._random()
        if draw < 0.4:
            return f"{self.predicate(who, 1).inverted('', who.text)}?"
        if draw < 0.8:
            asked = self.pick(("wann", "warum", "wo", "wie"))
            return f"{self.predicate(who, 1).inverted(asked, who.text)}?"
        return f"{self.predicate(Phrase('wer', 'person', False, 'm'), 1).main('wer')}?"

    def quoted(self) -> str:
        """Anna sagt: „Der Hund ist müde.“"""
        who = self.name()
        said = self.pick(("sagt", "meint", "glaubt", "denkt", "sagte", "dachte"))
        inside = finish(self.simple())
        return f"{who.text} {said}: „{inside}“"

    def bracketed(self) -> str:
        """Der Junge (die Katze „ein Hund“ und der Fuchs) ist müde."""
        who = self.noun_phrase(self.pick(("person", "thing", "animal")), determiner="the")
        return self.state(who).main(f"{who.text} {self.enclosed(0)}")

    def enclosed(self, depth: int, used: str = "") -> str:
        """Brackets and quotes, one inside another."""
        opener = self.pick([mark for mark in PAIRS if mark not in used])
        inside = self.enclosed_words()
        if depth < 1 and self.chance(0.6):
            inside += f" {self.enclosed(depth + 1, used + opener)}"
            if self.chance(0.5):
                inside += f" {self.pick(('und', 'oder'))} {self.enclosed_words()}"
        return f"{opener}{inside}{PAIRS[opener]}"

    def enclosed_words(self) -> str:
        kind = self.pick(("person", "thing", "animal", "place"))
        # what closes must not depend on knowing the words between
        noun = self.invented_noun() if self.chance(2.5 * self._invented) else None
        who = self.noun_phrase(kind, noun=noun)
        return who.text if self.chance(0.6) else f"{who.text} {self.beside(who.noun)}"

    def receiver(self) -> str:
        """Als Anna und Peter im Park waren, schenkte Peter Anna einen Ball."""
        one, two = self.two_names()
        giver, whom = (one, two) if self.chance(0.5) else (two, one)
        verb = self.of("give", giver)
        start = f"als {one.text} und {two.text} {self.arrived()}"
        return f"{start}, {verb.finite(False, True)} {giver.text} {whom.text} {self.thing()}"

    def arrived(self) -> str:
        """im Park waren, in die Küche kamen"""
        if self.chance(0.5):
            return f"{self.where()} waren"
        place = self.noun_phrase("place", "acc", plural=False, determiner="the").text
        return f"{joined('in', place)} {self.pick(('kamen', 'gingen', 'liefen'))}"

    def recall(self) -> str:
        """Max wählt Tee, Anna wählt Milch und Eva wählt Reis. Anna wählt Milch."""
        verb = self.pick(CHOICES)
        names = [name for name in lex.NAMES if not is_held_out(name, verb.name)]
        clauses = [f"{name} {verb.third} {value}" for name, value in self.choices(names, VALUES)]
        asked = [self.pick(clauses) for _ in range(2 + int(self._random() * 2))]
        return f"{listed(clauses)}. {'. '.join(asked)}"

    def listing(self) -> str:
        who, kind = self.person(), self.pick(("food", "thing"))
        items = [self.noun_phrase(kind, "acc").text for _ in range(3)]
        verb = self.of("eat" if kind == "food" else "handle", who)
        return f"{who.text} {verb.finite(who.plural)} {listed(items)}"

    def compound(self) -> str:
        """Anna und Peter sind müde."""
        one, two = self.two_people()
        both = Phrase(f"{one.text} und {two.text}", "person", True, "m")
        return self.predicate(both).main(both.text)


_LINKS = {"m": ("der", "den", "dem"), "f": ("die", "die", "der"), "n": ("das", "das", "dem"),
          "pl": ("die", "die", "denen")}  # fmt: skip


def listed(parts: list[str]) -> str:
    return f"{', '.join(parts[:-1])} und {parts[-1]}"


def finish(words: str) -> str:
    words = words.strip().replace(", ,", ",")
    start = 1 if words[0] in "„([" else 0
    end = "" if words[-1] in ".!?" or words.endswith((".“", "?“", "!“")) else "."
    return f"{words[:start]}{words[start].upper()}{words[start + 1 :]}{end}"


_SENTENCES: tuple[Callable[[Writer], str], ...] = weighted({
    Writer.simple: 12, Writer.agreement: 14, Writer.verb_last: 14, Writer.frames: 12,
    Writer.parts: 10, Writer.brackets_of_verbs: 8, Writer.possessive: 5, Writer.chained: 12,
    Writer.meant: 14, Writer.relative: 5, Writer.question: 5, Writer.quoted: 6,
    Writer.bracketed: 16, Writer.receiver: 8, Writer.recall: 7, Writer.listing: 3,
    Writer.compound: 3,
})  # fmt: skip

"""The grammar: how often each kind of sentence is written, and stories made of some of them."""

from collections.abc import Callable

from model.training.grammar.dice import weighted
from model.training.grammar.english import lexicon as lex
from model.training.grammar.english.lexicon import Noun, Verb
from model.training.grammar.english.phrases import IT, Phrase, article
from model.training.grammar.english.relations import Relations
from model.training.grammar.english.sentences import Sentences


class Writer(Relations, Sentences):
    """Writes sentences and stories; the same state of the generator gives the same ones."""

    def sentence(self) -> str:
        """One sentence, with its capital letter and its final mark."""
        usual = self._invented
        if self.chance(self._strange):
            self._invented = 1.0
        try:
            return _finish(self.pick(_SENTENCES)(self))
        finally:
            self._invented = usual

    def story(self) -> str:
        """A few sentences about the same two people and a thing, who recur as pronouns."""
        hero, other = self.two_people()
        thing = self.noun_phrase(
            self.pick(("thing", "animal", "food")), determiner="the", plural=False
        )
        sentences = [
            f"{hero.text} {self.have(hero)} {article(thing.text.removeprefix('the '))}",
            f"{hero.text} and {other.text} {self.pick(('were', 'lived', 'met'))} {self.where()}",
        ]
        subject = hero
        for _ in range(1 + int(self._random() * 4)):
            if self.chance(0.25):
                subject = other if subject is hero else hero
            sentences.append(
                self.pick(_STORY_LINES)(self, subject, other if subject is hero else hero, thing)
            )
        if self.chance(0.5):
            del sentences[int(self._random() * 2)]
        return " ".join(_finish(line) for line in sentences)

    # ── lines of a story: who it is about, the other one, the thing ──────────────────────────

    def line_pronoun(self, who: Phrase, other: Phrase, thing: Phrase) -> str:
        return self.meaning(who)

    def line_thing(self, who: Phrase, other: Phrase, thing: Phrase) -> str:
        again = thing if self.chance(0.6) else Phrase("it", thing.kind, False, IT, thing.noun)
        return f"{again.text} {self.state(again, 0)}"

    def line_give(self, who: Phrase, other: Phrase, thing: Phrase) -> str:
        receiver = other.text if self.chance(0.7) else other.pronoun.object
        return f"{who.text} {self.did_one(lex.GIVE, who)} {thing.text} to {receiver}"

    def line_name(self, who: Phrase, other: Phrase, thing: Phrase) -> str:
        return f"{who.text} {self.predicate(who, 2)}"

    def line_then(self, who: Phrase, other: Phrase, thing: Phrase) -> str:
        subject = Phrase(who.pronoun.subject, "person", False, who.pronoun, who.noun)
        opener = self.pick(lex.OPENERS)
        handled = self.does(lex.HANDLE, subject)
        return f"{opener}, {subject.text} {handled} {thing.text}"

    def line_meet(self, who: Phrase, other: Phrase, thing: Phrase) -> str:
        met = other.text if self.chance(0.6) else other.pronoun.object
        start = who.text if self.chance(0.5) else who.pronoun.subject
        return f"{start} {self.does(lex.MEET, who)} {met}"

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
    Writer.simple: 12, Writer.agreement: 17, Writer.relative: 5, Writer.described: 6,
    Writer.reflexive: 8, Writer.possessive: 8, Writer.chained: 14, Writer.because: 10,
    Writer.joined: 8, Writer.quoted: 6, Writer.bracketed: 18, Writer.indirect_object: 9,
    Writer.recall: 7, Writer.question: 5, Writer.listing: 3, Writer.conditional: 3,
    Writer.imperative: 2, Writer.there: 3, Writer.compared: 3, Writer.counted: 2,
    Writer.compound: 2, Writer.short_form: 2,
})  # fmt: skip
_STORY_LINES: tuple[Callable[[Writer, Phrase, Phrase, Phrase], str], ...] = weighted({
    Writer.line_pronoun: 3, Writer.line_thing: 3, Writer.line_give: 2, Writer.line_name: 2,
    Writer.line_then: 2, Writer.line_meet: 2, Writer.line_said: 1,
})  # fmt: skip

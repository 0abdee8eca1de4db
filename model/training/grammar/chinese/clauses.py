"""Phrases and clauses of Chinese. Words have blanks between them until a sentence is finished."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from model.training.grammar.chinese import lexicon as lex
from model.training.grammar.chinese.lexicon import Noun
from model.training.grammar.dice import Dice, is_held_out, weighted

CHARACTERS = sorted({sign for nouns in lex.KINDS.values() for noun in nouns for sign in noun.word})
VERY = ("很", "很", "很", "非常", "特别", "十分", "比较")  # before an adjective and 的
CLASSIFIERS = sorted({noun.classifier for nouns in lex.KINDS.values() for noun in nouns})


class Phrase(NamedTuple):
    """A noun phrase, and its properties that the rest of the sentence needs."""

    text: str
    kind: str  # person, animal, thing, place, food or topic
    pronoun: str
    noun: Noun | None = None


class Clauses(Dice):
    """Draws clauses. `invented` is the share of nouns that are invented, `strange` the share of
    sentences in which all are."""

    def __init__(self, rng: Random, invented: float = 0.0, strange: float = 0.0) -> None:
        super().__init__(rng)
        self._invented, self._strange = invented, strange

    # ── phrases ──────────────────────────────────────────────────────────────────────────────

    def noun(self, kind: str) -> Noun:
        if not self.chance(self._invented):
            return self.pick(lex.KINDS[kind])
        word = "".join(self.pick(CHARACTERS) for _ in range(2 + self.chance(0.2)))
        return Noun(word, self.pick(CLASSIFIERS), "它")

    def noun_phrase(self, kind: str, noun: Noun | None = None, counted: bool = False) -> Phrase:
        """三 本 很 旧 的 书"""
        noun = noun or self.noun(kind)
        pronoun = noun.pronoun or self.pick("他她")
        draw = self._random()
        described = self.described(kind)
        if counted or draw < 0.35:
            text = f"{self.pick(lex.NUMBERS)} {noun.classifier} {described}{noun.word}"
        elif draw < 0.7:
            text = f"{self.pick('这那')} {noun.classifier} {described}{noun.word}"
        elif draw < 0.8:
            text = f"{self.pick(('我', '你', self.name().text))} 的 {noun.word}"
        else:
            text = described + noun.word
        return Phrase(text, kind, pronoun, noun)

    def described(self, kind: str, often: float = 0.35) -> str:
        """很 旧 的, or nothing"""
        if not self.chance(often):
            return ""
        if kind == "thing" and self.chance(0.3):
            return f"{self.pick(lex.COLOURS)} 的 "
        return f"{self.pick(VERY)} {self.pick(lex.ADJECTIVES[kind])} 的 "

    def name(self) -> Phrase:
        he = self.chance(0.5)
        return self.named(self.favour(lex.HE_NAMES if he else lex.SHE_NAMES))

    def named(self, name: str) -> Phrase:
        return Phrase(name, "person", "他" if name in lex.HE_NAMES else "她")

    def two_names(self) -> tuple[Phrase, Phrase]:
        """Two different names that training may show together."""
        one = self.name()
        free = [name for name in lex.NAMES if name != one.text and not is_held_out(one.text, name)]
        return one, self.named(self.pick(free))

    def two_people(self) -> tuple[Phrase, Phrase]:
        """A man and a woman by name, so that a pronoun means one of them."""
        both = self.named(self.favour(lex.HE_NAMES)), self.named(self.favour(lex.SHE_NAMES))
        return both if self.chance(0.5) else both[::-1]

    def person(self) -> Phrase:
        return self.name() if self.chance(0.5) else self.noun_phrase("person")

    def actor(self) -> Phrase:
        draw = self._random()
        if draw < 0.75:
            return self.person()
        if draw < 0.88:
            return self.noun_phrase("animal")
        pronoun = self.pick(("他", "她", "我", "你", "我们", "他们"))
        return Phrase(pronoun, "person", pronoun)

    def subject(self) -> Phrase:
        if self.chance(0.75):
            return self.actor()
        return self.noun_phrase(self.pick(("thing", "thing", "food", "topic", "place")))

    def somebody(self) -> str:
        return self.person().text if self.chance(0.8) else self.noun_phrase("animal").text

    def where(self) -> str:
        """在 学校, 在 桌子 旁边"""
        draw = self._random()
        if draw < 0.2:
            return f"在 {self.pick(lex.PLACE_NAMES)}"
        if draw < 0.6:
            return f"在 {self.noun('place').word}{self.pick((' 里', '', ''))}"
        thing = self.noun(self.pick(("thing", "thing", "place"))).word
        return f"在 {thing} {self.pick(lex.LOCATIONS[3:])}"

    def towards(self) -> str:
        return self.pick(lex.PLACE_NAMES) if self.chance(0.3) else self.noun("place").word

    # ── predicates ───────────────────────────────────────────────────────────────────────────

    def of(self, name: str, who: Phrase) -> str:
        """A verb of a list that is not held out for this subject."""
        subject = who.text if who.noun is None else ""
        return self.pick([verb for verb in lex.VERBS[name] if not is_held_out(subject, verb)])

    def predicate(self, who: Phrase, depth: int = 0) -> str:
        if who.kind == "person":
            return self.pick(_PERSON if depth < 1 else _PERSON_FLAT)(self, who)
        if who.kind == "animal":
            return self.pick(_ANIMAL)(self, who)
        return self.state(who)

    def now(self) -> str:
        """What may stand before a verb whose action is not over."""
        draw = self._random()
        if draw < 0.5:
            return ""
        if draw < 0.65:
            return f"{self.pick([word for word in lex.WHEN if word not in lex.ONLY_PAST])} "
        if draw < 0.8:
            return f"{self.pick(lex.ALWAYS[:3])} "
        return f"{self.pick(lex.VERBS['modal'])} " if draw < 0.95 else "不 "

    def before(self) -> str:
        """What may stand before a verb with 了."""
        past = [word for word in lex.WHEN if word not in lex.NOT_PAST]
        return f"{self.pick(past)} " if self.chance(0.25) else ""

    def quality(self, kind: str) -> str:
        return f"{self.pick((*lex.DEGREE, '很', '很', '不', '不太'))} " + self.pick(
            lex.ADJECTIVES[kind]
        )

    def state(self, who: Phrase) -> str:
        """很 大"""
        draw = self._random()
        if draw < 0.15:
            other = self.noun_phrase(who.kind).text
            return f"比 {other} 更 {self.pick(lex.ADJECTIVES[who.kind])}"
        if draw < 0.25 and who.kind in ("thing", "animal", "food"):
            return self.where()
        return self.quality(who.kind)

    def act(self, who: Phrase) -> str:
        if self.chance(0.3):
            return f"{self.before()}{self.of('act_le', who)} 了"
        if self.chance(0.25):
            return f"{self.where()} {self.of('act', who)}"
        manner = f"{self.pick(lex.MANNER)} 地 " if self.chance(0.3) else ""
        return f"{self.now()}{manner}{self.of('act', who)}"

    def stand(self, who: Phrase) -> str:
        return f"{self.where()} {self.of('stand', who)} 着"

    def go(self, who: Phrase) -> str:
        return f"{self.now()}{self.of('motion', who)} {self.towards()}"

    def meet(self, who: Phrase) -> str:
        return f"{self.now()}{self.of('meet', who)} {self.somebody()}"

    def handle(self, who: Phrase) -> str:
        """买 了 三 本 书"""
        thing = self.noun_phrase("thing", counted=True).text
        return f"{self.before()}{self.of('handle', who)} 了 {thing}"

    def dispose(self, who: Phrase) -> str:
        """把 那 把 椅子 搬走 了"""
        thing = self.noun_phrase("thing").text
        return f"{self.before()}把 {thing} {self.of('ba', who)} 了"

    def lose(self, who: Phrase) -> str:
        """丢 了 他 的 钥匙"""
        thing = self.noun("thing").word
        return f"{self.before()}{self.of('lose', who)} 了 {who.pronoun} 的 {thing}"

    def consume(self, who: Phrase) -> str:
        draw = self._random()
        if draw < 0.3:
            return f"{self.before()}{self.of('drink', who)} 了 {self.pick(lex.DRINKS)}"
        if draw < 0.5:
            return f"{self.now()}{self.of('eat', who)} {self.pick(lex.EATEN)}"
        food = self.noun_phrase("food", counted=True).text
        return f"{self.before()}{self.of('eat', who)} 了 {food}"

    def give(self, who: Phrase) -> str:
        thing = self.noun_phrase("thing", counted=True).text
        return f"{self.before()}{self.of('give', who)} {self.person().text} {thing}"

    def mind(self, who: Phrase) -> str:
        return f"{self.now()}{self.of('mind', who)} {self.noun_phrase('topic').text}"

    def say(self, who: Phrase) -> str:
        return f"{self.of('say', who)} {self.clause(1)}"

    def clause(self, depth: int = 0) -> str:
        who = self.subject()
        return f"{who.text} {self.predicate(who, depth)}"


_PERSON_FLAT: tuple[Callable[[Clauses, Phrase], str], ...] = weighted({
    Clauses.act: 4, Clauses.stand: 2, Clauses.go: 3, Clauses.meet: 4, Clauses.handle: 5,
    Clauses.dispose: 4, Clauses.lose: 4, Clauses.consume: 3, Clauses.give: 3, Clauses.mind: 3,
    Clauses.state: 4,
})  # fmt: skip
_PERSON = _PERSON_FLAT + weighted({Clauses.say: 3})
_ANIMAL: tuple[Callable[[Clauses, Phrase], str], ...] = weighted({
    Clauses.stand: 3, Clauses.go: 2, Clauses.meet: 2, Clauses.state: 4,
})  # fmt: skip

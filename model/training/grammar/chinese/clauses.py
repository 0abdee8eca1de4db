"""Phrases and clauses of Chinese. Words have blanks between them until a sentence is finished."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from model.training.grammar.chinese import lexicon as lex
from model.training.grammar.chinese.lexicon import Noun
from model.training.grammar.dice import Dice, is_held_out, weighted

CHARACTERS = sorted({sign for nouns in lex.KINDS.values() for noun in nouns for sign in noun.word})
CLASSIFIERS = {kind: [noun.classifier for noun in nouns] for kind, nouns in lex.KINDS.items()}
VERY = ("很", "很", "很", "非常", "特别", "十分", "比较")  # before an adjective and 的
PAST = [word for word in lex.WHEN if word not in lex.NOT_PAST]
PRESENT = [word for word in lex.WHEN if word not in lex.ONLY_PAST]
GOALS = [noun.word for noun in lex.KINDS["place"] if noun.word not in lex.BARE]


class Phrase(NamedTuple):
    """A noun phrase, and its properties that the rest of the sentence needs."""

    text: str
    kind: str  # person, animal, thing, place, food or topic
    pronoun: str
    noun: Noun | None = None


class Clauses(Dice):
    """Draws clauses. `invented` is the share of nouns that are invented, `strange` the share of
    sentences in which all are."""

    _is_timed = False  # whether no word of time may follow: 就, 才, 都, 为什么
    _is_open = False  # whether what is said is not over, so that there is no 了

    def __init__(self, rng: Random, invented: float = 0.0, strange: float = 0.0) -> None:
        super().__init__(rng)
        self._invented, self._strange = invented, strange

    # ── phrases ──────────────────────────────────────────────────────────────────────────────

    def noun(self, kind: str) -> Noun:
        if not self.chance(self._invented):
            return self.pick(lex.KINDS[kind])
        word = "".join(self.pick(CHARACTERS) for _ in range(2 + self.chance(0.2)))
        return Noun(word, self.pick(CLASSIFIERS[kind]), "" if kind == "person" else "它")

    def count(self) -> str:
        return self.pick(lex.NUMBERS)

    def counted_phrase(self, kind: str, often: float = 0.35) -> Phrase:
        """三 本 很 旧 的 书"""
        noun = self.noun(kind)
        text = f"{self.count()} {noun.classifier} {self.described(kind, often)}{noun.word}"
        return Phrase(text, kind, noun.pronoun or self.pick("他她"), noun)

    def known_phrase(self, kind: str, often: float = 0.35) -> Phrase:
        """那 本 很 旧 的 书, 我 的 书: as a subject is, and what 把 takes."""
        noun = self.noun(kind)
        draw = self._random()
        if draw < 0.65:
            text = f"{self.pick('这那')} {noun.classifier} {self.described(kind, often)}{noun.word}"
        elif draw < 0.8:
            text = f"{self.pick(('我', '你', self.name().text))} 的 {noun.word}"
        else:
            text = self.described(kind, often) + noun.word
        return Phrase(text, kind, noun.pronoun or self.pick("他她"), noun)

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
        return self.name() if self.chance(0.5) else self.known_phrase("person")

    def actor(self) -> Phrase:
        draw = self._random()
        if draw < 0.75:
            return self.person()
        if draw < 0.88:
            return self.known_phrase("animal")
        pronoun = self.pick(("他", "她", "我", "你", "我们", "他们"))
        return Phrase(pronoun, "person", pronoun)

    def subject(self) -> Phrase:
        if self.chance(0.75):
            return self.actor()
        return self.known_phrase(self.pick(("thing", "thing", "food", "topic", "place")))

    def somebody(self) -> str:
        """A person or an animal as an object."""
        draw = self._random()
        if draw < 0.6:
            return self.person().text
        kind = "person" if draw < 0.8 else "animal"
        return self.pick((self.counted_phrase, self.known_phrase))(kind).text

    def where(self) -> str:
        """在 学校 里, 在 桌子 旁边"""
        draw = self._random()
        if draw < 0.2:
            return f"在 {self.pick(lex.PLACE_NAMES)}"
        if draw < 0.6:
            place = self.noun("place")
            on = place.classifier == "条" or place.word in ("广场", "操场")
            return f"在 {place.word} {'上' if on else '里'}"
        thing = self.noun(self.pick(("thing", "thing", "place"))).word
        return f"在 {thing} {self.pick(lex.LOCATIONS[3:])}"

    def towards(self) -> str:
        return self.pick(lex.PLACE_NAMES if self.chance(0.3) else GOALS)

    # ── predicates ───────────────────────────────────────────────────────────────────────────

    def of(self, name: str, who: Phrase) -> str:
        """A verb of a list that is not held out for this subject."""
        subject = who.text if who.noun is None else ""
        while is_held_out(subject, verb := self.pick(lex.VERBS[name])):
            pass  # nine of ten are free
        return verb

    def predicate(self, who: Phrase, depth: int = 0) -> str:
        if self._is_open and who.kind in ("person", "animal"):
            return self.pick(_OPEN if who.kind == "person" else _ANIMAL)(self, who)
        if who.kind == "person":
            return self.pick(_PERSON if depth < 1 else _PERSON_FLAT)(self, who)
        if who.kind == "animal":
            return self.pick(_ANIMAL)(self, who)
        return self.state(who)

    def timeless(self, who: Phrase, is_open: bool = False) -> str:
        """A predicate without a word of time at its front; `is_open`: without 了, too."""
        before = self._is_timed, self._is_open
        self._is_timed, self._is_open = True, is_open or self._is_open
        try:
            return self.predicate(who, 1)
        finally:
            self._is_timed, self._is_open = before

    def opened(self, who: Phrase) -> str:
        """A predicate that is not over."""
        self._is_open = True
        try:
            return self.predicate(who, 1)
        finally:
            self._is_open = False

    def now(self) -> str:
        """What may stand before a verb whose action is not over."""
        draw = self._random()
        if draw < 0.5:
            return ""
        if draw < 0.65:
            return "" if self._is_timed else f"{self.pick(PRESENT)} "
        if draw < 0.8:
            return f"{self.pick(lex.ALWAYS[:3])} "
        return f"{self.pick(lex.VERBS['modal'])} " if draw < 0.95 else "不 "

    def before(self) -> str:
        """What may stand before a verb with 了."""
        return f"{self.pick(PAST)} " if self.chance(0.25) and not self._is_timed else ""

    def quality(self, kind: str) -> str:
        degree = self.pick((*lex.DEGREE, "很", "很", "不", "不太"))
        return f"{degree} {self.pick(lex.ADJECTIVES[kind])}"

    def state(self, who: Phrase) -> str:
        """很 大"""
        draw = self._random()
        if draw < 0.15:
            other = self.known_phrase(who.kind, 0.0).text
            return f"比 {other} 更 {self.pick(lex.ADJECTIVES[who.kind])}"
        if draw < 0.25 and who.kind in ("thing", "animal", "food"):
            return self.where()
        return self.quality(who.kind)

    def act(self, who: Phrase) -> str:
        if self.chance(0.3) and not self._is_open:
            return f"{self.before()}{self.of('act_le', who)} 了"
        if self.chance(0.35):
            return f"{self.where()} {self.of('act', who)}"
        manner = f"{self.pick(lex.MANNER)} 地 " if self.chance(0.3) else ""
        return f"{self.now()}{manner}{self.of('act', who)}"

    def stand(self, who: Phrase) -> str:
        return f"{self.where()} {self.of('stand', who)} 着"

    def go(self, who: Phrase) -> str:
        if self._is_open or self.chance(0.5):
            return f"{self.now()}{self.of('motion', who)} {self.towards()}"
        return f"{self.before()}{self.of('moved', who)} 了 {self.towards()}"

    def meet(self, who: Phrase) -> str:
        if self._is_open or self.chance(0.5):
            front = self.pick(("", "", "", "" if self._is_timed else "也 ", "不 "))
            return f"{front}{self.of('meet', who)} {self.somebody()}"
        return f"{self.before()}{self.of('met', who)} 了 {self.somebody()}"

    def handle(self, who: Phrase) -> str:
        """买 了 三 本 书"""
        thing = self.counted_phrase("thing").text
        return f"{self.before()}{self.of('handle', who)} 了 {thing}"

    def dispose(self, who: Phrase) -> str:
        """把 那 把 椅子 搬走 了"""
        thing = self.known_phrase("thing").text
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
            return f"{self.before()}{self.of('eat', who)} 了 {self.pick(lex.EATEN)}"
        food = self.counted_phrase("food").text
        return f"{self.before()}{self.of('eat', who)} 了 {food}"

    def give(self, who: Phrase) -> str:
        """送给 了 小红 一 本 书"""
        thing = self.counted_phrase("thing").text
        return f"{self.before()}{self.of('give', who)} 了 {self.person().text} {thing}"

    def mind(self, who: Phrase) -> str:
        topic = self.known_phrase("topic").text
        if self.chance(0.4):
            return f"{self.before()}{self.of('minded', who)} 了 {topic}"
        return f"{self.of('mind', who)} {topic}"

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
_OPEN: tuple[Callable[[Clauses, Phrase], str], ...] = weighted({
    Clauses.act: 3, Clauses.go: 3, Clauses.meet: 3, Clauses.state: 4,
})  # fmt: skip

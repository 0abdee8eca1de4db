"""The Chinese grammar: sentences around relations between their words, and short stories."""

from collections.abc import Callable

from model.training.grammar.chinese import lexicon as lex
from model.training.grammar.chinese.clauses import Clauses, Phrase
from model.training.grammar.dice import is_held_out, weighted

PAIRS = {"（": "）", "“": "”", "《": "》"}
# What somebody may choose, as one word: the values of key–value recall.
VALUES = lex.DRINKS + lex.EATEN + tuple(noun.word for noun in lex.KINDS["food"])
CHOICES = ("要", "喜欢", "爱", "想要", "需要")
ASKED = ("谁", "什么", "哪儿", "怎么", "为什么")


class Writer(Clauses):
    """Writes sentences and stories; the same state of the generator gives the same ones."""

    def sentence(self) -> str:
        """One sentence, with its final mark."""
        return finish(self.words())

    def words(self) -> str:
        """A sentence with blanks between its words."""
        usual = self._invented
        if self.chance(self._strange):
            self._invented = 1.0
        try:
            return self.pick(_SENTENCES)(self)
        finally:
            self._invented = usual

    def story(self) -> str:
        """A few sentences about the same two people, who recur as pronouns."""
        hero, other = self.two_people()
        lines = [f"{hero.text} 和 {other.text} {self.where()}"]
        for _ in range(2 + int(self._random() * 4)):
            who = hero if self.chance(0.7) else other
            again = Phrase(who.pronoun, "person", who.pronoun)
            subject = who if self.chance(0.4) else again
            lines.append(f"{subject.text} {self.predicate(subject, 1)}")
        return "".join(finish(line) for line in lines)

    def simple(self) -> str:
        return self.clause()

    def topic_first(self) -> str:
        """书 ， 小明 买 了 三 本"""
        noun = self.noun(self.pick(("thing", "thing", "food", "animal")))
        who = self.person()
        verb = self.of("eat" if lex.KIND_OF.get(noun.word) == "food" else "handle", who)
        described = self.described(lex.KIND_OF.get(noun.word, "thing"), 0.25)
        return f"{described}{noun.word} ， {who.text} {verb} 了 {self.count()} {noun.classifier}"

    def counted(self) -> str:
        """小明 买 了 三 本 很 旧 的 书 和 一 支 笔"""
        who = self.person()
        things = []
        for _ in range(2 + self.chance(0.3)):
            noun = self.noun("thing")
            described = self.described("thing", 0.5)
            things.append(f"{self.count()} {noun.classifier} {described}{noun.word}")
        return f"{who.text} {self.of('handle', who)} 了 {' 、 '.join(things[:-1])} 和 {things[-1]}"

    def chained(self) -> str:
        """小明 丢 了 他 的 书 ， 小红 忘 了 她 的 伞"""
        clauses = []
        for _ in range(3 + self.chance(0.5)):
            who = self.name()
            thing = self.noun("thing").word
            clauses.append(f"{who.text} {self.of('lose', who)} 了 {who.pronoun} 的 {thing}")
        return " ， ".join(clauses)

    def meant(self) -> str:
        """小红 很 高兴 ， 因为 她 买 了 一 件 衣服"""
        draw = self._random()
        if draw < 0.55:
            who = self.name()
        else:
            who = self.known_phrase(self.pick(("animal", "thing", "thing", "food", "place")))
        again = Phrase(who.pronoun, who.kind, who.pronoun)
        first = self.predicate(who, 1)
        link = self.pick(("因为", "因为", "可是", "但是", "而且"))
        mark = "。" if self.chance(0.25) else "，"
        start = "" if mark == "。" else f"{link} "
        return f"{who.text} {first} {mark} {start}{again.text} {self.predicate(again, 1)}"

    def correlated(self) -> str:
        """虽然 小明 很 累 ， 但是 他 去 学校"""
        pair = self.pick(lex.PAIRS)
        who, other = self.actor(), self.actor()
        is_same = self.chance(0.5) and who.noun is None
        if is_same:
            other = Phrase(who.pronoun, "person", who.pronoun)
        says = self.opened if pair.is_inside else self.timeless  # what is not over, or may be
        start = f"{pair.first} {who.text}"
        if is_same and self.chance(0.4):
            start = f"{who.text} {pair.first}"
        first = says(who)
        if pair.is_inside:
            end = f"{other.text} {pair.second} {self.timeless(other, is_open=True)}"
        else:
            end = f"{pair.second} {other.text} {self.predicate(other, 1)}"
        return f"{start} {first} ， {end}"

    def question(self) -> str:
        """谁 喜欢 小明 呢 ？ 你 喜欢 小明 吗 ？"""
        who = self.person()
        draw = self._random()
        if draw < 0.4:
            return f"{who.text} {self.predicate(who, 1)} 吗 ？"
        if draw < 0.6:
            asker = Phrase("谁", "person", "他")
            return f"谁 {self.predicate(asker, 1)} 呢 ？"
        asked = self.pick(ASKED[1:])
        if asked == "什么":
            return f"{who.text} {self.of('handle', who)} 什么 呢 ？"
        if asked == "哪儿":
            return f"{who.text} 在 哪儿 {self.of('act', who)} 呢 ？"
        return f"{who.text} {asked} {self.timeless(who)} 呢 ？"

    def quoted(self) -> str:
        """小明 说 ： “ 我 很 累 。 ”"""
        who = self.name()
        said = self.pick(("说", "想", "喊", "告诉 我"))
        return f"{who.text} {said} ： “ {self.clause(1)} 。 ”"

    def bracketed(self) -> str:
        """这 个 学生 （ 那 本 书 “ 一 只 猫 ” ） 很 高"""
        who = self.known_phrase(self.pick(("person", "thing", "animal")))
        return f"{who.text} {self.enclosed(0)} {self.state(who)}"

    def enclosed(self, depth: int, used: str = "") -> str:
        """Brackets and quotes, one inside another."""
        opener = self.pick([mark for mark in PAIRS if mark not in used])
        inside = self.enclosed_words()
        if depth < 1 and self.chance(0.6):
            inside += f" {self.enclosed(depth + 1, used + opener)}"
            if self.chance(0.5):
                inside += f" 和 {self.enclosed_words()}"
        return f"{opener} {inside} {PAIRS[opener]}"

    def enclosed_words(self) -> str:
        kind = self.pick(("person", "thing", "animal", "place"))
        return self.pick((self.counted_phrase, self.known_phrase))(kind).text

    def receiver(self) -> str:
        """小明 和 王芳 去 学校 的 时候 ， 小明 送给 了 王芳 一 本 书"""
        one, two = self.two_names()
        giver, whom = (one, two) if self.chance(0.5) else (two, one)
        thing = self.counted_phrase("thing").text
        start = f"{one.text} 和 {two.text} {self.together()}"
        return f"{start} ， {giver.text} {self.of('give', giver)} 了 {whom.text} {thing}"

    def together(self) -> str:
        verb = self.pick(("去", "来到", "回到", "经过"))
        return f"{verb} {self.towards()} 的 时候"

    def recall(self) -> str:
        """小明 要 茶 ， 李娜 要 牛奶 。 小明 要 茶"""
        verb = self.pick(CHOICES)
        names = [name for name in lex.NAMES if not is_held_out(name, verb)]
        clauses = [f"{name} {verb} {value}" for name, value in self.choices(names, VALUES)]
        asked = [self.pick(clauses) for _ in range(2 + int(self._random() * 2))]
        return f"{' ， '.join(clauses)} 。 {' 。 '.join(asked)}"

    def compound(self) -> str:
        """小明 和 小红 都 很 高兴"""
        one, two = self.two_people()
        both = Phrase(f"{one.text} 和 {two.text}", "person", "他们")
        return f"{both.text} 都 {self.timeless(both)}"


def finish(words: str) -> str:
    """Without blanks, and with a final mark."""
    whole = words.replace(" ", "")
    return whole if whole.endswith(("？", "。”", "。")) else f"{whole}。"


_SENTENCES: tuple[Callable[[Writer], str], ...] = weighted({
    Writer.simple: 16, Writer.topic_first: 12, Writer.counted: 10, Writer.chained: 12,
    Writer.meant: 14, Writer.correlated: 14, Writer.question: 9, Writer.quoted: 6,
    Writer.bracketed: 16, Writer.receiver: 9, Writer.recall: 7, Writer.compound: 3,
})  # fmt: skip

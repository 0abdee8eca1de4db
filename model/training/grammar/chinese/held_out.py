"""Held-out Chinese sentences for evaluation: relations between words that training never pairs."""

from model.training.grammar.chinese import lexicon as lex
from model.training.grammar.chinese.clauses import Phrase
from model.training.grammar.chinese.lexicon import Noun
from model.training.grammar.chinese.writer import ASKED, CHOICES, PAIRS, VALUES, Writer
from model.training.grammar.dice import is_held_out
from model.training.grammar.grammar import Example

# Classifiers that tell something: nearly any noun can have 个.
COMMON = "个"
OTHER = {"他": ("她",), "她": ("他",)}
TOLD = tuple(
    noun
    for kind in ("thing", "animal", "food")
    for noun in lex.KINDS[kind]
    if noun.classifier != COMMON
)


def example(
    before: str, target: str, between: str, looker: str, others: tuple[str, ...] | None
) -> Example:
    """Without the blanks between words."""
    start, middle = before.replace(" ", ""), between.replace(" ", "")
    return Example(start, target, middle, looker, others)


class HeldOut(Writer):
    """Writes examples; the same state of the generator gives the same ones."""

    def somebody_does(self, name: str) -> tuple[Phrase, str]:
        """A name and a verb that training never puts together."""
        while True:
            who = self.named(self.pick(lex.NAMES))
            verbs = [verb for verb in lex.VERBS[name] if is_held_out(who.text, verb)]
            if verbs:
                return who, self.pick(verbs)

    def topic_of_classifier(self) -> Example:
        """书，小明买了三本"""
        noun = self.pick(TOLD)
        who, verb = self.somebody_does("eat" if lex.KIND_OF[noun.word] == "food" else "handle")
        others = tuple(sorted({one.classifier for one in TOLD} - {noun.classifier}))
        between = f"，{who.text}{verb}了{self.count()}"
        return example("", noun.word, between, noun.classifier, others)

    def classifier_of_noun(self) -> Example:
        """小明买了三本很旧的书"""
        noun = self.pick([one for one in TOLD if lex.KIND_OF[one.word] == "thing"])
        who, verb = self.somebody_does("handle")
        described = self.described("thing", 1.0)
        others = tuple(self._other(noun).word for _ in range(3))
        before = f"{who.text}{verb}了{self.count()}"
        return example(before, noun.classifier, described, noun.word, others)

    def _other(self, noun: Noun) -> Noun:
        """A thing with another classifier."""
        alike = (noun.classifier, COMMON)
        return self.pick([one for one in lex.KINDS["thing"] if one.classifier not in alike])

    def antecedent_of_possessive(self) -> Example:
        """小红丢了她"""
        who, verb = self.somebody_does("lose")
        return example("", who.text, f"{verb}了", who.pronoun, OTHER[who.pronoun])

    def antecedent_after_because(self) -> Example:
        """小红丢了一把雨伞，因为她"""
        who, verb = self.somebody_does("handle")
        thing = self.counted_phrase("thing").text
        others = OTHER[who.pronoun]
        return example("", who.text, f"{verb}了{thing}，因为", who.pronoun, others)

    def first_of_pair(self) -> Example:
        """虽然小明很累，但是"""
        pair = self.pick(lex.PAIRS)
        who, other = self.named(self.pick(lex.NAMES)), self.named(self.pick(lex.NAMES))
        fitting = {one.second for one in lex.PAIRS if one.first == pair.first}
        alike = {one.second for one in lex.PAIRS if one.is_inside == pair.is_inside}
        end = other.text if pair.is_inside else ""
        says = self.opened if pair.is_inside else self.timeless
        between = f"{who.text}{says(who)}，{end}"
        return example("", pair.first, between, pair.second, tuple(sorted(alike - fitting)))

    def question_word_of_particle(self) -> Example:
        """小明为什么喜欢北京呢"""
        asked = self.pick(ASKED)
        who = self.named(self.pick(lex.NAMES))
        if asked == "谁":
            before, rest = "", self.predicate(Phrase("谁", "person", "他"), 1)
        elif asked == "什么":
            before, rest = f"{who.text}{self.of('handle', who)}", ""
        elif asked == "哪儿":
            before, rest = f"{who.text}在", self.of("act", who)
        else:
            before, rest = who.text, self.timeless(who)
        return example(before, asked, rest, "呢", ("吗",))

    def opener_of_bracket(self) -> Example:
        return self.closing("（《")

    def opener_of_quote(self) -> Example:
        return self.closing("“")

    def closing(self, marks: str) -> Example:
        """这个学生（那本书“一只猫”和一条鱼）"""
        opener = self.pick(marks)
        inside = self.enclosed_words()
        if self.chance(0.7):
            inside += f"{self.enclosed(1, opener)}和{self.enclosed_words()}"
        others = tuple(mark for mark in PAIRS.values() if mark != PAIRS[opener])
        before = self.known_phrase("person").text
        return example(before, opener, inside, PAIRS[opener], others)

    def value_of_key(self) -> Example:
        """小明要茶，李娜要牛奶，王芳要米饭。李娜要牛奶"""
        verb = self.pick(CHOICES)
        pairs = self.choices([name for name in lex.NAMES if is_held_out(name, verb)], VALUES)
        clauses = [f"{name}{verb}{value}" for name, value in pairs]
        asked = int(self._random() * len(pairs))
        name, value = pairs[asked]
        before = "".join(f"{clause}，" for clause in clauses[:asked]) + f"{name}{verb}"
        between = "".join(f"，{clause}" for clause in clauses[asked + 1 :]) + f"。{name}{verb}"
        return example(before, value, between, value, None)

    def receiver_of_gift(self) -> Example:
        """小明和王芳去学校的时候，小明送给了王芳"""
        one = self.name().text
        two = self.pick([name for name in lex.NAMES if name != one and is_held_out(one, name)])
        rest, give = self.together(), self.pick(lex.VERBS["give"])
        if self.chance(0.5):
            return example("", one, f"和{two}{rest}，{two}{give}了", one, (two,))
        return example(f"{one}和", two, f"{rest}，{one}{give}了", two, (one,))


class Unseen(HeldOut):
    """The same with nouns that never occur in training."""

    def noun(self, kind: str) -> Noun:
        return self.pick(lex.UNSEEN)

    def any_closing(self) -> Example:
        return self.closing("（《“")

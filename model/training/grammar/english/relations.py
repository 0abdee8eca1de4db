"""Sentences built around a relation that a head can learn to attend along.

No rule rejects its random choices, so every rule ends.
"""

from model.training.grammar.dice import is_held_out
from model.training.grammar.english import lexicon as lex
from model.training.grammar.english.clauses import Clauses
from model.training.grammar.english.kinds import ADJECTIVES, KINDS, NAMES, OBJECTS
from model.training.grammar.english.lexicon import verb
from model.training.grammar.english.phrases import THEY, Phrase, article

# Determiners that determine the number of their noun, whatever comes between.
TELLS_ONE = ("this", "that", "every", "each", "another", "one", "a")
TELLS_MANY = ("these", "those", "many", "several", "few", "both", "all", *lex.NUMBERS[:10])
# "Mary annoyed John because she …", "Mary thanked John because he …": implicit causality (Garvey &
# Caramazza 1974).
ABOUT_SUBJECT = tuple(verb(entry) for entry in "annoy surprise scare tease amuse attack".split())
ABOUT_OBJECT = tuple(verb(entry) for entry in "thank blame praise hate admire punish".split())
QUOTING = tuple(verb(entry) for entry in "say/said ask shout whisper answer reply".split())
# What somebody may choose, as one word: the values of key–value recall.
VALUES = (*lex.MASS, *(food.many for food in lex.FOODS), *(animal.many for animal in lex.ANIMALS))
CHOICES = tuple(verb(entry) for entry in "choose/chose/chosen like want buy/bought order".split())
PAIRS = {"(": ")", "[": "]", '"': '"', "'": "'"}
BECAUSE = ("because",) * 5 + ("although", "since", "until", "before", "after", "so")
WENT = ("went", "walked", "came", "drove", "got", "returned")


class Relations(Clauses):
    """Draws sentences without their capital letter and final mark."""

    def agreement(self) -> str:
        """The keys near the old cabinet are on the table."""
        who = self.noun_phrase(
            self.pick(("thing", "thing", "person", "animal", "food", "topic")),
            determiner=self.pick(("the", "the", "the", "my", "our", "their")),
        )
        # Mostly the other number: there the nearest noun is the wrong one to agree with.
        other = not who.plural if self.chance(0.7) else None
        return f"{who.text} {self.beside(who.noun, other)} {self.agreeing(who)}"

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
        return f"{who.text} {link} {by.text} {self.does(lex.MEET, by)} {self.agreeing(who)}"

    def described(self) -> str:
        """These three big old keys are heavy. A determiner tells the number of a far noun."""
        kind, plural = self.pick(("thing", "person", "animal", "place", "food")), self.chance(0.5)
        noun = self.invented_noun() if self.chance(self._invented) else self.pick(KINDS[kind])
        words = self.many_adjectives(kind, noun.many if plural else noun.one)
        determiner = self.pick(TELLS_MANY if plural else TELLS_ONE)
        text = article(words) if determiner == "a" else f"{determiner} {words}"
        who = Phrase(text, kind, plural, THEY if plural else self.pronoun(noun), noun)
        if self.chance(0.4):
            by = self.person()
            return f"{by.text} {self.does(lex.HANDLE, by)} {text}"
        return f"{text} {self.agreeing(who)}"

    def many_adjectives(self, kind: str, noun: str) -> str:
        """One to three adjectives and a noun."""
        count = 1 + int(self._random() * 3)
        return " ".join([*(self.pick(ADJECTIVES[kind]) for _ in range(count)), noun])

    def reflexive(self) -> str:
        """The woman near the boys saw herself."""
        if self.chance(0.8):
            who = self.gendered(self.chance(0.5))
        else:
            who = self.noun_phrase(self.pick(("person", "animal")), plural=self.chance(0.6))
        place = f" {self.beside(who.noun)}" if self.chance(0.35) else ""
        return f"{who.text}{place} {self.reflect(who, 0)}"

    def possessive(self) -> str:
        """Mary lost her key."""
        who, other = self.two_people()
        if self.chance(0.3):
            thing = self.noun_phrase("thing", determiner=who.pronoun.possessive).text
            return f"{who.text} {self.does(lex.GIVE, who)} {other.text} {thing}"
        if self.chance(0.15):
            owned = f"{other.text}'s {self.pick(OBJECTS).one}"
            return f"{who.text} {self.does(lex.HANDLE, who)} {owned}"
        place = f" {self.beside(who.noun)}" if self.chance(0.25) else ""
        return f"{who.text}{place} {self.own(who, 0)}"

    def chained(self) -> str:
        """Mary washed herself, John lost his key and Anna hid herself. Dense evidence of gender."""
        clauses = []
        for _ in range(3 + int(self._random() * 2)):
            who = self.gendered(self.chance(0.5))
            if self.chance(0.5):
                clauses.append(
                    f"{who.text} {self.did_one(lex.REFLECT, who)} {who.pronoun.reflexive}"
                )
            else:
                owned = f"{who.pronoun.possessive} {self.pick(OBJECTS).one}"
                clauses.append(f"{who.text} {self.did_one(lex.WEAR, who)} {owned}")
        return f"{', '.join(clauses[:-1])} and {clauses[-1]}"

    def because(self) -> str:
        """The cat sat on the mat because it was tired."""
        if self.chance(0.15):
            return self.blamed()
        if self.chance(0.6):
            who = self.gendered(self.chance(0.5))
        else:
            who = self.noun_phrase(self.pick(("animal", "thing", "person")), determiner="the")
        place = f" {self.beside(who.noun)}" if self.chance(0.3) else ""
        did = self.did(who)
        return f"{who.text}{place} {did} {self.pick(BECAUSE)} {self.meaning(who)}"

    def did(self, who: Phrase) -> str:
        """What somebody did that names no other person."""
        if who.kind == "thing":
            return self.does(lex.HAPPEN, who)
        if who.kind == "person" and self.chance(0.4):
            return f"{self.does(lex.HANDLE, who)} {self.noun_phrase('thing').text}"
        return self.act(who, 0)

    def blamed(self) -> str:
        """Two people, and a verb that says which of them is meant."""
        who, other = self.two_people()
        about_subject = self.chance(0.5)
        act = self.does(ABOUT_SUBJECT if about_subject else ABOUT_OBJECT, who)
        meant = who if about_subject else other
        return f"{who.text} {act} {other.text} because {self.meaning(meant)}"

    def meaning(self, who: Phrase) -> str:
        """A clause whose subject is the pronoun of somebody named before."""
        again = Phrase(who.pronoun.subject, who.kind, who.plural, who.pronoun, who.noun)
        if self.chance(0.6):
            return f"{again.text} {self.be(again, past=self.chance(0.8))} {self.quality(again)}"
        return f"{again.text} {self.predicate(again, 2)}"

    def joined(self) -> str:
        """Mary gave the ball to John, and he thanked her."""
        link = self.pick(("and", "and", "but", "so", "or", "yet", "and then"))
        if self.chance(0.7):
            who, other = self.two_people()
            act = f"{self.does(lex.MEET, who)} {other.text}"
            if self.chance(0.6):
                given = self.thing(placed=0.0)
                act = f"{self.does(lex.GIVE, who)} {given} to {other.text}"
            answer = self.does(lex.MEET, other)
            return f"{who.text} {act}, {link} {other.pronoun.subject} {answer} {who.pronoun.object}"
        if self.chance(0.4):
            who = self.actor()
            return f"{who.text} {self.predicate(who, 2)} and {self.predicate(who, 2)}"
        return f"{self.clause(1)}, {link} {self.clause(1)}"

    def quoted(self) -> str:
        """Mary said, "the cat 'Tom' is late"."""
        who = self.person()
        verb = self.did_one(QUOTING, who)
        inside = self.clause(1)
        if self.chance(0.4):
            aside = self.enclosed(1, used='"')
            inside = f"{self.noun_phrase('person').text} {aside} said {inside}"
        elif self.chance(0.3):
            after = self.pick(("to me", "again", "yesterday", "to us", "twice"))
            speaker = self.name()
            inside = f"{speaker.text} {self.did_one(QUOTING, speaker)} '{inside}' {after}"
        if self.chance(0.5):
            return f'{who.text} {verb}, "{inside}{self.pick((".", ".", "!", "?"))}"'
        return f'"{inside}{self.pick((",", ",", "!", "?"))}" {verb} {who.text}'

    def bracketed(self) -> str:
        """The boy (who was late) is here."""
        who = self.noun_phrase(self.pick(("person", "thing", "animal")), determiner="the")
        if self.chance(0.75):
            return f"{who.text} {self.enclosed(0)} {self.agreeing(who)}"
        again = Phrase(who.pronoun.subject, who.kind, who.plural, who.pronoun, who.noun)
        inside = self.pick((f"which {self.state(who, 0)}", self.meaning(again)))
        if self.chance(0.35):
            inside += f" [{self.pick((self.when(), self.topic()))}]"
            if self.chance(0.4):
                inside += f" {self.pick(lex.WHEN)}"
        return f"{who.text} ({inside}) {self.agreeing(who)}"

    def enclosed(self, depth: int, used: str = "") -> str:
        """(the cat "a dog" and the fox): brackets and quotes, one inside another."""
        opener = self.pick([mark for mark in PAIRS if mark not in used or mark in "(["])
        inside = self.enclosed_words()
        if depth < 1 and self.chance(0.6):
            inside += f" {self.enclosed(depth + 1, used + opener)}"
            if self.chance(0.5):
                inside += f" {self.pick(('and', 'or', 'near', 'with'))} {self.enclosed_words()}"
        return f"{opener}{inside}{PAIRS[opener]}"

    def enclosed_words(self) -> str:
        kind = self.pick(("person", "thing", "animal", "place"))
        # what closes must not depend on knowing the words between
        noun = self.invented_noun() if self.chance(2.5 * self._invented) else None
        who = self.noun_phrase(kind, noun=noun)
        draw = self._random()
        if draw < 0.5:
            return who.text
        if draw < 0.65:
            unknown = self.chance(self._invented)
            verb = self.invented_verb() if unknown else self.one_of(lex.ACT, who)
            return f"{who.text} that {verb.past}"
        return f"{who.text} {self.beside(who.noun)}"

    def indirect_object(self) -> str:
        """When Mary and John went to the store, John gave a drink to Mary."""
        one, two = self.two_names() if self.chance(0.8) else self.two_people()
        place = self.noun_phrase("place", determiner="the", plural=False).text
        giver, receiver = (one, two) if self.chance(0.5) else (two, one)
        start = f"when {one.text} and {two.text} {self.pick(WENT)} to {place}"
        gave = f"{giver.text} {self.did_one(lex.GIVE, giver)} {self.thing(placed=0.0)}"
        return f"{start}, {gave} to {receiver.text}"

    def recall(self) -> str:
        """Ben chose milk, Anna chose tea and Eva chose rice. Anna chose tea. Ben chose milk."""
        verb = self.pick(CHOICES)
        names = [name for name in NAMES if not is_held_out(name, verb.base)]
        clauses = [f"{name} {verb.past} {value}" for name, value in self.choices(names, VALUES)]
        questions = [
            clauses[int(self._random() * len(clauses))] for _ in range(2 + int(self._random() * 2))
        ]
        return f"{', '.join(clauses[:-1])} and {clauses[-1]}. {'. '.join(questions)}"

"""The examples for evaluation: held out, correct, and found among the tokens."""

from collections.abc import Callable
from random import Random

import pytest

from model.core.checkpoint import SHIPPED
from model.core.tokenizer import Tokenizer
from model.training.evaluation.look import place
from model.training.grammar.dice import is_held_out
from model.training.grammar.english import lexicon as lex
from model.training.grammar.english.held_out import HeldOut, Unseen
from model.training.grammar.english.kinds import DISTRACTORS, NAMES, SUBJECTS
from model.training.grammar.english.relations import CHOICES
from model.training.grammar.grammar import Example

pytestmark = pytest.mark.long

LEMMA = {form: noun.one for noun in SUBJECTS + DISTRACTORS for form in (noun.one, noun.many)}
PLURALS = {noun.many for noun in SUBJECTS + DISTRACTORS if noun.one != noun.many}
RELATIONS = (
    "subject_of_verb antecedent_of_reflexive antecedent_of_possessive antecedent_after_because "
    "opener_of_bracket opener_of_quote determiner_of_noun value_of_key receiver"
).split()


def some(name: str, n: int = 150, seed: int = 1) -> list[Example]:
    write: Callable[[], Example] = getattr(HeldOut(Random(seed)), name)
    return [write() for _ in range(n)]


@pytest.mark.parametrize("name", RELATIONS)
def test_examples_are_a_function_of_the_seed(name: str) -> None:
    assert some(name, 20) == some(name, 20) != some(name, 20, seed=2)


@pytest.mark.parametrize("name", RELATIONS)
def test_the_words_are_found_among_the_tokens(name: str) -> None:
    tokenizer = Tokenizer.load(SHIPPED / "tokenizer.json")
    for example in some(name, 40):
        tokens, placed = tokenizer.encode(example.text), place(tokenizer, example)
        target = "".join(tokens[place].text for place in placed.target)
        looker = "".join(token.text for token in tokens[placed.first : placed.last + 1])
        assert target.strip() == example.target
        assert looker.strip() == example.looker
        assert placed.last == len(tokens) - 1
        assert placed.ids == [token.id for token in tokens]
        if example.others is not None and placed.others is not None:
            assert len(placed.others) == len(example.others)
            assert placed.ids[placed.first] not in placed.others


def test_subjects_and_distractors_are_held_out_and_of_opposite_number() -> None:
    examples = some("subject_of_verb", 300)
    for example in examples:
        distractor = example.between.split()[-1]
        assert is_held_out(LEMMA[example.target], LEMMA[distractor]), example.text
        plural = example.target in PLURALS
        assert plural == (example.looker in ("are", "were", "have"))
        assert plural != (distractor in PLURALS)
    assert 90 < sum(example.looker in ("are", "were", "have") for example in examples) < 210


@pytest.mark.parametrize(
    ("name", "verbs"),
    [
        ("antecedent_of_reflexive", lex.REFLECT),
        ("antecedent_of_possessive", lex.WEAR),
        ("antecedent_after_because", lex.ACT),
    ],
)
def test_names_and_verbs_are_held_out(name: str, verbs: tuple[lex.Verb, ...]) -> None:
    named = [example for example in some(name) if example.target in NAMES]
    assert len(named) > 30
    for example in named:
        did = example.between.removesuffix(" because ").split()[-1]
        bases = [verb.base for verb in verbs if verb.past == did]
        none_left = not any(is_held_out(example.target, verb.base) for verb in verbs)
        assert none_left or any(is_held_out(example.target, base) for base in bases), example.text


def test_pronouns_have_the_gender_of_their_antecedent() -> None:
    he = {*lex.HE_NAMES, *(noun.one for noun in lex.MEN)}
    for name in ("antecedent_of_reflexive", "antecedent_of_possessive", "antecedent_after_because"):
        for example in some(name):
            if example.looker != "it":
                male = example.looker in ("he", "his", "himself")
                assert male == (example.target in he), example.text


def test_closers_match_and_are_often_nested() -> None:
    for name, pairs in (("opener_of_bracket", "() []"), ("opener_of_quote", "\"\" ''")):
        examples = some(name)
        for example in examples:
            assert example.target + example.looker in pairs.split()
            for opener, closer in ("()", "[]"):
                assert example.between.count(opener) == example.between.count(closer)
        nested = [e for e in examples if any(mark in e.between for mark in "([\"'")]
        assert len(nested) > len(examples) / 2


def test_a_key_is_recalled_with_its_value() -> None:
    for example in some("value_of_key"):
        told, asked = (example.before + example.target + example.between).split(". ")
        assert f"{asked.strip()} {example.target}" in told
        name, did = asked.split()
        (base,) = (verb.base for verb in CHOICES if verb.past == did)
        assert is_held_out(name, base)


def test_the_receiver_is_the_one_who_does_not_give() -> None:
    for example in some("receiver"):
        one, two = example.text.split()[1], example.text.split()[3]
        giver = example.text.split(", ")[1].split()[0]
        assert {giver, example.looker} == {one, two}
        assert is_held_out(one, two)


def test_unseen_sentences_hold_unseen_nouns_and_verbs_only() -> None:
    writer = Unseen(Random(1))
    unseen = {form for noun in lex.UNSEEN.nouns for form in (noun.one, noun.many)}
    unseen |= {form for verb in lex.UNSEEN.verbs for form in verb}
    known = {form for noun in SUBJECTS + DISTRACTORS for form in (noun.one, noun.many)}
    adjectives = {
        word
        for name in ("SIZES", "QUALITIES", "COLORS", "TRAITS", "DEGREE")
        for word in getattr(lex, name)
    }
    for write in (writer.subject_of_verb, writer.any_closing):
        for _ in range(100):
            words = set(write().text.lower().replace("(", " ").split())
            assert words & unseen
            assert not (words & known) - adjectives - set(" ".join(lex.PREPOSITIONS).split())

"""The German grammar: endings, verbs in their places, and nothing that is held out."""

import re
from random import Random

import pytest

from model.core.checkpoint import LANGUAGES
from model.core.tokenizer import Tokenizer
from model.training.evaluation.look import place
from model.training.grammar.dice import is_held_out
from model.training.grammar.german import lexicon as lex
from model.training.grammar.german.clauses import Predicate
from model.training.grammar.german.grammar import GRAMMAR
from model.training.grammar.german.phrases import Phrases, joined
from model.training.grammar.german.writer import PAIRS, Writer

pytestmark = pytest.mark.long

CASES: tuple[lex.Case, ...] = ("nom", "acc", "dat")
MAN, BOY = lex.noun("Mann/Männer", "m"), lex.noun("Junge/Jungen~", "m")
WOMAN, CHILD = lex.noun("Frau/Frauen", "f"), lex.noun("Kind/Kinder", "n")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    writer = Writer(Random(11))
    return [writer.story() if i % 4 == 0 else writer.sentence() for i in range(3_000)]


@pytest.mark.parametrize(
    ("noun", "plural", "nom", "acc", "dat"),
    [
        (MAN, False, "der alte Mann", "den alten Mann", "dem alten Mann"),
        (BOY, False, "der alte Junge", "den alten Jungen", "dem alten Jungen"),
        (WOMAN, False, "die alte Frau", "die alte Frau", "der alten Frau"),
        (CHILD, False, "das alte Kind", "das alte Kind", "dem alten Kind"),
        (MAN, True, "die alten Männer", "die alten Männer", "den alten Männern"),
    ],
)
def test_determiners_adjectives_and_nouns_have_the_ending_of_their_case(
    noun: lex.Noun, plural: bool, nom: str, acc: str, dat: str
) -> None:
    phrases, old = Phrases(Random(0)), lex.Adjective("alt", "alt")
    number = "pl" if plural else noun.gender
    for case, expected in zip(CASES, (nom, acc, dat), strict=True):
        words = phrases._determined(number, case, [old], "the")
        assert f"{words} {noun.form(case, plural)}" == expected


@pytest.mark.parametrize(
    ("number", "case", "expected"),
    [
        ("m", "nom", "mein alter"),
        ("m", "acc", "meinen alten"),
        ("f", "acc", "meine alte"),
        ("n", "acc", "mein altes"),
        ("n", "dat", "meinem alten"),
        ("pl", "nom", "meine alten"),
    ],
)
def test_adjectives_after_a_possessive_have_another_ending(
    number: str, case: lex.Case, expected: str
) -> None:
    old = lex.Adjective("alt", "alt")
    assert Phrases(Random(0))._determined(number, case, [old], "mein") == expected


def test_verbs_are_regular_unless_they_are_spelled_out() -> None:
    assert lex.verb("auf|machen") == ("machen", "macht", "machte", "gemacht", "auf")
    saw = lex.verb("sehen/sieht/sah/gesehen")
    assert (saw.finite(True), saw.finite(True, past=True)) == ("sehen", "sahen")
    assert lex.verb("warten/wartet/wartete/gewartet").finite(True, past=True) == "warteten"


def test_the_finite_verb_stands_second_first_or_last() -> None:
    opens = Predicate("macht", "die Tür", "auf", is_prefix=True)
    assert opens.main("Anna") == "Anna macht die Tür auf"
    assert opens.inverted("heute", "Anna") == "heute macht Anna die Tür auf"
    assert opens.last("Anna") == "Anna die Tür aufmacht"
    assert Predicate("hat", "die Tür", "aufgemacht").last("Anna") == "Anna die Tür aufgemacht hat"


def test_prepositions_join_with_some_articles() -> None:
    assert joined("in", "dem Garten") == "im Garten"
    assert joined("zu", "der Schule") == "zur Schule"
    assert joined("neben", "dem Garten") == "neben dem Garten"


def test_sentences_have_a_capital_and_a_final_mark(texts: list[str]) -> None:
    for text in texts:
        assert re.fullmatch(r"[A-ZÄÖÜ].*[.!?]“?", text), text
        assert not re.search(r"  | [,.]|,,", text), text


def test_brackets_and_quotes_close_the_one_opened_last(texts: list[str]) -> None:
    deepest = 0
    for text in texts:
        stack: list[str] = []
        for mark in text:
            if mark in PAIRS:
                stack.append(mark)
                deepest = max(deepest, len(stack))
            elif mark in PAIRS.values():
                assert PAIRS[stack.pop()] == mark, text
        assert not stack, text
    assert deepest == 2


def test_training_never_shows_a_held_out_pair_of_a_name_and_a_verb(texts: list[str]) -> None:
    parting = {verb.base for name in lex.VERBS for verb in lex.VERBS[name] if verb.prefix}
    measured = {
        form: verb.name
        for name in ("own", "dative_person", "accusative_person", "handle")
        for verb in set(lex.VERBS[name]) - set(lex.VERBS["know"])
        for form in (verb.third, verb.past)
        if verb.base not in parting and form != verb.participle
    }
    names = "|".join(lex.NAMES)
    pairs = {
        (name, measured[verb])
        for text in texts
        for name, verb in re.findall(rf"(?<!und )\b({names}) ([a-zäöüß]+)\b", text)
        if verb in measured
    }
    assert len(pairs) > 300
    assert not {pair for pair in pairs if is_held_out(*pair)}


def test_the_words_of_examples_are_found_among_the_tokens() -> None:
    tokenizer = Tokenizer.load(LANGUAGES / "german" / "tokenizer.json")
    for row in GRAMMAR.tested(1):
        for _ in range(20):
            example = row.write()
            tokens, placed = tokenizer.encode(example.text), place(tokenizer, example)
            looker = "".join(token.text for token in tokens[placed.first : placed.last + 1])
            assert looker.strip() == example.looker
            if placed.others is not None:
                assert placed.ids[placed.first] not in placed.others, example


def test_capitals_and_umlauts_are_read_as_they_are_typed() -> None:
    tokenizer = Tokenizer.load(LANGUAGES / "german" / "tokenizer.json")
    text = "Die Mütter grüßen (heute) „den Ärger“ im Floß."
    tokens = tokenizer.encode(text)
    assert "".join(token.text for token in tokens[1:]) == text
    assert tokenizer.decode([token.id for token in tokens]) == text.replace("„", '"').replace(
        "“", '"'
    )
    assert tokenizer.encode("die")[1].id != tokenizer.encode("Die")[1].id
    assert tokenizer.token_text(tokens[2].id) == "Mütter"

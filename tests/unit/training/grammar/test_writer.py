"""The grammar: well-formed sentences without the held-out combinations."""

import re
from itertools import pairwise
from random import Random

import pytest

from model.training.grammar.dice import is_held_out
from model.training.grammar.english import lexicon as lex
from model.training.grammar.english.draws import real_words
from model.training.grammar.english.kinds import (
    ADJECTIVES,
    DISTRACTORS,
    NAMES,
    SUBJECTS,
)
from model.training.grammar.english.phrases import article
from model.training.grammar.english.relations import CHOICES, PAIRS
from model.training.grammar.english.writer import Writer, lexicon_words

pytestmark = pytest.mark.long

LEMMA = {form: noun.one for noun in SUBJECTS + DISTRACTORS for form in (noun.one, noun.many)}
DESCRIBING = {word for words in ADJECTIVES.values() for word in words}
PREPOSITION = "|".join(lex.PREPOSITIONS)
# the verbs that names are measured with
MEASURED = {
    form: verb.base
    for verb in lex.REFLECT + lex.WEAR + lex.ACT + CHOICES
    for form in (verb.third, verb.past)
}


@pytest.fixture(scope="module")
def texts() -> list[str]:
    writer = Writer(Random(11), invented=0.0)
    return [writer.story() if i % 4 == 0 else writer.sentence() for i in range(3_600)]


def head(words: list[str]) -> str | None:
    """The noun of a phrase: the first one that does not modify the next ("orange fox")."""
    for word, after in zip(words, [*words[1:], ""], strict=True):
        if word in LEMMA and not (word in DESCRIBING and (after in LEMMA or after in DESCRIBING)):
            return LEMMA[word]
    return None


def noun_pairs(text: str) -> set[tuple[str, str]]:
    """Every noun before a preposition, with the noun after it (both in the singular)."""
    pattern = rf"([a-z]+)(?= (?:{PREPOSITION}) ((?:[a-z]+ ?){{1,5}}))"
    pairs = ((LEMMA.get(m[1]), head(m[2].split())) for m in re.finditer(pattern, text.lower()))
    return {(noun, other) for noun, other in pairs if noun is not None and other is not None}


def test_sentences_have_a_capital_and_a_final_mark(texts: list[str]) -> None:
    for text in texts:
        assert re.fullmatch(r"[\"(]?[A-Z].*[.!?][\")]?", text), text
        assert "  " not in text


def test_brackets_and_quotes_close_the_one_opened_last(texts: list[str]) -> None:
    deepest = 0
    for text in texts:
        open_marks: list[str] = []
        for before, mark in pairwise(f" {text}"):
            opens = mark in "([" or (
                mark in "\"'" and before in " ([\"'" and mark not in open_marks
            )
            if mark == "'" and before.isalpha() and "'" not in open_marks:
                continue  # an apostrophe: don't
            if opens:
                open_marks.append(mark)
                deepest = max(deepest, len(open_marks))
            elif mark in ")]\"'" and open_marks:
                if mark == "'" and before.isalpha() and open_marks[-1] != "'":
                    continue
                if mark == "'" and re.search(r"n't|'s\b", text):
                    break  # quotes and apostrophes together: a reader can tell, this test cannot
                assert PAIRS[open_marks.pop()] == mark, text
    assert deepest >= 2


def test_training_never_shows_a_held_out_pair_of_nouns(texts: list[str]) -> None:
    seen = {pair for text in texts for pair in noun_pairs(text)}
    assert len(seen) > 600  # the parser finds pairs at all
    assert not {pair for pair in seen if is_held_out(*pair)}


def test_training_never_shows_a_held_out_pair_of_a_name_and_a_verb(texts: list[str]) -> None:
    seen = set()
    for text in texts:
        for name, verb in re.findall(rf"(?<!and )\b({'|'.join(NAMES)}) ([a-z]+)", text):
            if verb in MEASURED:
                seen.add((name, MEASURED[verb]))
    assert len(seen) > 400
    assert not {pair for pair in seen if is_held_out(*pair)}


def test_training_never_shows_a_held_out_pair_of_names(texts: list[str]) -> None:
    found = [re.match(r"When ([A-Z]\w+) and ([A-Z]\w+) ", text) for text in texts]
    pairs = [(m[1], m[2]) for m in found if m and m[2] in NAMES and m[1] in NAMES]
    same_gender = [pair for pair in pairs if (pair[0] in lex.HE_NAMES) == (pair[1] in lex.HE_NAMES)]
    assert len(same_gender) > 30
    assert not [pair for pair in same_gender if is_held_out(*pair)]


def test_no_unseen_word_is_ever_written(texts: list[str]) -> None:
    unseen = {form for noun in lex.UNSEEN.nouns for form in (noun.one, noun.many)}
    unseen |= {form for verb in lex.UNSEEN.verbs for form in verb}
    inventing = Writer(Random(4), invented=1.0)
    written = [*texts, *(inventing.sentence() for _ in range(800))]
    assert not unseen & {word for text in written for word in re.findall("[a-z]+", text.lower())}
    assert not unseen & lexicon_words()


def test_invented_words_are_not_real_and_vary() -> None:
    writer = Writer(Random(3))
    words = [writer.invented_word() for _ in range(2_000)]
    assert len(set(words)) > 1_800
    assert not set(words) & real_words()


def test_share_of_pairs_held_out_is_about_a_tenth() -> None:
    pairs = [is_held_out(a.one, b.one) for a in SUBJECTS[:300] for b in DISTRACTORS[:300]]
    assert 0.09 < sum(pairs) / len(pairs) < 0.11


def test_recall_repeats_the_value() -> None:
    writer = Writer(Random(5), invented=0.0)
    for _ in range(300):
        told, *asked = writer.recall().split(". ")
        assert asked
        assert all(re.search(rf"\b{one}\b", told) for one in asked)


def test_a_and_an_go_by_sound() -> None:
    words = "apple useful uncle uniform honest horse hour unimportant one european".split()
    assert [article(word).split()[0] for word in words] == ("an a an a an a an an a a".split())


def test_most_words_of_the_lexicon_are_written(texts: list[str]) -> None:
    seen = {word for text in texts for word in re.findall("[a-z]+", text.lower())}
    words = {word for entry in lexicon_words() for word in entry.split()}
    assert len(words - seen) < 0.45 * len(words)  # the rarest forms need more text than this


def test_strange_sentences_are_of_invented_words() -> None:
    nouns = {form for noun in SUBJECTS for form in (noun.one, noun.many)}

    def known(writer: Writer) -> int:
        texts = [writer.sentence() for _ in range(400)]
        return sum(word in nouns for text in texts for word in re.findall("[a-z]+", text.lower()))

    usual, strange = known(Writer(Random(6))), known(Writer(Random(6), strange=1.0))
    assert 0 < strange < 0.4 * usual  # recall keeps to real words

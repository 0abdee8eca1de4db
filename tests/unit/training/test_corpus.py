"""The corpus: reproducible, no loss on noise, and held-out pairs that training never shows."""

import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from model.errors import InputError
from model.tokenizer import build_tokenizer
from model.training import lexicon
from model.training.corpus import (
    Batch,
    CorpusConfig,
    agreement_pairs,
    batches,
    random_repeats,
    sentence,
    sentences,
)
from model.training.grammar import Writer, lexicon_words
from model.training.phrases import ADJECTIVES, DISTRACTORS, SUBJECTS, is_held_out

TOKENIZER = build_tokenizer(lexicon_words() | {"is", "are", "was", "were", "has", "have"}, 20)
LEMMA = {form: noun.one for noun in SUBJECTS + DISTRACTORS for form in (noun.one, noun.many)}
PLURALS = {noun.many for noun in SUBJECTS + DISTRACTORS}
DESCRIBING = {word for words in ADJECTIVES.values() for word in words}
PREPOSITION = "|".join(lexicon.PREPOSITIONS)


def first(config: CorpusConfig, n_rows: int, seed: int = 0) -> Batch:
    return next(batches(TOKENIZER, config, n_rows, seed))


def head(words: list[str]) -> str | None:
    """The noun of a phrase: its first one that is no adjective of the next ("orange fox")."""
    for word, after in zip(words, [*words[1:], ""], strict=True):
        if word in LEMMA and not (word in DESCRIBING and (after in LEMMA or after in DESCRIBING)):
            return LEMMA[word]
    return None


def noun_pairs(text: str) -> set[tuple[str, str]]:
    """Every noun that a preposition follows, with the noun after that (both in the singular)."""
    pattern = rf"([a-z]+)(?= (?:{PREPOSITION}) ((?:[a-z]+ ?){{1,5}}))"
    pairs = ((LEMMA.get(m[1]), head(m[2].split())) for m in re.finditer(pattern, text.lower()))
    return {(noun, other) for noun, other in pairs if noun is not None and other is not None}


def test_same_seed_gives_the_same_text_and_batches() -> None:
    assert list(islice(sentences(Random(5)), 50)) == list(islice(sentences(Random(5)), 50))
    assert list(islice(sentences(Random(5)), 50)) != list(islice(sentences(Random(6)), 50))
    one, two, other = (first(CorpusConfig(), 7, seed) for seed in (3, 3, 4))
    assert one.ids.equal(two.ids)
    assert one.loss.equal(two.loss)
    assert not one.ids.equal(other.ids)


def test_sentences_have_a_capital_and_a_final_mark() -> None:
    for text in islice(sentences(Random(1)), 2000):
        assert re.fullmatch(r"[\"(]?[A-Z].*[.!?][\")]?", text), text
        assert "  " not in text
    assert sentence(Random(1)) == next(sentences(Random(1)))


def test_brackets_and_quotes_close() -> None:
    for text in islice(sentences(Random(2)), 5000):
        assert text.count('"') % 2 == 0
        assert text.count("(") == text.count(")")
        assert text.count("[") == text.count("]")


def test_rows_are_full_and_begin_with_bos() -> None:
    batch = first(CorpusConfig(context=31, longest_repeat=13), 5)
    assert batch.ids.shape == batch.loss.shape == (5, 31)
    assert (batch.ids[:, 0] == TOKENIZER.bos_id).all()
    assert not (batch.ids[:, 1:] == TOKENIZER.bos_id).any()
    assert not (batch.ids == TOKENIZER.pad_id).any()
    assert not batch.loss[:, 0].any()


def test_plain_text_counts_everywhere_but_at_bos() -> None:
    assert first(CorpusConfig(random_repeats=0.0, text_repeats=0.0), 5).loss[:, 1:].all()


def test_first_copy_of_a_random_sequence_does_not_count_and_the_rest_repeats_it() -> None:
    n = 7
    config = CorpusConfig(random_repeats=1.0, shortest_repeat=n, longest_repeat=n)
    batch = first(config, 60)
    starts = batch.loss.int().argmax(1).tolist()  # the second token of the second copy
    for ids, loss, start in zip(batch.ids, batch.loss, starts, strict=True):
        assert ids[start - 1 :].equal(ids[start - 1 - n : -n])
        assert len(set(ids[start - 1 - n : start - 1].tolist())) == n
        assert not loss[:start].any()
        assert loss[start:].all()


def test_random_sequences_begin_anywhere_that_leaves_room_for_two_copies() -> None:
    n = 20
    config = CorpusConfig(random_repeats=1.0, shortest_repeat=n, longest_repeat=n)
    leads = first(config, 600).loss.int().argmax(1) - (n + 2)
    assert leads.min() == 0
    assert leads.max() == config.context - 1 - 2 * n


def test_random_sequences_reach_the_whole_vocabulary_but_the_special_tokens() -> None:
    ids = first(CorpusConfig(random_repeats=1.0), 1000).ids[:, 1:]
    seen = set(ids.flatten().tolist())
    assert len(seen) > 0.98 * TOKENIZER.vocab_size
    assert not {TOKENIZER.pad_id, TOKENIZER.bos_id} & seen


def test_text_repeats_repeat_text() -> None:
    config = CorpusConfig(random_repeats=0.0, text_repeats=1.0, shortest_repeat=9, longest_repeat=9)
    batch = first(config, 6)
    assert batch.ids[:, 10:].equal(batch.ids[:, 1:-9])
    assert batch.loss[:, 1:].all()


def test_random_repeats_are_two_copies_of_distinct_tokens() -> None:
    ids = random_repeats(TOKENIZER, seed=2, n=3, length=5)
    assert ids.shape == (3, 11)
    assert ids[:, 1:6].equal(ids[:, 6:])
    assert all(len(row.unique()) == 6 for row in ids)
    assert ids.equal(random_repeats(TOKENIZER, seed=2, n=3, length=5))


def test_training_never_shows_a_held_out_pair() -> None:
    writer = Writer(Random(11))
    texts = [writer.story() if i % 3 == 0 else writer.sentence() for i in range(15_000)]
    seen = {pair for text in texts for pair in noun_pairs(text)}
    assert len(seen) > 2_000  # the parser finds pairs at all
    assert not {pair for pair in seen if is_held_out(*pair)}


def test_agreement_pairs_are_held_out_and_of_opposite_number() -> None:
    for prefix, right, wrong in agreement_pairs(seed=1, n=300):
        ((noun, distractor),) = noun_pairs(prefix)
        assert is_held_out(noun, distractor), prefix
        assert {right, wrong} in ({"is", "are"}, {"was", "were"}, {"has", "have"})
        assert (prefix.split()[1] in PLURALS) == (right in ("are", "were", "have"))
        assert (prefix.split()[-1] in PLURALS) == (wrong in ("are", "were", "have"))


def test_agreement_pairs_come_in_both_numbers_and_by_seed() -> None:
    pairs = agreement_pairs(seed=1, n=200)
    assert 60 < sum(pair.right in ("are", "were", "have") for pair in pairs) < 140
    assert pairs == agreement_pairs(seed=1, n=200) != agreement_pairs(seed=2, n=200)


def test_held_out_share_is_about_a_tenth() -> None:
    pairs = [is_held_out(a.one, b.one) for a in SUBJECTS for b in DISTRACTORS]
    assert 0.09 < sum(pairs) / len(pairs) < 0.11


def test_a_context_too_short_for_two_copies_is_refused() -> None:
    with pytest.raises(InputError, match="31"):
        CorpusConfig(context=62)
    with pytest.raises(InputError, match="stories"):
        CorpusConfig(stories=1.5)


def test_every_kind_of_word_occurs_in_training() -> None:
    text = " ".join(islice(sentences(Random(8)), 10_000)).lower()
    seen = set(re.findall("[a-z]+", text))
    words = {word for entry in lexicon_words() for word in entry.split()}
    assert len(words - seen) < 0.1 * len(words)  # the rarest forms need more sentences than these


def test_shipped_tokenizer_is_the_one_that_the_corpus_gives(tmp_path: Path) -> None:
    # In a process of its own: the shape checker of the tests makes the grammar many times slower.
    code = (
        "from pathlib import Path; from model.training.corpus import build_shipped_tokenizer;"
        "import sys; build_shipped_tokenizer().save(Path(sys.argv[1]))"
    )
    built = tmp_path / "tokenizer.json"
    subprocess.run([sys.executable, "-c", code, built], check=True)
    assert built.read_bytes() == Path("model/shipped/tokenizer.json").read_bytes()

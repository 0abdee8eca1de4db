"""The corpus: reproducible, without loss on noise, and with correct masks and targets."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
import torch

from model.core.tokenizer import build_tokenizer
from model.errors import InputError
from model.training.grammar.english.grammar import GRAMMAR
from model.training.grammar.english.writer import lexicon_words
from model.training.recipe.corpus import MIXES, Batch, Corpus, CorpusConfig, Mix, Phase, hide

pytestmark = pytest.mark.long

TOKENIZER = build_tokenizer(lexicon_words() | set("the is are was were has have".split()), 20)


def only(**shares: float) -> dict[Phase, Mix]:
    """The same mix for every phase: these shares, and plain text."""
    mix = Mix(**{"repeated": 0.0, "repeated_text": 0.0} | shares)
    return dict.fromkeys(MIXES, mix)


def first(config: CorpusConfig, n_rows: int, seed: int = 0) -> Batch:
    return Corpus(GRAMMAR, TOKENIZER, config, n_rows, seed).batch(0)


def test_a_batch_depends_on_the_seed_and_the_step_alone() -> None:
    corpus = Corpus(GRAMMAR, TOKENIZER, CorpusConfig(), 7, seed=3)
    corpus.batch(1)
    one = corpus.batch(2)
    assert one.ids.equal(Corpus(GRAMMAR, TOKENIZER, CorpusConfig(), 7, seed=3).batch(2).ids)
    assert not one.ids.equal(corpus.batch(3).ids)
    assert not one.ids.equal(Corpus(GRAMMAR, TOKENIZER, CorpusConfig(), 7, seed=4).batch(2).ids)


def test_rows_are_full_and_begin_with_bos() -> None:
    batch = first(CorpusConfig(context=31, longest_repeat=13), 5)
    assert batch.ids.shape == batch.loss.shape == (5, 31)
    assert (batch.ids[:, 0] == TOKENIZER.bos_id).all()
    assert not (batch.ids[:, 1:] == TOKENIZER.bos_id).any()
    assert not (batch.ids == TOKENIZER.pad_id).any()
    assert not batch.loss[:, 0].any()
    assert batch.mask is None


def test_plain_text_counts_everywhere_but_at_bos() -> None:
    assert first(CorpusConfig(mixes=only()), 5).loss[:, 1:].all()


def test_first_copy_of_a_random_sequence_does_not_count_and_the_rest_repeats_it() -> None:
    n = 7
    config = CorpusConfig(only(repeated=1.0), shortest_repeat=n, longest_repeat=n)
    batch = first(config, 60)
    starts = batch.loss.int().argmax(1).tolist()  # the second token of the second copy
    for ids, loss, start in zip(batch.ids, batch.loss, starts, strict=True):
        assert ids[start - 1 :].equal(ids[start - 1 - n : -n])
        assert len(set(ids[start - 1 - n : start - 1].tolist())) == n
        assert not loss[:start].any()
        assert loss[start:].all()


def test_random_sequences_begin_anywhere_that_leaves_room_for_two_copies() -> None:
    n = 20
    config = CorpusConfig(only(repeated=1.0), shortest_repeat=n, longest_repeat=n)
    leads = first(config, 500).loss.int().argmax(1) - (n + 2)
    assert leads.min() == 0
    assert leads.max() == config.context - 1 - 2 * n


def test_random_sequences_may_hold_any_token_but_the_special_ones() -> None:
    corpus = Corpus(GRAMMAR, TOKENIZER, CorpusConfig(only(repeated=1.0)), 300, seed=0)
    ids = corpus.batch(0).ids[:, 1:]
    assert not {TOKENIZER.pad_id, TOKENIZER.bos_id} & set(ids.flatten().tolist())
    assert len(corpus.ordinary) == TOKENIZER.vocab_size - 2
    assert len(set(ids.flatten().tolist())) > 0.5 * TOKENIZER.vocab_size


def test_every_phase_has_its_own_mix() -> None:
    mixes = only() | {"early": Mix(1.0, 0.0)}
    corpus = Corpus(GRAMMAR, TOKENIZER, CorpusConfig(mixes), 5, seed=0)
    assert not corpus.batch(0, "early").loss[:, 1].any()
    assert corpus.batch(0, "middle").loss[:, 1].all()


def test_shares_are_of_the_rows() -> None:
    half = Corpus(GRAMMAR, TOKENIZER, CorpusConfig(only(repeated=0.5)), 600, seed=0)
    plain = half.batch(0).loss[:, 1].float().mean()
    assert 0.4 < plain < 0.6


def test_text_repeats_repeat_text() -> None:
    config = CorpusConfig(only(repeated_text=1.0), shortest_repeat=9, longest_repeat=9)
    batch = first(config, 6)
    assert batch.ids[:, 10:].equal(batch.ids[:, 1:-9])
    assert batch.loss[:, 1:].all()


def test_two_way_batches_come_late_only_and_in_their_share() -> None:
    corpus = Corpus(GRAMMAR, TOKENIZER, CorpusConfig(context=23, longest_repeat=11), 2, seed=0)
    assert all(corpus.batch(step).mask is None for step in range(40))
    assert all(corpus.batch(step, "early").mask is None for step in range(40))
    two_way = sum(corpus.batch(step, "late").mask is not None for step in range(100))
    assert 25 < two_way < 55


@pytest.mark.parametrize("seed", range(8))
def test_hidden_tokens_are_seen_by_nobody_and_are_what_is_predicted(seed: int) -> None:
    ids = torch.arange(2, 2 + 30 * 41).reshape(30, 41)
    batch = hide(ids, pad_id=0, rng=Random(seed))
    assert batch.mask is not None and batch.positions is not None
    seen = batch.mask[:, 0].any(dim=1)  # by some query
    assert batch.mask[:, 0].all(dim=1).equal(seen)  # … and then by every query
    padding = batch.ids == 0
    hidden = ~seen & ~padding
    share = hidden.sum() / (~padding).sum()
    assert 0.1 < share < 0.3
    assert batch.loss[hidden].all()
    cut = padding.any(dim=1)
    assert 5 < cut.sum() < 25
    assert batch.ids[~padding].equal(batch.targets[~padding])
    for row in range(30):
        (real,) = (~padding[row]).nonzero(as_tuple=True)
        assert batch.positions[row, real].tolist() == list(range(len(real)))
        other = batch.loss[row] & ~hidden[row]  # the token after the cut, at the last real place
        on_the_right = bool(cut[row]) and real[0] == 0
        assert other.nonzero().flatten().tolist() == ([len(real)] if on_the_right else [])
        if on_the_right:
            assert batch.targets[row, len(real)] == ids[row, len(real)]


def test_padding_is_masked_in_some_two_way_batches_and_unmasked_in_others() -> None:
    ids = torch.arange(2, 2 + 30 * 41).reshape(30, 41)
    batches = [hide(ids, pad_id=0, rng=Random(seed)) for seed in range(20)]
    seen = [bool(b.mask[:, 0, 0][b.ids == 0].any()) for b in batches if b.mask is not None]
    assert {True, False} == set(seen)
    left = [bool((b.ids[:, 0] == 0).any()) for b in batches]
    assert {True, False} == set(left)


def test_settings_that_cannot_be_are_refused() -> None:
    with pytest.raises(InputError, match="31"):
        CorpusConfig(context=62)
    with pytest.raises(InputError, match="stories"):
        CorpusConfig(stories=1.5)
    with pytest.raises(InputError, match=r"early\.repeated is a share from 0 to 1; got -0\.5"):
        CorpusConfig({"early": Mix(-0.5, 0.2)})
    with pytest.raises(InputError, match=r"early, all together, is a share from 0 to 1; got 1\.2"):
        CorpusConfig({"early": Mix(0.6, 0.6)})


def test_shipped_tokenizer_is_the_one_that_the_corpus_gives(tmp_path: Path) -> None:
    # In a process of its own: the shape checker of the tests makes the grammar many times slower.
    code = (
        "import sys; from pathlib import Path;"
        "from model.training.grammar.english.grammar import tokenizer;"
        "tokenizer().save(Path(sys.argv[1]))"
    )
    built = tmp_path / "tokenizer.json"
    subprocess.run([sys.executable, "-c", code, built], check=True)
    assert built.read_bytes() == Path("model/shipped/tokenizer.json").read_bytes()

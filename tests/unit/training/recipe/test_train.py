"""The training run: its schedule, its loss, a short run from end to end, and an interrupted one."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from model.core.checkpoint import SHIPPED, load_checkpoint
from model.core.tokenizer import Tokenizer
from model.core.transformer import Transformer, TransformerConfig
from model.errors import CheckpointError, UnavailableError
from model.training.evaluation.evaluate import Report
from model.training.grammar.english.grammar import GRAMMAR
from model.training.recipe import train as training
from model.training.recipe.corpus import Batch, Corpus, CorpusConfig
from model.training.recipe.interrupted import STATE
from model.training.recipe.train import Recipe, next_token_loss, train

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def shipped_tokenizer(monkeypatch: pytest.MonkeyPatch) -> Tokenizer:
    """Read, not built, which takes long with types checked; another test holds the two equal.

    And batches are small, for the same reason.
    """
    tokenizer = Tokenizer.load(SHIPPED / "tokenizer.json")
    english = replace(GRAMMAR, tokenizer=lambda: tokenizer)
    monkeypatch.setattr(training, "grammar_of", {"en": english}.__getitem__)
    monkeypatch.setattr(training, "Recipe", partial(Recipe, batch_size=6))
    return tokenizer


@pytest.fixture
def unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the evaluation, which is slow and comes after the weights are saved."""
    monkeypatch.setattr(training, "evaluate", lambda folder: Report([], []))
    monkeypatch.setattr(training, "make_gallery", lambda folder, report: [])


def interrupt_at(monkeypatch: pytest.MonkeyPatch, step: int) -> Callable[[], None]:
    """Press Ctrl-C in this step. Call the result to undo this."""
    real = training._step

    def stopped(*args: object) -> float:
        if args[-1] == step:
            raise KeyboardInterrupt
        return real(*args)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(training, "_step", stopped)
    return lambda: monkeypatch.setattr(training, "_step", real)


def test_the_rate_warms_up_stays_and_falls_to_nothing() -> None:
    recipe = Recipe(steps=1000, warm_up=50, plateau=0.6)
    rates = [recipe.rate(step) for step in range(1001)]
    assert rates[0] == pytest.approx(1 / 50)
    assert rates[49] == rates[300] == rates[600] == 1
    assert rates[800] == pytest.approx(0.5)
    assert rates[1000] == pytest.approx(0)
    assert all(later <= earlier for earlier, later in pairwise(rates[600:]))


def small_transformer() -> Transformer:
    torch.manual_seed(0)
    return Transformer(
        TransformerConfig(vocab_size=11, n_layers=1, n_heads=2, d_model=6, d_head=2, d_mlp=8)
    )


def test_the_loss_is_the_mean_over_the_predictions_that_count() -> None:
    model = small_transformer()
    ids = torch.tensor([[1, 5, 3, 9], [1, 2, 2, 7]])
    counts = torch.tensor([[False, True, False, True], [False, False, False, True]])
    logits = model.unembed(model(ids).resid)
    by_hand = [
        F.cross_entropy(logits[text, at - 1], ids[text, at])
        for text, at in ((0, 1), (0, 3), (1, 3))
    ]
    assert next_token_loss(model, Batch(ids, ids, counts)).item() == pytest.approx(
        torch.stack(by_hand).mean().item(), rel=1e-5
    )


def test_without_the_causal_mask_the_loss_reads_targets_mask_and_positions() -> None:
    model = small_transformer()
    ids, targets = torch.tensor([[0, 1, 5, 3]]), torch.tensor([[0, 1, 5, 8]])
    counts = torch.tensor([[False, False, True, True]])
    mask = torch.tensor([[True, True, False, True]])[:, None, None, :].expand(-1, 1, 4, -1)
    positions = torch.tensor([[0, 0, 1, 2]])
    logits = model.unembed(model(ids, positions=positions, masks=[mask]).resid)
    by_hand = (
        F.cross_entropy(logits[0, 1], ids[0, 2]) + F.cross_entropy(logits[0, 2], targets[0, 3])
    ) / 2
    batch = Batch(ids, targets, counts, mask, positions)
    assert next_token_loss(model, batch).item() == pytest.approx(by_hand.item(), rel=1e-5)


def test_a_run_learns_says_so_and_leaves_a_checkpoint(
    tmp_path: Path,
    shipped_tokenizer: Tokenizer,
    unmeasured: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(training, "LOG_EVERY", 3)
    train(tmp_path, seed=1, steps=6)
    output = capsys.readouterr().out
    assert "step 3 of 6" in output
    assert "min left" in output
    assert "Measured" in output
    assert not (tmp_path / STATE).exists()
    checkpoint = load_checkpoint(tmp_path)
    batch = Corpus(GRAMMAR, shipped_tokenizer, CorpusConfig(), 4, seed=99).batch(0)
    torch.manual_seed(1)
    fresh = Transformer(checkpoint.model.config)
    trained = next_token_loss(checkpoint.model, batch).item()
    assert trained < next_token_loss(fresh, batch).item() - 0.1


def test_the_same_seed_gives_the_same_weights_interrupted_or_not(
    tmp_path: Path,
    unmeasured: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(training, "SAVE_EVERY", 2)

    def weights(name: str) -> bytes:
        return (tmp_path / name / "model.safetensors").read_bytes()

    train(tmp_path / "whole", seed=5, steps=5)
    train(tmp_path / "other", seed=6, steps=5)
    let_be = interrupt_at(monkeypatch, 3)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "halved", seed=5, steps=5)
    output = " ".join(capsys.readouterr().out.split())
    assert "Interrupted in step 4 of 5. Run the same command to continue from step 2." in output
    assert not (tmp_path / "halved" / "model.safetensors").exists()
    let_be()
    train(tmp_path / "halved", seed=5, steps=5)
    assert "continuing from step 2" in capsys.readouterr().out
    assert weights("halved") == weights("whole") != weights("other")


def test_a_run_with_other_settings_or_a_broken_state_is_not_continued(
    tmp_path: Path,
    unmeasured: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    let_be = interrupt_at(monkeypatch, 1)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path, seed=5, steps=3)
    assert "Nothing has been saved yet." in capsys.readouterr().out
    monkeypatch.setattr(training, "SAVE_EVERY", 1)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path, seed=5, steps=3)
    let_be()
    with pytest.raises(CheckpointError, match="seed 5, not 7"):
        train(tmp_path, seed=7, steps=3)
    (tmp_path / STATE).write_bytes(b"\0" * 50)
    with pytest.raises(CheckpointError, match="Remove it"):
        train(tmp_path, seed=5, steps=3)


def test_training_with_an_old_torch_says_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(torch.optim, "Muon")
    with pytest.raises(UnavailableError, match=r"2\.9"):
        train(tmp_path)


def test_a_folder_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CheckpointError, match="Cannot write a checkpoint"):
        train(tmp_path / "file" / "folder")

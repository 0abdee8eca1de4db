"""The training run: its schedule, its loss, and a short run from end to end."""

from itertools import pairwise
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from model.checkpoint import SHIPPED, load_checkpoint
from model.tokenizer import Tokenizer
from model.training import train as training
from model.training.corpus import Batch, CorpusConfig, batches
from model.training.train import Recipe, next_token_loss, train
from model.transformer import Transformer, TransformerConfig


@pytest.fixture(autouse=True)
def shipped_tokenizer(monkeypatch: pytest.MonkeyPatch) -> Tokenizer:
    """Read, not built, which takes long with types checked; another test holds the two equal."""
    tokenizer = Tokenizer.load(SHIPPED / "tokenizer.json")
    monkeypatch.setattr(training, "build_shipped_tokenizer", lambda: tokenizer)
    return tokenizer


def test_the_rate_warms_up_stays_and_falls_to_nothing() -> None:
    recipe = Recipe(steps=1000, warm_up=50, plateau=0.6)
    rates = [recipe.rate(step) for step in range(1001)]
    assert rates[0] == pytest.approx(1 / 50)
    assert rates[49] == rates[300] == rates[600] == 1
    assert rates[800] == pytest.approx(0.5)
    assert rates[1000] == pytest.approx(0)
    assert all(later <= earlier for earlier, later in pairwise(rates[600:]))


def test_the_loss_is_the_mean_over_the_predictions_that_count() -> None:
    torch.manual_seed(0)
    model = Transformer(
        TransformerConfig(vocab_size=11, n_layers=1, n_heads=2, d_model=6, d_head=2, d_mlp=8)
    )
    ids = torch.tensor([[1, 5, 3, 9], [1, 2, 2, 7]])
    counts = torch.tensor([[False, True, False, True], [False, False, False, True]])
    logits = model.unembed(model(ids).resid)
    by_hand = [
        F.cross_entropy(logits[text, at - 1], ids[text, at])
        for text, at in ((0, 1), (0, 3), (1, 3))
    ]
    assert next_token_loss(model, Batch(ids, counts)).item() == pytest.approx(
        torch.stack(by_hand).mean().item(), rel=1e-5
    )


def test_a_run_learns_says_so_and_leaves_a_checkpoint(
    tmp_path: Path,
    shipped_tokenizer: Tokenizer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(training, "LOG_EVERY", 3)
    train(tmp_path, seed=1, steps=6)
    said = capsys.readouterr().out
    assert "step 3 of 6" in said
    assert "previous token" in said
    checkpoint = load_checkpoint(tmp_path)
    batch = next(batches(shipped_tokenizer, CorpusConfig(), 4, seed=99))
    torch.manual_seed(1)
    fresh = Transformer(checkpoint.model.config)
    trained = next_token_loss(checkpoint.model, batch).item()
    assert trained < next_token_loss(fresh, batch).item() - 0.1


def test_the_same_seed_gives_the_same_weights_and_another_seed_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "evaluate", lambda *_: [])  # slow, and after the weights

    def weights(name: str, seed: int) -> bytes:
        train(tmp_path / name, seed=seed, steps=2)
        return (tmp_path / name / "model.safetensors").read_bytes()

    first = weights("first", 5)
    assert weights("again", 5) == first
    assert weights("other", 6) != first

"""Shared by the unit tests: a small random model, and the same Hypothesis examples in every run."""

from pathlib import Path

import pytest
import torch
from hypothesis import settings

from model.core.checkpoint import Checkpoint, save_checkpoint
from model.core.tokenizer import Tokenizer, build_tokenizer
from model.core.transformer import Transformer, TransformerConfig
from model.sources.native import NativeSource

# Derandomized, so that failures repeat. No deadline, because other programs share the machine.
settings.register_profile("unit", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("unit")
torch.set_num_threads(1)

WORDS = "the a cat dog sat ran on under mat tree and then saw red small".split()


def lively(config: TransformerConfig, seed: int = 0) -> Transformer:
    """A random model with biases and gains, whose patterns are far from uniform."""
    torch.manual_seed(seed)
    model = Transformer(config)
    for name, parameter in model.named_parameters():
        spread = 0.3 if parameter.dim() > 1 else 0.1
        torch.nn.init.normal_(
            parameter, mean=float("norm" in name and "weight" in name), std=spread
        )
    return model.eval().requires_grad_(False)


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    return build_tokenizer(WORDS, n_chunks=10)


@pytest.fixture(scope="session")
def small_model(tokenizer: Tokenizer) -> Transformer:
    """All sizes differ, and n_heads · d_head is not d_model."""
    return lively(
        TransformerConfig(
            vocab_size=tokenizer.vocab_size,
            n_layers=2,
            n_heads=3,
            d_model=10,
            d_head=4,
            d_mlp=14,
            trained_tokens=16,
            max_tokens=400,
        )
    )


@pytest.fixture(scope="session")
def checkpoint_folder(
    tmp_path_factory: pytest.TempPathFactory, small_model: Transformer, tokenizer: Tokenizer
) -> Path:
    folder = tmp_path_factory.mktemp("checkpoint")
    save_checkpoint(folder, Checkpoint(small_model, tokenizer, "A small random model.", "CC0-1.0"))
    return folder


@pytest.fixture(scope="session")
def source(checkpoint_folder: Path) -> NativeSource:
    return NativeSource("small", checkpoint_folder)

"""What the tests of the server share: a small random model on disk, and apps that serve it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import torch
from fastapi.testclient import TestClient

from model.core.checkpoint import Checkpoint, save_checkpoint
from model.core.tokenizer import build_tokenizer
from model.core.transformer import Transformer, TransformerConfig
from model.sources.native import NativeSource
from model.sources.registry import Registry
from model.sources.runner import Runner
from model.sources.source import Inputs, Source
from model.trace.predictions import MuteEffects
from model.trace.trace import Trace
from server.app import create_app
from server.settings import Settings
from tests.lessons import Lesson

Serve = Callable[..., TestClient]

WORDS = "the a cat dog sat ran on mat hello he she was very quick brown fox".split()


class Wrapped:
    """A wrapper around another source; tests override the method that they are about."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.info = source.info
        self.ordinary_ids = source.ordinary_ids

    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        return self.source.trace(inputs, max_tokens=max_tokens)

    def trace_ids(self, rows: Sequence[Sequence[int]]) -> Trace:
        return self.source.trace_ids(rows)

    def mute_effects(
        self,
        inputs: Inputs,
        *,
        position: int | None = None,
        token: int | None = None,
        max_tokens: int | None = None,
    ) -> list[MuteEffects]:
        return self.source.mute_effects(
            inputs, position=position, token=token, max_tokens=max_tokens
        )

    def runner(self, inputs: Inputs, *, max_tokens: int | None = None) -> Runner:
        return self.source.runner(inputs, max_tokens=max_tokens)


@pytest.fixture(scope="session", autouse=True)
def _known_by_the_test_clients_name() -> Iterator[None]:
    """Starlette's client asks for the host `testserver`, which is not a name of this machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEADLIGHT_ALLOWED_HOSTS", "testserver")
        yield


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random checkpoint whose sizes all differ, and whose heads look at something."""
    folder = tmp_path_factory.mktemp("tiny")
    tokenizer = build_tokenizer(WORDS, n_chunks=10)
    torch.manual_seed(0)
    model = Transformer(
        TransformerConfig(
            vocab_size=tokenizer.vocab_size,
            n_layers=2,
            n_heads=3,
            d_model=20,
            d_head=6,
            d_mlp=28,
            trained_tokens=16,
            max_tokens=300,
        )
    )
    for parameter in model.parameters():
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter, std=0.4)
    save_checkpoint(folder, Checkpoint(model, tokenizer, "A tiny random model.", "CC0-1.0"))
    return folder


@pytest.fixture(scope="session")
def tiny(tiny_folder: Path) -> NativeSource:
    """The same model without a server, to compare the server's numbers with."""
    return NativeSource("shipped", tiny_folder)


@pytest.fixture(scope="module")
def lesson() -> Iterator[Callable[[str], Lesson]]:
    """A lesson of ours by its slug, served with the shipped model."""
    with TestClient(create_app(Settings()), base_url="http://localhost") as client:
        yield lambda slug: Lesson(client, slug)


@pytest.fixture
def serve(tiny_folder: Path) -> Iterator[Serve]:
    """Start an app with some settings, and optionally with the test's own models."""
    with ExitStack() as stack:

        def start(registry: Registry | None = None, **settings: Any) -> TestClient:
            app = create_app(Settings(**{"shipped": tiny_folder, **settings}), registry)
            return stack.enter_context(TestClient(app, raise_server_exceptions=False))

        yield start


@pytest.fixture(scope="module")
def client(tiny_folder: Path) -> Iterator[TestClient]:
    """The app with its default settings."""
    app = create_app(Settings(shipped=tiny_folder))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client

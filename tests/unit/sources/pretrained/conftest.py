"""Tiny checkpoints, saved once, and the sources that the real code loads from them."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers as hf
from transformers.utils import logging as hf_logging

from model.sources.pretrained.source import PretrainedSource
from tests.unit.sources.pretrained.checkpoints import FAMILIES

Folder = Callable[[str], Path]
Load = Callable[[str], PretrainedSource]


@pytest.fixture(scope="session", autouse=True)
def quiet() -> Iterator[None]:
    """Silence the progress bars and advice of Transformers."""
    hf_logging.set_verbosity_error()
    hf_logging.disable_progress_bar()
    yield
    hf_logging.enable_progress_bar()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    @cache
    def made(family: str) -> Path:
        torch.manual_seed(0)
        return FAMILIES[family](tmp_path_factory.mktemp("checkpoints") / family)

    return made


@pytest.fixture(scope="session")
def load(folder: Folder) -> Load:
    return cache(lambda family: PretrainedSource.load(family, str(folder(family))))


@pytest.fixture(scope="session")
def eager(folder: Folder) -> Callable[[str], Any]:
    """The same weights, loaded by Transformers alone, with its own attention."""

    def loaded(family: str) -> Any:
        config = hf.AutoConfig.from_pretrained(folder(family))
        kind = getattr(hf, config.architectures[0])
        with torch.inference_mode(False):  # else no gradient can go through its weights
            return kind.from_pretrained(folder(family), attn_implementation="eager").eval()

    return cache(loaded)

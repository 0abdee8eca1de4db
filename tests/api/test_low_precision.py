"""Commands that load a checkpoint run it where, and in what, HEADLIGHT_DEVICE and _DTYPE say."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from model.sources.opening import open_source
from model.sources.source import Inputs
from server.cli import app
from tests.unit.figures.reopened import svg_texts
from tests.unit.sources.pretrained.checkpoints import FAMILIES

pytestmark = pytest.mark.long

TEXT = "the cat sat on the mat"
COMMANDS = (
    "trace {text} --model {bert}",
    "heads --model {bert}",
    "figure {text} --model {bert} -o a.svg",
)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    return FAMILIES["bert"](tmp_path_factory.mktemp("checkpoints") / "bert")


def command(line: str, bert: Path, **variables: str) -> tuple[int, str]:
    arguments = [part.format(text=TEXT, bert=bert) for part in line.split()]
    env = {f"HEADLIGHT_{name}": value for name, value in variables.items()}
    done = CliRunner().invoke(app, arguments, env=env)
    return done.exit_code, done.output


def ran(line: str, bert: Path, **variables: str) -> str:
    code, output = command(line, bert, **variables)
    assert code == 0, output
    return output


def differ(found: Any, exact: Any, atol: float) -> None:
    """Close to the exact numbers, but not the same: it did run in less."""
    assert found != exact
    np.testing.assert_allclose(found, exact, atol=atol)


def test_trace_runs_in_bfloat16(bert: Path) -> None:
    low, exact = (
        json.loads(ran("trace {text} --model {bert} --json", bert, DTYPE=dtype))["sites"][1]
        for dtype in ("bfloat16", "float32")
    )
    differ(low["tensors"]["pattern"], exact["tensors"]["pattern"], 0.05)


def test_heads_runs_in_bfloat16(bert: Path) -> None:
    low, exact = (
        [
            head["scores"]["first_token"]["value"]
            for head in json.loads(ran("heads --model {bert} --json", bert, DTYPE=dtype))["heads"]
        ]
        for dtype in ("bfloat16", "float32")
    )
    differ(low, exact, 0.05)


def test_figure_runs_in_bfloat16(bert: Path, tmp_path: Path) -> None:
    file = tmp_path / "head.svg"
    line = f"figure {{text}} --model {{bert}} --layer 0 --head 1 --values -o {file}"
    ran(line, bert, DTYPE="bfloat16")
    drawn = {*svg_texts(file.read_bytes())}
    assert _numbers(bert, "bfloat16") <= drawn
    assert not _numbers(bert, "float32") <= drawn


def _numbers(bert: Path, dtype: str) -> set[str]:
    """What the cells of the head say."""
    source = open_source("bert", str(bert), dtype=dtype)
    pattern = source.trace(Inputs((TEXT,))).sites[0].derive(["pattern"])["pattern"]
    return {f"{value:.2f}" for value in pattern[0, 1].flatten().tolist()}


@pytest.mark.parametrize("line", COMMANDS)
def test_a_device_that_is_not_there_is_a_line(bert: Path, line: str) -> None:
    code, output = command(line, bert, DEVICE="cuda:77")
    assert code == 1
    assert "HEADLIGHT_DEVICE is cuda:77" in output and "Traceback" not in output


@pytest.mark.parametrize("line", COMMANDS)
def test_a_folder_that_is_not_there_is_a_line(line: str) -> None:
    code, output = command(line, Path("/nowhere/bert"))
    assert code == 1
    assert "There is no folder /nowhere/bert for the model bert." in output

"""Native checkpoints: saving and loading, and the errors for broken ones."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from model.core.checkpoint import SHIPPED, load_checkpoint
from model.core.tokenizer import Tokenizer, build_tokenizer
from model.core.transformer import Transformer
from model.errors import CheckpointError


@pytest.fixture
def folder(checkpoint_folder: Path, tmp_path: Path) -> Path:
    """A copy of the checkpoint that a test may break."""
    return Path(shutil.copytree(checkpoint_folder, tmp_path / "copy"))


def edit_config(folder: Path, **settings: object) -> None:
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    config["transformer"] |= settings
    path.write_text(json.dumps(config), encoding="utf-8")


def test_what_is_saved_is_what_is_loaded(
    checkpoint_folder: Path, small_model: Transformer, tokenizer: Tokenizer
) -> None:
    loaded = load_checkpoint(checkpoint_folder)
    assert loaded.model.config == small_model.config
    assert (loaded.description, loaded.licence) == ("A small random model.", "CC0-1.0")
    assert loaded.trained_on == ""  # a checkpoint need not say it
    assert "grammar" in load_checkpoint(SHIPPED).trained_on
    assert not loaded.model.training
    assert not any(parameter.requires_grad for parameter in loaded.model.parameters())
    text = "The cat sat."
    assert loaded.tokenizer.encode(text) == tokenizer.encode(text)
    ids = torch.tensor([[token.id for token in tokenizer.encode(text)]])
    assert torch.equal(loaded.model(ids).resid, small_model(ids).resid)


def test_a_checkpoint_is_three_files_and_no_pickle(checkpoint_folder: Path) -> None:
    found = sorted(path.name for path in checkpoint_folder.iterdir())
    assert found == ["config.json", "model.safetensors", "tokenizer.json"]


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(CheckpointError, match=name) as caught:
        load_checkpoint(folder)
    assert caught.value.code == "bad_checkpoint"


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"[1, 2]", b"{}", b"null"])
def test_a_corrupt_file_is_named(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(CheckpointError, match=name) as caught:
        load_checkpoint(folder)
    assert caught.value.code == "bad_checkpoint"


def test_half_the_weights_are_refused(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(CheckpointError, match=r"model\.safetensors"):
        load_checkpoint(folder)


@pytest.mark.parametrize(
    "settings",
    [
        {"d_model": 12},
        {"n_layers": 3},
        {"n_layers": 0},
        {"n_heads": "3"},
        {"positions": "alibi"},
        {"d_head": 3},
        {"unknown": 1},
    ],
)
def test_a_configuration_that_does_not_fit_is_refused(
    folder: Path, settings: dict[str, object]
) -> None:
    edit_config(folder, **settings)
    with pytest.raises(CheckpointError, match=r"config\.json"):
        load_checkpoint(folder)


def test_a_tokenizer_of_another_checkpoint_is_refused(folder: Path) -> None:
    words = [f"{a}{b}{c}" for a in "bcd" for b in "aeiou" for c in "xyz"]
    build_tokenizer(words, n_chunks=10).save(folder / "tokenizer.json")
    with pytest.raises(CheckpointError, match=r"tokenizer\.json has"):
        load_checkpoint(folder)


def test_changed_weights_are_found_by_their_checksum(folder: Path) -> None:
    path = folder / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1  # still a number, and finite
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"model\.safetensors is damaged.* `headlight train`"):
        load_checkpoint(folder)


def rewrite(folder: Path, **changes: object) -> None:
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8")) | changes
    path.write_text(json.dumps({k: v for k, v in config.items() if v is not None}), "utf-8")


def test_a_folder_without_a_checksum_loads(folder: Path) -> None:
    rewrite(folder, sha256=None)
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1] + b"\0")
    assert load_checkpoint(folder).model.config.n_layers == 2


@pytest.mark.parametrize("sums", ["abc", [1], {"../elsewhere": "abc"}, {"config.json": "abc"}])
def test_a_checksum_of_anything_else_is_refused(folder: Path, sums: object) -> None:
    rewrite(folder, sha256=sums)
    with pytest.raises(CheckpointError, match=r"config\.json: expected `sha256` to be missing"):
        load_checkpoint(folder)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_weights_that_are_not_finite_are_refused(folder: Path, number: float) -> None:
    path = folder / "model.safetensors"
    weights = load_file(path)
    weights["blocks.1.attention.w_o.weight"][2, 3] = number
    save_file(weights, path)
    rewrite(folder, sha256=None)
    with pytest.raises(CheckpointError, match=r"not finite, in blocks\.1\.attention\.w_o\.weight"):
        load_checkpoint(folder)


def test_the_shipped_weights_carry_their_checksum() -> None:
    config = json.loads((SHIPPED / "config.json").read_text(encoding="utf-8"))
    digest = hashlib.sha256((SHIPPED / "model.safetensors").read_bytes()).hexdigest()
    assert config["sha256"] == {"model.safetensors": digest}

"""A native checkpoint on disk: config.json, tokenizer.json and model.safetensors in a folder.

No pickle anywhere.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from model.core.tokenizer import Tokenizer
from model.core.transformer import Transformer, TransformerConfig
from model.errors import CheckpointError, InputError
from model.files import read_json
from model.film import load_frame, weights_path

SHIPPED = Path(__file__).parent.parent / "shipped"
SISTER = Path(__file__).parent.parent / "sister"  # trained by the same recipe, with a film
# The models of other languages, by the language's code; the folder and the name of each. A private
# subtag tells how a second one reads the same language.
OTHERS = {"de": "german", "zh": "chinese", "zh-x-chars": "characters"}
LANGUAGES = Path(__file__).parent.parent / "languages"
FILES = ("config.json", "tokenizer.json", "model.safetensors")


@dataclass(frozen=True)
class Checkpoint:
    """A model, its tokenizer, and a description for its users."""

    model: Transformer
    tokenizer: Tokenizer
    description: str = ""
    licence: str = ""
    trained_on: str = ""  # as in "trained on a small grammar"
    language: str = "en"  # the code of what it was trained on


def save_checkpoint(folder: Path, checkpoint: Checkpoint) -> None:
    """Write the three files, config.json last, so that a half-written folder does not load."""
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint.tokenizer.save(folder / "tokenizer.json")
    weights = {name: tensor.contiguous() for name, tensor in checkpoint.model.state_dict().items()}
    save_file(weights, folder / "model.safetensors")
    (folder / "model.safetensors").chmod(0o644)  # the library makes it readable only by its owner
    sums = {"sha256": {"model.safetensors": _sha256(folder / "model.safetensors")}}
    config = config_of(checkpoint) | sums
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def config_of(checkpoint: Checkpoint) -> dict[str, Any]:
    """The config.json of a checkpoint, without a checksum."""
    return {
        "architecture": "headlight",
        "description": checkpoint.description,
        "trained_on": checkpoint.trained_on,
        "licence": checkpoint.licence,
        "language": checkpoint.language,
        "transformer": asdict(checkpoint.model.config),
    }


def load_checkpoint(folder: Path, step: int | None = None) -> Checkpoint:
    """Read a native checkpoint, or a frame of its film, in evaluation mode.

    Raises:
        InputError: its film has no such step.
        CheckpointError: a file is missing or corrupt, or the weights do not match the
            configuration or its checksum, or are not finite.
    """
    raw = check_checkpoint(folder)
    path = weights_path(folder, step)
    frame = None if step is None else load_frame(folder, step)
    try:
        config = TransformerConfig(**raw["transformer"])
        model = Transformer(config)
        weights = load_file(path) if frame is None else frame
        model.load_state_dict(weights)
    except (KeyError, TypeError, AttributeError, InputError) as error:
        raise CheckpointError(
            f"{folder / 'config.json'} is not a native configuration: {error}."
        ) from error
    except (SafetensorError, RuntimeError, OSError) as error:
        raise CheckpointError(f"{path} does not match its config.json: {error}") from error
    _check_finite(path, weights)
    tokenizer = Tokenizer.load(folder / "tokenizer.json")
    if tokenizer.vocab_size > config.vocab_size:
        raise CheckpointError(
            f"{folder / 'tokenizer.json'} has {tokenizer.vocab_size:,} tokens but the model embeds "
            f"{config.vocab_size:,}, so they belong to different checkpoints."
        )
    return Checkpoint(
        model.eval().requires_grad_(False),
        tokenizer,
        description=str(raw.get("description", "")),
        trained_on=str(raw.get("trained_on", "")),
        licence=str(raw.get("licence", "")),
        language=str(raw.get("language", "en")),
    )


def check_checkpoint(folder: Path) -> dict[str, Any]:
    """Check what can be checked of a native checkpoint without building it; returns its config.

    Raises:
        CheckpointError: a file is missing or corrupt, or the weights do not match their checksum.
    """
    for name in FILES:
        if not (folder / name).is_file():
            raise CheckpointError(
                f"Expected {name} in {folder}, but it is missing. "
                "Create a native checkpoint with `headlight train`."
            )
    raw = read_json(folder / "config.json")
    _check_sums(folder, raw.get("sha256"))
    return raw


def _check_sums(folder: Path, sums: object) -> None:
    """Compare the files with the checksums in config.json, if there are any."""
    if sums is None:
        return
    if not isinstance(sums, dict) or set(sums) - {"model.safetensors"}:
        raise CheckpointError(
            f"{folder / 'config.json'}: expected `sha256` to be missing or to hold the SHA-256 "
            "of model.safetensors; got something else."
        )
    for name, expected in sums.items():
        found = _sha256(folder / name)
        if found != expected:
            raise CheckpointError(
                f"{folder / name} is damaged or belongs to another checkpoint: its SHA-256 is "
                f"{found[:12]}…, but config.json expects {str(expected)[:12]}…. Copy the folder "
                "again, or create it again with `headlight train`. If you changed the weights on "
                "purpose, remove `sha256` from config.json."
            )


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error}.") from error


def _check_finite(path: Path, weights: Mapping[str, Tensor]) -> None:
    broken = [name for name, tensor in weights.items() if not bool(tensor.isfinite().all())]
    if broken:
        raise CheckpointError(
            f"{path} has numbers that are not finite, in {broken[0]} and {len(broken) - 1} other "
            "tensors. Copy the folder again, or create it again with `headlight train`."
        )

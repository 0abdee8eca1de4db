"""Loads a Transformers checkpoint from a folder or hub: safetensors only, never remote code."""

import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
import transformers
from torch import Tensor
from transformers import (
    AutoConfig,
    AutoModel,
    AutoTokenizer,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)
from transformers.utils import logging as hf_logging

from model.errors import CheckpointError
from model.files import read_json
from model.sources.fingerprint import fingerprint
from model.sources.pretrained.head import reads_whole_text
from model.sources.pretrained.opening.adapter import apply, find_adapter
from model.sources.pretrained.opening.device import CPU, Machine
from model.sources.pretrained.opening.gguf import note_in
from model.sources.pretrained.opening.messages import summary
from model.sources.pretrained.opening.modality import check_reads_text
from model.sources.pretrained.opening.place import find_folder, revision_of
from model.sources.pretrained.opening.weights import check_memory, read_weights, weight_files
from model.sources.pretrained.stacks import every_embedding
from model.sources.registry import Progress


@dataclass(frozen=True)
class Loaded:
    """A model in evaluation mode, and its tokenizer."""

    origin: str  # the names of its folders
    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    licence: str
    weights: str  # the SHA-256 of its files, those of an adapter included
    revision: str | None  # the commit on a hub, where known


def load(
    place: str,
    progress: Progress = lambda share: None,
    machine: Machine = CPU,
) -> Loaded:
    """Load a checkpoint from a local folder, or, downloaded once, from a hub.

    Raises:
        CheckpointError: it is missing or incomplete, its family is unknown, it needs custom code,
            has only pickled weights, or does not fit in memory. The message says what to do.
    """
    given = find_folder(place)
    adapter = find_adapter(given)
    folder = given if adapter is None else adapter.base
    config, kind, files = _checked(folder, machine)
    # an adapter is merged in float32, and rounded with the weights
    dtype = machine.dtype if adapter is None else torch.float32
    weights = read_weights(files, progress, dtype)
    tokenizer = _read_tokenizer(given if (given / "tokenizer.json").is_file() else folder)
    model = _build(folder, kind, config, weights, dtype)
    if adapter is not None:
        model = apply(adapter, model, read_weights([adapter.file]))
    placed: Any = model  # its declared `to` lacks arguments
    placed.to(device=machine.device, dtype=machine.dtype)
    vocab_size = min(table.num_embeddings for table in every_embedding(model))
    if len(tokenizer) > vocab_size:
        raise CheckpointError(
            f"The tokenizer in {folder} has {len(tokenizer):,} tokens but the model embeds "
            f"{vocab_size:,}, so they belong to different checkpoints."
        )
    if model.config.is_encoder_decoder:
        _check_start(folder, model, vocab_size)
    note = note_in(folder)
    of = folder.name if note is None else f"{note.file}: {note.weights}"
    origin = of if adapter is None else f"{of} with the adapter {given.name}"
    every = files if adapter is None else [*files, adapter.file]
    licence, revision = _licence(given), revision_of(given)
    return Loaded(origin, model, tokenizer, licence, fingerprint(every), revision)


def check(folder: Path) -> None:
    """Check what can be checked of a checkpoint without reading its weights.

    Raises:
        CheckpointError: as `load` would.
    """
    adapter = find_adapter(folder)
    base = folder if adapter is None else adapter.base
    _checked(base, CPU)
    _read_tokenizer(folder if (folder / "tokenizer.json").is_file() else base)


def _checked(folder: Path, machine: Machine) -> tuple[PreTrainedConfig, Any, list[Path]]:
    """The configuration, the model's class and the files of its weights, which fit in memory."""
    config = _read_config(folder)
    kind = _kind_of(folder, config)
    check_reads_text(kind)
    files = weight_files(folder)
    check_memory(folder, files, machine)
    return config, kind, files


def start_of(model: PreTrainedModel) -> int | None:
    """The token that a decoder starts with, found in the same way as Transformers does."""
    places = model.config, getattr(model, "generation_config", None)
    names = ("decoder_start_token_id", "bos_token_id")
    found = [getattr(place, name, None) for name in names for place in places]
    return next((id for id in found if id is not None), None)


def _check_start(folder: Path, model: PreTrainedModel, vocab_size: int) -> None:
    start = start_of(model)
    if start is None or not 0 <= start < vocab_size:
        raise CheckpointError(
            f"{folder / 'config.json'} should name the decoder's start token "
            f"(decoder_start_token_id), below {vocab_size:,}; got {start}."
        )


def _read_config(folder: Path) -> PreTrainedConfig:
    path = folder / "config.json"
    if not path.is_file():
        raise CheckpointError(
            f"Expected config.json in {folder}, but it is missing. A checkpoint is a folder "
            "written by `save_pretrained`."
        )
    raw = read_json(path)
    if "quantization_config" in raw:
        raise CheckpointError(
            f"{path} belongs to a quantised checkpoint, which Headlight cannot read. Use the "
            "original in float32, float16 or bfloat16."
        )
    try:
        config: PreTrainedConfig = AutoConfig.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
    except Exception as error:  # configuration classes raise anything for bad values
        own = " It comes with custom code, which Headlight never runs." if "auto_map" in raw else ""
        raise CheckpointError(
            f"{path} is not a configuration that Transformers {transformers.__version__} knows "
            f"(model_type {raw.get('model_type')!r}).{own} The error: {summary(error)}"
        ) from error
    return config


def _kind_of(folder: Path, config: PreTrainedConfig) -> Any:
    """The class that the checkpoint was saved from; another might have a random head."""
    listed = config.architectures or ["AutoModel"]
    named = listed if isinstance(listed, str) else str(listed[0])
    kind: Any = getattr(transformers, named, None)
    is_model = isinstance(kind, type) and issubclass(kind, PreTrainedModel)
    if not is_model and kind is not AutoModel:
        raise CheckpointError(
            f"{folder / 'config.json'} names the architecture {named}, which Transformers "
            f"{transformers.__version__} does not have. A newer version may have it: "
            "pip install -U transformers."
        )
    if kind is AutoModel:
        with torch.device("meta"):
            kind = type(kind.from_config(config))
    return kind


def _build(
    folder: Path,
    kind: Any,
    config: PreTrainedConfig,
    weights: dict[str, Tensor],
    dtype: torch.dtype,
) -> PreTrainedModel:
    hf_logging.disable_progress_bar()  # we report progress ourselves
    try:
        model: PreTrainedModel
        model, report = kind.from_pretrained(
            None,
            config=config,
            state_dict=weights,
            dtype=dtype,
            # set at once, because some families choose their classes by it
            attn_implementation="eager",
            output_loading_info=True,
            ignore_mismatched_sizes=True,  # reported below with their names
        )
    except Exception as error:  # families raise anything for unexpected weights
        raise CheckpointError(
            f"The weights in {folder} do not fit its config.json: {summary(error)}"
        ) from error
    for name, there, expected in sorted(report["mismatched_keys"]):
        raise CheckpointError(
            f"The weights in {folder} do not fit its config.json: {name} has the shape "
            f"{tuple(there)}; expected {tuple(expected)}."
        )
    # a pooler runs after the last layer; only the head of a classifier reads it
    reads_pooler = reads_whole_text(model)
    missing = sorted(key for key in report["missing_keys"] if reads_pooler or "pooler" not in key)
    if missing:
        raise CheckpointError(
            f"The weights in {folder} lack {len(missing)} tensors that {kind.__name__} needs, "
            f"{', '.join(missing[:3])}{' …' if len(missing) > 3 else ''}: its head or layers "
            "would be random. Expected every weight of the architecture that config.json names."
        )
    model.train(False).requires_grad_(False)
    for part in model.modules():
        if callable(change := getattr(part, "set_attention_type", None)):
            change("original_full")  # as BigBird does at the first short text, and for good
    return model


def _read_tokenizer(folder: Path) -> PreTrainedTokenizerBase:
    try:
        tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
    except Exception as error:  # missing files, a missing library, a corrupt file, …
        raise CheckpointError(
            f"{folder} has no readable tokenizer; expected tokenizer.json beside the weights, or "
            f"the files of its own kind of tokenizer.{_what_reads(folder)} The error: "
            f"{summary(error)}"
        ) from error
    # if its files are missing, Transformers silently builds an empty tokenizer
    if len(tokenizer) <= len(set(tokenizer.all_special_ids)):
        raise CheckpointError(
            f"{folder} has no readable tokenizer; expected tokenizer.json beside the weights, or "
            "the files of its own kind of tokenizer."
        )
    return tokenizer


def _what_reads(folder: Path) -> str:
    """What to install for the files of a tokenizer, as a sentence after a space; "": nothing."""
    models = [file.name for end in ("model", "spm") for file in sorted(folder.glob(f"*.{end}"))]
    if not models or find_spec("sentencepiece") is not None:
        return ""
    return f" {models[0]} is a model of SentencePiece: pip install sentencepiece."


def _licence(folder: Path) -> str:
    """The licence from the front matter of the model card, or ""."""
    card = folder / "README.md"
    if not card.is_file():
        return ""
    found = re.search(r"(?m)^license:\s*([\w.+-]+)", card.read_text("utf-8", "replace")[:4096])
    return found[1] if found else ""

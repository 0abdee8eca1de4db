"""Loads a Transformers checkpoint from a folder or hub: safetensors only, never remote code."""

import json
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import torch
import transformers
from huggingface_hub import constants, snapshot_download
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    LocalEntryNotFoundError,
    RepositoryNotFoundError,
)
from safetensors import SafetensorError, safe_open
from torch import Tensor, nn
from transformers import (
    AutoConfig,
    AutoModel,
    AutoTokenizer,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerFast,
)
from transformers.utils import logging as hf_logging

from model.errors import CheckpointError
from model.finite import all_finite
from model.sources.opening import is_missing_folder
from model.sources.registry import GB, Progress

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
# Files to download from a hub: no pickles, no code, no weights for other frameworks.
WANTED = ("*.safetensors", "*.safetensors.index.json", "*.json", "*.txt", "*.model", "README.md")
UNWANTED = ("onnx/*", "openvino/*", "original/*", "*/*.safetensors")
PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt")
FLOAT_BYTES = 4  # everything runs in float32


@dataclass(frozen=True)
class Loaded:
    """A model in evaluation mode, in float32, and its tokenizer."""

    folder: Path
    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerFast
    licence: str


def load(place: str, progress: Progress = lambda share: None) -> Loaded:
    """Load a checkpoint from a local folder, or, downloaded once, from a hub.

    Raises:
        CheckpointError: it is missing or incomplete, its family is unknown, it needs custom code,
            has only pickled weights, or does not fit in memory. The message says what to do.
    """
    folder = find_folder(place)
    config = _read_config(folder)
    files = _weight_files(folder)
    _check_memory(folder, files)
    weights = _read_weights(files, progress)
    tokenizer = _read_tokenizer(folder)
    model = _build(folder, config, weights)
    vocab_size = embeddings_of(model).num_embeddings
    if len(tokenizer) > vocab_size:
        raise CheckpointError(
            f"The tokenizer in {folder} has {len(tokenizer):,} tokens but the model embeds "
            f"{vocab_size:,}, so they belong to different checkpoints."
        )
    if model.config.is_encoder_decoder:
        _check_start(folder, model, vocab_size)
    return Loaded(folder, model, tokenizer, _licence(folder))


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


def embeddings_of(model: PreTrainedModel) -> nn.Embedding:
    """The token embeddings.

    Raises:
        CheckpointError: the model has none, so it does not read text.
    """
    try:
        found = model.get_input_embeddings()
    except NotImplementedError:
        found = None
    if not isinstance(found, nn.Embedding):
        raise CheckpointError(
            f"{type(model).__name__} has no token embeddings that Headlight can use."
        )
    return found


def find_folder(place: str) -> Path:
    """The local folder of a checkpoint, downloaded first if it is on a hub."""
    folder = Path(place).expanduser()
    if folder.is_dir():
        return folder
    if is_missing_folder(place):
        raise CheckpointError(f"Expected a folder at {place}, but there is none.")
    try:
        found = snapshot_download(place, allow_patterns=[*WANTED], ignore_patterns=[*UNWANTED])
    except GatedRepoError as error:
        raise CheckpointError(
            f"{place} is gated: accept its terms on its page, log in with `hf auth login`, and try "
            "again."
        ) from error
    except RepositoryNotFoundError as error:
        raise CheckpointError(
            f"There is no folder {place} here, and no such model on the hub. Check the name."
        ) from error
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError, ValueError) as error:
        offline = " HF_HUB_OFFLINE is set." if constants.HF_HUB_OFFLINE else ""
        raise CheckpointError(
            f"There is no folder {place} here, and it could not be downloaded.{offline} Give a "
            "local folder, or download it once while online."
        ) from error
    return Path(found)


def _read_config(folder: Path) -> PreTrainedConfig:
    path = folder / "config.json"
    if not path.is_file():
        raise CheckpointError(
            f"Expected config.json in {folder}, but it is missing. A checkpoint is a folder "
            "written by `save_pretrained`."
        )
    raw = _json(path)
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
            f"(model_type {raw.get('model_type')!r}).{own} The error: {_summary(error)}"
        ) from error
    return config


def _json(path: Path) -> dict[str, Any]:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path} cannot be read as JSON: {error}.") from error
    if not isinstance(raw, dict):
        raise CheckpointError(f"{path}: expected a JSON object; got {type(raw).__name__}.")
    return raw


def _weight_files(folder: Path) -> list[Path]:
    if (folder / WEIGHTS).is_file():
        return [folder / WEIGHTS]
    if not (folder / INDEX).is_file():
        pickles = sorted(path.name for kind in PICKLES for path in folder.glob(kind))
        if pickles:
            raise CheckpointError(
                f"{folder} has its weights only in {', '.join(pickles)}. These are pickles, which "
                "can run arbitrary code; expected model.safetensors. To convert them, load the "
                "checkpoint where you trust it and call `save_pretrained`."
            )
        raise CheckpointError(f"Expected {WEIGHTS} or {INDEX} in {folder}; both are missing.")
    shards = _json(folder / INDEX).get("weight_map")
    if not isinstance(shards, dict) or not all(isinstance(name, str) for name in shards.values()):
        raise CheckpointError(f"{folder / INDEX} should map weights to files (`weight_map`).")
    # file names only: an index must not point outside its folder
    files = [folder / Path(name).name for name in sorted(set(shards.values()))]
    missing = [path.name for path in files if not path.is_file()]
    if missing:
        raise CheckpointError(
            f"{folder / INDEX} names {', '.join(missing)}, but {folder} does not contain them. "
            "Copy or download it again."
        )
    return files


def _read_weights(files: list[Path], progress: Progress) -> dict[str, Tensor]:
    """All tensors, in float32; `progress` is called after each."""
    weights: dict[str, Tensor] = {}
    total, done = sum(path.stat().st_size for path in files), 0
    for path in files:
        try:
            with safe_open(path, framework="pt") as file:
                for name in file.keys():  # a safetensors file cannot be iterated
                    tensor = file.get_tensor(name)
                    _check_numbers(path, name, tensor)
                    done += tensor.nbytes
                    weights[name] = tensor.float() if tensor.is_floating_point() else tensor
                    progress(min(1.0, done / max(total, 1)))
        except (SafetensorError, OSError, RuntimeError) as error:
            raise CheckpointError(
                f"{path} is not a whole safetensors file: {error}. Copy or download it again."
            ) from error
    return weights


def _check_numbers(path: Path, name: str, tensor: Tensor) -> None:
    """Refuse weights that are quantised or not finite."""
    is_weight = name.endswith(("weight", "bias"))
    small = tensor.is_floating_point() and tensor.itemsize < 2
    if small or (is_weight and not tensor.is_floating_point()):
        raise CheckpointError(
            f"{path} holds {name} as {tensor.dtype}, so the checkpoint is quantised, which "
            "Headlight cannot read. Use the original in float32, float16 or bfloat16."
        )
    if not all_finite(tensor):
        raise CheckpointError(
            f"{path} has numbers in {name} that are not finite. Copy or download it again; if the "
            "original has them too, its training has diverged."
        )


def _check_memory(folder: Path, files: list[Path]) -> None:
    """Refuse a checkpoint whose weights in float32 do not fit in memory, before reading them."""
    needed = 0
    for path in files:
        try:
            with safe_open(path, framework="pt") as file:
                needed += FLOAT_BYTES * sum(
                    math.prod(file.get_slice(name).get_shape()) for name in file.keys()
                )
        except (SafetensorError, OSError) as error:
            raise CheckpointError(
                f"{path} is not a whole safetensors file: {error}. Copy or download it again."
            ) from error
    free = psutil.virtual_memory().available
    if needed > free:
        raise CheckpointError(
            f"{folder} needs {needed / GB:.1f} GB of memory for its weights in float32, but only "
            f"{free / GB:.1f} GB are free. Use a smaller model or a larger machine."
        )


def _build(folder: Path, config: PreTrainedConfig, weights: dict[str, Tensor]) -> PreTrainedModel:
    """Build the class that the checkpoint was saved from; another might have a random head."""
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
            auto: Any = AutoModel
            kind = type(auto.from_config(config))
    hf_logging.disable_progress_bar()  # we report progress ourselves
    try:
        model: PreTrainedModel
        model, report = kind.from_pretrained(
            None,
            config=config,
            state_dict=weights,
            dtype=torch.float32,
            # set at once, because some families choose their classes by it
            attn_implementation="eager",
            output_loading_info=True,
            ignore_mismatched_sizes=True,  # reported below with their names
        )
    except Exception as error:  # families raise anything for unexpected weights
        raise CheckpointError(
            f"The weights in {folder} do not fit its config.json: {_summary(error)}"
        ) from error
    for name, there, expected in sorted(report["mismatched_keys"]):
        raise CheckpointError(
            f"The weights in {folder} do not fit its config.json: {name} has the shape "
            f"{tuple(there)}; expected {tuple(expected)}."
        )
    # a pooler runs after the last layer and affects nothing that we show
    missing = sorted(name for name in report["missing_keys"] if "pooler" not in name)
    if missing:
        raise CheckpointError(
            f"The weights in {folder} lack {len(missing)} tensors that {kind.__name__} needs, "
            f"{', '.join(missing[:3])}{' …' if len(missing) > 3 else ''}: its head or layers "
            "would be random. Expected every weight of the architecture that config.json names."
        )
    model.train(False).requires_grad_(False)
    return model


def _read_tokenizer(folder: Path) -> PreTrainedTokenizerFast:
    try:
        tokenizer = AutoTokenizer.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
    except Exception as error:  # missing files, a missing library, a corrupt file, …
        raise CheckpointError(
            f"{folder} has no readable tokenizer; expected tokenizer.json beside the weights. The "
            f"error: {_summary(error)}"
        ) from error
    if not isinstance(tokenizer, PreTrainedTokenizerFast):
        raise CheckpointError(
            f"The tokenizer in {folder} ({type(tokenizer).__name__}) does not report the offsets "
            "of its tokens. Expected a tokenizer.json."
        )
    # if its files are missing, Transformers silently builds an empty tokenizer
    if len(tokenizer) <= len(set(tokenizer.all_special_ids)):
        raise CheckpointError(
            f"{folder} has no readable tokenizer; expected tokenizer.json beside the weights."
        )
    return tokenizer


def _licence(folder: Path) -> str:
    """The licence from the front matter of the model card, or ""."""
    card = folder / "README.md"
    if not card.is_file():
        return ""
    found = re.search(r"(?m)^license:\s*([\w.+-]+)", card.read_text("utf-8", "replace")[:4096])
    return found[1] if found else ""


def _summary(error: Exception) -> str:
    """The first line of a library's message, truncated."""
    text = str(error).strip().split("\n")[0] or type(error).__name__
    return text if len(text) <= 300 else text[:299] + "…"

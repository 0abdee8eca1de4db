"""Reads a GGUF file, as llama.cpp writes them, once: into a folder of safetensors in float16.

Transformers turns the quantised blocks back into numbers, and builds the tokenizer that the file
holds. What results is an ordinary checkpoint: everything else need not know where it came from.
"""

import json
import re
import shutil
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import torch
import transformers
from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer
from transformers.utils import logging as hf_logging

from headlight.extras import install
from model.errors import CheckpointError
from model.files import read_json
from model.sources.cache import cache_folder, filling
from model.sources.fingerprint import fingerprint
from model.sources.pretrained.opening.messages import summary
from model.sources.registry import GB, Progress

SUFFIX = ".gguf"
NOTE = "headlight.json"  # beside the weights: where they came from
READ, BUILT = 0.1, 0.8  # how far it is after reading the tokenizer, and the weights
SEQ2SEQ = ("t5", "umt5")


@dataclass(frozen=True)
class Note:
    """What the page says of weights that were converted."""

    file: str
    sha256: str
    weights: str  # what they were, such as "4-bit (Q4_1), read back as float16"


def is_gguf(place: str) -> bool:
    """Whether this names a GGUF file, which may be missing."""
    return place.endswith(SUFFIX)


def note_in(folder: Path) -> Note | None:
    """Where the weights of a folder came from; None if they were not converted by us."""
    path = folder / NOTE
    return Note(**read_json(path)) if path.is_file() else None


def folder_of(file: Path, progress: Progress = lambda share: None) -> Path:
    """The folder with a file's weights in the cache; converted first, unless it was before.

    Raises:
        CheckpointError: as `convert` does, or the file is missing.
    """
    if not file.is_file():
        raise CheckpointError(f"Expected a GGUF file at {file}, but there is none.")
    folder = cache_folder() / "gguf" / f"{file.stem}-{fingerprint([file])[:16]}"
    if not folder.is_dir():
        with filling(folder) as part:
            convert(file, part, progress)
    return folder


def convert(file: Path, folder: Path, progress: Progress = lambda share: None) -> None:
    """Write the model and the tokenizer of a GGUF file into a folder, as float16.

    Raises:
        CheckpointError: the library that reads GGUF is missing, the file is not whole, its
            architecture is unknown, or there is no room. The message says what to do.
    """
    missing = [name for name in ("gguf", "accelerate") if find_spec(name) is None]
    if missing:
        raise CheckpointError(
            f"{file.name} needs {' and '.join(missing)}, which the extra `pretrained` brings: "
            f"{install('pretrained')}"
        )
    fields, n_numbers = _header(file)
    _check_room(file, folder, n_numbers)
    architecture = str(fields.get("general.architecture"))
    hf_logging.disable_progress_bar()  # we report progress ourselves
    given: Any = {"gguf_file": file.name, "local_files_only": True, "trust_remote_code": False}
    kind: Any = AutoModelForSeq2SeqLM if architecture in SEQ2SEQ else AutoModelForCausalLM
    try:
        tokenizer = AutoTokenizer.from_pretrained(file.parent, **given)
        progress(READ)
        model = kind.from_pretrained(file.parent, dtype=torch.float16, **given, **_plainly())
    except Exception as error:  # Transformers raises anything for what it does not expect
        known = f"Transformers {transformers.__version__} reads {', '.join(_architectures())}."
        raise CheckpointError(
            f"{file.name} could not be read: {summary(error)}"
            f"{f' Of GGUF, {known}' if 'not supported' in str(error) else ''}"
        ) from error
    progress(BUILT)
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config  # they are plain numbers now
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    licence = fields.get("general.license")
    if licence:
        (folder / "README.md").write_text(f"---\nlicense: {licence}\n---\n", encoding="utf-8")
    note = Note(file.name, fingerprint([file]), _weights_were(fields.get("general.file_type")))
    (folder / NOTE).write_text(json.dumps(asdict(note), indent=1), encoding="utf-8")
    progress(1.0)


def _plainly() -> dict[str, Any]:
    """What keeps newer releases from leaving the blocks packed."""
    config: Any = getattr(transformers, "GgufConfig", None)
    return {} if config is None else {"quantization_config": config(dequantize=True)}


def _header(file: Path) -> tuple[dict[str, Any], int]:
    """The short entries of a file's header, and how many numbers its tensors have."""
    from gguf import GGUFReader

    wanted = ("general.architecture", "general.license", "general.file_type")
    try:
        reader = GGUFReader(file)
        n_numbers = sum(int(tensor.n_elements) for tensor in reader.tensors)
        found = {name: reader.fields[name].contents() for name in wanted if name in reader.fields}
    except Exception as error:  # it reads past the end of a truncated file
        raise CheckpointError(
            f"{file} is not a whole GGUF file: {summary(error)}. Copy or download it again."
        ) from error
    return found, n_numbers


def _check_room(file: Path, folder: Path, n_numbers: int) -> None:
    """Refuse a file whose numbers fit neither in memory, as float32, nor on the disk."""
    needed, free = 6 * n_numbers, psutil.virtual_memory().available  # float32, and then float16
    if needed > free:
        raise CheckpointError(
            f"{file.name} needs {needed / GB:.1f} GB of memory to be read back, but only "
            f"{free / GB:.1f} GB are free. Use a smaller model or a larger machine."
        )
    needed, free = 2 * n_numbers, shutil.disk_usage(folder).free
    if needed > free:
        raise CheckpointError(
            f"{file.name} takes {needed / GB:.1f} GB in {folder.parent} once it is read back, but "
            f"only {free / GB:.1f} GB are free. Set HEADLIGHT_CACHE to a folder on another disk."
        )


def _architectures() -> list[str]:
    from transformers.modeling_gguf_pytorch_utils import GGUF_SUPPORTED_ARCHITECTURES

    return sorted({*GGUF_SUPPORTED_ARCHITECTURES} - {"general", "tokenizer"})


def _weights_were(file_type: Any) -> str:
    """What the weights were in the file, by its entry `general.file_type`."""
    from gguf import LlamaFileType

    try:
        name = LlamaFileType(file_type).name.removeprefix("MOSTLY_").removeprefix("ALL_")
    except ValueError:
        return "read as float16"
    if name in ("F32", "F16", "BF16"):
        kinds = {"F32": "float32", "F16": "float16", "BF16": "bfloat16"}
        return f"{kinds[name]}, read as float16" if name != "F16" else "float16"
    bits = re.search(r"\d+", name)
    return f"{bits[0] if bits else '?'}-bit ({name}), read back as float16"

"""Reads the weights of a checkpoint from its safetensors files."""

import math
from pathlib import Path

import psutil
import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from model.errors import CheckpointError
from model.files import read_json
from model.finite import all_finite
from model.sources.pretrained.opening.device import CPU, Machine
from model.sources.registry import GB, Progress

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt")


def is_checkpoint(folder: Path) -> bool:
    """Whether a folder holds a whole checkpoint, or the pickles of one."""
    files = (WEIGHTS, INDEX, "pytorch_model.bin")
    return (folder / "config.json").is_file() and any((folder / name).is_file() for name in files)


def weight_files(folder: Path) -> list[Path]:
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
    shards = read_json(folder / INDEX).get("weight_map")
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


def read_weights(
    files: list[Path],
    progress: Progress = lambda share: None,
    dtype: torch.dtype = torch.float32,
) -> dict[str, Tensor]:
    """All tensors, in one dtype; `progress` is called after each."""
    weights: dict[str, Tensor] = {}
    total, done = sum(path.stat().st_size for path in files), 0
    for path in files:
        try:
            with safe_open(path, framework="pt") as file:
                for name in file.keys():  # a safetensors file cannot be iterated
                    tensor = file.get_tensor(name)
                    _check_numbers(path, name, tensor)
                    done += tensor.nbytes
                    weights[name] = tensor.to(dtype) if tensor.is_floating_point() else tensor
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
    mask = tensor.dtype == torch.bool  # a buffer of GPT-Neo's kind
    if small or (is_weight and not mask and not tensor.is_floating_point()):
        raise CheckpointError(
            f"{path} holds {name} as {tensor.dtype}, so the checkpoint is quantised, which "
            "Headlight cannot read. Use the original in float32, float16 or bfloat16."
        )
    if not all_finite(tensor):
        raise CheckpointError(
            f"{path} has numbers in {name} that are not finite. Copy or download it again; if the "
            "original has them too, its training has diverged."
        )


def check_memory(folder: Path, files: list[Path], machine: Machine = CPU) -> None:
    """Refuse a checkpoint whose weights do not fit in memory, before reading them."""
    numbers = 0
    for path in files:
        try:
            with safe_open(path, framework="pt") as file:
                numbers += sum(math.prod(file.get_slice(name).get_shape()) for name in file.keys())
        except (SafetensorError, OSError) as error:
            raise CheckpointError(
                f"{path} is not a whole safetensors file: {error}. Copy or download it again."
            ) from error
    free = psutil.virtual_memory().available
    if machine.device.type == "cuda":
        free = min(free, torch.cuda.mem_get_info(machine.device)[0])
    needed, half = machine.dtype.itemsize * numbers, 2 * numbers
    if needed > free:
        smaller = (
            f"In bfloat16 they take {half / GB:.1f} GB: set HEADLIGHT_DTYPE=bfloat16."
            if half < needed and half <= free
            else "Use a smaller model or a larger machine."
        )
        raise CheckpointError(
            f"{folder} needs {needed / GB:.1f} GB of memory for the {numbers / 1e9:.1f} billion "
            f"numbers of its weights in {machine.numbers}, but only {free / GB:.1f} GB are free. "
            f"{smaller}"
        )

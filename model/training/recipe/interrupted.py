"""Saves and restores the state of an unfinished training run.

It is one safetensors file: the weights, the optimizers' state, and the settings as metadata.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor
from torch.optim import Optimizer

from model.core.transformer import Transformer
from model.errors import CheckpointError

STATE = "training.safetensors"


def save_state(
    folder: Path,
    step: int,
    model: Transformer,
    optimizers: Sequence[Optimizer],
    settings: dict[str, object],
) -> None:
    """Write the state after `step` steps. If the process is killed meanwhile, the old one stays."""
    tensors: dict[str, Tensor] = {}
    for name, parameter in model.named_parameters():
        tensors[f"weights.{name}"] = parameter.detach()
        for optimizer in optimizers:
            for kept, tensor in optimizer.state.get(parameter, {}).items():
                tensors[f"{kept}.{name}"] = tensor
    unfinished = folder / f"{STATE}.part"
    save_file(tensors, unfinished, {"step": str(step), "settings": json.dumps(settings)})
    unfinished.replace(folder / STATE)


def resume(
    folder: Path,
    model: Transformer,
    optimizers: Sequence[Optimizer],
    settings: dict[str, object],
) -> int:
    """Restore an unfinished run with the same settings, if there is one; returns its steps done.

    Raises:
        CheckpointError: the file belongs to a run with other settings, or is corrupt.
    """
    path = folder / STATE
    if not path.exists():
        return 0
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata()
            _check_same(path, json.loads(metadata["settings"]), json.loads(json.dumps(settings)))
            step = int(metadata["step"])
            parameters = dict(model.named_parameters())
            for key in file.keys():  # a safetensors file cannot be iterated
                kept, _, name = key.partition(".")
                if kept == "weights":
                    parameters[name].data.copy_(file.get_tensor(key))
                    continue
                for optimizer in optimizers:
                    owned = [p for group in optimizer.param_groups for p in group["params"]]
                    if any(parameters[name] is p for p in owned):
                        optimizer.state[parameters[name]][kept] = file.get_tensor(key)
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise CheckpointError(
            f"{path} should hold an unfinished training run but cannot be read: {error}. Remove it "
            "to start over."
        ) from error
    return step


def _check_same(path: Path, found: dict[str, object], expected: dict[str, object]) -> None:
    names = sorted(found.keys() | expected.keys())
    other = [name for name in names if found.get(name) != expected.get(name)]
    if other:
        what = ", ".join(f"{name} {found.get(name)}, not {expected.get(name)}" for name in other)
        raise CheckpointError(
            f"{path} holds an unfinished run with other settings ({what}). Finish it with those, "
            "or remove it to start over."
        )

"""A film: a model's weights at some steps of its training, beside the checkpoint that came of it.

The folder of a checkpoint has a frame for each step in `film/`, and what was measured of them in
`film/film.json`. The last step is the checkpoint itself. A frame holds float16, or 8 bits a weight
with one scale per row, so that ten of them are small enough to ship.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from model.errors import CheckpointError, InputError
from model.files import read_json

FRAMES = "film"  # the folder in that of the checkpoint
ABOUT = "film.json"  # in it
ANY = "*"  # in the location of a film of whole checkpoints: pythia/step*
AT = "@"  # between the name of a model and a step: shipped@300
_SCALE = ".scale"  # of the rows of a matrix in 8 bits
_LARGEST = 127  # of 8 bits with a sign

Bits = Literal[8, 16]


@dataclass(frozen=True)
class Film:
    """What is known of a film: its steps, the last of which is the checkpoint, and its measures.

    `curves` has one number per step for each measure, `heads` the scores of every head by step:
    a metric's list has one number per step, layer and head. `mutes` has by how many nats the mean
    loss rises without each head, by step, layer and head. All are empty if nothing was measured.
    """

    steps: tuple[int, ...]
    curves: Mapping[str, list[float]]
    heads: Mapping[str, list[list[list[float | None]]]]  # None: the score is not defined
    rounding: float | None = None  # largest change of a weight of attention by 8 bits; None: none
    mutes: list[list[list[float]]] = field(default_factory=list)


def frame_path(folder: Path, step: int) -> Path:
    """Where the weights after `step` steps stand."""
    return folder / FRAMES / f"step{step:06}.safetensors"


def weights_path(folder: Path, step: int | None) -> Path:
    """Where the weights of a checkpoint stand; None: those of the checkpoint itself."""
    return folder / "model.safetensors" if step is None else frame_path(folder, step)


def frames_in(folder: Path) -> tuple[int, ...]:
    """The steps that have a frame, in order; none if there is no film."""
    found = (folder / FRAMES).glob("step*.safetensors")
    return tuple(sorted(int(path.stem.removeprefix("step")) for path in found))


def checkpoints_in(pattern: str) -> dict[int, Path]:
    """The folders of a pattern such as `pythia/step*`, by the number at the end of their names.

    Raises:
        InputError: there are none.
    """
    whole = Path(pattern).expanduser()
    root = next(parent for parent in whole.parents if ANY not in str(parent))
    found: dict[int, Path] = {}
    for folder in root.glob(str(whole.relative_to(root))):
        step = re.search(r"(\d+)$", folder.name)
        if step and folder.is_dir():
            found[int(step[1])] = folder
    if not found:
        raise InputError(
            f"No checkpoints are at {pattern}. Expected folders whose names end with a step, such "
            "as step0, step512 and step1000."
        )
    return dict(sorted(found.items()))


def base_of(name: str) -> str:
    """The model of whose film this is a step; any other model's own name."""
    base, _, step = name.rpartition(AT)
    return base if step.isdecimal() else name


def read_film(folder: Path) -> Film | None:
    """What is known of a checkpoint's film; None if it has none.

    Raises:
        CheckpointError: `film.json` is missing, or does not fit the frames.
    """
    frames = frames_in(folder)
    if not frames:
        return None
    path = folder / FRAMES / ABOUT
    if not path.is_file():
        raise CheckpointError(
            f"{folder} has a film that was never measured: expected {path}. Measure it with "
            f"`headlight film {folder}`."
        )
    raw = read_json(path)
    try:
        film = Film(**raw | {"steps": tuple(raw["steps"])})
    except (KeyError, TypeError) as error:
        raise CheckpointError(f"{path} does not describe a film: {error}.") from error
    if film.steps[:-1] != frames:
        raise CheckpointError(
            f"{path} describes the steps {list(film.steps[:-1])}, but the folder has frames of "
            f"{list(frames)}. Measure it again with `headlight film {folder}`."
        )
    return film


def write_film(folder: Path, film: Film) -> None:
    """Write what is known of a film beside its frames."""
    (folder / FRAMES).mkdir(exist_ok=True)
    (folder / FRAMES / ABOUT).write_text(json.dumps(asdict(film)) + "\n", encoding="utf-8")


def save_frame(folder: Path, step: int, weights: Mapping[str, Tensor], bits: Bits = 16) -> None:
    """Write the weights after `step` steps."""
    path = frame_path(folder, step)
    path.parent.mkdir(exist_ok=True)
    unfinished = path.with_suffix(".part")
    kept = {name: tensor.to(torch.float16) for name, tensor in weights.items()}
    save_file(in_bytes(weights) if bits == 8 else kept, unfinished)
    unfinished.chmod(0o644)  # the library makes it readable only by its owner
    unfinished.replace(path)


def load_frame(folder: Path, step: int) -> dict[str, Tensor]:
    """The weights after `step` steps, in float32.

    Raises:
        InputError: there is no frame of this step.
        CheckpointError: it cannot be read.
    """
    path = frame_path(folder, step)
    if not path.is_file():
        steps = ", ".join(map(str, frames_in(folder)))
        raise InputError(f"The film in {folder} has no step {step}. It has: {steps}.")
    try:
        kept = load_file(path)
    except (SafetensorError, OSError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}.") from error
    return {
        name: tensor.float() * kept[name + _SCALE] if name + _SCALE in kept else tensor.float()
        for name, tensor in kept.items()
        if not name.endswith(_SCALE)
    }


def in_bytes(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Weights with 8 bits each and one float32 scale per row; vectors stay as they are."""
    kept: dict[str, Tensor] = {}
    for name, tensor in weights.items():
        if tensor.dim() < 2:
            kept[name] = tensor
            continue
        scale = tensor.abs().amax(-1, keepdim=True).clamp_min(1e-12) / _LARGEST
        kept[name] = (tensor / scale).round().to(torch.int8)
        kept[name + _SCALE] = scale
    return kept

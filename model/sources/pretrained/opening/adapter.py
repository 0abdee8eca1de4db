"""Loads an adapter (LoRA and the like), which changes the weights of a base checkpoint.

Its changes are added to the weights once, so that W_O and everything else is the adapted model's;
the result equals that of peft, which adds them in each run, within float32 noise.
"""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from torch import Tensor
from transformers import PreTrainedModel

from headlight.extras import install
from model.errors import CheckpointError
from model.files import read_json
from model.sources.pretrained.opening.messages import summary
from model.sources.pretrained.opening.place import find_folder
from model.sources.pretrained.opening.weights import is_checkpoint

CONFIG, ADAPTER = "adapter_config.json", "adapter_model.safetensors"


@dataclass(frozen=True)
class Adapter:
    """An adapter's folder, and the folder of the checkpoint that it belongs to."""

    folder: Path
    base: Path

    @property
    def file(self) -> Path:
        return self.folder / ADAPTER


def find_adapter(folder: Path) -> Adapter | None:
    """The adapter in a folder and its base; None if the folder holds a whole checkpoint.

    Raises:
        CheckpointError: peft is not installed, the base cannot be found, or the adapter is of a
            kind that does not change weights. The message says what to do.
    """
    if is_checkpoint(folder) or not (folder / CONFIG).is_file():
        return None
    if find_spec("peft") is None:
        raise CheckpointError(
            f"{folder} is an adapter, which needs the extra `lora`: {install('lora')}"
        )
    raw = read_json(folder / CONFIG)
    if not (folder / ADAPTER).is_file():
        raise CheckpointError(
            f"Expected {ADAPTER} beside {folder / CONFIG}, but it is missing. Save the adapter "
            "with `save_pretrained`; pickled ones (adapter_model.bin) are not read."
        )
    return Adapter(folder, _base_of(folder, raw.get("base_model_name_or_path")))


def _base_of(folder: Path, named: object) -> Path:
    """The base: where the adapter says, or in a folder of that name in or beside the adapter's."""
    if not isinstance(named, str) or not named:
        raise CheckpointError(
            f"{folder / CONFIG} should name the base checkpoint (base_model_name_or_path): a "
            f"folder, or a hub id; got {named!r}."
        )
    name = Path(named).name
    nearby = (folder / named, folder / name, folder.parent / name)
    for place in (Path(named).expanduser(), *nearby):
        if is_checkpoint(place):
            return place
    try:
        return find_folder(named)
    except CheckpointError as error:
        raise CheckpointError(
            f"{folder} is an adapter of {named}, which was not found. Put the base checkpoint into "
            f"{folder.parent / name}, or set base_model_name_or_path in {folder / CONFIG} to its "
            f"folder. {error.message}"
        ) from error


def apply(adapter: Adapter, model: PreTrainedModel, weights: dict[str, Tensor]) -> PreTrainedModel:
    """The model with the adapter's changes added to its weights.

    Raises:
        CheckpointError: the adapter does not fit the model, or cannot be merged into it.
    """
    # imported here, because it is an extra of its own and slow to import
    from peft import PeftConfig, get_peft_model, set_peft_model_state_dict

    try:
        config: Any = PeftConfig.from_pretrained(str(adapter.folder))
        if config.is_prompt_learning:
            raise CheckpointError(
                f"{adapter.folder} holds a {config.peft_type.value} adapter, which adds virtual "
                "tokens and leaves the weights as they are. Headlight reads adapters that change "
                "weights, such as LoRA."
            )
        config.inference_mode, config.base_model_name_or_path = True, None
        adapted: Any = get_peft_model(model, config)
        result: Any = set_peft_model_state_dict(adapted, weights)
        given = len(weights) - len(result.unexpected_keys)
        own = sum(".default" in name for name in adapted.state_dict())
        if result.unexpected_keys or given < own:
            extra = ", ".join(sorted(result.unexpected_keys)[:3]) or "none"
            raise CheckpointError(
                f"{adapter.file} does not fit {adapter.base}: the adapter changes {own} tensors "
                f"of this base, and the file has {given} of them (others: {extra}). Check that it "
                "is the base that the adapter was trained on."
            )
        merged: PreTrainedModel = adapted.merge_and_unload(safe_merge=True)
    except CheckpointError:
        raise
    except Exception as error:  # peft raises anything for modules that it does not find
        raise CheckpointError(
            f"The adapter in {adapter.folder} does not fit its base {adapter.base}: "
            f"{summary(error)}"
        ) from error
    merged.train(False).requires_grad_(False)
    return merged

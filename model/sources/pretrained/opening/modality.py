"""Refuses models that read something other than text, before their weights are read."""

from transformers import PreTrainedModel

from model.errors import CheckpointError

# What a model takes, by the name of its main input in Transformers.
OTHER_INPUTS = {
    "pixel_values": "images",
    "pixel_values_videos": "videos",
    "input_features": "audio",
    "input_values": "audio",
    "past_values": "time series",
}
# The same by the names that a model gives to its kinds of input.
MODALITIES = {"image": "images", "video": "videos", "audio": "audio", "time": "time series"}


def check_reads_text(kind: type[PreTrainedModel]) -> None:
    """Refuse a class of models whose main input is not text.

    Raises:
        CheckpointError: it takes images, audio, …
    """
    if kind.main_input_name in OTHER_INPUTS:
        raise CheckpointError(
            f"{kind.__name__} takes {OTHER_INPUTS[kind.main_input_name]}; Headlight reads text."
        )


def beside_text(kind: type[PreTrainedModel]) -> str:
    """What a class of models takes besides text, such as "images"; "" if nothing."""
    declared = kind.input_modalities
    listed = [declared] if isinstance(declared, str) else declared
    return " and ".join(MODALITIES[name] for name in listed if name in MODALITIES)

"""The stacks of a model, without heads, and the tables that embed their tokens."""

from typing import Any

from torch import nn
from transformers import PreTrainedModel

from model.errors import CheckpointError
from model.sources.pretrained.opening.modality import beside_text


def stacks_of(model: PreTrainedModel) -> tuple[nn.Module, nn.Module]:
    """The encoder and the decoder of an encoder–decoder.

    The decoder of one that is made of two models (bert2bert) comes with a head of its own.
    """
    whole: Any = model
    decoder = whole.get_decoder()
    return whole.get_encoder(), getattr(decoder, "base_model", decoder)


def head_of(model: PreTrainedModel) -> PreTrainedModel:
    """The model whose forward pass ends with the head: the decoder, if it has its own."""
    whole: Any = model
    decoder = whole.get_decoder() if model.config.is_encoder_decoder else model
    is_own = isinstance(decoder, PreTrainedModel) and decoder.base_model is not decoder
    return decoder if is_own else model


def embeddings_of(model: Any) -> nn.Embedding:
    """The token embeddings of a model or a stack.

    Raises:
        CheckpointError: it has none, so it does not read text.
    """
    try:
        found = model.get_input_embeddings()
    except (NotImplementedError, AttributeError):  # the stacks of FSMT are plain modules
        found = getattr(model, "embed_tokens", None)
    if not isinstance(found, nn.Embedding):
        name, other = type(model).__name__, beside_text(type(model))
        raise CheckpointError(
            f"{name} takes {other} together with text; Headlight reads text alone."
            if other
            else f"{name} has no token embeddings that Headlight can use."
        )
    return found


def every_embedding(model: PreTrainedModel) -> list[nn.Embedding]:
    """The token embeddings of a model and of its encoder and decoder, which may share one."""
    stacks = stacks_of(model) if model.config.is_encoder_decoder else ()
    return [embeddings_of(part) for part in (model, *stacks)]

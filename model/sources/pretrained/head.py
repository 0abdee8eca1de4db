"""The language-model head of a checkpoint alone: hidden states in, logits out.

A head may be more than a matrix: there may be a transform before it (BERT), a factor (T5), a soft
cap (Gemma 2) or a bias (BART). So we run the model's own code, with its body replaced by a stub
that returns the given hidden states.
"""

import copy
from collections.abc import Callable
from typing import Any, Literal

from jaxtyping import Float
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers.modeling_outputs import BaseModelOutput, BaseModelOutputWithPooling

from model.sources.pretrained.device import kept

Predicts = Literal["next", "fill"]
Unembed = Callable[[Float[Tensor, "*batch d_model"]], Float[Tensor, "*batch vocab_size"]]


def what_it_predicts(model: PreTrainedModel) -> Predicts | None:
    """ "next" for the next token, "fill" for the masked one; None without a language-model head."""
    if _output_embeddings(model) is None:
        return None
    fills = type(model).__name__.endswith(("ForMaskedLM", "ForPreTraining"))
    return "fill" if fills else "next"


def _output_embeddings(model: Any) -> nn.Module | None:
    found: nn.Module | None = model.get_output_embeddings()
    return found


def unembedding(model: PreTrainedModel, body: nn.Module) -> Unembed:
    """The head of a model, sharing its parameters. `body` is the part before it."""
    head = copy.copy(model)
    names = [name for name, part in model.named_children() if part is body]
    head._modules = dict(model._modules) | {name: _StubBody() for name in names}

    def unembed(resid: Tensor) -> Tensor:
        flat = resid.reshape(1, -1, resid.shape[-1]).to(model.device, model.dtype)
        given: dict[str, Any] = {"inputs_embeds": flat}
        if model.config.is_encoder_decoder:
            given = {
                "decoder_inputs_embeds": flat,
                "encoder_outputs": BaseModelOutput(last_hidden_state=flat),
            }
        output = head(**given, use_cache=False, return_dict=True)
        logits = output.logits if "logits" in output else output.prediction_logits
        reshaped: Tensor = kept(logits).reshape(*resid.shape[:-1], -1)
        return reshaped

    return unembed


class _StubOutput(BaseModelOutputWithPooling):
    """The output of the stub; any other attribute that a head may look for is None."""

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)


class _StubBody(nn.Module):
    """Returns the hidden states that it is given."""

    @property
    def decoder(self) -> "_StubBody":
        """Some heads (OPT's) call a part of the body."""
        return self

    def forward(
        self,
        *args: object,
        inputs_embeds: Tensor | None = None,
        decoder_inputs_embeds: Tensor | None = None,
        **other: object,
    ) -> _StubOutput:
        resid = inputs_embeds if decoder_inputs_embeds is None else decoder_inputs_embeds
        assert resid is not None
        return _StubOutput(last_hidden_state=resid, pooler_output=resid[:, 0])

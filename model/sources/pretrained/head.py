"""The language-model head of a checkpoint, by itself: hidden states in, logits out.

A family may do more there than multiply: a transform before it (BERT), a factor (T5), a soft cap
(Gemma 2), a bias (BART). So the model's own code runs, with a stand-in for its body that answers
with the hidden states that it was given.
"""

import copy
from collections.abc import Callable
from typing import Any, Literal

from jaxtyping import Float
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers.modeling_outputs import BaseModelOutput, BaseModelOutputWithPooling

Predicts = Literal["next", "fill"]
Unembed = Callable[[Float[Tensor, "*batch d_model"]], Float[Tensor, "*batch vocab_size"]]


def what_it_predicts(model: PreTrainedModel) -> Predicts | None:
    """The next token, or the token at a place itself; None without a language-model head."""
    if _output_embeddings(model) is None:
        return None
    fills = type(model).__name__.endswith(("ForMaskedLM", "ForPreTraining"))
    return "fill" if fills else "next"


def _output_embeddings(model: Any) -> nn.Module | None:
    found: nn.Module | None = model.get_output_embeddings()
    return found


def unembedding(model: PreTrainedModel, body: nn.Module) -> Unembed:
    """The head of a model; it shares the model's parameters. `body` is the part before it."""
    head = copy.copy(model)
    names = [name for name, part in model.named_children() if part is body]
    head._modules = dict(model._modules) | {name: _Body() for name in names}

    def unembed(resid: Tensor) -> Tensor:
        flat = resid.reshape(1, -1, resid.shape[-1])
        given: dict[str, Any] = {"inputs_embeds": flat}
        if model.config.is_encoder_decoder:
            given = {
                "decoder_inputs_embeds": flat,
                "encoder_outputs": BaseModelOutput(last_hidden_state=flat),
            }
        said = head(**given, use_cache=False, return_dict=True)
        logits = said.logits if "logits" in said else said.prediction_logits
        by_place: Tensor = logits.reshape(*resid.shape[:-1], -1)
        return by_place

    return unembed


class _Answer(BaseModelOutputWithPooling):
    """What a body answers; of all that a family may look for beside it, there is nothing."""

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)


class _Body(nn.Module):
    """Answers with the hidden states that it is given."""

    @property
    def decoder(self) -> "_Body":
        """Some heads (OPT's) call a part of the body."""
        return self

    def forward(
        self,
        *args: object,
        inputs_embeds: Tensor | None = None,
        decoder_inputs_embeds: Tensor | None = None,
        **other: object,
    ) -> _Answer:
        resid = inputs_embeds if decoder_inputs_embeds is None else decoder_inputs_embeds
        assert resid is not None
        return _Answer(last_hidden_state=resid, pooler_output=resid[:, 0])

"""The language-model head of a checkpoint alone: hidden states in, logits out.

A head may be more than a matrix: there may be a transform before it (BERT), a factor (T5), a soft
cap (Gemma 2) or a bias (BART). So we run the model's own code, with its body replaced by a stub
that returns the given hidden states. A classifier's head is run in the same way.
"""

import copy
from collections.abc import Callable, Mapping
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers.modeling_outputs import BaseModelOutputWithPooling

from model.kinds import Predicts
from model.sources.pretrained.opening.device import kept
from model.trace.stream import TokenRows

Unembed = Callable[[Float[Tensor, "*batch d_model"]], Float[Tensor, "*batch vocab_size"]]


def what_it_predicts(model: PreTrainedModel) -> Predicts | None:
    """ "next" for the next token, "fill" for the masked one, "class" for the text's class.

    "tag" for the class of each token. None: it has a head for none of them.
    """
    if classes_of(model):
        return "class" if reads_whole_text(model) else "tag"
    if _output_embeddings(model) is None:
        return None
    fills = type(model).__name__.endswith(("ForMaskedLM", "ForPreTraining"))
    return "fill" if fills else "next"


def classes_of(model: PreTrainedModel) -> tuple[str, ...]:
    """The names of the classes of texts or tokens; none of a model that is no classifier."""
    if not reads_whole_text(model) and not type(model).__name__.endswith("ForTokenClassification"):
        return ()
    if model.config.is_encoder_decoder:  # its head looks for the end token among ids
        return ()
    names: Any = model.config.id2label
    return tuple(names[id] for id in range(len(names)))


def reads_whole_text(model: PreTrainedModel) -> bool:
    """Whether it has the head of a classifier of texts, not of their tokens."""
    return type(model).__name__.endswith("ForSequenceClassification")


def why_no_classes(model: PreTrainedModel) -> str:
    """Why softmax over a classifier's logits is no probability of a class; "": nothing is wrong."""
    classes = classes_of(model)
    if len(classes) == 1:
        return "its head gives one number, not the probabilities of classes"
    if classes and model.config.problem_type == "multi_label_classification":
        return "its labels do not exclude each other, so their probabilities do not sum to 1"
    return ""


def _output_embeddings(model: Any) -> nn.Module | None:
    found: nn.Module | None = model.get_output_embeddings()
    return found


def unembedding(model: PreTrainedModel, body: nn.Module) -> Unembed:
    """The head of a model, sharing its parameters. `body` is the part before it."""
    classifies = reads_whole_text(model) and bool(classes_of(model))
    head = _with_stubs(model, {body: _StubBody(body, pools=classifies)})
    run = _classify if classifies else _run

    def unembed(resid: Tensor) -> Tensor:
        output = run(head, model, resid)
        logits = output.logits if "logits" in output else output.prediction_logits
        reshaped: Tensor = kept(logits).reshape(*resid.shape[:-1], -1)
        return reshaped

    return unembed


def _with_stubs(model: PreTrainedModel, stubs: Mapping[nn.Module, nn.Module]) -> Any:
    """The model with some of its parts replaced, sharing the others."""
    head = copy.copy(model)
    head._modules = dict(model._modules)
    head._modules |= {name: stubs[part] for name, part in model.named_children() if part in stubs}
    return head


def _run(head: Any, model: PreTrainedModel, resid: Tensor) -> Any:
    """The output of a head for these hidden states."""
    flat = resid.reshape(1, -1, resid.shape[-1]).to(model.device, model.dtype)
    given: dict[str, Any] = {"inputs_embeds": flat}
    if model.config.is_encoder_decoder:
        encoded = _StubOutput(last_hidden_state=flat)
        given = {"decoder_inputs_embeds": flat, "encoder_outputs": encoded}
    return head(**given, use_cache=False, return_dict=True)


def _classify(head: Any, model: PreTrainedModel, resid: Tensor) -> Any:
    """The output of a classifier for these hidden states, each of which is a text of one token."""
    rows = resid.reshape(-1, 1, resid.shape[-1]).to(model.device, model.dtype)
    ids = torch.zeros(rows.shape[:2], dtype=torch.long, device=model.device)
    return head(input_ids=ids, inputs_embeds=rows, use_cache=False, return_dict=True)


def raw_unembedding(model: PreTrainedModel, body: nn.Module, unembed: Unembed) -> Unembed:
    """The head without what comes after its matrix, such as a soft cap (Gemma 2).

    A head that is affine is returned as it is, and so is one that is not affine even so (BERT).
    """
    matrix = _output_embeddings(model)
    if matrix is None or _is_affine(unembed, model):
        return unembed
    head = _with_stubs(model, {body: _StubBody(body), matrix: _Leaving(matrix)})

    def raw(resid: Tensor) -> Tensor:
        try:
            _run(head, model, resid)
        except _LeftError as left:
            return kept(left.logits).reshape(*resid.shape[:-1], -1)
        return unembed(resid)

    return raw if _is_affine(raw, model) else unembed


def unembedding_rows(model: PreTrainedModel, raw: Unembed) -> TokenRows | None:
    """Rows of W_U, read off the matrix of a head; None if logits are not that matrix and a factor.

    T5 scales what it multiplies with the matrix, Cohere what comes out of it.
    """
    matrix = _output_embeddings(model)
    d_model = model.config.get_text_config().hidden_size
    if not isinstance(matrix, nn.Linear) or not matrix.weight.is_floating_point():
        return None
    weight = matrix.weight
    x = 8 * torch.randn(1, d_model, generator=torch.Generator().manual_seed(0))  # caps would show
    found = (raw(x) - raw(0 * x))[0]
    if tuple(weight.shape) != (len(found), d_model):
        return None
    with torch.inference_mode():
        plain = kept(torch.nn.functional.linear(x.to(weight.device, weight.dtype), weight))[0]
    largest = plain.abs().argmax()
    factor = float(found[largest] / plain[largest])
    tolerance = (1e-4 if weight.dtype == torch.float32 else 5e-2) * found.abs().max()
    if not bool((found - factor * plain).abs().max() <= tolerance):
        return None
    return lambda ids: factor * kept(weight.detach()[ids.to(weight.device)])


def _is_affine(unembed: Unembed, model: PreTrainedModel) -> bool:
    d_model = model.config.get_text_config().hidden_size
    one, other = torch.randn(2, 1, d_model, generator=torch.Generator().manual_seed(0))
    whole, parts = unembed(one + other), unembed(one) + unembed(other) - unembed(0 * one)
    tolerance = 1e-4 if model.dtype == torch.float32 else 5e-2
    return bool((whole - parts).abs().max() <= tolerance * whole.abs().max())


class _LeftError(Exception):
    """Leaves a head where its matrix has been applied."""

    def __init__(self, logits: Tensor) -> None:
        super().__init__("the matrix was applied")
        self.logits = logits


class _Leaving(nn.Module):
    """The matrix of a head, with nothing after it."""

    def __init__(self, matrix: nn.Module) -> None:
        super().__init__()
        self.matrix = matrix

    def forward(self, x: Tensor) -> Tensor:
        raise _LeftError(self.matrix(x))


class _StubOutput(BaseModelOutputWithPooling):
    """The output of the stub; any other attribute that a head may look for is None."""

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)


class _StubBody(nn.Module):
    """Returns the hidden states that it is given."""

    def __init__(self, body: Any, *, pools: bool = False) -> None:
        """`pools`: the head reads what the body's pooler makes of them, too."""
        super().__init__()
        inner = body.get_decoder() if hasattr(body, "get_decoder") else body
        self.config = getattr(inner, "config", None)  # T5Gemma's head reads its decoder's
        self.pooler: Any = getattr(inner, "pooler", None) if pools else None
        self.activation: Any = getattr(inner, "pooler_activation", None)  # beside ALBERT's

    def get_decoder(self) -> "_StubBody":
        return self

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
        pooled = resid[:, 0]
        if isinstance(self.pooler, nn.Linear) and self.activation is not None:
            pooled = self.activation(self.pooler(pooled))
        elif self.pooler is not None:
            pooled = self.pooler(resid)
        return _StubOutput(last_hidden_state=resid, pooler_output=pooled)

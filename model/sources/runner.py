"""Runs a text again and again, each time with other edits."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from model.core.editing import Editor, Growing, in_turn
from model.core.tokenizer import Token
from model.lazy import lazy

VOCABULARY = 8_192  # embeddings that are read at a time

Rows = tuple[tuple[Token, ...], ...]

# Runs copies of one text as rows of a batch, from (text, rows, editor); returns what enters the
# language-model head.
RunRows = Callable[[int, int, Editor | None], Float[Tensor, "row pos d_model"]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Runner:
    """Inputs that were read once, to be run again and again with further edits.

    Everything in the inputs holds in each run: masks, mutes and interventions. A further edit comes
    after the interventions and before the mutes. Gradients flow if the inputs were read and are run
    outside `torch.inference_mode`.
    """

    tokens: Rows
    target_tokens: Rows | None
    run: RunRows
    unembed: Callable[[Tensor], Tensor] | None = None  # the head; None: nothing is predicted
    # the token embeddings of `tokens`; None: the model has none
    embeddings: nn.Embedding | None = None
    # whether rows that differ from a layer on can run as one up to there (`Growing`)
    grows: bool = False

    @lazy
    def mean_embedding(self) -> Float[Tensor, " d_embedding"] | None:
        """The mean of the token embeddings of the whole vocabulary, as the model starts with them.

        None if the model has none.
        """
        if self.embeddings is None:
            return None
        total, n = 0.0, self.embeddings.num_embeddings
        with torch.no_grad():
            every = torch.arange(n, device=self.embeddings.weight.device)
            for ids in torch.split(every, VOCABULARY):
                total = total + self.embeddings(ids).double().sum(dim=0).cpu()
        mean: Tensor = (torch.as_tensor(total) / n).float()
        return mean

    def __call__(
        self, edit: Editor | None = None, *, text: int = 0, rows: int = 1
    ) -> Float[Tensor, "row pos d_model"]:
        """The stream after the final norm, of `rows` copies of a text.

        The tensors that `edit` gets have a row for each copy, so each can be edited differently.
        """
        return self.run(text, rows, edit)

    def from_layer(
        self, layer: int, edit: Editor, *, text: int, rows: int
    ) -> Float[Tensor, "row pos d_model"]:
        """The same, if `edit` changes nothing before a layer: up to there, one row runs for all."""
        if not self.grows:
            return self(edit, text=text, rows=rows)
        return self(in_turn(Growing(layer, rows), edit), text=text)

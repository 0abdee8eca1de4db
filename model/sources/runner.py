"""Runs a text again and again, each time with other edits."""

from collections.abc import Callable
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from model.editing import Editor
from model.tokenizer import Token

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

    def __call__(
        self, edit: Editor | None = None, *, text: int = 0, rows: int = 1
    ) -> Float[Tensor, "row pos d_model"]:
        """The stream after the final norm, of `rows` copies of a text.

        The tensors that `edit` gets have a row for each copy, so each can be edited differently.
        """
        return self.run(text, rows, edit)

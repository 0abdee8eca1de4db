"""Limits on the length of a text: the model's positions, and memory quadratic in the length."""

from collections.abc import Sequence
from typing import Any

from torch import nn
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from model.core.tokenizer import Token
from model.errors import LimitError
from model.sources.pretrained.opening.examine import Findings
from model.sources.pretrained.recording import AXES
from model.sources.registry import GB

SQUARE_BYTES = 1024**3  # for the whole matrices kept by one trace
UNLIMITED = 1_000_000  # tokens; a tokenizer without a limit reports a larger number


def position_limit(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> int:
    """The maximum number of tokens: from the model's positions, else from the tokenizer."""
    config: Any = model.config.get_text_config()
    tables = [
        part.num_embeddings - (0 if part.padding_idx is None else part.padding_idx + 1)
        for name, part in model.named_modules()
        if isinstance(part, nn.Embedding) and name.endswith("position_embeddings")
    ]
    known = [*tables, getattr(config, "max_position_embeddings", None)]
    if getattr(config, "attention_type", None) == "block_sparse":
        # the longest text that BigBird attends to fully
        known.append((5 + 2 * config.num_random_blocks) * config.block_size)
    limits = [limit for limit in known if limit is not None and limit > 0]
    return min(limits) if limits else min(tokenizer.model_max_length, UNLIMITED)


def check_squares(
    rows: Sequence[Sequence[Token]],
    targets: Sequence[Sequence[Token]] | None,
    found: Findings,
    name: str,
) -> None:
    """Refuse, before running anything, texts whose whole matrices would exceed the limit.

    Raises:
        LimitError: code "too_many_cells".
    """
    n = {"tokens": max(map(len, rows)), "target_tokens": max(map(len, targets or [[]]))}
    shared = not found.lacks  # biases are shared by all texts, patterns are not
    nbytes = sum(
        of_cell * n[query] * n[key] * (1 if shared else len(rows))
        for kind, of_cell in found.cell_bytes.items()
        for query, key in [AXES[kind]]
    )
    if nbytes > SQUARE_BYTES:
        what = "position biases" if shared else "patterns"
        raise LimitError(
            f"{name} needs whole matrices ({what}), which would take {nbytes / GB:.1f} GB here; at "
            f"most {SQUARE_BYTES / GB:.1f} GB are allowed. Send fewer or shorter texts.",
            code="too_many_cells",
            field="texts",
            limit=SQUARE_BYTES,
        )

"""The kinds of attention sites, and the tokens that their queries and keys are."""

from typing import Literal

SiteKind = Literal["self", "encoder", "decoder", "cross"]
TokenAxis = Literal["tokens", "target_tokens"]

# What a model predicts: the next token, the one at a position (a masked-language model), or the
# class of a text.
Predicts = Literal["next", "fill", "class"]

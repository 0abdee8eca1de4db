"""The kinds of attention sites, and the tokens that their queries and keys are."""

from typing import Literal

SiteKind = Literal["self", "encoder", "decoder", "cross"]
TokenAxis = Literal["tokens", "target_tokens"]

# What a model predicts: the next token, the one at a position (a masked-language model), the class
# of a text, or that of each of its tokens.
Predicts = Literal["next", "fill", "class", "tag"]

"""The kinds of attention sites, and the tokens that their queries and keys are."""

from typing import Literal

SiteKind = Literal["self", "encoder", "decoder", "cross"]
TokenAxis = Literal["tokens", "target_tokens"]

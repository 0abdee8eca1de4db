"""The choice of sites and heads that several analyses take."""

from typing import Annotated

from pydantic import AfterValidator, Field

from model.kinds import SiteKind as Kind
from model.sources.source import SourceInfo
from server.api.fields import Index, Request, unique


class ChosenHeads(Request):
    """Which heads an analysis reads; null means all."""

    layers: Annotated[list[Index], Field(min_length=1), AfterValidator(unique)] | None = Field(
        default=None, description="null means all."
    )
    kinds: Annotated[list[Kind], Field(min_length=1), AfterValidator(unique)] | None = Field(
        default=None, description="For an encoder–decoder: the kinds of sites; null means all."
    )
    heads: Annotated[list[Index], Field(min_length=1), AfterValidator(unique)] | None = None

    def n_heads(self, info: SourceInfo) -> int:
        """The number of chosen heads in all sites of a model."""
        return sum(
            site.n_heads if self.heads is None else len(self.heads)
            for site in info.sites
            if (self.layers is None or site.layer in self.layers)
            and (self.kinds is None or site.kind in self.kinds)
        )

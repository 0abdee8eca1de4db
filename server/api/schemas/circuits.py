"""The schema of the circuits of a head over the vocabulary."""

from typing import Literal

from pydantic import Field

from server.api.fields import Response


class Word(Response):
    """A token of the vocabulary."""

    id: int
    text: str


class QKPair(Response):
    """How much a query token looks for a key token."""

    query: Word
    key: Word
    value: float = Field(
        description="A score, above the query's mean over all keys of the vocabulary."
    )


class OVPair(Response):
    """How much a token, when it is looked at, raises the logit of an output token."""

    source: Word
    output: Word
    value: float = Field(
        description="Above the mean over all outputs, without the scale of the last norm: it "
        "compares with other pairs of the model and is not a logit."
    )


class Partners(Response):
    """What goes with one token, strongest first."""

    token: Word
    as_query: list[QKPair] = Field(description="The keys that it looks for.")
    as_key: list[QKPair] = Field(description="The queries that look for it.")
    raises: list[OVPair] = Field(description="The outputs that it raises most.")
    lowers: list[OVPair] = Field(description="The outputs that it lowers most.")


class CircuitsResponse(Response):
    """The QK and the OV circuit of a head over the vocabulary (Elhage et al. 2021)."""

    model: str
    site: str
    layer: int
    head: int
    reads: Literal["embedding", "effective embedding"] = Field(
        description="What stands for a token: its embedding, after the layer's norm; or, after the "
        "first layer, that and what the first feed-forward network makes of it."
    )
    n_tokens: int = Field(description="The size of the vocabulary without special tokens.")
    qk: list[QKPair] = Field(
        description="The strongest pairs, of a query and a key at one position."
    )
    ov: list[OVPair] = Field(description="The strongest pairs.")
    copying: float | None = Field(
        description="The copying score: Σ Re λ / Σ |λ| over the eigenvalues of the OV circuit, "
        "from −1 to 1."
    )
    copied: float | None = Field(
        description="The share of tokens that raise their own logit above the mean."
    )
    no_outputs: str | None = Field(description="Why there is no OV circuit; otherwise null.")
    partners: Partners | None = Field(description="null unless a token was asked for.")

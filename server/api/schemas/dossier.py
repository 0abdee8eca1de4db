"""The schema of a dossier, as `headlight dossier` writes it and the API gives it."""

from typing import Annotated, Literal

from pydantic import Field, FiniteFloat

from model.kinds import SiteKind as Kind
from server.api.analyses.scores import Also
from server.api.fields import Response

Count = Annotated[int, Field(ge=0)]


class DossierCorpus(Response):
    """The texts."""

    description: str
    n_texts: Count
    sha256: str


class DossierSettings(Response):
    """What the numbers depend on besides the model and the texts."""

    seed: int
    replicates: int = Field(description="Resamplings of the texts, for the intervals.")
    mute_positions: int = Field(description="Positions of each text at which heads were muted.")


class DossierAgainst(Response):
    """The other checkpoint."""

    model: str
    weights: str
    texts_aligned_by_words: int = Field(
        description="The texts that the two models cut into different tokens, so that words were "
        "compared; in all others, tokens."
    )


class DossierMeasure(Response):
    """A number of every head. A[i,j] is its pattern for query i and key j."""

    name: str
    label: str
    definition: str
    source: str
    unit: str
    is_label: bool = Field(description="Whether it is a share of attention that can name a head.")
    also: Also | None = Field(
        default=None, description="What else it asks of a head, where that is known, to name it."
    )


class DossierBucket(Response):
    """Distances query − key, both ends included; below 0 the head looks ahead."""

    first: int
    last: int


class DossierText(Response):
    """A text that an example is from, and its place among all texts."""

    number: Count
    text: str


class DossierNumber(Response):
    """The mean over the texts that give the head a value, each counted once."""

    value: FiniteFloat | None
    low: FiniteFloat | None = Field(description="Where the confidence interval begins.")
    high: FiniteFloat | None = Field(description="Where it ends. null for a single text.")
    over: Count = Field(description="How many texts.")
    reason: str | None = Field(description="Why there is no value.")


class DossierExample(Response):
    """A cell of the head's pattern on a text."""

    of: str = Field(
        description="The measure that it is the best example of; `strongest`: a weight that "
        "exceeds an equal share by most."
    )
    text: Count
    query: Count
    key: Count
    query_token: str
    key_token: str
    value: FiniteFloat = Field(description="What it was chosen for.")
    weight: FiniteFloat = Field(description="The pattern of the cell.")


class DossierLike(Response):
    """A head whose patterns are like those of the head, on the same texts."""

    site: str
    kind: Kind
    layer: int
    head: int
    value: FiniteFloat = Field(
        ge=-1,
        le=1,
        description="The mean over the texts of the correlation of both patterns, after the mean "
        "of each row is taken off.",
    )
    over: Count = Field(description="How many texts.")


class DossierHead(Response):
    """Everything about a head."""

    site: str
    kind: Kind
    layer: int
    head: int
    values: dict[str, DossierNumber] = Field(description="By the name of the measure.")
    distances: list[FiniteFloat] | None = Field(
        description="The share of its attention in each of `buckets`; null between two texts."
    )
    top_examples: list[DossierExample]
    like: list[DossierLike]
    like_elsewhere: list[DossierLike] | None = Field(description="In `against`, if there is one.")


class Dossier(Response):
    """What every head of a model does over many texts."""

    format: Literal[1]
    model: str
    weights: str = Field(description="The SHA-256 of the weights that it is of.")
    corpus: DossierCorpus
    settings: DossierSettings
    level: FiniteFloat = Field(description="Of the confidence intervals.")
    against: DossierAgainst | None
    measures: list[DossierMeasure]
    buckets: list[DossierBucket]
    texts: list[DossierText] = Field(description="Those that the examples are from.")
    heads: list[DossierHead]

"""Interventions of a request: changes of what parts of the model give during the run."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from model.errors import HeadlightError, InputError, LimitError
from model.interventions import KINDS, At, Intervention, Kind
from model.kinds import SiteKind
from model.message import Message
from server.api.fields import Index, Number, Request, Text, unique
from server.settings import Settings

MAX_INTERVENTIONS = 64
MAX_POSITIONS = 1_024
MAX_FACTOR = 1_000.0
MAX_VECTOR = 16_384


Pair = Annotated[list[Index], Field(min_length=2, max_length=2)]


class Intervene(Request):
    """One change of what a head, a feed-forward network or the residual stream gives."""

    kind: Kind = Field(
        description=" ".join(f"`{name}`: {row.about}" for name, row in KINDS.items())
        + " Another sentence runs with the masks of this request, without its painted cells, "
        "mutes and interventions, but with each text's target or second segment."
    )
    at: At = Field(
        default="head",
        description="`head`: what the head gives before W_O, z. `mlp`: what the feed-forward "
        "network adds to the stream. `resid_pre`, `resid_mid`, `resid_post`: the stream before "
        "the layer, between its attention and its feed-forward network, and after it. Where a "
        "model can be changed is its `edited_at`.",
    )
    layer: Index
    head: Index | None = Field(default=None, description="null means every head of the layer.")
    site: SiteKind | None = Field(
        default=None,
        description="For an encoder–decoder: the kind of site, or of stack; null means all.",
    )
    text: Index | None = Field(default=None, description="null means every text.")
    positions: (
        Annotated[
            list[Index], Field(min_length=1, max_length=MAX_POSITIONS), AfterValidator(unique)
        ]
        | None
    ) = Field(
        default=None,
        description="Positions in the padded text, or for the decoder and its cross-attention in "
        "the padded target; null means all.",
    )
    factor: Annotated[float, Field(ge=-MAX_FACTOR, le=MAX_FACTOR)] | None = Field(
        default=None, description="For `scale`, and for `add` (1 if it is left out)."
    )
    texts: Annotated[list[Text], Field(min_length=1)] | None = Field(
        default=None, description="For `mean`: the sentences whose tokens it is the mean of."
    )
    source: Text | None = Field(
        default=None, description="For `patch`, `resample` and `add`: the other sentence."
    )
    minus: Text | None = Field(
        default=None, description="For `add`: the sentence that is subtracted from `source`."
    )
    token: Index | Text | None = Field(
        default=None,
        description="For `add`: the id of a token (or of a class, of a classifier), or a text that "
        "is read as one token.",
    )
    vector: Annotated[list[Number], Field(min_length=1, max_length=MAX_VECTOR)] | None = Field(
        default=None, description="For `add`: the vector itself."
    )
    pairs: Annotated[list[Pair], Field(min_length=1, max_length=MAX_POSITIONS)] | None = Field(
        default=None,
        description="For `patch`: which tokens are aligned, each as [position in the source, "
        "position in the padded text]; null aligns equal positions, and requires as many tokens in "
        "both.",
    )


def interventions(given: Sequence[Intervene], settings: Settings) -> tuple[Intervention, ...]:
    """The interventions for the model, in their order.

    Raises:
        InputError: the fields of one do not suit its kind.
        LimitError: a sentence is too long, or there are too many.
    """
    found = []
    for n, one in enumerate(given):
        try:
            found.append(_intervention(one, settings))
        except HeadlightError as error:
            error.field = f"interventions.{n}.{error.field}"
            raise
    return tuple(found)


def _intervention(one: Intervene, settings: Settings) -> Intervention:
    fields: dict[str, Any] = one.model_dump()
    for name in ("positions", "texts", "vector"):
        fields[name] = None if fields[name] is None else tuple(fields[name])
    if one.pairs is not None:
        fields["pairs"] = tuple((source, to) for source, to in one.pairs)
        if len({to for _, to in one.pairs}) < len(one.pairs):
            raise InputError(
                "Expected each position of the text in one pair only; one is repeated.",
                field="pairs",
            )
    found = Intervention(**fields)
    texts = one.texts or ()
    if len(texts) > settings.max_texts:
        raise LimitError(
            Message(
                "Expected at most {most} {field}; got {n}. Send fewer.",
                most=settings.max_texts,
                field="texts",
                n=len(texts),
            ),
            code="too_many_texts",
            field="texts",
            limit=settings.max_texts,
        )
    token = one.token if isinstance(one.token, str) else ""
    alone = {"source": one.source or "", "minus": one.minus or "", "token": token}
    named = [*alone.items(), *((f"texts.{n}", text) for n, text in enumerate(texts))]
    for field, text in named:
        if len(text) > settings.max_characters:
            raise LimitError(
                Message(
                    "Expected at most {most} characters per text; this one has {n}. Shorten it.",
                    most=settings.max_characters,
                    n=len(text),
                ),
                code="too_many_characters",
                field=field,
                limit=settings.max_characters,
            )
    return found

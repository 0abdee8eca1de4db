"""What a request may have read in the place of what the model predicts."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from model.facts import limit
from model.sources.answering.answer import Answer, Entropy, Loss, Probe, Similarity
from server.api.fields import Index, Number, Request, Text, unique
from server.api.schemas.interventions import MAX_VECTOR

MAX_CLASSES = 64
MAX_OTHERS = limit("texts")  # each of which is run


class AskedProbe(Request):
    """Logits W x + b of the stream x after a layer, before any norm (Alain & Bengio 2017)."""

    kind: Literal["probe"]
    layer: Index
    weights: Annotated[
        list[Annotated[list[Number], Field(min_length=1, max_length=MAX_VECTOR)]],
        Field(min_length=1, max_length=MAX_CLASSES),
    ] = Field(
        description="A row for each class, as wide as the stream. A single row is that of yes; "
        "the logit of no is then 0."
    )
    bias: Annotated[list[Number], Field(min_length=1, max_length=MAX_CLASSES)] | None = Field(
        default=None, description="A number for each row; null means 0."
    )
    classes: (
        Annotated[
            list[Annotated[Text, Field(min_length=1, max_length=100)]],
            Field(min_length=2, max_length=MAX_CLASSES),
            AfterValidator(unique),
        ]
        | None
    ) = Field(default=None, description="The names of the classes; null numbers them.")
    read: Literal["last", "first"] = Field(
        default="last", description="Which token it reads: the last real one, or the first."
    )

    def to_answer(self) -> Answer:
        """
        Raises:
            InputError: its parts do not fit together.
        """
        return Probe(
            layer=self.layer,
            weights=tuple(map(tuple, self.weights)),
            bias=None if self.bias is None else tuple(self.bias),
            classes=None if self.classes is None else tuple(self.classes),
            read=self.read,
        )


class AskedSimilarity(Request):
    """Which of some texts each text is most like: logits are a scale times the cosines of their
    vectors with its own. With a single text, the other class is a vector at right angles to it,
    whose logit is 0."""

    kind: Literal["similarity"]
    texts: Annotated[
        list[Annotated[Text, Field(min_length=1)]],
        Field(min_length=1, max_length=MAX_OTHERS),
        AfterValidator(unique),
    ] = Field(
        description="They run without this request's masks, painted cells, mutes and interventions."
    )
    read: Literal["mean", "last", "first"] = Field(
        default="mean",
        description="The vector is what enters the head at the last real token or the first, or "
        "the mean over all of them (Reimers & Gurevych 2019).",
    )
    scale: Annotated[float, Field(gt=0, le=1_000)] | None = Field(
        default=None,
        description="null means 20, which is 1 / 0.05, the temperature of SimCSE (Gao et al. "
        "2021); or 1 with a single text.",
    )

    def to_answer(self) -> Answer:
        return Similarity(texts=tuple(self.texts), read=self.read, scale=self.scale)


class AskedEntropy(Request):
    """How sure the model is: p(sure) is e^-H of the entropy H of its prediction, in nats."""

    kind: Literal["entropy"]
    position: Index | None = Field(
        default=None,
        description="Counted in the padded text; null means each text's first mask token, or else "
        "its last real token.",
    )

    def to_answer(self) -> Answer:
        return Entropy(position=self.position)


class AskedLoss(Request):
    """How likely a text itself is: p(this text) is e^-L of the mean loss L of its tokens after the
    first, in nats."""

    kind: Literal["loss"]

    def to_answer(self) -> Answer:
        return Loss()


Asked = Annotated[
    AskedProbe | AskedSimilarity | AskedEntropy | AskedLoss, Field(discriminator="kind")
]

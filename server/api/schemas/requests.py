"""The schemas of requests. Validation is strict: "1" is not a number, and true is not 1."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    create_model,
    model_validator,
)

from model.errors import InputError, LimitError
from model.message import Message
from model.sources.generation import Generate
from model.sources.source import Inputs
from model.trace.settings import SourceSettings
from server.api.analyses import ANALYSES, Analyse
from server.api.fields import MAX_INDEX, Index, Request, Text, unique
from server.api.schemas.answer import Asked, AskedSimilarity
from server.api.schemas.interventions import (
    MAX_INTERVENTIONS,
    Intervene,
    interventions,
)
from server.api.schemas.masks import MAX_CELLS, Masks, NamedHead, muted_heads
from server.api.schemas.select import Select
from server.api.schemas.settings import REQUESTS, SETTINGS
from server.settings import Settings

PartName = Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,31}$")]


class GenerateTokens(Request):
    """Tokens for the model to append to each text (or target), one by one."""

    n_tokens: int = Field(
        ge=1, le=64, description="The number of tokens; a text stops earlier at an end token."
    )
    sampled: bool = Field(
        default=False,
        description="Draw each token from softmax(logits / temperature) instead of taking the "
        "likeliest.",
    )
    temperature: float = Field(default=1.0, ge=0.05, le=100)
    seed: int = Field(
        default=0,
        ge=0,
        le=2**63 - 1,
        description="The seed for drawing; each text starts from it anew.",
    )
    top_k: int | None = Field(
        default=None,
        ge=1,
        le=MAX_INDEX,
        description="Draw only from this many of the likeliest tokens.",
    )
    top_p: float | None = Field(
        default=None,
        ge=0.001,
        le=1,
        description="Draw only from the nucleus, defined as for `predict`; if top_k is given too, "
        "both limits apply.",
    )


class Predict(Request):
    """List the likeliest next tokens of each text, likeliest first."""

    top_k: int = Field(default=10, ge=1, le=100)
    position: Index | None = Field(
        default=None,
        description="The position to predict from, counted in the padded text; null means each "
        "text's last real token.",
    )
    temperature: float = Field(
        default=1.0, ge=0.05, le=100, description="Probabilities are softmax(logits / temperature)."
    )
    top_p: float | None = Field(
        default=None,
        ge=0.001,
        le=1,
        description="List only the nucleus, the smallest set of likeliest tokens whose total "
        "probability is at least this (Holtzman et al. 2020), and at most top_k of it. "
        "Probabilities are those of the whole vocabulary; they are not rescaled to sum to 1.",
    )
    tokens: Annotated[list[Index], Field(max_length=100), AfterValidator(unique)] = Field(
        default=[], description="Ids of tokens to list as well, however they rank."
    )
    unedited: bool = Field(
        default=False,
        description="Also give each token's probability without the masks, painted cells, mutes "
        "and interventions of this request: with the model's own mask and padding masked. "
        "Tokens that top_k and top_p would list without the edits, but not with them, are listed "
        "last, so that drops are visible.",
    )


class ChatMessage(Request):
    """What one side of a conversation says."""

    role: Annotated[str, Field(min_length=1, max_length=64)] = Field(
        description="As the model's chat template knows it: system, user, assistant."
    )
    content: Text


Conversation = Annotated[list[ChatMessage], Field(min_length=1, max_length=256)]


class _Texts(Request):
    model: Text | None = Field(
        default=None, max_length=200, description="null means the first of GET /api/models."
    )
    texts: list[Text] = Field(
        default=[], min_length=1, examples=[["The cat sat on the mat.", "Hello"]]
    )
    ids: list[list[Index]] | None = Field(
        default=None,
        min_length=1,
        description="Token ids, one list for each row, instead of `texts`. Special ids may be "
        "among them.",
    )
    special_tokens: bool | None = Field(
        default=None,
        description="Whether the model's own special tokens, such as [BOS] or [CLS], are added; "
        "null adds them to texts, but not to ids. A decoder's start token is always added.",
    )
    messages: list[Conversation] | None = Field(
        default=None,
        min_length=1,
        description="Conversations, instead of `texts`: the model's chat template makes a text of "
        "each, up to where the assistant would go on, and adds what special tokens there are. "
        "`rendered` in the answer has these texts.",
    )
    targets: list[Text] | None = Field(
        default=None, description="Decoder texts, one for each text."
    )
    pairs: list[Text] | None = Field(
        default=None, description="Second segments, one for each text."
    )


if TYPE_CHECKING:
    _WithSettings = _Texts
else:
    _WithSettings = create_model("_WithSettings", __base__=_Texts, **REQUESTS)


class TraceRequest(_WithSettings):
    """One run of one model, and the parts of its trace to send back."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "texts": ["The cat sat on the mat.", "Hello"],
                    "masks": {"causal": None, "padding": True, "window": None},
                    "select": {"tensors": ["pattern"], "layers": [1], "heads": [0]},
                    "predict": {"top_k": 5},
                    "analyse": {"scores": True, "lens": {"top_k": 3}},
                }
            ]
        }
    )

    masks: Masks = Masks()
    muted: list[NamedHead] = Field(
        default=[],
        max_length=MAX_CELLS,
        description="Each muted head as [layer, head]. In an encoder–decoder, "
        '[layer, head, "cross"] mutes it in one site, and [layer, head] in every site of the '
        "layer.",
    )
    interventions: list[Intervene] = Field(
        default=[],
        max_length=MAX_INTERVENTIONS,
        description="Changes of what heads, feed-forward networks and the residual stream give "
        "during the run. Where several act on the same part, they do so in this order; mutes come "
        "last.",
    )
    answer: Asked | None = Field(
        default=None,
        description="What is read in the place of what the model predicts: predictions and all "
        "analyses are then of its classes, as for a classifier. Of models that predict nothing, "
        "too.",
    )
    generate: GenerateTokens | None = Field(
        default=None,
        description="Tokens for the model to append first. They become part of the trace but not "
        "of the texts: to continue from them, send them back as text.",
    )
    select: Select = Select()
    parts: Annotated[dict[PartName, Select], Field(min_length=1, max_length=8)] | None = Field(
        default=None,
        description="Several selections from one trace, instead of `select`, under names of your "
        "choice. The response lists every site and has the tensors in `parts`, under the same "
        "names; in safetensors they are named `grid/layers.0.pattern`. The rollout is then "
        "float32.",
        examples=[{"grid": {"resolution": 64, "dtype": "uint8"}, "head": {"tensors": ["q", "k"]}}],
    )
    analyse: Analyse = Analyse()
    predict: Predict | None = Field(
        default=Predict(),
        description="null predicts nothing. If left out, 10 tokens are listed if the model can "
        "predict.",
    )

    @model_validator(mode="after")
    def _select_or_parts(self) -> "TraceRequest":
        if self.parts is not None and "select" in self.model_fields_set:
            raise ValueError("expected `select` or `parts`; got both. Make `select` one of `parts`")
        return self

    def with_texts(self, texts: Sequence[str]) -> "TraceRequest":
        """The same request of the texts that a chat template made of the messages."""
        return self.model_copy(update={"texts": list(texts), "special_tokens": False})

    def _settings(self) -> SourceSettings | None:
        given = {name: value for name in SETTINGS if (value := getattr(self, name)) is not None}
        if len(given) > 1:
            raise InputError(
                f"Expected the settings of one model; got {' and '.join(given)}.",
                field=list(given)[1],
            )
        found: SourceSettings | None = next((one.to_config() for one in given.values()), None)
        return found

    def _special_tokens(self) -> bool | None:
        """None for the default, also if it is given in full: equal traces get equal inputs."""
        is_default = self.ids is None and self.special_tokens is True
        return None if is_default else self.special_tokens

    def to_inputs(self, settings: Settings) -> Inputs:
        """The inputs that determine the trace, within this server's limits.

        The order and repetition of painted cells and mutes do not matter, so equal traces get
        equal inputs.

        Raises:
            LimitError: there are too many texts, or one is too long.
            InputError: there are neither texts nor ids, or both; there is not one of `targets` or
                `pairs` for each; or the settings of the model do not fit together.
        """
        _check_one_input(self)
        if self.messages is not None and not self.texts:
            raise InputError("The messages were not rendered.", field="messages")
        if self.ids is not None:
            _check_number(self.ids, "ids", settings)
        for field in ("texts", "targets", "pairs") if self.ids is None else ("targets", "pairs"):
            texts = getattr(self, field)
            if texts is not None:
                _check_texts(texts, field, len(self.ids or self.texts), settings)
        if isinstance(self.answer, AskedSimilarity):
            others = self.answer.texts
            _check_texts(others, "answer.texts", len(others), settings)
        return Inputs(
            texts=tuple(self.texts),
            ids=None if self.ids is None else tuple(map(tuple, self.ids)),
            special_tokens=self._special_tokens(),
            targets=None if self.targets is None else tuple(self.targets),
            pairs=None if self.pairs is None else tuple(self.pairs),
            masks=self.masks.to_settings(),
            muted=muted_heads(self.muted),
            interventions=interventions(self.interventions, settings),
            generate=None if self.generate is None else Generate(**self.generate.model_dump()),
            settings=self._settings(),
            answer=None if self.answer is None else self.answer.to_answer(),
            stream=any(one.reads_stream and one.is_asked(self.analyse) for one in ANALYSES),
        )


def _check_one_input(request: TraceRequest) -> None:
    """Require texts or ids, and not both."""
    if request.ids is None and not request.texts and request.messages is None:
        raise InputError(
            "Expected `texts`, or `ids` instead; got neither.", code="missing_field", field="texts"
        )
    if request.ids is not None and request.texts:
        raise InputError("Expected `texts` or `ids`; got both.", field="ids")


def _check_number(texts: Sequence[object], field: str, settings: Settings) -> None:
    if len(texts) > settings.max_texts:
        raise LimitError(
            Message(
                "Expected at most {most} {field}; got {n}. Send fewer.",
                most=settings.max_texts,
                field=field,
                n=len(texts),
            ),
            code="too_many_texts",
            field=field,
            limit=settings.max_texts,
        )


def _check_texts(texts: Sequence[str], field: str, n: int, settings: Settings) -> None:
    _check_number(texts, field, settings)
    if len(texts) != n:
        raise InputError(f"Expected {n} {field}, one for each text; got {len(texts)}.", field=field)
    for index, text in enumerate(texts):
        if len(text) > settings.max_characters:
            raise LimitError(
                Message(
                    "Expected at most {most} characters per text; this one has {n}. Shorten it, or "
                    "trace it in parts.",
                    most=settings.max_characters,
                    n=len(text),
                ),
                code="too_many_characters",
                field=f"{field}.{index}",
                limit=settings.max_characters,
            )

"""What may be asked. Validation is strict: "1" is not a number, and true is not 1."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    create_model,
    model_validator,
)
from pydantic_core import PydanticCustomError

from model.errors import InputError, LimitError
from model.sources.generation import Generate
from model.sources.settings import SourceSettings
from model.sources.source import Inputs
from server.analyses import REQUESTS as ANALYSES
from server.fields import MAX_INDEX, Index, Request, unique
from server.schemas.masks import MAX_CELLS, Masks, NamedHead, muted_heads
from server.schemas.select import Select
from server.schemas.settings import REQUESTS, SETTINGS
from server.settings import Settings


def _no_lone_surrogate(text: Any) -> Any:
    for place, character in enumerate(text if isinstance(text, str) else ""):
        if "\ud800" <= character <= "\udfff":
            raise PydanticCustomError(
                "lone_surrogate",
                "Expected Unicode text; character {place} is {name}, half of a surrogate pair, "
                "which is not a character. Remove it, or send both halves",
                {"place": place, "name": f"U+{ord(character):04X}"},
            )
    return text


# before: pydantic lets some lone surrogates pass, and calls others unreadable
Text = Annotated[str, BeforeValidator(_no_lone_surrogate)]
PartName = Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,31}$")]


class GenerateTokens(Request):
    """What the model says after each text (or target), token by token."""

    n_tokens: int = Field(ge=1, le=64, description="A text ends sooner with an end token.")
    sampled: bool = Field(
        default=False, description="From softmax(logits / temperature); else the likeliest."
    )
    temperature: float = Field(default=1.0, ge=0.05, le=100)
    seed: int = Field(default=0, ge=0, le=2**63 - 1, description="Of each text by itself.")
    top_k: int | None = Field(
        default=None, ge=1, le=MAX_INDEX, description="Draw from so many of the likeliest only."
    )
    top_p: float | None = Field(
        default=None,
        ge=0.001,
        le=1,
        description="Draw from the nucleus only, as of `predict`; with top_k, from both.",
    )


class Predict(Request):
    """The likeliest next tokens of each text, the likeliest first."""

    top_k: int = Field(default=10, ge=1, le=100)
    position: Index | None = Field(
        default=None, description="In the padded text; null is each text's last real token."
    )
    temperature: float = Field(
        default=1.0, ge=0.05, le=100, description="Probabilities are softmax(logits / temperature)."
    )
    top_p: float | None = Field(
        default=None,
        ge=0.001,
        le=1,
        description="List the nucleus only: the smallest set of likeliest tokens whose probability "
        "is at least this (Holtzman et al. 2020), and of it at most top_k. Probabilities stay "
        "those of the whole vocabulary: they are not made to sum to 1.",
    )
    tokens: Annotated[list[Index], Field(max_length=100), AfterValidator(unique)] = Field(
        default=[], description="Ids of tokens that are listed too, wherever they rank."
    )
    unedited: bool = Field(
        default=False,
        description="Tell each token's probability without the masks, painted cells and mutes of "
        "this request: under the model's own mask, padding masked. What is listed there (top_k, "
        "top_p) but fell out of the list here follows after it, so that a fall is seen.",
    )


class Analyse(create_model("Analyse", __base__=Request, **ANALYSES)):  # type: ignore[misc]
    """What to read off the trace beside its tensors. Nothing, unless asked for."""


class _Texts(Request):
    model: Text | None = Field(
        default=None, max_length=200, description="null is the first one served."
    )
    texts: list[Text] = Field(min_length=1, examples=[["The cat sat on the mat.", "Hello"]])
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
    """One run of one model, and what to send back of it."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "texts": ["The cat sat on the mat.", "Hello"],
                "masks": {"causal": None, "padding": True, "window": None},
                "select": {"tensors": ["pattern"], "layers": [1], "heads": [0]},
                "predict": {"top_k": 5},
                "analyse": {"scores": True, "lens": {"top_k": 3}},
            }
        }
    )

    masks: Masks = Masks()
    muted: list[NamedHead] = Field(
        default=[],
        max_length=MAX_CELLS,
        description='[layer, head] of each; in an encoder–decoder [layer, head, "cross"] names one '
        "site, and a pair all of the layer.",
    )
    generate: GenerateTokens | None = Field(
        default=None,
        description="Let the model append tokens first; they are part of the trace. Not of the "
        "texts: send them back as text to go on.",
    )
    select: Select = Select()
    parts: Annotated[dict[PartName, Select], Field(min_length=1, max_length=8)] | None = Field(
        default=None,
        description="Several looks at one trace instead of `select`, by names of your choosing. "
        "The answer lists every site, and has the tensors in `parts`, by the same names; in "
        "safetensors they are named `grid/layers.0.pattern`. The rollout is float32 then.",
        examples=[{"grid": {"resolution": 64, "dtype": "uint8"}, "head": {"tensors": ["q", "k"]}}],
    )
    analyse: Analyse = Analyse()
    predict: Predict | None = Field(
        default=Predict(),
        description="null predicts nothing. Left out: 10 tokens, if the model can.",
    )

    @model_validator(mode="after")
    def _looks_once(self) -> "TraceRequest":
        if self.parts is not None and "select" in self.model_fields_set:
            raise ValueError("expected `select` or `parts`; got both. Name the one look a part")
        return self

    def _settings(self) -> SourceSettings | None:
        given = {name: getattr(self, name) for name in SETTINGS}
        asked = [one for one in given.values() if one is not None]
        if len(asked) > 1:
            named = [name for name, one in given.items() if one is not None]
            raise InputError(
                f"Expected the settings of one model; got {' and '.join(named)}.", field=named[1]
            )
        found: SourceSettings | None = asked[0].to_config() if asked else None
        return found

    def to_inputs(self, settings: Settings) -> Inputs:
        """All that determines the trace, within this server's limits.

        Order and repetition of masks and mutes do not matter, so equal traces get equal inputs.

        Raises:
            LimitError: too many texts, or too long ones.
            InputError: `targets` or `pairs` that are not one for each text, or a mechanism that
                makes no sense.
        """
        for field in ("texts", "targets", "pairs"):
            texts = getattr(self, field)
            if texts is not None:
                _check_texts(texts, field, len(self.texts), settings)
        return Inputs(
            texts=tuple(self.texts),
            targets=None if self.targets is None else tuple(self.targets),
            pairs=None if self.pairs is None else tuple(self.pairs),
            masks=self.masks.to_settings(),
            muted=muted_heads(self.muted),
            generate=None if self.generate is None else Generate(**self.generate.model_dump()),
            settings=self._settings(),
        )


def _check_texts(texts: Sequence[str], field: str, n: int, settings: Settings) -> None:
    if len(texts) > settings.max_texts:
        raise LimitError(
            f"Expected at most {settings.max_texts} {field}; got {len(texts):,}. Send fewer.",
            code="too_many_texts",
            field=field,
            limit=settings.max_texts,
        )
    if len(texts) != n:
        raise InputError(
            f"Expected one of {field} for each text, so {n}; got {len(texts)}.", field=field
        )
    for place, text in enumerate(texts):
        if len(text) > settings.max_characters:
            raise LimitError(
                f"Expected at most {settings.max_characters:,} characters a text; this one has "
                f"{len(text):,}. Shorten it, or trace it in parts.",
                code="too_many_characters",
                field=f"{field}.{place}",
                limit=settings.max_characters,
            )

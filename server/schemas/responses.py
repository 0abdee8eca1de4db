"""What is answered."""

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, create_model

from server.analyses import ANSWERS
from server.analyses.scores import HeadScores, MetricName
from server.fields import Candidate, Kind, Response
from server.schemas.select import TensorName
from server.schemas.settings import APPLIED, DESCRIBED


class SiteName(Response):
    """A place that attends."""

    name: str
    kind: Kind
    layer: int
    n_heads: int


class _Model(Response):
    """A model that this server has. All but its name is null until it is loaded."""

    name: str
    state: Literal["not_loaded", "queued", "loading", "ready", "failed"]
    progress: float = Field(description="Of the loading, from 0 to 1.")
    error: str | None = Field(description="Why it could not be loaded.")
    description: str | None = None
    licence: str | None = None
    n_layers: int | None = None
    n_heads: int | None = None
    d_model: int | None = None
    d_head: int | None = None
    vocab_size: int | None = None
    n_parameters: int | None = None
    max_tokens: int | None = Field(default=None, description="A longer text is refused.")
    trained_tokens: int | None = Field(
        default=None, description="The context that it was trained on."
    )
    causal: bool | None = None
    predicts: Literal["next", "fill"] | None = Field(
        default=None,
        description="What it predicts at a position: the next token, or the one there (a masked "
        "language model); null is nothing.",
    )
    sites: list[SiteName] | None = None
    tensors: list[TensorName] | None = None
    takes_targets: bool | None = Field(default=None, description="It is an encoder–decoder.")
    takes_pairs: bool | None = Field(default=None, description="It takes second segments.")
    library_class: str | None = Field(
        default=None, description="The class of Transformers that loads it; null: none does."
    )
    lacks: str | None = Field(
        default=None,
        description="Why it gives patterns only and takes no masks and mutes; empty: it does all.",
    )


if TYPE_CHECKING:
    Model = _Model
else:
    Model = create_model("Model", __base__=_Model, __doc__=_Model.__doc__, **DESCRIBED)


class ModelsResponse(Response):
    """Every model of this server, the default first."""

    models: list[Model]


class Token(Response):
    """One token of a text: its characters [start, end), in Unicode code points."""

    id: int
    text: str
    start: int
    end: int
    special: bool
    padding: bool = Field(description="Put in to make texts of one length: nobody typed it.")
    segment: int = Field(description="1: of the second segment, whose text start and end count in.")
    generated: bool = Field(description="Said by the model, not typed.")


class BlockedSlice(Response):
    """A row or column that may attend to nothing; head null is every head."""

    text: int
    head: int | None
    index: int


class Site(Response):
    """One place that attends, and the tensors of it that were asked for."""

    name: str
    kind: Kind
    layer: int
    heads: list[int]
    n_kv_heads: int
    scale: float = Field(
        description="scores = soft_cap(scale · q·k) + bias, and the pattern is their softmax over "
        "the cells that are not blocked."
    )
    soft_cap: float | None = Field(description="c in c · tanh(x / c); null: there is none.")
    has_bias: bool = Field(description="Something is added to the scores: the tensor `bias`.")
    sink: list[float] | None = Field(
        description="Of each of `heads`, a logit that takes part in the softmax and attends to "
        "nothing; null: there is none."
    )
    softmax_over: Literal["key", "query"] = Field(description="Rows sum to 1, or columns do.")
    mask_applied: Literal["before", "after"] = Field(
        description="The softmax. After it, what blocked cells took is lost: sums fall below 1."
    )
    muted: list[int] = Field(description="Heads of this site whose z is set to 0 before W_O.")
    query_tokens: Literal["tokens", "target_tokens"]
    key_tokens: Literal["tokens", "target_tokens"]
    blocked_rows: list[BlockedSlice]
    blocked_columns: list[BlockedSlice]
    tensors: dict[TensorName, Any] | None = Field(
        default=None,
        description="Nested lists (batch, head, …). In a safetensors answer they are tensors.",
    )


class Listed(Candidate):
    """A candidate in the list of the likeliest."""

    special: bool = Field(description="No ordinary token: no typed text gives it.")
    unedited: float | None = Field(
        description="Its probability without masks, painted cells and mutes; null unless asked for."
    )


class Nucleus(Response):
    """The smallest set of likeliest tokens that hold at least `top_p` of the probability."""

    tokens: int = Field(description="Of which top_k are listed.")
    share: float = Field(description="Of the probability, that they hold.")


class _Trace(Response):
    """A trace: what was asked for of one run. What was not asked for is null."""

    model: str
    tokens: list[list[Token]]
    target_tokens: list[list[Token]] | None
    sites: list[Site]
    parts: dict[str, dict[str, dict[TensorName, Any]]] | None = Field(
        description="Of each part that was asked for, its tensors by site, as nested lists. In a "
        "safetensors answer they are tensors, named `grid/layers.0.pattern`, and this is null."
    )
    predictions: list[list[Listed]] | None = Field(
        description="Of each text, the likeliest first; then those that are listed only because "
        "`tokens` names them, or for the sake of `unedited`, the likeliest first again."
    )
    predicted_at: list[int] | None = Field(
        description="The position that each text's predictions are read at."
    )
    nucleus: list[Nucleus] | None = Field(description="Of each text; null without a top_p.")


TraceResponse = create_model(
    "TraceResponse",
    __base__=_Trace,
    __doc__=_Trace.__doc__,
    **APPLIED,
    **ANSWERS,
)


class Metric(Response):
    """One way to score a head. A[i,j] is its pattern: i the query, j the key; t[i] are tokens."""

    name: MetricName
    label: str
    definition: str
    source: str = Field(description="The paper that it is from.")
    unit: Literal["share of attention", "nats", "tokens", "0 to 1"]


class ProbeProgress(Response):
    """Rows of the probe that have been run."""

    done: int
    total: int


class Probe(Response):
    """What the heads were scored on."""

    description: str
    rows: int
    length: int = Field(description="Different tokens in a row.")
    copies: int = Field(description="How often each row is repeated.")
    seed: int
    example: list[str] = Field(description="The tokens of the first row.")


class HeadsResponse(Response):
    """How each head of a model scores on a probe: random tokens, twice in a row."""

    model: str
    state: Literal["computing", "ready", "failed"]
    progress: ProbeProgress
    probe: Probe | None = Field(description="null until it is ready.")
    metrics: list[Metric] = Field(description="What the scores mean; of /api/trace, too.")
    sink_share: float | None = Field(
        description="The share of heads whose first_token is above 0.3."
    )
    heads: list[HeadScores] | None = Field(description="null until it is ready.")
    error: str | None = Field(description="Why it failed.")


class HealthResponse(Response):
    """Whether the server lives, or is ready."""

    status: Literal["ok"]


class Problem(Response):
    """What went wrong: what was expected, what came, what to do."""

    code: str = Field(description="A stable word for programs.")
    message: str
    field: str | None = Field(description="The part of the request: `texts.0`.")
    limit: float | None = Field(description="The number that was exceeded.")


class ErrorResponse(Response):
    """Every error looks like this."""

    error: Problem

"""The schemas of responses."""

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, create_model

from model.core.attention import Kernel
from model.interventions import At
from model.kinds import Predicts
from model.kinds import SiteKind as Kind
from model.trace.predictions import Quantity
from server.api.analyses import ANSWERS
from server.api.analyses.scores import Also, HeadScores, MetricName
from server.api.fields import Candidate, Response
from server.api.schemas.select import TensorName
from server.api.schemas.settings import APPLIED, DESCRIBED


class SiteName(Response):
    """A site: a place in the model where attention happens."""

    name: str
    kind: Kind
    layer: int
    n_heads: int


class _Model(Response):
    """A model of this server. Until it is loaded, all but its name and loading state is null."""

    name: str
    state: Literal["not_loaded", "queued", "loading", "ready", "failed"]
    progress: float = Field(description="How much of it is loaded, from 0 to 1.")
    error: str | None = Field(description="Why it could not be loaded.")
    description: str | None = None
    licence: str | None = None
    n_layers: int | None = None
    n_heads: int | None = None
    d_model: int | None = None
    d_head: int | None = None
    vocab_size: int | None = None
    n_parameters: int | None = None
    weights: str | None = Field(
        default=None,
        description="The SHA-256 of its weights, as of `sha256sum model.safetensors`; of several "
        "files, as of `sha256sum *.safetensors | sha256sum`. null if each request brings its own.",
    )
    revision: str | None = Field(
        default=None, description="The commit on a hub that it is of, where known."
    )
    max_tokens: int | None = Field(default=None, description="A longer text is refused.")
    trained_tokens: int | None = Field(
        default=None, description="The length of the texts that it was trained on, in tokens."
    )
    trained_on: str | None = Field(
        default=None, description="What it learned from, as in “trained on a small grammar”."
    )
    unknown_id: int | None = Field(
        default=None, description="The id of the token that stands for unknown words, if any."
    )
    causal: bool | None = None
    predicts: Predicts | None = Field(
        default=None,
        description="What it predicts: at a position the next token, or the one there (as a masked "
        "language model does), or the class of a text, or that of each token (ids of predictions "
        "are then those of classes); null if nothing.",
    )
    classes: list[str] | None = Field(
        default=None, description="The classes that a classifier tells apart; else none."
    )
    sites: list[SiteName] | None = None
    tensors: list[TensorName] | None = None
    d_ff: int | None = Field(
        default=None,
        description="The width of the feed-forward network of each layer; 0 if there is none, null "
        "if the server does not know.",
    )
    norm: Literal["none", "pre", "post"] | None = Field(
        default=None,
        description="Where the norm of attention and of the feed-forward network stands: before "
        "it, after it, or nowhere; null if the server does not know.",
    )
    residual: bool | None = Field(
        default=None,
        description="Whether attention and the feed-forward network add their output to the "
        "residual stream; otherwise they replace it.",
    )
    film: list[int] | None = Field(
        default=None,
        description="The steps of its training that can be seen, as the models NAME@STEP; the last "
        "is the model itself. null if it has no film.",
    )
    step: int | None = Field(
        default=None, description="Of a step of a film: after how many steps of training it is."
    )
    sister: str | None = Field(
        default=None,
        description="A model that was trained by the same recipe, and whose film shows how such a "
        "model learns; it is not in the list of models. null if there is none.",
    )
    takes_targets: bool | None = Field(
        default=None, description="Whether it takes `targets`, as encoder–decoders do."
    )
    takes_pairs: bool | None = Field(
        default=None, description="Whether it takes second segments, `pairs`."
    )
    takes_messages: bool | None = Field(
        default=None, description="Whether it has a chat template, and takes `messages`."
    )
    library_class: str | None = Field(
        default=None, description="The class of Transformers that loads it; null if none does."
    )
    edited_at: list[At] | None = Field(
        default=None,
        description="Where `interventions` can change what it computes: at heads, feed-forward "
        "networks (mlp), or the residual stream.",
    )
    edited_at_reason: str | None = Field(
        default=None, description="Why they cannot elsewhere; empty if they can everywhere."
    )
    lacks: str | None = Field(
        default=None,
        description="Why it gives patterns only and takes no masks or mutes; empty if it does all.",
    )
    stream_lacks: str | None = Field(
        default=None,
        description="Why its residual stream cannot be recorded and taken apart; empty if it can.",
    )


if TYPE_CHECKING:
    Model = _Model
else:
    Model = create_model("Model", __base__=_Model, __doc__=_Model.__doc__, **DESCRIBED)


class ModelsResponse(Response):
    """Every model of this server, starting with the default."""

    models: list[Model]


class FilmResponse(Response):
    """A model at some steps of its training, measured on sentences that training never showed."""

    steps: list[int] = Field(description="The last one is the model itself.")
    curves: dict[str, list[float]] = Field(
        description="For each measure a value per step: `loss` in nats; `agreement`, `copying` and "
        "the rows of the model's card as shares."
    )
    heads: dict[str, list[list[list[float | None]]]] = Field(
        description="For each metric of heads a value per step, layer and head, on the probe; null "
        "where it is not defined."
    )
    rounding: float | None = Field(
        description="The largest change of a weight of attention by keeping 8 bits of each weight; "
        "null if more are kept."
    )
    mutes: list[list[list[float]]] = Field(
        description="For each step, layer and head by how many nats the mean loss rises without "
        "that head; empty if nothing was measured."
    )


class Token(Response):
    """One token of a text. It covers the characters [start, end), in Unicode code points."""

    id: int
    text: str
    start: int
    end: int
    special: bool
    padding: bool = Field(description="Whether it was added to make all texts equally long.")
    segment: int = Field(
        description="1 in the second segment, 0 elsewhere; start and end count in the segment's "
        "own text."
    )
    generated: bool = Field(description="Whether the model generated it; otherwise it was typed.")
    piece: str | None = Field(
        description="How the vocabulary of a checkpoint writes it, such as `Ġthe` or `<0xC3>`; "
        "null where that is the text, and for built-in models."
    )


class TextWord(Response):
    """A word of a text, or a special token: the tokens [start, stop) read together."""

    text: str
    start: int
    stop: int


class BlockedSlice(Response):
    """A row or column whose cells are all blocked; head null means every head."""

    text: int
    head: int | None
    index: int


class Site(Response):
    """One site, with those of its tensors that were requested."""

    name: str
    kind: Kind
    layer: int
    heads: list[int]
    n_kv_heads: int
    scale: float = Field(
        description="The factor of q·k: scores = soft_cap(scale · q·k) + bias, and the pattern is "
        "their softmax over the cells that are not blocked."
    )
    soft_cap: float | None = Field(description="c in c · tanh(x / c); null if there is none.")
    has_bias: bool = Field(description="Whether the tensor `bias` is added to the scores.")
    has_gate: bool = Field(
        description="Whether z is multiplied by the tensor `gate` before W_O (gated attention)."
    )
    minus: float | None = Field(
        description="λ where heads come in pairs, the second of which is subtracted: its values "
        "are −λ times those of the first, and the tensor `net` has the weights of the pair; else "
        "null."
    )
    sink: list[float] | None = Field(
        description="For each of `heads`, a logit that takes part in the softmax and attends to "
        "nothing; null if there is none."
    )
    softmax_over: Literal["key", "query"] = Field(
        description="With `key`, each row of the pattern sums to 1; with `query`, each column."
    )
    mask_applied: Literal["before", "after"] = Field(
        description="Whether cells are blocked before or after the softmax. If after, the share of "
        "blocked cells is lost and sums fall below 1."
    )
    kernel: Kernel = Field(
        description="With `linear`, the weights of a row are in proportion to q·k itself, so its "
        "scores are ln(q·k), without the scale. With `product` there is no softmax: values are "
        "multiplied by the scores, which are scale · q·k · exp(bias), and 0 where blocked; the "
        "pattern is the size of each as a share of its row."
    )
    muted: list[int] = Field(description="The heads of this site whose z is set to 0 before W_O.")
    query_tokens: Literal["tokens", "target_tokens"]
    key_tokens: Literal["tokens", "target_tokens"]
    blocked_rows: list[BlockedSlice]
    blocked_columns: list[BlockedSlice]
    tensors: dict[TensorName, Any] | None = Field(
        default=None,
        description="Nested lists (batch, head, …). A safetensors response has tensors instead.",
    )


class Listed(Candidate):
    """A token in the list of predictions."""

    special: bool = Field(description="Whether it is a special token, which typed text never has.")
    unedited: float | None = Field(
        description="Its probability without masks, painted cells and mutes; null unless requested."
    )


class Nucleus(Response):
    """The smallest set of likeliest tokens whose total probability is at least `top_p`."""

    tokens: int = Field(description="How many tokens it has; at most top_k of them are listed.")
    share: float = Field(description="Their total probability.")


class Measured(Response):
    """What an answer measures of a text."""

    quantity: Quantity = Field(
        description="`cosine` with each text of the answer, `entropy` or `loss` in nats, or the "
        "`logit` of each class of a probe."
    )
    values: list[float] = Field(description="One, or one for each class.")


class _Trace(Response):
    """The requested parts of one run. Parts that were not requested are null."""

    model: str
    tokens: list[list[Token]]
    target_tokens: list[list[Token]] | None
    rendered: list[str] | None = Field(
        description="The texts that the model's chat template made of `messages`."
    )
    words: list[list[TextWord]] | None = Field(
        description="The words of each text, where `units` are words: these are then the rows and "
        "columns of tensors of `tokens`."
    )
    target_words: list[list[TextWord]] | None = Field(description="The same of the target texts.")
    sites: list[Site]
    parts: dict[str, dict[str, dict[TensorName, Any]]] | None = Field(
        description="For each requested part, its tensors by site, as nested lists. A safetensors "
        "response has tensors instead, named `grid/layers.0.pattern`, and this is null."
    )
    predictions: list[list[Listed]] | None = Field(
        description="For each text, the likeliest tokens, likeliest first; then those listed only "
        "because of `tokens` or `unedited`, again likeliest first."
    )
    predicted_at: list[int] | None = Field(
        description="For each text, the position that its predictions are read at."
    )
    nucleus: list[Nucleus] | None = Field(description="Of each text; null without a top_p.")
    measured: list[Measured] | None = Field(
        description="For each text, what the `answer` of the request measures; null without one."
    )


TraceResponse = create_model(
    "TraceResponse",
    __base__=_Trace,
    __doc__=_Trace.__doc__,
    **APPLIED,
    **ANSWERS,
)


class Metric(Response):
    """One way to score a head. A[i,j] is its pattern for query i and key j; t[i] is token i."""

    name: MetricName
    label: str
    definition: str
    source: str = Field(description="The paper that it comes from.")
    unit: Literal["share of attention", "nats", "tokens", "0 to 1"]
    also: Also | None = Field(
        description="What else it asks of a head, where that is known, to name it."
    )


class ProbeProgress(Response):
    """How many rows of the probe have been run."""

    done: int
    total: int


class Probe(Response):
    """The text that the heads were scored on."""

    description: str
    rows: int
    length: int = Field(description="The number of different tokens in a row.")
    copies: int = Field(description="How many times a row repeats these tokens.")
    seed: int
    example: list[str] = Field(description="The tokens of the first row.")


class HeadsResponse(Response):
    """How each head of a model scores on a probe: random tokens that are repeated."""

    model: str
    state: Literal["computing", "ready", "failed"]
    progress: ProbeProgress
    probe: Probe | None = Field(description="null until it is ready.")
    metrics: list[Metric] = Field(
        description="What the scores here and in /api/trace mean; `copying` is measured here alone."
    )
    sink_share: float | None = Field(
        description="The share of heads whose first_token is above 0.3."
    )
    heads: list[HeadScores] | None = Field(description="null until it is ready.")
    error: str | None = Field(description="Why it failed.")


class HealthResponse(Response):
    """The server is alive (GET /healthz) or ready (GET /readyz)."""

    status: Literal["ok"]


class Problem(Response):
    """What went wrong. The message says what was expected, what came, and what to do."""

    code: str = Field(description="A stable identifier for programs.")
    message: str
    localized: str | None = Field(
        None, description="The message in the language of Accept-Language, if it has a translation."
    )
    field: str | None = Field(description="The part of the request at fault, such as `texts.0`.")
    limit: float | None = Field(description="The limit that was exceeded.")


class ErrorResponse(Response):
    """The shape of every error."""

    error: Problem

"""What attention and other methods say of a prediction, with ablation as the reference."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field

from model.analysis.explanations import METHODS, Asked, Comparison, compare
from model.analysis.explanations.case import Baseline
from model.analysis.explanations.comparison import MAX_TOKENS, By, check_length, n_rows
from model.analysis.explanations.curves import n_runs
from model.analysis.explanations.methods import Role
from model.message import Message
from model.sources.muting import PASS_TOKENS
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.fields import AskedLogit, Candidate, Index, Response, unique

if TYPE_CHECKING:
    MethodName = str
else:
    MethodName = Literal[tuple(one.name for one in METHODS)]

MAX_STEPS = 128
_NUMBER_BYTES = 24  # in JSON
_METHOD_BYTES = 1_200  # what is said of a method besides its numbers
_PER_FLOAT32 = 3  # a number counts as its copies and its share of the response, too


class AnalyseExplanations(AskedLogit):
    """Which prediction to explain, and how."""

    layer: Index | None = Field(
        default=None, description="The layer whose raw weights are read; null means the last."
    )
    head: Index | None = Field(
        default=None, description="A head of that layer, to read its raw weights too."
    )
    baseline: Baseline = Field(
        default="mean",
        description="Of integrated gradients: every embedding is the `mean` of the vocabulary, or "
        "`zero`, where the norms of many models make the integral inexact.",
    )
    steps: int = Field(
        default=32,
        ge=1,
        le=MAX_STEPS,
        description="Points at which integrated gradients evaluate the integral.",
    )
    curves: Annotated[list[MethodName], AfterValidator(unique)] | None = Field(
        default=None,
        description="The methods in whose orders tokens are deleted and inserted, which takes "
        "longer than all else together; null means all. What an earlier request about the same "
        "prediction computed is not computed again.",
    )


class Curve(Response):
    """The answer as 0, 1, … all source tokens are deleted, or inserted."""

    logits: list[float] = Field(description="Of the token, or the differences.")
    probabilities: list[float] = Field(description="Of the token.")
    area: float = Field(description="Under `logits`, over the share of tokens from 0 to 1.")


class Curves(Response):
    """Deletion and insertion in the order of one method (Petsiuk et al. 2018)."""

    deletion: Curve = Field(
        description="The token with the largest number is hidden first; a small area is good."
    )
    insertion: Curve = Field(
        description="From all hidden, that token is shown first; a large area is good."
    )


class MethodResult(Response):
    """What one method says, and what it is."""

    name: str
    label: str
    unit: str
    signed: bool = Field(description="Whether a negative number speaks against the answer.")
    role: Role
    definition: str = Field(description="What the numbers are, and what they leave out.")
    source: str
    values: list[float] | None = Field(description="One per source token; null: see `reason`.")
    notes: dict[str, float] = Field(description="Further numbers, such as the `gap`.")
    notes_mean: dict[str, str] = Field(description="What each of the notes is.")
    curves: Curves | None
    reason: str | None = Field(description="Why it has nothing to say; otherwise null.")


class Agreement(Response):
    """Kendall's τ-b between the orders in which methods put the tokens."""

    specials: bool = Field(description="Whether special tokens are among the tokens.")
    by: By = Field(description="Ranked by `value`, or by `size` whatever the sign.")
    n_tokens: int
    chance: float | None = Field(
        description="The smallest |τ| that at most 1 in 20 random orders of so many tokens reach, "
        "exact where no numbers are equal; null: the tokens are too few, even for τ = 1."
    )
    tau: list[list[float | None]] = Field(
        description="Method × method, in the order of `methods`; null where one has no order."
    )


class ExplanationsAnswer(Response):
    """The explanations of one prediction at one position of one text."""

    position: int
    token: Candidate
    against: Candidate | None
    logit: float = Field(description="Of the token, or the difference.")
    weights_of: str = Field(description="The site whose raw weights are read.")
    sources: list[int] = Field(
        description="The positions of the source tokens: those that can reach the prediction."
    )
    methods: list[MethodResult]
    random: Curves | None = Field(
        description="The mean of the curves of random orders; null: no curves were asked for."
    )
    agreement: list[Agreement]


class Explanations(Analysis):
    name = "explanations"
    request: ClassVar[Fields] = {
        "explanations": (
            AnalyseExplanations | None,
            Field(
                default=None,
                description="Compute what raw and norm-weighted weights, rollout, flow, logit "
                "attribution, gradient × input and integrated gradients say of each source token, "
                "and compare them with ablation: real runs without each token. This runs the "
                f"texts hundreds of times; for texts of at most {MAX_TOKENS} tokens. Send {{}} for "
                "its defaults.",
            ),
        )
    }
    answer: ClassVar[tuple[Any, Any]] = (
        list[ExplanationsAnswer] | None,
        Field(description="For each text, the explanations of a prediction and their reference."),
    )
    reads_stream = True
    reads_patterns = True
    needs_server = True
    is_slow = True
    too_slow = (Message("the explanations"), Message("Send fewer or shorter texts."))

    def ms(self, analyse: Any, work: Work) -> float:
        n = min(work.tokens, MAX_TOKENS)  # a longer text is refused
        return work.texts * work.rows_ms(n_rows(n, self._asked(analyse)))

    def kept(self, work: Work) -> int:
        return work.texts * work.tokens * (work.sites + 1) * (work.info.d_model + 2)  # the stream

    def held(self, analyse: Any, work: Work) -> float:
        # what a pass keeps of all layers for its gradient, as float32 alone; and the logits of the
        # rows of a pass, with their logarithms in double precision
        info, n = work.info, min(work.tokens, MAX_TOKENS)
        rows = max(1, PASS_TOKENS // max(1, n))
        width = 8 * info.d_model + 4 * info.n_heads * info.d_head + 2 * (info.d_ff or 0)
        activations = n * work.sites * (width + info.n_heads * n) / _PER_FLOAT32
        runs = n_runs(n, len(METHODS))
        inclined, plain = min(rows, self._asked(analyse).steps + 1), min(rows, runs)
        passes = inclined * activations + 2 * max(inclined, plain) * info.vocab_size
        return super().held(analyse, work) + passes

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        check_length(trace)
        n, methods = len(trace.tokens[0]), len(METHODS)
        numbers = methods * 5 * (n + 1) + 4 * (n + 1) + 4 * methods * methods
        return len(trace.tokens) * (_NUMBER_BYTES * numbers + _METHOD_BYTES * methods)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        assert runs is not None
        asked = self._asked(analyse)
        found = runs.cached(
            "explanations",
            asked,
            lambda: compare(trace, runs.runner(runs.inputs), asked, runs.cached),
        )
        return [_document(one) for one in found]

    def _asked(self, analyse: Any) -> Asked:
        asked: AnalyseExplanations = getattr(analyse, self.name)
        curves = None if asked.curves is None else tuple(asked.curves)
        return Asked(**asked.model_dump(exclude={"curves"}), curves=curves)


class Court(Explanations):
    """`explanations` under the name, and in the words, that it had in 0.1."""

    name = "court"
    request: ClassVar[Fields] = {
        "court": (
            AnalyseExplanations | None,
            Field(
                default=None,
                description="Deprecated: use `explanations`.",
                json_schema_extra={"deprecated": True},
            ),
        )
    }
    answer = (
        list[dict[str, Any]] | None,
        Field(description="Deprecated: `explanations`, with `testimonies` for `methods`."),
    )

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        found = super().read(trace, analyse, runs)
        for one in found:
            one["testimonies"] = one.pop("methods")
            for method in one["testimonies"]:
                method["role"] = _OLD_ROLES[method["role"]]
        return found


_OLD_ROLES: dict[Role, str] = {
    "method": "witness",
    "reference": "judge",
    "second reference": "second judge",
}


def _document(comparison: Comparison) -> dict[str, Any]:
    rows = {one.name: one for one in METHODS}
    told = ("label", "unit", "signed", "role", "definition", "source")
    document = asdict(comparison)
    for one in document["methods"]:
        row = rows[one["name"]]
        one |= {name: getattr(row, name) for name in told}
        one["notes_mean"] = {name: row.notes[name] for name in one["notes"]}
    return document

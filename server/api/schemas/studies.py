"""The schemas of studies: many pairs of sentences, and what holds of all of them."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from model.analysis.patching.bench import By
from model.facts import limit
from model.interventions import At
from server.api.analyses.circuits.patching import MAX_EXACT
from server.api.fields import Request, Response, Text
from server.api.schemas.answer import Asked

MAX_PAIRS = limit("study_pairs")
MAX_SENTENCE = 2_000  # characters
MAX_WORDS = 200  # of a slot

Of = Literal["patching", "attribution", "mutes", "paths", "circuit"]
Sentence = Annotated[Text, Field(max_length=MAX_SENTENCE)]
Word = Annotated[Text, Field(min_length=1, max_length=100)]


class StudiedPair(Request):
    """A sentence, and one that is the same but for what its answer depends on."""

    clean: Sentence
    corrupted: Sentence
    answer: Sentence | None = Field(
        default=None, description="A token; null means the likeliest after the clean sentence."
    )
    wrong: Sentence | None = Field(
        default=None, description="Its rival; null means the likeliest after the other sentence."
    )


class Templates(StudiedPair):
    """Sentences with slots, such as {A}, and the words that are drawn for them."""

    fill: dict[Word, Annotated[list[Word], Field(max_length=MAX_WORDS)]] = Field(
        default={}, max_length=20, description="The words of each slot."
    )
    n: int = Field(default=20, ge=1, le=MAX_PAIRS, description="How many pairs are made.")
    seed: int = Field(default=0, ge=0, le=2**31 - 1)


class StudyRequest(Request):
    """Pairs, or templates for them, and what is asked about each."""

    model: Text | None = Field(default=None, max_length=200, description="null means the first.")
    pairs: Annotated[list[StudiedPair], Field(min_length=1, max_length=MAX_PAIRS)] | None = None
    templates: Templates | None = None
    of: Of = Field(
        default="patching",
        description="`patching`: what a patch from the clean run restores of the answer. "
        "`attribution`, `mutes` and `paths`: what parts, mutes and edges do in the clean sentence. "
        "`circuit`: as few edges as give the answer, with all others as in the corrupted sentence.",
    )
    answer: Asked | None = Field(
        default=None,
        description="What is read in the place of the prediction, as in a trace. A pair of a "
        "quantity, such as an entropy, follows the rule if its sentences differ in it.",
    )
    goal: float = Field(
        default=0.9, ge=0.05, le=1, description="How much of the answer a circuit must give."
    )
    at: At = Field(default="head", description="What is patched, as in `analyse.patching`.")
    by: By = Field(
        default="head", description="`head`, or `position`: the tokens of each role together."
    )
    exact: Annotated[int, Field(ge=0, le=MAX_EXACT)] | None = Field(
        default=None, description="How many patches of each pair are run; null means all."
    )

    @model_validator(mode="after")
    def _either(self) -> Self:
        if (self.pairs is None) == (self.templates is None):
            raise ValueError("expected either `pairs` or `templates`")
        return self


class StudiedSentences(Response):
    """A pair with what was found in it alone."""

    pair: int = Field(description="Its number.")
    clean: str
    corrupted: str | None = Field(description="null if only the clean sentence was looked at.")
    answer: str | None
    wrong: str | None
    lead: float | None = Field(
        description="Of the answer over its rival after the clean sentence, in logits."
    )
    corrupted_lead: float | None = Field(description="The same after the corrupted sentence.")
    follows: bool = Field(
        description="Whether the model prefers the answer after the clean sentence, and less after "
        "the other. If not, a study of patches leaves the pair out."
    )


class StudyRow(Response):
    """A part of the model, or an edge between two, with its mean over the sentences."""

    kind: str | None = None
    site: str | None = None
    layer: int | None = None
    head: int | None = None
    role: str | None = None
    sender: str | None = None
    receiver: str | None = None
    through: str | None = None
    mean: float | None = Field(
        description="Of patches, the share of the answer that comes back; of attribution and "
        "paths, the share of the lead; of mutes, the change of ln p(answer)."
    )
    low: float | None = Field(
        description="The mean is between `low` and `high` in 95% of samples of the sentences, "
        "drawn with replacement; null of a single sentence."
    )
    high: float | None
    estimate: float | None = Field(default=None, description="What the gradient promised.")
    n: int = Field(description="The sentences that have this part.")


class StudyTable(Response):
    """The means over the sentences so far."""

    n: int = Field(description="The sentences in it.")
    rows: list[StudyRow]


class StudyPair(Response):
    """What was found in one pair."""

    pair: StudiedSentences
    rows: list[StudyRow]


class StudyBegun(Response):
    """What is about to be asked."""

    model: str
    of: Of
    n: int = Field(description="How many pairs there are.")


class StudyStep(Response):
    """A step of the search for a circuit."""

    step: Literal["add", "drop"]
    edges: int = Field(description="How many there are now.")
    faithfulness: float


class StudyEdge(Response):
    """An edge of a circuit: what a part reads of another."""

    sender: str = Field(description="`tokens`, a head such as `L0H5`, or `mlp 2`.")
    receiver: str = Field(description="A part, or `logit`.")
    through: str
    mean: float = Field(description="What it promises, as a share of the answer.")


class StudyCircuit(Response):
    """The circuit that was found: shares of the answer, each with the ends of its interval."""

    edges: list[StudyEdge]
    n_edges: int = Field(description="Of the model.")
    faithfulness: list[float | None] = Field(description="With these edges alone.")
    held_out: list[float | None] = Field(description="The same on pairs that were held out.")
    without: list[float | None] = Field(description="With all edges but these.")


class StudyEvents(Response):
    """The events of a study, by name."""

    begin: StudyBegun
    pair: StudyPair
    table: StudyTable
    step: StudyStep
    circuit: StudyCircuit
    beat: dict[str, Any]
    end: dict[str, Any]

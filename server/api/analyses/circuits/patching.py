"""The patch bench: how much of an answer comes back when parts get their values of a clean run."""

from typing import Annotated, Any, ClassVar

from pydantic import Field

from model.analysis.patching import CLEAN, By, Metric, cells_of, patching
from model.errors import InputError
from model.interventions import At, Donor
from model.kinds import SiteKind as Kind
from model.message import Message
from model.sources.intervening import donor_inputs
from model.trace.trace import Trace
from server.api.analyses.analysis import GRADIENT_RUNS, Analysis, Fields, Runs, Work
from server.api.fields import Candidate, Index, Request, Response, Text

_CELL_BYTES = 120  # in JSON: the longest that we measured, with some margin
MAX_PAIRS = 1_024
MAX_EXACT = 65_536

Pair = Annotated[list[Index], Field(min_length=2, max_length=2)]


class AnalysePatching(Request):
    """What to patch, and which answer to watch. The texts of the request are the corrupted ones."""

    clean: Text = Field(
        description="The clean sentence, from whose run the values come. It runs with the masks of "
        "this request, without its painted cells, mutes, interventions and generated "
        "tokens, but with each text's target or second segment."
    )
    at: At = Field(
        default="resid_pre",
        description="What is patched: the residual stream at one of its places, a feed-forward "
        "network (`mlp`), or what heads give before W_O (`head`).",
    )
    by: By = Field(
        default="position",
        description="`position`: a patch for each layer and aligned token; at `head`, of all heads "
        "together. `head`: one for each head, at all aligned tokens.",
    )
    metric: Metric = Field(
        default="logit_difference",
        description="What counts as the answer: the lead of `token` over `against` in logits, or "
        "the logit of `token` alone.",
    )
    position: Index | None = Field(
        default=None,
        description="The position to predict from, counted in the padded text, or in the target of "
        "an encoder–decoder; null means the first mask token of each, or else the last real token. "
        "Its token must be aligned.",
    )
    token: Index | None = Field(
        default=None, description="An id; null means the likeliest token in the clean run."
    )
    against: Index | None = Field(
        default=None,
        description="An id; null means the likeliest token in the corrupted run, if it is another.",
    )
    pairs: Annotated[list[Pair], Field(min_length=1, max_length=MAX_PAIRS)] | None = Field(
        default=None,
        description="Which tokens are aligned, each as [position in the clean sentence, position "
        "in the padded text], counting special tokens and second segments; null aligns equal "
        "positions, and requires as many tokens in both.",
    )
    text: Index | None = Field(default=None, description="Which text; null means every text.")
    exact: Annotated[int, Field(ge=0, le=MAX_EXACT)] | None = Field(
        default=None,
        description="How many patches are run: those with the largest estimates. null means all.",
    )


class PatchedCell(Response):
    """The run in which one part, at one token or in one head, is that of the clean run."""

    metric: float | None = Field(
        description="Of the patched run, in logits; null if the patch was not run (see `exact`)."
    )
    restored: float | None = Field(
        description="(metric − corrupted) / (clean − corrupted): 0 changes nothing, 1 gives the "
        "clean answer back; null if the two runs do not differ (see `reason`), or the patch was "
        "not run."
    )
    estimate: float | None = Field(
        description="`restored` as estimated from one gradient, (clean − corrupted activation) · "
        "gradient of the metric in the corrupted run (Nanda 2023)."
    )
    disagrees: bool = Field(
        description="Whether the estimate is off by more than a quarter of the largest effect in "
        "this map, or differs in sign where either is above a twentieth of it."
    )


class PatchedLayer(Response):
    kind: Kind = Field(
        description="The kind of the site; for a feed-forward network or the stream, the stack."
    )
    layer: int
    cells: list[PatchedCell] = Field(
        description="One per head, or per pair: of `target_pairs` in the decoder and its "
        "cross-attention, else of `pairs`."
    )


class CleanToken(Response):
    """A token of the clean sentence."""

    id: int
    text: str


class Patching(Response):
    """The patches of one text."""

    text: int
    position: int
    metric: Metric
    token: Candidate = Field(description="With its probability in the corrupted run.")
    against: Candidate | None
    clean: float = Field(description="The metric of the clean run, in logits.")
    corrupted: float = Field(description="The metric of the text as it is, in logits.")
    reason: str | None = Field(description="Why no share is given; otherwise null.")
    at: At
    by: By
    clean_tokens: list[CleanToken]
    pairs: list[Pair]
    target_pairs: list[Pair] | None = Field(
        description="The tokens of an encoder–decoder's target, which is the same in both runs; "
        "null for other models."
    )
    agreement: float | None = Field(
        description="Kendall's τ-b of the estimates and what the patches did that were run; null "
        "if they have no order."
    )
    layers: list[PatchedLayer]


class PatchBench(Analysis):
    name = "patching"
    request: ClassVar[Fields] = {
        "patching": (
            AnalysePatching | None,
            Field(
                default=None,
                description="Run each text again and again, each time with one part set to what it "
                "is in a clean sentence, and say how much of the clean answer comes back "
                "(activation patching: Meng et al. 2022), with an estimate from a gradient.",
            ),
        )
    }
    answer = (
        list[Patching] | None,
        Field(
            description="What each patch restores of the clean answer, for each text or the one "
            "asked for."
        ),
    )
    is_slow = True
    needs_server = True
    too_slow = (Message("patching each part in turn"), Message("Send fewer or shorter texts."))

    def ms(self, analyse: Any, work: Work) -> float:
        asked = analyse.patching
        runs = _runs(asked, cells_of(work.info, asked.at, asked.by, work.tokens, work.tokens))
        each = work.rows_ms(runs, in_layers=True) + (1 + GRADIENT_RUNS) * work.run_ms
        return _texts(asked, work.texts) * each

    def kept(self, work: Work) -> int:
        return work.backward  # more than the activations of the clean run, which come before

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        heads = sum(site.n_heads for site in trace.sites)
        n = max(len(trace.tokens[0]), len(trace.read_tokens[0]))
        cells = heads if analyse.patching.by == "head" else len(trace.sites) * n
        return _texts(analyse.patching, len(trace.tokens)) * (_CELL_BYTES * cells + 100 * n)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        assert runs is not None
        asked = analyse.patching
        n, of_target = len(trace.tokens[0]), len(trace.read_tokens[0])
        cells = _runs(asked, cells_of(runs.info, asked.at, asked.by, n, of_target))
        each = Message("{n} cell", "{n} cells", n=cells)
        runs.check(cells, each, Message("Patching each part in turn"), "analyse.patching")
        options = asked.model_dump(exclude={"clean", "pairs"})
        pairs = None if asked.pairs is None else tuple((a, b) for a, b in asked.pairs)

        def compute() -> Any:
            donor = Donor((asked.clean,), (CLEAN,))
            try:
                clean = runs.runner(donor_inputs(runs.inputs, donor))
            except InputError as error:
                if error.field is not None and error.field.startswith("texts"):
                    error.field = "analyse.patching.clean"
                raise
            found = patching(
                trace,
                runs.runner(runs.inputs),
                clean,
                runs.info,
                pairs=pairs,
                **options,
            )
            return [_document(one) for one in found]

        return runs.cached("patching", asked.model_dump_json(), compute)


def _runs(asked: AnalysePatching, cells: int) -> int:
    """How many of the cells are run."""
    return cells if asked.exact is None else min(asked.exact, cells)


def _texts(asked: AnalysePatching, n: int) -> int:
    """How many texts are patched."""
    return n if asked.text is None else 1


def _document(one: Any) -> dict[str, Any]:
    tokens = [{"id": token.id, "text": token.text} for token in one.clean_tokens]
    layers = [
        {**vars(layer), "cells": [vars(cell) for cell in layer.cells]} for layer in one.layers
    ]
    return {**vars(one), "clean_tokens": tokens, "layers": layers}

"""Circuits of edges: estimates of all of them, and what is left of the answer with some."""

from typing import Annotated, Any, ClassVar

import torch
from pydantic import Field
from torch import Tensor

from model.analysis.patching.aligning import Asked, aligned
from model.analysis.patching.clean import CleanRun
from model.analysis.paths.circuit import AGREES, EdgeRuns, checked_sets
from model.analysis.paths.promises import Through
from model.errors import InputError, UnavailableError
from model.interventions import Donor
from model.message import Message
from model.slices import end_slice
from model.sources.intervening import donor_inputs
from model.trace.predictions import Prediction, log_softmax
from model.trace.trace import Trace
from server.api.analyses.analysis import BESIDE, GRADIENT_RUNS, Analysis, Fields, Runs, Work
from server.api.analyses.circuits.patching import MAX_PAIRS, Pair
from server.api.fields import AskedLogit, Candidate, Index, Part, Response, Text
from server.run.prices import MULTIPLY_ADD_MS

MAX_SETS = 64
_EDGE_BYTES = 230  # in JSON
FIELD = "analyse.edges"
CORRUPTED = Asked(
    Message("The corrupted sentence"),
    Message("the corrupted sentence"),
    Message("the target of the corrupted sentence"),
    FIELD,
    "corrupted",
)


class AnalyseEdges(AskedLogit):
    """Which answer to watch, and which sets of edges to keep."""

    corrupted: Text = Field(
        description="The corrupted sentence, whose run all other edges carry. It runs with the "
        "masks of this request."
    )
    pairs: Annotated[list[Pair], Field(min_length=1, max_length=MAX_PAIRS)] | None = Field(
        default=None,
        description="Which tokens are aligned, each as [position in the corrupted sentence, "
        "position in the padded text]; null aligns equal positions, and requires as many tokens.",
    )
    steps: int = Field(
        default=5,
        ge=0,
        le=50,
        description="From how many gradients edges are estimated, on the way from none to all "
        "open; 0: not at all.",
    )
    listed: int = Field(
        default=200, ge=0, le=100_000, description="How many edges are listed, the largest first."
    )
    sets: Annotated[
        list[Annotated[list[Index], Field(max_length=100_000)]], Field(max_length=MAX_SETS)
    ] = Field(
        default=[], description="Sets of edges, by their ids; each is run with these alone open."
    )
    without: Annotated[
        list[Annotated[list[Index], Field(max_length=100_000)]], Field(max_length=MAX_SETS)
    ] = Field(default=[], description="Sets of edges that alone are closed in a run.")


class CircuitEdge(Response):
    """What a part reads of another, at all tokens."""

    id: int = Field(description="The same in all texts of a model.")
    sender: Part = Field(description="`embedding` stands for the tokens with their positions.")
    receiver: Part | None = Field(description="null: the answer.")
    through: Through
    estimate: float = Field(description="By how much the answer rises with it, in logits.")


class Edges(Response):
    """The edges of one text."""

    position: int
    token: Candidate
    against: Candidate | None
    clean: float = Field(description="The answer with all edges open: the logit, or the lead.")
    corrupted: float = Field(
        description="With none: that of the corrupted sentence, if all tokens are aligned."
    )
    n_edges: int
    edges: list[CircuitEdge]
    leads: list[float] = Field(
        description="The answer with each of `sets`, then without each of `without`."
    )


class CircuitsOfEdges(Analysis):
    name = "edges"
    request: ClassVar[Fields] = {
        "edges": (
            AnalyseEdges | None,
            Field(
                default=None,
                description="Run each text with some edges between its parts alone, while all "
                "others carry a corrupted sentence (ACDC: Conmy et al. 2023), and estimate what "
                "each edge does (EAP-IG: Hanna et al. 2024).",
            ),
        )
    }
    answer = (list[Edges] | None, Field(description="The edges of each text."))
    reads_stream = True
    is_slow = True
    needs_server = True
    too_slow = (
        Message("running circuits of edges"),
        Message("Send fewer sets, fewer steps, or shorter texts."),
    )

    def ms(self, analyse: Any, work: Work) -> float:
        info, asked = work.info, analyse.edges
        reads = 3 * work.heads * work.tokens  # each head reads with q, k and v on its own
        projected = 3 * info.d_model * info.n_heads * info.d_head
        mixed = work.heads + work.sites
        products = reads * (projected + mixed * info.d_model)
        once = BESIDE * products * MULTIPLY_ADD_MS + work.run_ms
        runs = len(asked.sets) + len(asked.without) + 2 + (1 + GRADIENT_RUNS) * asked.steps
        return float(work.texts * (work.run_ms + runs * once))

    def kept(self, work: Work) -> int:
        each = 3 * work.site_heads * work.tokens
        width = 4 * work.info.d_model + work.info.n_heads * work.info.d_head
        return int(work.backward + work.sites * each * width)

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        return int(len(trace.tokens) * (_EDGE_BYTES * analyse.edges.listed + 4_000))

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        assert runs is not None
        asked = analyse.edges
        n_runs = len(asked.sets) + len(asked.without) + asked.steps
        each = Message("{n} set or step", "{n} sets and steps", n=n_runs)
        runs.check(n_runs, each, Message("Running circuits of edges"), f"{FIELD}.sets")

        def compute() -> list[dict[str, Any]]:
            try:
                donor = Donor((asked.corrupted,), (CORRUPTED.sentence,))
                corrupted = runs.runner(donor_inputs(runs.inputs, donor))
            except InputError as error:
                if error.field is not None and error.field.startswith("texts"):
                    error.field = f"{FIELD}.corrupted"
                raise
            positions = trace.read_positions(asked.position, FIELD)
            return [
                _of_text(trace, asked, CleanRun(corrupted, text), text, position)
                for text, position in enumerate(positions)
            ]

        return runs.cached("edges", asked.model_dump_json(), compute)


def _of_text(
    trace: Trace, asked: AnalyseEdges, corrupted: CleanRun, text: int, position: int
) -> dict[str, Any]:
    stages, unembed, token_text = trace.head(FIELD)
    raw = trace.stream_to_read("no circuit of edges can be run", field=FIELD).raw_unembed
    if raw is None:
        raise UnavailableError(f"The head of {trace.model} is not known.", field=FIELD)
    log_p = log_softmax(unembed(stages[-1, text, position]), model=trace.model)
    trace.check_ids(len(log_p), FIELD, token=asked.token, against=asked.against)
    wanted = int(log_p.argmax()) if asked.token is None else asked.token

    def answer(entering: Tensor) -> Tensor:
        logits = raw(entering)
        return logits[wanted] - (0.0 if asked.against is None else logits[asked.against])

    def named(id: int) -> dict[str, Any]:
        return vars(Prediction(id, token_text(id), log_p[id].exp().item()))

    given = None if asked.pairs is None else [(one, other) for one, other in asked.pairs]
    pairs = aligned(given, trace, corrupted, CORRUPTED).read
    edges = EdgeRuns(trace, corrupted, pairs, answer, position, text)
    n = len(edges.edges)
    sets = checked_sets(asked.sets, n)
    sets += [~closed for closed in checked_sets(asked.without, n, "without")]
    clean, none = (edges.lead(torch.full((n,), all_open)) for all_open in (True, False))
    real = answer(stages[-1, text, position]).item()
    if abs(clean - real) > AGREES * max(1.0, abs(real)):
        raise UnavailableError(
            f"The edges of {trace.model} cannot be run: with all of them, the answer is "
            f"{clean:.3f} instead of {real:.3f}.",
            field=FIELD,
        )
    estimates = edges.estimates(asked.steps)
    leads = []
    for at, kept in enumerate(sets):
        end_slice(at, len(sets))
        leads.append(edges.lead(kept))
    order = estimates.abs().argsort(descending=True)[: asked.listed if asked.steps else 0]
    return {
        **{"position": position, "token": named(wanted), "clean": clean, "corrupted": none},
        "against": None if asked.against is None else named(asked.against),
        "n_edges": n,
        "edges": [
            {
                "id": id,
                "sender": edges.edges[id].sender._asdict(),
                "receiver": _asdict(edges.edges[id].receiver.part),
                "through": edges.edges[id].receiver.through,
                "estimate": estimates[id].item(),
            }
            for id in order.tolist()
        ],
        "leads": leads,
    }


def _asdict(part: Any) -> dict[str, Any] | None:
    return None if part is None else part._asdict()

"""What the model would predict if it stopped after each layer, and when it decided."""

from dataclasses import asdict
from typing import Annotated, Any, ClassVar

from pydantic import Field

from model.lens import decided
from model.lens.decided import ROWS
from model.message import Message
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.fields import Candidate, Index, Request, Response
from server.run.prices import MULTIPLY_ADD_MS

_CANDIDATE_BYTES = 80  # in JSON: the longest that we measured, with some margin
_STAGE_BYTES = 16  # the same, for both lenses
# the share of all stages that are read for a token: most settle late, sooner by a tuned lens
STAGES_READ, STAGES_TUNED = 0.1, 0.4


Tuned = Annotated[
    bool,
    Field(
        description="Read each stage through a tuned lens, an affine map to the last stage "
        "(Belrose et al. 2023), fitted by least squares. The first request for it starts the fit, "
        "and is answered with 503 (`lens_fitting`) until it is done."
    ),
]


class AnalyseLens(Request):
    """The settings of the logit lens."""

    top_k: int = Field(
        default=5, ge=1, le=100, description="The number of candidates at each stage."
    )
    position: Index | None = Field(
        default=None,
        description="The position to read, counted in the padded text; null means each text's last "
        "real token.",
    )
    tuned: Tuned = False


class LensStage(Response):
    """What the model would predict if it stopped here."""

    name: str = Field(description="`embedding`, then the site whose layer was the last to run.")
    layer: int | None = Field(
        description="The last layer that was run; null before the first layer."
    )
    candidates: list[Candidate]
    final: Candidate = Field(
        description="The token that the whole model finds likeliest, with its probability at this "
        "stage."
    )


class Lens(Response):
    """The logit lens at one position of one text; the last stage is the model's output."""

    position: int
    stages: list[LensStage]


class LogitLens(Analysis):
    name = "lens"
    request: ClassVar[Fields] = {
        "lens": (
            AnalyseLens | None,
            Field(
                default=None,
                description="Compute the logit lens: what the model would predict if it stopped "
                "after each layer (nostalgebraist 2020). Send {} for its defaults.",
            ),
        )
    }
    answer = (list[Lens] | None, Field(description="The logit lens for each text."))

    def held(self, analyse: Any, work: Work) -> float:
        return 0

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        listed: int = analyse.lens.top_k + 1
        return _CANDIDATE_BYTES * listed * (len(trace.sites) + 1) * len(trace.tokens)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        asked = analyse.lens
        through = None
        if asked.tuned:
            assert runs is not None
            through = runs.lens().at
        return trace.lens(top_k=asked.top_k, position=asked.position, through=through)


class AnalyseDecided(Request):
    """The lenses that tell when each prediction was decided."""

    tuned: Tuned = False


class Settled(Response):
    """The stages at which a lens first says what the model says in the end, and goes on saying."""

    stages: list[int] = Field(
        description="One for each position: 0 is the embedding, n what the first n layers wrote."
    )
    held_out: list[float] | None = Field(
        description="KL(model ‖ stage) in nats at each stage, on texts that the tuned lens was not "
        "fitted on; null without a tuned lens."
    )


class Decided(Response):
    """When the prediction at each token of one text was decided; padding is left out."""

    last_stage: int = Field(description="The number of layers.")
    positions: list[int]
    predictions: list[Candidate] = Field(description="The likeliest token at each position.")
    logit: Settled
    tuned: Settled | None
    fitted_on: str | None = Field(description="The texts that the tuned lens was fitted on.")


class Deciding(Analysis):
    name = "decided"
    request: ClassVar[Fields] = {
        "decided": (
            AnalyseDecided | None,
            Field(
                default=None,
                description="Find the stage from which on the lens says, at each token, what the "
                "model predicts in the end. Send {} for the logit lens alone.",
            ),
        )
    }
    answer = (list[Decided] | None, Field(description="When each prediction was decided."))
    too_slow = (Message("reading every stage"), Message("Send fewer or shorter texts."))

    def ms(self, analyse: Any, work: Work) -> float:
        stages = work.sites * (STAGES_TUNED if analyse.decided.tuned else STAGES_READ)
        each = work.info.vocab_size * work.info.d_model
        return MULTIPLY_ADD_MS * work.texts * work.tokens * stages * each

    def held(self, analyse: Any, work: Work) -> float:
        return 0

    def kept(self, work: Work) -> int:
        return 2 * min(work.tokens, ROWS) * work.info.vocab_size

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        tokens = len(trace.read_tokens) * len(trace.read_tokens[0])
        return (_CANDIDATE_BYTES + _STAGE_BYTES) * tokens

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        lens = None
        if analyse.decided.tuned:
            assert runs is not None
            lens = runs.lens()

        def compute() -> Any:
            return [asdict(one) for one in decided(trace, lens)]

        return compute() if runs is None else runs.cached("decided", lens is None, compute)

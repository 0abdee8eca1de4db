"""The logit lens: what the model would predict if it stopped after each layer."""

from typing import Any, ClassVar

from pydantic import Field

from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.fields import Candidate, Index, Request, Response

_CANDIDATE_BYTES = 80  # in JSON: the longest that we measured, with some margin


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
        return trace.lens(**analyse.lens.model_dump())

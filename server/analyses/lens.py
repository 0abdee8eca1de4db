"""The logit lens: what the model would predict if it stopped after each layer."""

from typing import Any, ClassVar

from pydantic import Field

from model.trace import Trace
from server.analyses.analysis import Analysis, Fields, RunMutes
from server.fields import Candidate, Index, Request, Response

_CANDIDATE_BYTES = 80  # in JSON, measured where they are longest, and a little more


class AnalyseLens(Request):
    """Where to read every layer, and how much of it."""

    top_k: int = Field(default=5, ge=1, le=100, description="Candidates at each stage.")
    position: Index | None = Field(
        default=None, description="In the padded text; null is each text's last real token."
    )


class LensStage(Response):
    """What the model would predict if it stopped here."""

    name: str = Field(description="`embedding`, then the site after whose layer it is.")
    layer: int | None = Field(description="null is before the first layer.")
    candidates: list[Candidate]
    final: Candidate = Field(
        description="The model's own likeliest token, with the probability that it has here."
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
                description="What the model would predict if it stopped after each layer: the "
                "logit lens (nostalgebraist 2020). Send {} for its defaults.",
            ),
        )
    }
    answer = (list[Lens] | None, Field(description="Of each text."))

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        listed: int = analyse.lens.top_k + 1
        return _CANDIDATE_BYTES * listed * (len(trace.sites) + 1) * len(trace.tokens)

    def read(self, trace: Trace, analyse: Any, run_mutes: RunMutes | None) -> Any:
        return trace.lens(**analyse.lens.model_dump())

"""What muting each head alone does to the vector of a text, for models that predict nothing."""

from dataclasses import asdict, replace
from typing import Any, ClassVar, Literal

from pydantic import Field

from model.kinds import SiteKind as Kind
from model.message import Message
from model.sources.inputs import muted_heads
from model.sources.muting import vector_effects
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.fields import Response

_EFFECT_BYTES = 80  # in JSON: the longest that we measured, with some margin


class VectorEffect(Response):
    """What muting one head does to the vector."""

    kind: Kind
    layer: int
    head: int
    cosine: float | None = Field(
        description="Of the vector without the head and the one with it: 1 if it does not turn; "
        "null if there is no number."
    )
    reason: str | None = Field(description="Why there is no number; otherwise null.")


class VectorEffects(Response):
    """What muting each head alone does to the vector of one text."""

    pooling: Literal["mean"] = Field(
        description="The vector is the mean of the last layer's output over the real tokens."
    )
    effects: list[VectorEffect]


class TurningTheVector(Analysis):
    name = "vector_effects"
    request: ClassVar[Fields] = {
        "vector_effects": (
            bool,
            Field(
                default=False,
                description="Compute how far muting each head alone turns the vector of the text: "
                "the mean of the last layer's output over its real tokens (Reimers & Gurevych "
                "2019). This runs the texts once for every head.",
            ),
        )
    }
    answer = (
        list[VectorEffects] | None,
        Field(description="For each text, how far muting each head alone turns its vector."),
    )
    needs_server = True
    is_slow = True
    too_slow = (Message("muting each head in turn"), Message("Send fewer or shorter texts."))

    def ms(self, analyse: Any, work: Work) -> float:
        return work.texts * work.rows_ms(work.heads, in_layers=True)

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        return _EFFECT_BYTES * sum(site.n_heads for site in trace.sites) * len(trace.tokens)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        assert runs is not None
        sites = runs.info.sites
        n = sum(site.n_heads for site in sites)
        each = Message("{n} head", "{n} heads", n=n)
        runs.check(n, each, Message("Muting each head in turn"), "analyse.vector_effects")

        def compute() -> Any:
            muted = muted_heads(runs.inputs.muted, runs.info)
            runner = runs.runner(replace(runs.inputs, answer=None))  # the vector is the model's
            found = vector_effects(trace, sites, muted, runner)
            return [
                {"pooling": "mean", "effects": [asdict(effect) for effect in effects]}
                for effects in found
            ]

        return runs.cached("vector_effects", None, compute)

"""Gradients of a logit with respect to what each part of a run computes."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field

from model.analysis.gradients import OF_HEADS, AskedGradients, GradientName, gradients
from model.message import Message
from model.sources.source import SourceInfo
from model.trace.trace import Trace
from server.api.analyses.analysis import GRADIENT_RUNS, Analysis, Fields, Runs, Tensors, Work
from server.api.analyses.stream import bytes_of, width_of
from server.api.fields import AskedLogit, Index, unique
from server.run.prices import NUMBER_MS


class AnalyseGradients(AskedLogit):
    """Which logit is differentiated, and with respect to what."""

    tensors: Annotated[list[GradientName], Field(min_length=1), AfterValidator(unique)] = Field(
        default=["resid_post"],
        description="Parts of a layer: the stream before, within and after it (`resid_pre`, "
        "`resid_mid`, `resid_post`), what its feed-forward network adds (`mlp_out`), and the "
        "queries, keys, values and output of its heads (`q`, `k`, `v`, `z`).",
    )
    layers: Annotated[list[Index], Field(min_length=1), AfterValidator(unique)] | None = Field(
        default=None, description="null means all."
    )
    dtype: Literal["float32", "float16"] = "float32"


class Gradients(Analysis):
    name = "gradients"
    request: ClassVar[Fields] = {
        "gradients": (
            AnalyseGradients | None,
            Field(
                default=None,
                description="Differentiate a logit, or the difference of two, with respect to what "
                "parts of the run compute at every token: how fast it moves with them (Simonyan et "
                "al. 2014). Send {} for its defaults.",
            ),
        )
    }
    answer = (
        dict[str, dict[str, Any]] | None,
        Field(
            description="By layer or site (`layers.2`, `decoder.layers.2`) and name: nested lists "
            "(batch, position, d_model), or of heads (batch, head, position, d_head). A "
            "safetensors response has tensors instead, named `gradients/layers.2.resid_post`, and "
            "null here."
        ),
    )
    needs_server = True
    is_slow = True
    too_slow = (
        Message("taking gradients"),
        Message("Ask for fewer layers, or send fewer or shorter texts."),
    )
    too_large = Message("Ask for fewer layers or tensors of the gradients.")

    def ms(self, analyse: Any, work: Work) -> float:
        numbers = work.tokens * work.sites * _width(analyse.gradients, work.info)
        return work.texts * (GRADIENT_RUNS * work.run_ms + numbers * NUMBER_MS)

    def kept(self, work: Work) -> int:
        return work.backward

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        asked = analyse.gradients
        n = max(map(len, (trace.tokens[0], trace.read_tokens[0])))
        heads = trace.sites[0].n_heads * max(
            0 if each is None else each.shape[-1]
            for site in trace.sites
            for each in (site.q, site.v)
        )
        layers = len(trace.sites) if asked.layers is None else len(asked.layers)
        wide = sum(heads if name in OF_HEADS else width_of(trace) for name in asked.tensors)
        return len(trace.tokens) * n * layers * wide * bytes_of(asked.dtype, number_bytes)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        assert runs is not None
        asked = analyse.gradients
        logit = AskedGradients(**asked.model_dump(exclude={"dtype"}))
        return Tensors(gradients(trace, runs.runner(runs.inputs), logit), asked.dtype)


def _width(asked: AnalyseGradients, info: SourceInfo) -> int:
    of_heads = info.n_heads * info.d_head
    return sum(of_heads if name in OF_HEADS else info.d_model for name in asked.tensors)

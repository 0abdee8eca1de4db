"""The residual stream: its tensors before, within and after each layer, and the raw logits."""

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from model.message import Message
from model.trace.stream_tensors import STREAM_TENSORS, stream_tensors
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Tensors, Work
from server.api.fields import Index, Request, unique
from server.run.prices import MULTIPLY_ADD_MS, NUMBER_MS

if TYPE_CHECKING:
    from model.trace.stream_tensors import StreamName
else:
    StreamName = Literal[tuple(STREAM_TENSORS)]

_JSON_BYTES, _FLOAT32_BYTES = 13, 4  # per number


class AnalyseStream(Request):
    """Which tensors of the residual stream to send."""

    tensors: Annotated[list[StreamName], Field(min_length=1), AfterValidator(unique)] = Field(
        default=["resid_post"],
        description=" ".join(f"{name}: {row.about}." for name, row in STREAM_TENSORS.items()),
    )
    layers: Annotated[list[Index], Field(min_length=1), AfterValidator(unique)] | None = Field(
        default=None, description="null means all."
    )
    positions: Annotated[list[Index], Field(min_length=2, max_length=2)] | None = Field(
        default=None, description="Positions [start, stop); null means all."
    )
    dtype: Literal["float32", "float16"] = "float32"

    @model_validator(mode="after")
    def _at_least_one(self) -> "AnalyseStream":
        if self.positions is not None and self.positions[0] >= self.positions[1]:
            raise ValueError("positions are [start, stop) with start < stop: at least one")
        return self

    @property
    def cut(self) -> slice:
        return slice(None) if self.positions is None else slice(*self.positions)


class ResidualStream(Analysis):
    name = "stream"
    request: ClassVar[Fields] = {
        "stream": (
            AnalyseStream | None,
            Field(
                default=None,
                description="Send tensors of the residual stream. Each head's own part of it is "
                "the tensor `result` of a site.",
            ),
        )
    }
    answer = (
        dict[str, dict[str, Any]] | None,
        Field(
            description="By layer (`layers.2`, `decoder.layers.2`; `final` for what belongs to no "
            "layer) and name: nested lists (batch, position, d_model), scales (batch, position), "
            "logits (batch, position, vocab_size). A safetensors response has tensors instead, "
            "named `stream/layers.2.resid_post`, and null here."
        ),
    )
    reads_stream = True
    needs_server = True
    too_slow = (
        Message("the residual stream"),
        Message("Ask for fewer positions, or send shorter texts."),
    )
    too_large = Message("Ask for fewer layers, positions or tensors of the stream.")

    def ms(self, analyse: Any, work: Work) -> float:
        info = work.info
        written = work.heads * work.tokens * info.d_head * (info.d_model + work.tokens)
        return work.texts * written * MULTIPLY_ADD_MS + self._numbers(analyse, work) * NUMBER_MS

    def kept(self, work: Work) -> int:
        info = work.info
        recorded = work.texts * work.tokens * (work.sites + 1) * (info.d_model + 2)
        return recorded + work.texts * work.tokens * info.vocab_size

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        asked, batch = analyse.stream, len(trace.tokens)
        sizes = {"d_model": width_of(trace), "vocab_size": _vocab_size(trace)}
        layers = len({site.layer for site in trace.sites} & set(asked.layers or ())) or (
            len(trace.sites) if asked.layers is None else 0
        )
        n = len(range(*asked.cut.indices(len(trace.read_tokens[0]))))
        numbers = 0
        for name in asked.tensors:
            row = STREAM_TENSORS[name]
            width = sizes[row.axes[0]] if row.axes else 1
            numbers += batch * n * width * (1 if row.final else layers)
        return numbers * bytes_of(asked.dtype, number_bytes)

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        asked = analyse.stream
        found = stream_tensors(trace, asked.tensors, layers=asked.layers, positions=asked.cut)
        return Tensors(found, asked.dtype)

    def _numbers(self, analyse: Any, work: Work) -> int:
        wide = work.info.vocab_size if "logits" in analyse.stream.tensors else 0
        n = work.sites * len(analyse.stream.tensors) * work.info.d_model + wide
        return work.texts * work.tokens * n


def bytes_of(dtype: str, number_bytes: int) -> int:
    """What a number of `Tensors` takes, where one of a single tensor takes `number_bytes`."""
    if number_bytes > _FLOAT32_BYTES:
        return _JSON_BYTES
    return 2 if dtype == "float16" else _FLOAT32_BYTES


def width_of(trace: Trace) -> int:
    """d_model, as the weights or the recorded stream tell it."""
    w_o = trace.sites[0].w_o
    if w_o is not None:
        return w_o.shape[-1]
    return 0 if trace.stages is None else trace.stages.shape[-1]


def _vocab_size(trace: Trace) -> int:
    if trace.stages is None or trace.unembed is None:
        return 0
    return int(trace.unembed(trace.stages[-1, 0, :1]).shape[-1])

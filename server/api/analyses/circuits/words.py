"""Directions of the stream in words, and the neurons of a feed-forward network."""

from dataclasses import asdict
from typing import Annotated, Any, ClassVar

import torch
from pydantic import Field

from model.analysis.weights.decoding import decode
from model.analysis.weights.neurons import SPOKEN, neurons
from model.errors import InputError
from model.kinds import SiteKind as Kind
from model.message import Message
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.fields import AskedLogit, Candidate, Index, Number, Request, Response
from server.run.prices import MULTIPLY_ADD_MS

MAX_VECTORS, MAX_WIDTH, MAX_LISTED = 64, 16_384, 100
_TOKEN_BYTES = 90  # in JSON
_NEURON_BYTES = 120


class Spoken(Response):
    """A token, and how much a direction speaks for it, or how near it is."""

    id: int
    text: str
    value: float


class AnalyseDecode(Request):
    """Directions of the stream, or of what one head gives."""

    vectors: Annotated[
        list[Annotated[list[Number], Field(min_length=1, max_length=MAX_WIDTH)]],
        Field(min_length=1, max_length=MAX_VECTORS),
    ] = Field(description="As many numbers each as the stream has for a token, or a head's z.")
    layer: Index | None = Field(default=None, description="With `head`: the vectors are its z.")
    head: Index | None = None
    kind: Kind | None = Field(default=None, description="Of the head, in an encoder–decoder.")
    top_k: Annotated[Index, Field(ge=1, le=MAX_LISTED)] = 10


class Decoded(Response):
    """One direction in words, each list strongest first."""

    raises: list[Spoken] = Field(
        description="The tokens whose logits it raises most where it is added at the end of the "
        "stream: above the mean over the vocabulary, before the scale of the last norm."
    )
    lowers: list[Spoken]
    near: list[Spoken] | None = Field(
        description="The tokens whose embeddings have the most similar direction, by cosine; null "
        "where embeddings are of another width."
    )


class InWords(Analysis):
    name = "decode"
    request: ClassVar[Fields] = {
        "decode": (
            AnalyseDecode | None,
            Field(
                default=None,
                description="Put directions of the residual stream in words: the tokens that they "
                "speak for and against, and those whose embeddings are near.",
            ),
        )
    }
    answer = (list[Decoded] | None, Field(description="For each vector."))
    reads_stream = True
    needs_server = True
    too_slow = (Message("putting directions in words"), Message("Send fewer vectors."))

    def ms(self, analyse: Any, work: Work) -> float:
        info, n = work.info, len(analyse.decode.vectors)
        return float((2 * n + 2) * info.vocab_size * info.d_model * MULTIPLY_ADD_MS)

    def kept(self, work: Work) -> int:
        return 3 * MAX_VECTORS * work.info.vocab_size

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        asked = analyse.decode
        return int(3 * _TOKEN_BYTES * asked.top_k * len(asked.vectors))

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        assert runs is not None
        asked = analyse.decode
        widths = {len(row) for row in asked.vectors}
        if len(widths) > 1:
            raise InputError(
                f"All vectors must have as many numbers; got {min(widths)} and {max(widths)}.",
                field="analyse.decode.vectors",
            )
        found = decode(
            trace,
            torch.tensor(asked.vectors),
            vocab_size=runs.info.vocab_size,
            top_k=asked.top_k,
            layer=asked.layer,
            head=asked.head,
            kind=asked.kind,
        )
        return [asdict(one) for one in found]


class AnalyseNeurons(AskedLogit):
    """Which network, at which token, and which logit."""

    layer: Index = Field(description="Of the feed-forward network.")
    at: Index | None = Field(
        default=None,
        description="The token at which it runs; null means that of `position`. Elsewhere its "
        "direct share of the logit is 0, but its neurons fire all the same.",
    )
    top_k: Annotated[Index, Field(ge=1, le=MAX_LISTED)] = 10


class Neuron(Response):
    """One neuron of a feed-forward network."""

    neuron: int
    activation: float = Field(description="What the last matrix of the network reads of it.")
    value: float = Field(description="What it adds to the logit, directly.")
    raises: list[Spoken] = Field(
        description=f"The {SPOKEN} tokens that its row of W_out speaks for most, as in `decode`; "
        "empty where no single matrix gives the logits."
    )
    lowers: list[Spoken]


class Neurons(Response):
    """The neurons of a feed-forward network at one token of one text."""

    position: int = Field(description="The token at which they fire.")
    token: Candidate
    against: Candidate | None
    n_neurons: int
    n_active: int = Field(description="How many have an activation above 0.")
    value: float = Field(description="What the network adds: all neurons, and `bias`.")
    bias: float
    neurons: list[Neuron] = Field(
        description="Those that add most first, of either sign; at another token than that of the "
        "logit, those that write most."
    )


class SingleNeurons(Analysis):
    name = "neurons"
    request: ClassVar[Fields] = {
        "neurons": (
            AnalyseNeurons | None,
            Field(
                default=None,
                description="Take a feed-forward network apart at one token: which neurons fire, "
                "what each adds to a logit, and which tokens it speaks for (Geva et al. 2021).",
            ),
        )
    }
    answer = (list[Neurons] | None, Field(description="For each text."))
    reads_stream = True
    needs_server = True
    too_slow = (Message("reading neurons"), Message("Ask for fewer (top_k)."))

    def ms(self, analyse: Any, work: Work) -> float:
        info, n = work.info, analyse.neurons.top_k + 2
        once = n * info.vocab_size * info.d_model + 3 * info.d_model * (info.d_ff or 0)
        written = work.heads * info.d_head * info.d_model
        return float(work.texts * (once + written) * MULTIPLY_ADD_MS)

    def kept(self, work: Work) -> int:
        width = (work.info.d_ff or 4 * work.info.d_model) * work.info.d_model
        return width + MAX_LISTED * work.info.vocab_size

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        one = _NEURON_BYTES + 2 * SPOKEN * _TOKEN_BYTES
        return len(trace.tokens) * (400 + one * int(analyse.neurons.top_k))

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        return [asdict(one) for one in neurons(trace, **analyse.neurons.model_dump())]

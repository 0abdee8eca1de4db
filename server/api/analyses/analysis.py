"""The base class of analyses, which compute something from a trace besides its tensors."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from torch import Tensor

from model.lens import TunedLens
from model.masks.mask import STRIPE, stripe_rows
from model.message import Message
from model.sources.generation import Generated
from model.sources.muting import MIN_ROWS, PASS_TOKENS
from model.sources.runner import Runner
from model.sources.source import Inputs, SourceInfo
from model.trace.predictions import MuteEffects
from model.trace.trace import Trace
from server.run.prices import LAYER_MS

GRADIENT_RUNS = 2  # what a pass forward and back costs, in runs
BESIDE = 0.4  # of its price alone: what a row among many takes of a product of matrices

Field = tuple[Any, Any]  # a type and its pydantic Field
Fields = dict[str, Field]
T = TypeVar("T")


class Runs(Protocol):
    """Lets an analysis, which has only the trace, run the model again."""

    @property
    def inputs(self) -> Inputs:
        """The inputs of the trace."""
        ...

    @property
    def info(self) -> SourceInfo:
        """The model."""
        ...

    def mute_effects(self, position: int | None, token: int | None) -> list[MuteEffects]:
        """How muting each head changes a token's probability."""
        ...

    def runner(self, inputs: Inputs) -> Runner:
        """A runner of these inputs, which may differ from those of the trace.

        Gradients can flow through it, outside `torch.inference_mode`.
        """
        ...

    def continued(self, inputs: Inputs) -> Generated:
        """The texts of these inputs with the tokens that they ask to generate."""
        ...

    def lens(self) -> TunedLens:
        """The tuned lens of the model.

        Raises:
            BusyError: it is still being fitted.
            UnavailableError: this model can have none.
        """
        ...

    def check(self, n: int, each: Message, what: Message, field: str) -> None:
        """Refuse to run the texts of the trace too often, `n` times.

        Args:
            each: what they run for, such as "head".
            what: the start of a sentence, such as "Muting each head in turn".

        Raises:
            LimitError: code "too_many_runs".
        """
        ...

    def cached(self, name: str, settings: Hashable, compute: Callable[[], T]) -> T:
        """The result of `compute`, or that of an earlier call for the same inputs."""
        ...


@dataclass(frozen=True)
class Work:
    """The approximate size of a request, before anything runs."""

    texts: int
    tokens: int  # in the longest text
    sites: int
    heads: int  # in all sites
    run_ms: float  # for one run over one text
    inputs: Inputs
    info: SourceInfo  # of the requested model

    @property
    def cells(self) -> int:
        """The number of cells per head in all texts."""
        return self.texts * self.tokens * self.tokens

    @property
    def site_heads(self) -> int:
        """The number of heads of the largest site."""
        return max(site.n_heads for site in self.info.sites)

    def rows_ms(self, rows: float, *, in_layers: bool = False) -> float:
        """The processor time of so many further runs of one text, as rows of a few large passes.

        `in_layers`: each is changed in one layer, as many in each, and runs from there on.
        """
        alone = LAYER_MS * self.sites  # of a pass, whatever its rows
        passes = 1 + rows * self.tokens / PASS_TOKENS
        share = 1.0
        if in_layers and not self.info.takes_targets:  # a stack with two sides runs whole
            each = min(MIN_ROWS, max(1, PASS_TOKENS // max(1, self.tokens)))
            share = (1 + 1 / max(1.0, min(self.sites, rows / each))) / 2
        return rows * share * BESIDE * max(0.0, self.run_ms - alone) + passes * alone

    @property
    def backward(self) -> int:
        """The numbers that a pass over one text keeps for a gradient to go back through."""
        info = self.info
        width = 8 * info.d_model + 4 * info.n_heads * info.d_head + 2 * (info.d_ff or 0)
        return self.sites * self.tokens * (width + info.n_heads * self.tokens)

    def stripe(self, n_matrices: int) -> int:
        """The cells of a stripe of so many patterns, as `stripe_rows` cuts it, with one row more:
        where pooled bins share a row, it is read twice."""
        rows = min(self.tokens, stripe_rows(n_matrices, self.tokens) + 1)
        return n_matrices * rows * self.tokens

    @property
    def site_stripe(self) -> int:
        """The cells of `STRIPE` rows of all heads of one site."""
        return self.site_heads * self.texts * min(self.tokens, STRIPE) * self.tokens


@dataclass(frozen=True)
class Tensors:
    """A result of several tensors, by names such as `layers.2.resid_pre`.

    In JSON they are nested lists, `{"layers.2": {"resid_pre": …}}`. In safetensors their names
    begin with that of the analysis: `stream/layers.2.resid_pre`.
    """

    tensors: Mapping[str, Tensor]
    dtype: Literal["float32", "float16"]


class Analysis(ABC):
    """One analysis: its schema, its cost, and how to compute it.

    `analyse` in the methods is the part of a request with the fields of all analyses.
    """

    name: ClassVar[str]  # in `analyse` and in the response
    request: ClassVar[Fields]  # its fields in `analyse`; the one with its name turns it on
    answer: ClassVar[Field]  # its field in the response
    reads_patterns: ClassVar[bool] = False  # of all sites, so it pays to derive them together
    reads_stream: ClassVar[bool] = False  # the trace must have recorded the residual stream
    needs_server: ClassVar[bool] = False  # the engine in the page refuses it
    is_slow: ClassVar[bool] = False  # computed after the others, which may refuse the request
    # for the error if a request would take too long: its name in a sentence, and advice
    too_slow: ClassVar[tuple[str, str] | None] = None
    too_large: ClassVar[str | None] = None  # advice if its result would be too large

    def is_asked(self, analyse: Any) -> bool:
        return bool(getattr(analyse, self.name) not in (None, False))

    def ms(self, analyse: Any, work: Work) -> float:
        """The approximate processor time in milliseconds."""
        return 0.0

    def kept(self, work: Work) -> int:
        """The approximate number of numbers that it keeps in memory while it is computed."""
        return 0

    def held(self, analyse: Any, work: Work) -> float:
        """The approximate number of numbers that it derives patterns in, at once.

        By default a stripe of the rows of all heads in all sites.
        """
        return work.heads * work.texts * min(work.tokens, STRIPE) * work.tokens

    @abstractmethod
    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        """The approximate size of its result; `number_bytes` is the size of a tensor's number.

        Raises:
            LimitError: the trace is too large for this analysis.
        """

    @abstractmethod
    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        """Compute the result: a tensor, `Tensors`, or a value for orjson.

        Raises:
            UnavailableError: it is not available for this model.
            InputError: there is no such position or token.
            LimitError: it would take too many runs.
            NumericsError: a number is not finite.
        """

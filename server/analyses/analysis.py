"""What an analysis is: something that is read off a trace beside its tensors."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from model.predictions import MuteEffects
from model.sources.source import Inputs, SourceInfo
from model.trace import Trace

Field = tuple[Any, Any]  # a type, and what pydantic's Field says of it
Fields = dict[str, Field]
# Runs the model once for every head: not read off a trace, so whoever runs models brings it.
RunMutes = Callable[[Any], list[MuteEffects]]


@dataclass(frozen=True)
class Work:
    """The size of a request, about, before anything runs."""

    texts: int
    tokens: int  # of the longest text
    sites: int
    heads: int  # of all sites
    run_ms: float  # of one run over one text
    inputs: Inputs
    info: SourceInfo  # of the model that is asked

    @property
    def cells(self) -> int:
        """Of one head, in all texts."""
        return self.texts * self.tokens * self.tokens


class Analysis(ABC):
    """One analysis: its schema, its cost, and its numbers. `analyse` is what a request asks for."""

    name: ClassVar[str]  # in `analyse` and in the answer
    request: ClassVar[Fields]  # its fields in `analyse`; the one of its name switches it
    answer: ClassVar[Field]
    reads_patterns: ClassVar[bool] = False  # of all sites, which may be derived together
    is_slow: ClassVar[bool] = False  # it is read after those that may refuse at once
    # what it is called where a request is refused for its time, and what helps; the same for bytes
    too_slow: ClassVar[tuple[str, str] | None] = None
    too_large: ClassVar[str | None] = None

    def is_asked(self, analyse: Any) -> bool:
        return bool(getattr(analyse, self.name) not in (None, False))

    def ms(self, analyse: Any, work: Work) -> float:
        """Milliseconds of processor time, about."""
        return 0.0

    def kept(self, work: Work) -> int:
        """Numbers that it holds in memory while it is read, about."""
        return 0

    @abstractmethod
    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        """Bytes of its answer, about; `number_bytes` is of one number of a tensor.

        Raises:
            LimitError: it is more than this analysis takes on.
        """

    @abstractmethod
    def read(self, trace: Trace, analyse: Any, run_mutes: RunMutes | None) -> Any:
        """As orjson takes it, or a tensor.

        Raises:
            UnavailableError: this model cannot give it.
            InputError: a position or token that is not there.
            LimitError: it would take too many runs.
            NumericsError: a number that is not finite.
        """

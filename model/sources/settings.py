"""Settings of one source that come with a request: what all others may know of them."""

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple


class Size(NamedTuple):
    """What one run costs with these settings, before it runs."""

    layers: int
    channels: int  # of a layer: heads · d_head
    products: int  # multiply-adds of its matrices, a token
    one_character: bool  # each character is a token


class SourceSettings(ABC):
    """All that a request says of one source. Frozen, and equal where the runs are equal."""

    __slots__ = ()
    name: ClassVar[str]  # of the settings in requests and answers

    @property
    @abstractmethod
    def size(self) -> Size: ...

    @property
    def causal(self) -> bool:
        """Whether its own mask hides the future, as far as that is known before it runs."""
        return False

    @property
    def needs_targets(self) -> bool:
        """Whether a text to look from must come with each text, as cross-attention needs."""
        return False

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Memory that keeping them costs, beside a few numbers."""

"""The settings of a source that come with a request; only their source knows what they mean."""

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple


class Size(NamedTuple):
    """The size of a run with these settings, from which its cost is estimated before it starts."""

    layers: int
    channels: int  # per layer: heads · d_head
    products: int  # multiply-adds in matrices, per token
    one_character: bool  # whether each character is a token


class SourceSettings(ABC):
    """The settings that a request gives to one source. Frozen; equal settings give equal runs."""

    __slots__ = ()
    name: ClassVar[str]  # of the settings, in requests and responses

    @property
    @abstractmethod
    def size(self) -> Size: ...

    @property
    def causal(self) -> bool:
        """Whether the model's own mask hides the future, as far as that is known in advance."""
        return False

    @property
    def needs_targets(self) -> bool:
        """Whether each text needs a target, as cross-attention does."""
        return False

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """The memory that the settings take, apart from a few numbers."""

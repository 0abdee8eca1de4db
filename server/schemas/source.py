"""What the server knows of a source whose settings come with a request."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pydantic

from model.sources.source import Source

Field = tuple[Any, Any]  # a type, and what pydantic's Field says of it


@dataclass(frozen=True, kw_only=True)
class SourceRow:
    name: str  # of the settings in requests and answers, and of the model
    open: Callable[[str], Source]  # by the name of the model
    schema: type[pydantic.BaseModel]  # of a request, with `to_config`
    about: str  # in the description of a request
    answer: Field
    applied: Callable[[Any], dict[str, Any]]  # the settings as they ran, as orjson takes them
    described: dict[str, Field]  # of a model, in GET /api/models
    describe: Callable[[], dict[str, Any]]  # the same, of this one
    others: dict[str, Any]  # and of the models that do not take these settings
    not_in_address: frozenset[str] = frozenset()  # settings that are too long for one

    @property
    def request(self) -> Field:
        return (self.schema | None, pydantic.Field(default=None, description=self.about))

    @property
    def in_address(self) -> frozenset[str]:
        """The keys of an address, which are dotted: `scale` stands there as `scratch.scale`."""
        return frozenset(self.schema.model_fields) - self.not_in_address

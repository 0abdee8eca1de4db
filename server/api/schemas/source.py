"""One row per source whose settings come with a request: what the API says about them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pydantic

from model.sources.source import Source

Field = tuple[Any, Any]  # a type and its pydantic Field


@dataclass(frozen=True, kw_only=True)
class SourceRow:
    name: str  # of the settings in requests and responses, and of the model
    open: Callable[[str], Source]  # takes the name of the model
    schema: type[pydantic.BaseModel]  # of the settings in a request; has `to_config`
    about: str  # their description in requests
    answer: Field  # of a response, for the settings that a run used
    applied: Callable[[Any], dict[str, Any]]  # the value of that field, for orjson
    described: dict[str, Field]  # fields that describe a model in GET /api/models
    describe: Callable[[], dict[str, Any]]  # their values for a model that takes these settings
    others: dict[str, Any]  # their values for all other models
    not_in_address: frozenset[str] = frozenset()  # settings that are too long for an address

    @property
    def request(self) -> Field:
        return (self.schema | None, pydantic.Field(default=None, description=self.about))

    @property
    def in_address(self) -> frozenset[str]:
        """The settings that an address may have. Its keys are dotted, as in `scratch.scale`."""
        return frozenset(self.schema.model_fields) - self.not_in_address

"""What the server knows of a source whose settings come with a request."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from model.sources.source import Source

Field = tuple[Any, Any]  # a type, and what pydantic's Field says of it


@dataclass(frozen=True, kw_only=True)
class SourceRow:
    name: str  # of the settings in requests and answers, and of the model
    open: Callable[[str], Source]  # by the name of the model
    request: Field  # a schema with `to_config`, or None
    answer: Field
    ran: Callable[[Any], dict[str, Any]]  # the settings as they ran, as orjson takes them
    described: dict[str, Field]  # of a model, in GET /api/models
    describe: Callable[[], dict[str, Any]]  # the same, of this one
    others: dict[str, Any]  # and of the models that do not take these settings

"""The sources whose settings come with a request: one row each."""

from typing import Any

from model.trace.settings import SourceSettings
from server.api.schemas import scratch
from server.api.schemas.source import SourceRow

SETTINGS: dict[str, SourceRow] = {row.name: row for row in (scratch.ROW,)}
REQUESTS: dict[str, Any] = {name: row.request for name, row in SETTINGS.items()}
APPLIED: dict[str, Any] = {name: row.answer for name, row in SETTINGS.items()}
DESCRIBED: dict[str, Any] = {
    name: field for row in SETTINGS.values() for name, field in row.described.items()
}


def applied(settings: SourceSettings) -> dict[str, Any]:
    """The settings that a run used, for a response."""
    return SETTINGS[settings.name].applied(settings)

"""The kinds of activity: one row each."""

from server.classes.activities.kind import Kind, Said
from server.classes.activities.vote import VOTE

KINDS: dict[str, Kind] = {kind.name: kind for kind in (VOTE,)}

__all__ = ["KINDS", "Kind", "Said"]

"""The gallery's examples as the page shows them: the model's words plus the page's shortcuts."""

from collections.abc import Mapping
from typing import Any

from model.gallery import Action, Entry, to_json
from server.learning.links import ONE_OF

# The names that an example may use are those of the page's own tables.
NAMES: Mapping[str, tuple[str, ...]] = {name: ONE_OF[name] for name in ("view", "matrix")}
# The key for each action; static/js/page/ handles it.
SHORTCUTS: Mapping[Action, str] = {
    "mute": "m",
    "unmute": "m",
    "causal": "c",
    "padding": "p",
    "rows": "]",
}


def example(entry: Entry) -> dict[str, Any]:
    """An entry as plain data; `next` ends with the shortcut for the action that it suggests."""
    content: dict[str, Any] = to_json(entry)
    content.pop("tries", None)
    if entry.tries is not None:
        content["next"] = f"{entry.next} Shortcut: {SHORTCUTS[entry.tries]}."
    return content

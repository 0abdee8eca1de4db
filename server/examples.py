"""The gallery's examples as the page shows them: the model's sentences and the page's shortcuts."""

from collections.abc import Collection, Mapping
from typing import Any

from model.gallery import Entry, to_json
from server.learning.choices import MASK_SHORTCUTS, ONE_OF

# The keyboard shortcut of each action that an example may suggest; static/js/page/ handles them.
SHORTCUTS: Mapping[str, str] = {"mute": "m", "unmute": "m", "rows": "]", **MASK_SHORTCUTS}
# The names that an example may use are those of the page's own tables.
NAMES: Mapping[str, Collection[str]] = {
    **{name: ONE_OF[name] for name in ("view", "matrix", "right")},
    "tries": SHORTCUTS.keys(),
}


def example(entry: Entry) -> dict[str, Any]:
    """An entry as plain data; `next` ends with the shortcut for the action that it suggests."""
    content: dict[str, Any] = to_json(entry)
    if entry.tries is not None:
        content["next"] = f"{entry.next} Shortcut: {SHORTCUTS[entry.tries]}."
    return content

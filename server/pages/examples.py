"""The gallery's examples as the page shows them: the model's sentences and the page's shortcuts."""

import logging
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from model.core.checkpoint import LANGUAGES, OTHERS, SHIPPED
from model.errors import CheckpointError
from model.gallery import Entry, load_gallery, to_json
from model.message import Message
from model.sources.known import known_at
from server.pages.learning.choices import MASK_SHORTCUTS, ONE_OF
from server.run.finding import locations
from server.settings import Settings

log = logging.getLogger("headlight")

# The keyboard shortcut of each action that an example may suggest; static/js/page/ handles them.
SHORTCUTS: Mapping[str, str] = {"mute": "m", "unmute": "m", "rows": "]", **MASK_SHORTCUTS}
SAID = ("title", "look", "next")  # what catalogues say of an example in each language
# The names that an example may use are those of the page's own tables.
NAMES: Mapping[str, Collection[str]] = {
    **{name: ONE_OF[name] for name in ("view", "matrix", "right")},
    "tries": SHORTCUTS.keys(),
}


def example(entry: Entry) -> dict[str, Any]:
    """An entry as plain data, with the shortcut for the action that it suggests.

    What is said of it is in the language of the page that shows it (`spoken` in templates).
    """
    content: dict[str, Any] = to_json(entry)
    content |= {name: Message(content[name]) for name in SAID if content.get(name)}
    if entry.tries is not None:
        content["shortcut"] = SHORTCUTS[entry.tries]
    return content


def gallery(model: str, settings: Settings) -> list[dict[str, Any]]:
    """The examples for a model; none on an error, or for a model that has none."""
    folder = settings.shipped or SHIPPED
    if model != "shipped":
        location = locations(settings).get(model)
        if location is None:
            folder = LANGUAGES / model
        elif (row := known_at(location)) is not None:
            folder = row.measured
        else:
            return []
    try:
        return [example(entry) for entry in load_gallery(folder, NAMES)]
    except CheckpointError as error:
        log.error("The page will show no examples of %s: %s", model, error)
        return []


def galleries(settings: Settings, also: Iterable[str] = ()) -> list[dict[str, Any]]:
    """The examples of all models, those of the shipped one first; the others say whose they are.

    `also` names models that are not listed: those of other languages have examples.
    """
    shipped, *others = locations(settings)
    others += [name for name in also if name in OTHERS.values() and name not in others]
    return gallery(shipped, settings) + [
        {**entry, "model": name} for name in others for entry in gallery(name, settings)
    ]

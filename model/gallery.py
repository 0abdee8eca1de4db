"""The gallery of a native checkpoint: sentences that show something, and the heads that show it.

`headlight train` writes it beside the weights (gallery.json), since another model has other heads.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from model.errors import CheckpointError

GALLERY = "gallery.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """A state of the page worth seeing, and what to look at in it."""

    title: str
    texts: tuple[str, ...]
    layer: int
    head: int
    query: int  # the token whose row is read
    look: str  # one sentence
    label: str | None = None  # what the head draws, in one word, where no metric names it
    value: float | None = None  # how well: its mean share of attention, on held-out sentences


def save_gallery(folder: Path, entries: list[Entry]) -> None:
    """Write gallery.json."""
    content = json.dumps([asdict(entry) for entry in entries], indent=2, ensure_ascii=False)
    (folder / GALLERY).write_text(content + "\n", encoding="utf-8")


def load_gallery(folder: Path) -> list[Entry]:
    """Read gallery.json; a checkpoint without one has an empty gallery.

    Raises:
        CheckpointError: the file is there and is not a gallery.
    """
    path = folder / GALLERY
    if not path.exists():
        return []
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return [Entry(**{**entry, "texts": tuple(entry["texts"])}) for entry in raw]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise CheckpointError(f"{path} is not a gallery: {error}.") from error

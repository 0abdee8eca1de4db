"""Which store the settings name."""

import os
from pathlib import Path

from server.classes.sqlite import SqliteStore
from server.classes.store import Store
from server.settings import Settings


def open_store(settings: Settings) -> Store:
    """The store of the settings: a folder."""
    return SqliteStore(Path(settings.class_store) if settings.class_store else own_folder())


def own_folder() -> Path:
    """Where classes lie if nothing else is said: a folder of this user that survives a restart."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(state) / "headlight" / "classes"

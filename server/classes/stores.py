"""Which store the settings name."""

import os
from pathlib import Path

from model.errors import InputError
from server.classes.sqlite import SqliteStore
from server.classes.store import Store
from server.settings import Settings

REDIS = ("redis://", "rediss://")  # how the address of a Redis begins


def open_store(settings: Settings) -> Store:
    """The store of the settings: a folder, or a Redis.

    Raises:
        InputError: redis-py, which the extra `redis` brings, is not installed.
    """
    where = settings.class_store or ""
    if where.startswith(REDIS):
        try:
            from server.classes.redis_store import RedisStore
        except ImportError:
            raise InputError(
                "HEADLIGHT_CLASS_STORE names a Redis, which needs redis-py: "
                "pip install 'headlight[redis]'."
            ) from None
        return RedisStore.at(where)
    return SqliteStore(Path(settings.class_store) if settings.class_store else own_folder())


def own_folder() -> Path:
    """Where classes lie if nothing else is said: a folder of this user that survives a restart."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(state) / "headlight" / "classes"

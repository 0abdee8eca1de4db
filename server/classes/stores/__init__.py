"""Which store the settings name."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir

from headlight.extras import install
from model.errors import InputError
from server.classes.errors import store_fails
from server.classes.stores.sqlite import SqliteStore
from server.classes.stores.store import Store
from server.settings import Settings

REDIS = ("redis://", "rediss://")  # how the address of a Redis begins

_FULL = "the disk is full. Make room; nothing that was kept is lost."
_READ_ONLY = "the server may not write to their folder, which HEADLIGHT_CLASS_STORE names."
_DAMAGED = "their file is damaged. Move it away and restart the server, which makes a new one."
_SQLITE = {  # by words of SQLite's messages
    "full": _FULL,
    "readonly": _READ_ONLY,
    "unable to open": _READ_ONLY,
    "disk I/O": "the disk fails. Look at the system's log.",
    "locked": "another process has held their file for too long.",
    "malformed": _DAMAGED,
    "not a database": _DAMAGED,
}


def open_store(settings: Settings) -> Store:
    """The store of the settings: a folder, or a Redis.

    Raises:
        InputError: redis-py, which the extra `redis` brings, is not installed.
    """
    where = settings.class_store or ""
    if where.startswith(REDIS):
        try:
            from server.classes.stores.redis_store import RedisStore
        except ImportError:
            raise InputError(
                f"HEADLIGHT_CLASS_STORE names a Redis, which needs redis-py: {install('redis')}"
            ) from None
        return RedisStore.at(where)
    return SqliteStore(
        Path(settings.class_store) if settings.class_store else own_folder("classes")
    )


def own_folder(name: str) -> Path:
    """Where things lie if nothing else is said: a folder of this user that survives a restart."""
    state = os.environ.get("XDG_STATE_HOME")
    if state is None:
        try:
            state = str(Path.home() / ".local/state")
        except RuntimeError:  # a user without a home
            state = gettempdir()
    return Path(state) / "headlight" / name


@contextmanager
def explaining() -> Iterator[None]:
    """Raise `store_fails` with the reason where a store fails."""
    try:
        yield
    except Exception as error:
        if problem := explained(error):
            raise store_fails(problem) from error
        raise


def explained(error: Exception) -> str | None:
    """Why a store fails, and what to do about it; None: the error is not one of a store.

    What was kept stays as it is, and goes on once there is room, the file or the Redis again.
    """
    said, number = str(error), getattr(error, "errno", None)
    if isinstance(error, sqlite3.Error):
        for words, problem in _SQLITE.items():
            if words in said:
                return problem
        return f"SQLite says: {said}."
    if isinstance(error, FileNotFoundError):
        return "their file is no longer in its folder. Put it back, or restart the server."
    if isinstance(error, OSError) and number == errno.ENOSPC:
        return _FULL
    if isinstance(error, OSError) and number in (errno.EACCES, errno.EPERM, errno.EROFS):
        return _READ_ONLY
    if isinstance(error, OSError):
        return f"{error.strerror or said}. HEADLIGHT_CLASS_STORE names their folder."
    if type(error).__module__.startswith("redis."):
        return "their Redis does not answer. Start it again, or look at its log."
    return None

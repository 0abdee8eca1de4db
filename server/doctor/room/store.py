"""What a class needs before its server starts: the store, and disk for it."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from server.classes.stores import open_store, own_folder
from server.doctor.finding import Finding
from server.settings import Settings

MB = 1e6
NEEDED_MB = 200  # a class of 500 that draws and writes for twelve hours takes far less
SLOW_MS = 50


def store(settings: Settings) -> Iterator[Finding]:
    """Where classes are kept: a folder that can be written, with free disk, or Redis."""
    where = settings.class_store or str(own_folder("classes"))
    is_redis = where.startswith(("redis://", "rediss://"))
    shown = f"Redis at {where.rpartition('@')[2]}" if is_redis else where  # without its password
    begin = time.monotonic()
    try:
        opened = open_store(settings)
        opened.version()
        opened.close()
    except Exception as error:  # whatever the store's library raises
        advice = (
            "Start Redis, or leave HEADLIGHT_CLASS_STORE out to use a folder."
            if is_redis
            else "Set HEADLIGHT_CLASS_STORE to a folder that this account may write to."
        )
        yield Finding("store", "problem", f"{shown}: {error}", advice)
        return
    took = (time.monotonic() - begin) * 1000
    if is_redis and took > SLOW_MS:
        advice = "Every change waits for it: use one that is nearer."
        yield Finding("store", "warning", f"{shown} takes {took:.0f} ms to answer", advice)
    elif is_redis:
        yield Finding("store", "ok", f"{shown} answers in {took:.0f} ms")
    else:
        yield _disk(where)


def _disk(where: str) -> Finding:
    free = shutil.disk_usage(Path(where)).free / MB
    found = f"{where}, {free:,.0f} MB free"
    if free < NEEDED_MB:
        advice = f"Free {NEEDED_MB} MB, or set HEADLIGHT_CLASS_STORE to a folder on another disk."
        return Finding("store", "problem", found, advice)
    return Finding("store", "ok", found)

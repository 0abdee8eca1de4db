"""Where models are kept that were fetched or converted: once for all servers of a machine."""

import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from model.errors import CheckpointError

log = logging.getLogger("headlight")


def cache_folder() -> Path:
    """HEADLIGHT_CACHE, or the place where programs of this user keep what they can get again."""
    own = os.environ.get("HEADLIGHT_CACHE")
    if own:
        return Path(own).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "headlight"


def keep(path: Path, content: bytes) -> None:
    """Keep what was computed, for whoever asks next; where nothing can be written, do not."""
    part = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        part.replace(path)  # a half-written one never has its name
    except OSError as error:
        log.debug("%s is not kept: %s", path.name, error)


@contextmanager
def filling(folder: Path) -> Iterator[Path]:
    """An empty folder beside this one, which takes its place once the block has filled it.

    Who is interrupted leaves nothing half done; of two processes that fill it at once, the first
    one wins.

    Raises:
        CheckpointError: nothing can be written there.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise CheckpointError(
            f"{folder.parent} cannot be written to: {error.strerror}. Set HEADLIGHT_CACHE to a "
            "folder that can."
        ) from error
    try:
        yield part
        part.chmod(0o755)  # who makes an image is not who runs it
        for path in part.iterdir():
            if path.is_file():
                path.chmod(0o644)
        try:
            part.rename(folder)
        except OSError:
            if not folder.is_dir():  # else another process was first
                raise
    except OSError as error:
        raise CheckpointError(
            f"{folder} could not be written: {error.strerror or error}. Free some space, or set "
            "HEADLIGHT_CACHE to a folder on another disk."
        ) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)

"""The folder and the small files of a checkpoint."""

import json
from pathlib import Path
from typing import Any

from model.errors import CheckpointError


def is_missing_folder(location: str) -> bool:
    """Whether it is the path of a folder, or a GGUF file, that does not exist, and no hub id."""
    folder = Path(location).expanduser()
    if folder.suffix == ".gguf":
        return not folder.is_file()
    is_path = folder.is_absolute() or location.startswith((".", "~")) or location.count("/") > 1
    return is_path and not folder.is_dir()


def read_json(path: Path) -> dict[str, Any]:
    """A file that holds a JSON object, as all of a checkpoint's do.

    Raises:
        CheckpointError: it cannot be read, or holds something else.
    """
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path} cannot be read as JSON: {error}.") from error
    if not isinstance(raw, dict):
        raise CheckpointError(f"{path}: expected a JSON object; got {type(raw).__name__}.")
    return raw

"""Reads the small files of a checkpoint."""

import json
from pathlib import Path
from typing import Any

from model.errors import CheckpointError


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

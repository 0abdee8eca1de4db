"""Reads a checkpoint's small files, and shortens what a library says about them."""

import json
from pathlib import Path
from typing import Any

from model.errors import CheckpointError


def read_json(path: Path) -> dict[str, Any]:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path} cannot be read as JSON: {error}.") from error
    if not isinstance(raw, dict):
        raise CheckpointError(f"{path}: expected a JSON object; got {type(raw).__name__}.")
    return raw


def summary(error: Exception) -> str:
    """The first line of a library's message, truncated."""
    text = str(error).strip().split("\n")[0] or type(error).__name__
    return text if len(text) <= 300 else text[:299] + "…"

"""A model that the page computes itself: its checkpoint is inside."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from server.api.schemas.settings import SETTINGS
from server.pages.export.compact import compact
from server.pages.export.page import Contents
from server.run.models import Models


def live(
    models: Models,
    name: str,
    folder: Path,
    gallery: Sequence[Mapping[str, Any]],
    limits: Mapping[str, int],
) -> Contents:
    """The contents of a file with a native checkpoint and the mechanisms from scratch.

    Raises:
        CheckpointError: the checkpoint cannot be loaded.
    """
    for each in (name, *SETTINGS):
        models.load(each)
    rows = [row.model_dump() for row in models.describe() if row.name in (name, *SETTINGS)]
    types = {name: "native"} | {each: each for each in SETTINGS}
    sources = [{"type": kind, "name": each} for each, kind in types.items()]
    weights = compact(folder)
    return Contents(
        models=rows,
        gallery=gallery,
        limits=limits,
        inside={
            "sources.json": json.dumps(sources).encode(),
            f"{name}/config.json": _config(folder),
            f"{name}/tokenizer.json": (folder / "tokenizer.json").read_bytes(),
            f"{name}/model.safetensors": weights.weights,
        },
        about=[*_about(rows[0]), f"Weights: {weights.name}; {weights.agreement}."],
    )


def _config(folder: Path) -> bytes:
    """The configuration without the checksum, which is that of the full weights."""
    config = json.loads((folder / "config.json").read_bytes())
    config.pop("sha256", None)
    return json.dumps(config).encode()


def _about(row: Mapping[str, Any]) -> list[str]:
    return [
        "This page is one file, made by Headlight. It carries the model and computes every number "
        "itself, so it works without a network, and its content policy keeps it from loading or "
        "sending anything.",
        f"Model: {row['name']}. {row['description']} Licence: {row['licence'] or 'not stated'}. "
        f"{row['n_parameters']:,} parameters. SHA-256 of its weights: {row['weights']}.",
    ]

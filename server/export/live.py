"""A model that the page computes itself: its checkpoint is inside."""

import json
from pathlib import Path
from typing import Any

from model.checkpoint import FILES
from server.export.page import Contents
from server.models import Models
from server.schemas.settings import SETTINGS


def live(
    models: Models, name: str, folder: Path, gallery: list[dict[str, Any]], limits: dict[str, int]
) -> Contents:
    """The contents of a file with a native checkpoint and the mechanisms from scratch.

    Raises:
        CheckpointError: the checkpoint cannot be loaded.
    """
    for each in (name, *SETTINGS):
        models.load(each)
    rows = [row.model_dump() for row in models.describe() if row.name in (name, *SETTINGS)]
    return Contents(
        models=rows,
        gallery=gallery,
        limits=limits,
        inside={
            "sources.json": json.dumps(
                [{"type": "native", "name": name}, *({"type": each} for each in SETTINGS)]
            ).encode(),
            **{f"{name}/{file}": (folder / file).read_bytes() for file in FILES},
        },
        about=_about(rows[0]),
    )


def _about(row: dict[str, Any]) -> list[str]:
    licence = row["licence"] or "not stated"
    return [
        "This page is one file, made by Headlight. It carries the model and computes every number "
        "itself, so it works without a network, and its content policy keeps it from loading or "
        "sending anything.",
        f"Model: {row['name']}, {row['description']} Licence: {licence}. "
        f"{row['n_parameters']:,} parameters.",
    ]

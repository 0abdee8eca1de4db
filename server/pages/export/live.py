"""A model that the page computes itself: its checkpoint is inside."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from safetensors.torch import save

from model.core.checkpoint import config_of
from model.message import Message
from model.sources.native import NativeSource
from server.api.schemas.settings import SETTINGS
from server.pages.export.compact import compact
from server.pages.export.packing import in_byte_planes
from server.pages.export.page import Contents
from server.pages.export.recorded import hash_of, model_of
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
    weights = compact(folder)
    with models.use(name) as source:
        assert isinstance(source, NativeSource)
        about = Message(
            "Weights: {name}; {agreement}.", name=weights.name, agreement=str(weights.agreement)
        )
        return _contents(models, source, weights.weights, gallery, limits, about)


def live_of(models: Models, source: NativeSource, limits: Mapping[str, int]) -> Contents:
    """The same for another native model, or a step of its film: with its exact weights."""
    weights = in_byte_planes(save(source.model.state_dict()))
    return _contents(models, source, weights, [], limits, Message("Weights: exact, as float32."))


def _contents(
    models: Models,
    source: NativeSource,
    weights: bytes,
    gallery: Sequence[Mapping[str, Any]],
    limits: Mapping[str, int],
    told: str,
) -> Contents:
    name = source.info.name
    known = {row.name: row.model_dump() for row in models.describe(name)}
    # the other steps of a film are not in the file, nor is a sister
    rows = [known[each] | dict.fromkeys(("film", "step", "sister")) for each in (name, *SETTINGS)]
    types = {name: "native"} | {each: each for each in SETTINGS}
    sources = [{"type": kind, "name": each} for each, kind in types.items()]
    return Contents(
        models=rows,
        gallery=gallery,
        limits=limits,
        inside={
            "sources.json": json.dumps(sources).encode(),
            f"{name}/config.json": json.dumps(config_of(source.checkpoint)).encode(),
            f"{name}/tokenizer.json": source.tokenizer.written.encode(),
            f"{name}/model.safetensors": weights,
        },
        about=[*_about(rows[0]), told],
    )


def _about(row: Mapping[str, Any]) -> list[str]:
    return [
        Message(
            "This page is one file, made by Headlight. It carries the model and computes every "
            "number itself, so it works without a network, and its content policy keeps it from "
            "loading or sending anything."
        ),
        model_of(row),
        Message("{n} parameters.", n=row["n_parameters"]),
        hash_of(row["weights"]),
    ]

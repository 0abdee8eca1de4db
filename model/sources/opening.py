"""Open a source from a folder or a hub id, whatever the format of the checkpoint."""

import json
from importlib.util import find_spec
from pathlib import Path

from headlight.extras import install
from model.core.checkpoint import check_checkpoint
from model.errors import CheckpointError
from model.sources.native import NativeSource
from model.sources.registry import Progress
from model.sources.source import Source


def open_source(
    name: str,
    location: str,
    progress: Progress = lambda share: None,
    *,
    device: str = "cpu",
    dtype: str = "float32",
) -> Source:
    """Open a checkpoint made by `headlight train`, or one of Transformers.

    Only the latter runs on another device than the CPU, or in other numbers than float32.

    Raises:
        CheckpointError: it does not exist or cannot be loaded, or the extra `pretrained` is
            missing.
    """
    folder = Path(location).expanduser()
    if _is_native(folder):
        return NativeSource(name, folder)
    _need_transformers(location)
    # imported here, because a server with only the shipped model may not have the extra installed
    from model.sources.pretrained.opening.device import choose
    from model.sources.pretrained.source import PretrainedSource

    return PretrainedSource.load(name, location, progress, choose(device, dtype))


def check_folder(folder: Path) -> None:
    """Check what can be checked of a checkpoint without loading it.

    Raises:
        CheckpointError: `open_source` would not open it either.
    """
    if _is_native(folder):
        check_checkpoint(folder)
        return
    _need_transformers(str(folder))
    from model.sources.pretrained.opening.loading import check

    check(folder)


def downloaded(hub_id: str) -> Path | None:
    """The folder of a checkpoint that was downloaded before; None if it was not. Asks no hub.

    Raises:
        CheckpointError: the extra `pretrained` is missing.
    """
    _need_transformers(hub_id)
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return Path(snapshot_download(hub_id, local_files_only=True))
    except (LocalEntryNotFoundError, ValueError):  # the latter: it cannot be a hub id
        return None


def _need_transformers(location: str) -> None:
    if find_spec("transformers") is None:
        raise CheckpointError(
            f"{location} is a Transformers checkpoint, which needs the extra `pretrained`: "
            f"{install('pretrained')}"
        )


def _is_native(folder: Path) -> bool:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(config, dict) and config.get("architecture") == "headlight"

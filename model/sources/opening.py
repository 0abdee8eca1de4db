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

CONVERTING = 0.8  # the share of the time that a GGUF file takes to be read back, the first time


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
    need_transformers(location)
    # imported here, because a server with only the shipped model may not have the extra installed
    from model.sources.pretrained.opening.device import choose
    from model.sources.pretrained.opening.gguf import folder_of, is_gguf
    from model.sources.pretrained.source import PretrainedSource

    whole = progress
    if is_gguf(location):
        location = str(folder_of(folder, lambda share: whole(CONVERTING * share)))

        def progress(share: float) -> None:
            whole(CONVERTING + (1 - CONVERTING) * share)

    return PretrainedSource.load(name, location, progress, choose(device, dtype))


def check_folder(folder: Path) -> None:
    """Check what can be checked of a checkpoint without loading it.

    Raises:
        CheckpointError: `open_source` would not open it either.
    """
    if _is_native(folder):
        check_checkpoint(folder)
        return
    need_transformers(str(folder))
    from model.sources.pretrained.opening.loading import check

    check(folder)


def downloaded(hub_id: str) -> Path | None:
    """The folder of a checkpoint that was downloaded before; None if it was not. Asks no hub.

    Raises:
        CheckpointError: the extra `pretrained` is missing.
    """
    need_transformers(hub_id)
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    from model.sources.pretrained.opening.place import at_revision

    name, revision = at_revision(hub_id)
    try:
        return Path(snapshot_download(name, revision=revision, local_files_only=True))
    except (LocalEntryNotFoundError, ValueError):  # the latter: it cannot be a hub id
        return None


def need_transformers(location: str) -> None:
    """Refuse what Transformers would open if it is not installed.

    Raises:
        CheckpointError: the extra `pretrained` is missing.
    """
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

"""Saves an unfinished dossier next to the file that it will be, and goes on with it."""

import json
from collections.abc import Mapping
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from model.dossier.accumulated import Accumulated
from model.errors import CheckpointError

Fingerprint = Mapping[str, str | int | None]  # what determines every number, by name


def state_of(out: Path) -> Path:
    """The file that holds what is done so far."""
    return out.with_name(f"{out.name}.unfinished")


def save_state(out: Path, so_far: Accumulated, fingerprint: Fingerprint) -> None:
    """Write what is done. If the process is killed meanwhile, the old file stays.

    Raises:
        CheckpointError: the folder cannot be written to.
    """
    path = state_of(out)
    written = path.with_name(f"{path.name}.part")
    metadata = {"fingerprint": json.dumps(dict(fingerprint)), "words": so_far.words}
    try:
        save_file(so_far.tensors, written, metadata)
        written.replace(path)
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"Cannot write {path}: {error}.") from error


def resume(out: Path, fingerprint: Fingerprint) -> Accumulated | None:
    """What an unfinished run of the same model, texts and settings had done; None: nothing.

    Raises:
        CheckpointError: the file belongs to another run, or is corrupt.
    """
    path = state_of(out)
    if not path.exists():
        return None
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata()
            found: dict[str, object] = json.loads(metadata["fingerprint"])
            _check_same(path, found, fingerprint)
            # cloned: the file is to be replaced while they are in use
            tensors = {name: file.get_tensor(name).clone() for name in file.keys()}
        return Accumulated.restored(tensors, metadata["words"])
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise CheckpointError(
            f"{path} should hold an unfinished dossier but cannot be read: {error}. Remove it to "
            "start over."
        ) from error


def _check_same(path: Path, found: Mapping[str, object], wanted: Fingerprint) -> None:
    other = [name for name in wanted if found.get(name) != wanted[name]]
    if other:
        what = "; ".join(
            f"{name}: {_short(found.get(name))} there, {_short(wanted[name])} here"
            for name in other
        )
        raise CheckpointError(
            f"{path} holds an unfinished dossier of something else ({what}). Finish it with what "
            "it was begun with, remove it to start over, or write to another file with -o."
        )


def _short(value: object) -> str:
    """A hash by its first digits."""
    text = str(value)
    return f"{text[:12]}…" if len(text) == 64 else text

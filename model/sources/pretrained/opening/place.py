"""Finds the folder of a checkpoint: a local one, or one downloaded from a hub."""

from pathlib import Path

from huggingface_hub import constants, snapshot_download
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    LocalEntryNotFoundError,
    RepositoryNotFoundError,
)

from model.errors import CheckpointError
from model.files import is_missing_folder

# Files to download from a hub: no pickles, no code, no weights for other frameworks.
WANTED = ("*.safetensors", "*.safetensors.index.json", "*.json", "*.txt", "*.model", "README.md")
UNWANTED = ("onnx/*", "openvino/*", "original/*", "*/*.safetensors")


def revision_of(folder: Path) -> str | None:
    """The commit of a folder in the cache of a hub; None for any other folder."""
    return folder.name if folder.parent.name == "snapshots" else None


def at_revision(place: str) -> tuple[str, str | None]:
    """A hub id and its revision (a branch, a tag, a commit), written as id@revision."""
    hub_id, _, revision = place.partition("@")
    return hub_id, revision or None


def find_folder(place: str) -> Path:
    """The local folder of a checkpoint, downloaded first if it is on a hub."""
    folder = Path(place).expanduser()
    if folder.is_dir():
        return folder
    if is_missing_folder(place):
        raise CheckpointError(f"Expected a folder at {place}, but there is none.")
    hub_id, revision = at_revision(place)
    try:
        found = snapshot_download(
            hub_id,
            revision=revision,
            allow_patterns=[*WANTED],
            ignore_patterns=[*UNWANTED],
        )
    except GatedRepoError as error:
        raise CheckpointError(
            f"{place} is gated: accept its terms on its page, log in with `hf auth login`, and try "
            "again."
        ) from error
    except RepositoryNotFoundError as error:
        raise CheckpointError(
            f"There is no folder {place} here, and no such model on the hub. Check the name."
        ) from error
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError, ValueError) as error:
        offline = " HF_HUB_OFFLINE is set." if constants.HF_HUB_OFFLINE else ""
        raise CheckpointError(
            f"There is no folder {place} here, and it could not be downloaded.{offline} Give a "
            "local folder, or download it once while online."
        ) from error
    return Path(found)

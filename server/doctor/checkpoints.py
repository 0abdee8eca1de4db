"""The models: whether each checkpoint exists, and what loading it says. None is downloaded."""

from collections.abc import Iterator
from pathlib import Path

from model.errors import HeadlightError
from server.doctor.finding import Finding
from server.doctor.network import is_offline
from server.settings import Settings

MB = 1e6


def shipped(settings: Settings) -> Iterator[Finding]:
    from model.core.checkpoint import SHIPPED, check_checkpoint

    folder = settings.shipped or SHIPPED
    try:
        check_checkpoint(folder)
    except HeadlightError as error:
        yield Finding("shipped", "problem", error.message)
    else:
        yield Finding("shipped", "ok", f"{_size(folder)} in {folder}")


def models(settings: Settings) -> Iterator[Finding]:
    """Those of HEADLIGHT_MODELS."""
    from server.run.finding import loaders, named

    try:
        loaders(settings)
    except HeadlightError as error:
        yield Finding("models", "problem", error.message)
        return
    for entry in settings.models:
        name, location = named(entry)
        try:
            yield _found(name, location, settings)
        except HeadlightError as error:
            yield Finding(name, "problem", error.message)


def _found(name: str, location: str, settings: Settings) -> Finding:
    """
    Raises:
        HeadlightError: it cannot be loaded.
    """
    from model.sources.known import located
    from model.sources.opening import downloaded
    from server.run.finding import check_place

    check_place(name, location)
    location = located(location)
    local = Path(location).expanduser()
    if local.exists():  # a folder, or a GGUF file
        shown = _loaded(name, local, settings)
        return Finding(name, "ok", f"{_size(local)} in {local}; {shown}")
    folder = downloaded(location)
    if folder is not None:
        shown = _loaded(name, folder, settings)
        found = f"{_size(folder)}, downloaded from the hub as {location}; {shown}"
        return Finding(name, "ok", found)
    missing = f"there is no folder {location} here, and no earlier download of that name"
    if is_offline():
        advice = "Check the name, or download it on a machine that is online and copy the folder."
        return Finding(name, "problem", f"{missing}; this machine is offline", advice)
    advice = f"It is downloaded when it is first used; before a class, run: hf download {location}"
    return Finding(name, "warning", missing, advice)


def _loaded(name: str, folder: Path, settings: Settings) -> str:
    """Load a checkpoint as the server would; returns what can be shown of it.

    Raises:
        HeadlightError: it cannot be loaded.
    """
    from model.sources.opening import check_folder
    from server.run.finding import open_model

    if folder.is_dir():
        check_folder(folder)  # what can be said without reading its weights
    lacks = open_model(f"{name}={folder}", settings).info.lacks
    return f"it loads, and only its patterns can be shown: {lacks}" if lacks else "it loads"


def _size(folder: Path) -> str:
    files = [folder] if folder.is_file() else folder.glob("*.safetensors")
    nbytes = sum(path.stat().st_size for path in files)
    return f"{nbytes / MB:,.1f} MB"

"""The models: whether each checkpoint exists and could be opened. None is loaded."""

from collections.abc import Iterator
from pathlib import Path

from model.errors import HeadlightError
from server.doctor.finding import Finding
from server.doctor.network import is_offline
from server.settings import Settings

MB = 1e6


def shipped(settings: Settings) -> Iterator[Finding]:
    from model.checkpoint import SHIPPED, check_checkpoint

    folder = settings.shipped or SHIPPED
    try:
        check_checkpoint(folder)
    except HeadlightError as error:
        yield Finding("shipped", "problem", error.message)
    else:
        yield Finding("shipped", "ok", f"{_size(folder)} in {folder}")


def models(settings: Settings) -> Iterator[Finding]:
    """Those of HEADLIGHT_MODELS."""
    from server.models import loaders, named

    try:
        loaders(settings)
    except HeadlightError as error:
        yield Finding("models", "problem", error.message)
        return
    for entry in settings.models:
        name, location = named(entry)
        try:
            yield _found(name, location)
        except HeadlightError as error:
            yield Finding(name, "problem", error.message)


def _found(name: str, location: str) -> Finding:
    """
    Raises:
        HeadlightError: it cannot be opened.
    """
    from model.sources.opening import check_folder, downloaded
    from server.models import check_place

    check_place(name, location)
    local = Path(location).expanduser()
    if local.is_dir():
        check_folder(local)
        return Finding(name, "ok", f"{_size(local)} in {local}")
    folder = downloaded(location)
    if folder is not None:
        check_folder(folder)
        return Finding(name, "ok", f"{_size(folder)}, downloaded from the hub as {location}")
    missing = f"there is no folder {location} here, and no earlier download of that name"
    if is_offline():
        advice = "Check the name, or download it on a machine that is online and copy the folder."
        return Finding(name, "problem", f"{missing}; this machine is offline", advice)
    advice = f"It is downloaded when it is first used; before a class, run: hf download {location}"
    return Finding(name, "warning", missing, advice)


def _size(folder: Path) -> str:
    nbytes = sum(path.stat().st_size for path in folder.glob("*.safetensors"))
    return f"{nbytes / MB:,.1f} MB"

"""The folder of an exported course. It holds nothing else, so that nothing else is lost."""

import json
from collections.abc import Mapping
from pathlib import Path

from model.errors import InputError

LIST = "headlight.json"  # names the files of an export


def write(folder: Path, files: Mapping[str, bytes], *, force: bool = False) -> int:
    """Write an export in place of an earlier one, and return its size in bytes.

    Args:
        files: by path in the folder.
        force: leave other files in the folder where they are.

    Raises:
        InputError: it is not a folder, or holds other files.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"Expected a folder for the course; {folder} is a file.")
    earlier = _earlier(folder)
    held = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    others = sorted(held - earlier)
    if others and not force:
        raise InputError(
            f"Expected a new folder, an empty one or an earlier export; {folder} also holds "
            f"{others[0]!r}{f' and {len(others) - 1:,} more files' if others[1:] else ''}. Choose "
            "another folder, or add --force to write beside them."
        )
    contents = {**files, LIST: json.dumps({"files": sorted(files)}, indent=2).encode() + b"\n"}
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for name in earlier & held - contents.keys():
        (folder / name).unlink()
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    return sum(map(len, contents.values()))


def _earlier(folder: Path) -> set[str]:
    """The files of an earlier export in this folder."""
    try:
        found = json.loads((folder / LIST).read_bytes())["files"]
        names = {name for name in found if isinstance(name, str)}
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    return {LIST, *names}

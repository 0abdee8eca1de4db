"""What static/ holds at one moment, packed or plain, and the addresses that it has then.

Every address begins with the digest of all of it. Modules import each other by relative paths, so
that those carry it too: a browser may keep each file for ever, and never mixes two releases.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from posixpath import normpath

from server.assets.folders import PACKED, STATIC, TEMPLATES
from server.assets.kept import Kept
from server.assets.packing import SCRIPTS, digest_of, files_in, sheets_of

IN_PACK = "packed/"  # what the paths of packed files begin with
MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}

# Where a module imports another, as our formatter writes it. It serves to load plain modules early:
# what it does not find is loaded when the browser finds it.
_IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"(\.[^"]+\.js)"', re.MULTILINE)


@dataclass(frozen=True)
class Release:
    """All files, read at once, so that none of them changes under its address."""

    digest: str
    files: Mapping[str, bytes]  # by path under static/; packed ones too, if there is a pack

    @cached_property
    def is_packed(self) -> bool:
        return any(path.startswith(IN_PACK) for path in self.files)

    def address(self, path: str) -> str:
        """Of a file under static/."""
        if path not in self.files:
            raise FileNotFoundError(f"static/{path}")
        return f"/static/{self.digest}/{path}"

    def script(self, name: str) -> str:
        """Of a script, by its name in `SCRIPTS`."""
        return self.address(f"{IN_PACK}{name}" if self.is_packed else SCRIPTS[name])

    def sheets(self, name: str) -> list[str]:
        """Of style sheets, by their name in `SHEETS`."""
        paths = [f"{IN_PACK}{name}"] if self.is_packed else sheets_of(name)
        return [self.address(path) for path in paths]

    def preloads(self, name: str) -> list[str]:
        """Of the modules that a script imports; a packed one imports none."""
        if self.is_packed:
            return []
        return [self.address(path) for path in self._imported(SCRIPTS[name])]

    def _imported(self, entry: str) -> list[str]:
        found, left = {entry: None}, [entry]
        while left:
            module = left.pop()
            folder = PurePosixPath(module).parent
            for relative in _IMPORT.findall(self.files[module].decode()):
                path = normpath(folder / relative)
                if path in self.files and path not in found:
                    found[path] = None
                    left.append(path)
        return [path for path in found if path != entry]

    @cached_property
    def _kept(self) -> dict[str, Kept]:
        return {}

    def kept(self, path: str) -> Kept | None:
        """A file, ready to be sent; None if there is none."""
        if path not in self.files:
            return None
        if path not in self._kept:
            kind = MEDIA_TYPES.get(PurePosixPath(path).suffix, "application/octet-stream")
            self._kept[path] = Kept(self.files[path], kind)
        return self._kept[path]

    def compress(self) -> None:
        """Compress what every visitor loads, before the first one comes."""
        for path in self.files:
            kept = self.kept(path) if self.is_packed == path.startswith(IN_PACK) else None
            if kept is not None:
                kept.compress()


def current() -> Release:
    """The release of the files as they are now; a changed template makes another one, too."""
    return _read(*(tuple(_state(folder)) for folder in (STATIC, PACKED, TEMPLATES)))


@lru_cache(maxsize=1)
def _read(*_: object) -> Release:
    """The arguments say when to read again."""
    plain = files_in(STATIC)
    digest = digest_of(plain)
    pack = files_in(PACKED / digest)
    return Release(digest, {**plain, **{f"{IN_PACK}{name}": pack[name] for name in pack}})


def _state(folder: Path | str) -> Iterator[tuple[str, int, int]]:
    """What changes with the files of a folder."""
    try:
        entries = list(os.scandir(folder))
    except FileNotFoundError:
        return
    for entry in entries:
        if entry.is_dir():
            yield from _state(entry.path)
        else:
            stat = entry.stat()
            yield entry.path, stat.st_mtime_ns, stat.st_size

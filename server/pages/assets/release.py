"""A snapshot of static/, packed or plain, and the URLs of its files.

Every URL starts with the digest of the whole snapshot. Modules import each other by relative paths
and so inherit it. A browser can cache each file for ever and never mixes two releases.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import ClassVar

from markupsafe import Markup

from model.lazy import lazy
from server.pages.assets.encoded import EncodedBody
from server.pages.assets.folders import PACKED, STATIC, TEMPLATES
from server.pages.assets.packing import BROTLI, SCRIPTS, digest_of, files_in, sheets_of

IN_PACK = "packed/"  # path prefix of packed files
MEDIA_TYPES = {
    ".js": "text/javascript",
    ".json": "application/json",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}

# An import as our formatter writes it. Used only to preload plain modules: the browser loads an
# import that this misses a little later.
_IMPORT = re.compile(
    r'^(?:import|(?:import|export)\b[^;"(]*\bfrom) "(\.[^"]+\.js(?:on)?)"', re.MULTILINE
)
# A part that comes later (static/js/dom/coming.js)
_PART = re.compile(r'=> import\("(\.[^"]+\.js)"\)')


@dataclass(frozen=True, eq=False)  # each is a key of caches
class Release:
    """All files, read at once, so that none of them changes under its URL."""

    digest: str
    files: Mapping[str, bytes]  # by path under static/; includes the packed ones if there are any

    # of pages that no server gives: server/pages/export has others
    policy: ClassVar[str | None] = None  # their content policy; a server's is in its headers
    about: ClassVar[tuple[str, ...]] = ()  # what to say about them
    root: ClassVar[str | None] = None  # in an exported course: from the page to the top folder

    @lazy
    def is_packed(self) -> bool:
        return any(path.startswith(IN_PACK) for path in self.files)

    def address(self, path: str) -> str:
        """The URL of a file under static/."""
        if path not in self.files:
            raise FileNotFoundError(f"static/{path}")
        return f"/static/{self.digest}/{path}"

    def script(self, name: str) -> str:
        """The URL of a script, by its name in `SCRIPTS`."""
        return self.address(f"{IN_PACK}{name}" if self.is_packed else SCRIPTS[name])

    def sheets(self, name: str) -> list[str]:
        """The URLs of style sheets, by their name in `SHEETS`."""
        paths = [f"{IN_PACK}{name}"] if self.is_packed else sheets_of(name)
        return [self.address(path) for path in paths]

    def preloads(self, name: str) -> list[str]:
        """The URLs of the modules that a script imports; a packed one imports none."""
        if self.is_packed:
            return []
        imported = self._imported(SCRIPTS[name])
        return [self.address(path) for path in imported if path.endswith(".js")]

    def style(self, name: str) -> Markup:
        """The elements for the style sheets of a name in `SHEETS`."""
        link = Markup('<link rel="stylesheet" href="{}">')
        return _lines(link.format(address) for address in self.sheets(name))

    def classic(self, path: str) -> Markup:
        """The element for a script under static/ that runs at once, before anything is drawn."""
        return Markup('<script src="{}"></script>').format(self.address(path))

    def module(self, name: str) -> Markup:
        """The elements for a script of a name in `SCRIPTS`, with what it imports."""
        script = Markup('<script type="module" src="{}"></script>').format(self.script(name))
        preload = Markup('<link rel="modulepreload" href="{}">')
        return _lines([script, *(preload.format(address) for address in self.preloads(name))])

    def modules(self, name: str) -> list[str]:
        """The script of a name in `SCRIPTS` and all that it imports, by path under static/.

        Tables (*.json), too.
        """
        return [SCRIPTS[name], *self._imported(SCRIPTS[name])]

    def later(self, name: str) -> list[str]:
        """What else its parts are made of."""
        first = set(self.modules(name))
        return [path for path in self._imported(SCRIPTS[name], later=True) if path not in first]

    def _imported(self, entry: str, later: bool = False) -> list[str]:
        found, left = {entry: None}, [entry]
        while left:
            module = left.pop()
            folder = PurePosixPath(module).parent
            source = self.files[module].decode()
            imports = _IMPORT.findall(source) + (_PART.findall(source) if later else [])
            for relative in imports:
                path = normpath(folder / relative)
                if path in self.files and path not in found:
                    found[path] = None
                    left.append(path)
        return [path for path in found if path != entry]

    @lazy
    def _bodies(self) -> dict[str, EncodedBody]:
        return {}

    def body(self, path: str) -> EncodedBody | None:
        """A file as a response body; None if there is no such file."""
        if path not in self.files:
            return None
        if path not in self._bodies:
            kind = MEDIA_TYPES.get(PurePosixPath(path).suffix, "application/octet-stream")
            compressed = self.files.get(f"{path}{BROTLI}")
            encoded = {} if compressed is None else {"br": compressed}
            self._bodies[path] = EncodedBody(self.files[path], kind, encoded)
        return self._bodies[path]


def _lines(elements: Iterable[Markup]) -> Markup:
    return Markup("\n    ").join(elements)


def current() -> Release:
    """The release of the current files. A changed template also makes a new one."""
    return _read(*(tuple(_state(folder)) for folder in (STATIC, PACKED, TEMPLATES)))


@lru_cache(maxsize=1)
def _read(*_: object) -> Release:
    """Read the release. The arguments are the cache key: they change when a file does."""
    plain = files_in(STATIC)
    digest = digest_of(plain)
    pack = files_in(PACKED / digest)
    return Release(digest, {**plain, **{f"{IN_PACK}{name}": pack[name] for name in pack}})


def _state(folder: Path | str) -> Iterator[tuple[str, int, int]]:
    """Path, modification time and size of each file in a folder."""
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

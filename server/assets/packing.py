"""What a visitor's page is packed into: `scripts.pack` makes it, `server.assets.release` finds it.

Working on the page needs no packing: there the browser loads its modules one by one. A pack lies in
packed/, in a folder named after all that it was made of, so that one of other files is never found.
Standard library only: this is imported where a wheel is built.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

# What is packed, under its new name: a module with all that it imports. The worker's address is
# relative to the module that starts it, so that all lie in one folder.
SCRIPTS = {
    "main.js": "js/main.js",
    "learn.js": "js/learn/main.js",
    "decode-worker.js": "js/api/decode-worker.js",
}

# Style sheets, in the order in which they override each other. They are joined as they are.
SHEETS = {
    "page.css": (
        *("tokens", "base", "layout", "inputs", "components", "heads", "instruments", "gallery"),
        *("lines", "inside", "compare", "paint", "predict", "colours", "save", "scratch"),
    ),
    "learn.css": ("learn", "figure"),
}

# For the bundler. Without source maps: the plain modules are what one debugs.
FLAGS = ("--target=browser", "--format=esm", "--minify", "--sourcemap=none")

DIGEST_LENGTH = 12


def sheets_of(name: str) -> tuple[str, ...]:
    """The plain files of a packed style sheet, as paths under static/."""
    return tuple(f"css/{sheet}.css" for sheet in SHEETS[name])


def digest_of(files: Mapping[str, bytes]) -> str:
    """Names a release: what static/ holds, by path, and how it is packed."""
    hashed = hashlib.sha256(json.dumps([SCRIPTS, SHEETS, FLAGS]).encode())
    for path in sorted(files):
        hashed.update(f"\n{path} {len(files[path])}\n".encode() + files[path])
    return hashed.hexdigest()[:DIGEST_LENGTH]


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, by its path in there."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }

"""How the page's files are packed: `scripts.pack` packs them, `release.py` finds them.

Developing the page needs no packing: the browser then loads the modules one by one. A pack lies in
a folder of packed/ named after a digest of its inputs, so an outdated pack is never used. This
module imports only the standard library, because it is also used to build the wheel.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

# Packed name → entry module, bundled with everything that it imports. They lie in one folder
# because a worker's URL is relative to the module that starts it.
SCRIPTS = {
    "main.js": "js/main.js",
    "learn.js": "js/learn/main.js",
    "class.js": "js/live/class.js",
    "class-lesson.js": "js/live/lesson.js",
    "join.js": "js/live/join.js",
    "desk.js": "js/live/desk/desk.js",
    "train.js": "js/train/main.js",
    "study.js": "js/study/main.js",
    "start.js": "js/start.js",  # for server/pages/export
    "engine-worker.js": "js/api/threads/engine-worker.js",
    "decode-worker.js": "js/api/decode-worker.js",
    "own-worker.js": "js/api/threads/own-worker.js",
}

# Scripts with parts that come later (static/js/dom/coming.js), each of which is packed as a script
# of its own. A page that carries its scripts takes them whole.
IN_PARTS = ("main.js", "learn.js", "desk.js", "train.js", "study.js")
CARRIED = ("main.js", "learn.js")

# Style sheets in cascade order. They are joined without their comments.
SHEETS = {
    "page.css": (
        *(
            "tokens",
            "base",
            "layout",
            "inputs",
            "components",
            "head",
            "drawer",
            "heads",
            "overview",
            "panels",
            "film",
            "instruments",
            "gallery",
        ),
        *("lines", "inside", "inside-keys", "inside-words", "compare", "text", "paint", "predict"),
        *("attribution", "colours", "save", "scratch", "why", "paths", "explanations", "intervene"),
        *("map", "messages", "commands", "strip", "start", "present", "embed", "tour", "pointer"),
        *("own", "dossier", "patch", "circuits", "touch", "forced"),
    ),
    "learn.css": (
        *("learn", "lessons", "handout", "figure", "diagram", "programs", "workshop"),
        *("cards", "paper", "slides", "help", "train", "study"),
    ),
    # loaded only where a class is on
    "class.css": ("live", "activities", "results", "wall", "desk"),
}

# For the bundler. No source maps: use the plain modules for debugging.
FLAGS = ("--target=browser", "--format=esm", "--minify", "--sourcemap=none")

# A packed file that is sent has another of this name beside it, with what brotli makes of it.
BROTLI = ".br"
BROTLI_QUALITY = 10  # of 11; the last would save 2% more, and take three times as long

DIGEST_LENGTH = 12
_MADE = (".d.json.ts", "/wire.d.ts")  # by scripts/types.mjs


def whole(name: str) -> str:
    """The packed name of a script with all its parts."""
    return f"whole-{name}" if name in CARRIED else name


def sheets_of(name: str) -> tuple[str, ...]:
    """The files of a packed style sheet, as paths under static/."""
    return tuple(f"css/{sheet}.css" for sheet in SHEETS[name])


def digest_of(files: Mapping[str, bytes]) -> str:
    """The digest that names a release: the files of static/, by path, and how they are packed."""
    how = [SCRIPTS, IN_PARTS, CARRIED, SHEETS, FLAGS, BROTLI_QUALITY]
    hashed = hashlib.sha256(json.dumps(how).encode())
    for path in sorted(files):
        hashed.update(f"\n{path} {len(files[path])}\n".encode() + files[path])
    return hashed.hexdigest()[:DIGEST_LENGTH]


def files_in(folder: Path) -> dict[str, bytes]:
    """All files of a folder, by path relative to it, but those that are made for tools alone."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".") and not path.as_posix().endswith(_MADE)
    }

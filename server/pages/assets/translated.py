"""What the page's scripts say in each language: a script of its own, which they find ready.

Its address changes with its content, so that a browser keeps it for ever.
"""

import hashlib
import json
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import Literal, Protocol

from markupsafe import Markup

from model.gallery import GALLERY, load_gallery
from server.languages.catalogue import catalogue
from server.languages.table import ENGLISH, Language
from server.pages.assets.encoded import EncodedBody
from server.pages.assets.folders import ROOT
from server.pages.assets.packing import DIGEST_LENGTH
from server.pages.assets.release import Release

COMPUTES, ENGINE = "js/api/engine.js", "engine-worker.js"  # whose errors are said by the page
NAMES_HEADS = "js/words/labels.js"
# Words outside of static/, by the module that shows them
SHOWN = {
    "js/train/main.js": ("model/training/tasks/tasks.py",),
    "js/views/explanations/explanations.js": ("model/analysis/explanations/methods.py",),
    "js/state/examples.js": (
        "model/analysis/metrics.py",
        "model/dossier/measures.py",
        *(path.relative_to(ROOT).as_posix() for path in (ROOT / "model").rglob("config.json")),
    ),
}
_SCRIPT = "Object.assign((globalThis.headlightTranslations ??= {{}}), {});\n"


Share = Literal["first", "later", "whole"]


@dataclass(frozen=True)
class Translations:
    """What one script says in one language."""

    address: str
    source: str
    body: EncodedBody


@lru_cache(maxsize=64)
def translations(
    release: Release, language: Language, script: str, share: Share = "first"
) -> Translations:
    """Those of a script of `packing.SCRIPTS`.

    Args:
        share: what it says first, what its parts say later, or all of it.

    Raises:
        KeyError: there is no such script.
    """
    said = catalogue(language)
    words = dict(said.scripts(_files(release, script))) if share != "later" else {}
    if share != "later" and NAMES_HEADS in release.modules(script):
        words |= {english: said.say(english) for english in _labels()}
    if share != "first":
        words |= said.scripts(_files(release, script, later=True))
    keyed = {key_of(english): each for english, each in words.items()}
    source = _SCRIPT.format(json.dumps(keyed, ensure_ascii=False, separators=(",", ":")))
    if share == "first" and release.later(script):
        later = translations(release, language, script, "later").address
        source += f"globalThis.headlightLater = {json.dumps(later)};\n"
    digest = hashlib.sha256(source.encode()).hexdigest()[:DIGEST_LENGTH]
    address = f"/translations/{digest}/{language.code}/{share}/{script}"
    return Translations(address, source, EncodedBody(source.encode(), "text/javascript"))


@cache
def _labels() -> frozenset[str]:
    """What heads are called, and do, by the examples of the models in the package."""
    examples = (load_gallery(path.parent) for path in (ROOT / "model").rglob(GALLERY))
    return frozenset(
        words for entry in chain(*examples) for words in (entry.label, entry.does) if words
    )


def key_of(english: str) -> str:
    """The key of a message, as static/js/language/gettext.js has it, which says why."""
    hashed = 0x811C9DC5
    for unit in array("H", english.encode("utf-16-le")):
        hashed = (hashed ^ unit) * 0x01000193 % 2**32
    return f"{hashed:x}"


def _files(release: Release, script: str, later: bool = False) -> Iterator[str]:
    modules = release.later(script) if later else release.modules(script)
    engine = release.modules(ENGINE) if COMPUTES in modules else []
    yield from (f"static/{path}" for path in (*modules, *engine))
    for module in modules:
        yield from SHOWN.get(module, ())


class Carrier(Protocol):
    """What stands in for a release in a page that no server gives."""

    def translations(self, language: Language, name: str) -> Markup: ...


def script_of(release: Release | Carrier, language: Language, script: str) -> Markup:
    """The element that loads them; English has none, since it stands in the scripts themselves."""
    if language == ENGLISH:
        return Markup("")
    if isinstance(release, Release):
        address = translations(release, language, script).address
        return Markup('<script src="{}"></script>').format(address)
    return release.translations(language, script)

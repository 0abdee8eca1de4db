"""What the page's scripts say in each language: a script of its own, which they find ready.

Its address changes with its content, so that a browser keeps it for ever.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Protocol

from markupsafe import Markup

from model.gallery import GALLERY
from server.languages.catalogue import catalogue
from server.languages.table import ENGLISH, Language
from server.pages.assets.encoded import EncodedBody
from server.pages.assets.folders import ROOT
from server.pages.assets.packing import DIGEST_LENGTH
from server.pages.assets.release import Release

SHOWS_EXAMPLES = "js/state/examples.js"
COMPUTES, ENGINE = "js/api/engine.js", "engine-worker.js"  # whose errors are said by the page
SHOWS_TASKS, TASKS = "js/train/main.js", "model/training/tasks/tasks.py"
# Tables in Python that the inspector shows
TABLES = (
    "model/analysis/explanations/methods.py",
    "model/analysis/metrics.py",
    "model/dossier/measures.py",
)
MODELS = ROOT / "model"
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
    if share != "first":
        words |= said.scripts(f"static/{path}" for path in release.later(script))
    source = _SCRIPT.format(json.dumps(words, ensure_ascii=False, separators=(",", ":")))
    if share == "first" and release.later(script):
        later = translations(release, language, script, "later").address
        source += f"globalThis.headlightLater = {json.dumps(later)};\n"
    digest = hashlib.sha256(source.encode()).hexdigest()[:DIGEST_LENGTH]
    address = f"/translations/{digest}/{language.code}/{share}/{script}"
    return Translations(address, source, EncodedBody(source.encode(), "text/javascript"))


def _files(release: Release, script: str) -> Iterator[str]:
    modules = release.modules(script)
    engine = release.modules(ENGINE) if COMPUTES in modules else []
    yield from (f"static/{path}" for path in (*modules, *engine))
    if SHOWS_TASKS in modules:
        yield TASKS
    if SHOWS_EXAMPLES in modules:
        yield from TABLES
        told = (*MODELS.rglob(GALLERY), *MODELS.rglob("config.json"))
        yield from (path.relative_to(ROOT).as_posix() for path in told)


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

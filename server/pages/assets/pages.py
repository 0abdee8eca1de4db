"""HTML pages: rendered once, and again only when something that they show has changed."""

import re
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import Response

from server.languages.catalogue import catalogue
from server.languages.choice import keep, language_of, links_to
from server.languages.table import ENGLISH, Language
from server.pages.assets.encoded import REVALIDATE, EncodedBody
from server.pages.assets.folders import TEMPLATES
from server.pages.assets.release import Release, current
from server.pages.assets.translated import script_of


class _Rendered(NamedTuple):
    release: Release
    shows: tuple[object, ...]
    html: EncodedBody


# An indented line, or code, in which indentation means something
_INDENT = re.compile(r"(<pre\b.*?</pre>)|^[ \t]+", re.DOTALL | re.MULTILINE)


class _Unindented(FileSystemLoader):
    """Templates without their indentation, which would be a tenth of each page."""

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        source, path, is_current = super().get_source(environment, template)
        return _INDENT.sub(lambda found: found[1] or "", source), path, is_current


# Pages whose every word is in the catalogues; the others are in English, whoever reads them.
TRANSLATED = frozenset(
    {
        "class/desk.html",
        "class/join.html",
        "embed.html",
        "index.html",
        "password.html",
        "study.html",
        "train.html",
    }
)


def templates(language: Language = ENGLISH) -> Environment:
    """The templates of all pages, in a language. Data is escaped; a missing value is an error."""
    return _environment(TEMPLATES, language)


@lru_cache
def _environment(folder: Path, language: Language) -> Environment:
    said = catalogue(language)
    made = Environment(loader=_Unindented(folder), autoescape=True, undefined=StrictUndefined)
    made.globals |= {"_": said.html, "marked": said.marked, "said": said.text}
    made.globals |= {"language": language, "translations": partial(script_of, language=language)}
    return made


class Pages:
    """The pages of one app."""

    def __init__(self) -> None:
        self._rendered: dict[tuple[str, str, str], _Rendered] = {}

    def answer(
        self,
        request: Request,
        template: str,
        context: Callable[[], object],
        *,
        name: str = "",
        shows: tuple[object, ...] = (),
        status: int = 200,
    ) -> Response:
        """Respond with a template, rendered with a page's dataclass.

        Args:
            context: builds the dataclass.
            name: distinguishes pages of the same template.
            shows: everything that the page depends on apart from the files of this release.
        """
        is_translated = template in TRANSLATED
        language = language_of(request.scope) if is_translated else ENGLISH
        release, key = current(), (template, name, language.code)
        rendered = self._rendered.get(key)
        if rendered is None or rendered.release is not release or rendered.shows != shows:
            values = {**vars(context()), "release": release}
            if is_translated:
                values["languages"] = links_to()
            html = templates(language).get_template(template).render(values)
            rendered = _Rendered(release, shows, EncodedBody(html.encode(), "text/html"))
            self._rendered[key] = rendered
        response = rendered.html.response(request.headers, REVALIDATE, status)
        return keep(response, request.scope) if is_translated else response

"""HTML pages: rendered once, and again only when something that they show has changed."""

import re
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import Response

from model.message import Message
from server.languages.catalogue import catalogue
from server.languages.choice import keep, language_of, links_to
from server.languages.prose import prose, reworded
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


class _Loader(FileSystemLoader):
    """Templates without their indentation, which would be a tenth of each page.

    Those of the course are in a language, block by block.
    """

    def __init__(self, folder: Path, language: Language) -> None:
        super().__init__(folder)
        self._prose = prose(language)

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        source, path, is_current = super().get_source(environment, template)
        if self._prose and template.startswith(COURSE):
            source = reworded(source, self._prose)
        return _INDENT.sub(lambda found: found[1] or "", source), path, is_current


NOT_TRANSLATED = Message("This page is not translated yet.")
COURSE = "learn/"  # where the templates of the course are
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
    made = Environment(
        loader=_Loader(folder, language),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=said.value,  # a Message is in the language of the page, wherever one is written
    )
    made.globals |= {"_": said.html, "marked": said.marked, "decimal": said.decimal}
    made.globals |= {"spoken": said.value}
    made.globals |= {"language": language, "translations": partial(script_of, language=language)}
    return made


def speaks(template: str, language: Language) -> bool:
    """Whether a page is in this language, all of it."""
    return template in TRANSLATED or (template.startswith(COURSE) and language.has_course)


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
        asked = language_of(request.scope)
        language = asked if speaks(template, asked) else ENGLISH
        release, key = current(), (template, name, asked.code)
        rendered = self._rendered.get(key)
        if rendered is None or rendered.release is not release or rendered.shows != shows:
            values = {**vars(context()), "release": release}
            if template in TRANSLATED or template.startswith(COURSE):
                values["languages"] = links_to()
            if language != asked:
                values["reader"], values["told"] = asked, catalogue(asked).text(NOT_TRANSLATED)
            html = templates(language).get_template(template).render(values)
            rendered = _Rendered(release, shows, EncodedBody(html.encode(), "text/html"))
            self._rendered[key] = rendered
        return keep(rendered.html.response(request.headers, REVALIDATE, status), request.scope)

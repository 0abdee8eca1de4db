"""HTML pages: rendered once, and again only when something that they show has changed."""

import re
from collections.abc import Callable
from typing import NamedTuple

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import Response

from server.pages.assets.encoded import REVALIDATE, EncodedBody
from server.pages.assets.folders import TEMPLATES
from server.pages.assets.release import Release, current


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


def templates() -> Environment:
    """The templates of all pages. Data is escaped, and a missing value is an error."""
    return Environment(loader=_Unindented(TEMPLATES), autoescape=True, undefined=StrictUndefined)


class Pages:
    """The pages of one app."""

    def __init__(self, templates: Environment) -> None:
        self.templates = templates
        self._rendered: dict[tuple[str, str], _Rendered] = {}

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
        release = current()
        rendered = self._rendered.get((template, name))
        if rendered is None or rendered.release is not release or rendered.shows != shows:
            values = {**vars(context()), "release": release}
            html = self.templates.get_template(template).render(values)
            rendered = _Rendered(release, shows, EncodedBody(html.encode(), "text/html"))
            self._rendered[template, name] = rendered
        return rendered.html.response(request.headers, REVALIDATE, status)

"""Pages for people: rendered once, and again only when something that they show has changed."""

from collections.abc import Callable
from typing import NamedTuple

from fastapi import Request
from jinja2 import Environment
from starlette.responses import Response

from server.assets.kept import ASK_AGAIN, Kept
from server.assets.release import Release, current


class _Rendered(NamedTuple):
    release: Release
    shows: tuple[object, ...]
    html: Kept


class Pages:
    """The pages of one app."""

    def __init__(self, templates: Environment) -> None:
        self._templates = templates
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
        """One template with one page's dataclass.

        Args:
            context: makes the dataclass.
            name: tells pages of the same template apart.
            shows: all that the page depends on, beside the files of this release.
        """
        release = current()
        rendered = self._rendered.get((template, name))
        if rendered is None or rendered.release is not release or rendered.shows != shows:
            values = {**vars(context()), "release": release}
            html = self._templates.get_template(template).render(values)
            rendered = _Rendered(release, shows, Kept(html.encode(), "text/html"))
            self._rendered[template, name] = rendered
        return rendered.html.answer(request.headers, ASK_AGAIN, status)

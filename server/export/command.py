"""`headlight export`: writes the inspector as one file, or the course as a folder."""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

from model.checkpoint import SHIPPED
from model.errors import InputError
from server.assets.pages import templates
from server.assets.release import current
from server.examples import gallery
from server.export.live import live
from server.export.page import export_page
from server.models import Models, build_registry
from server.routes.pages import limits
from server.settings import Settings


def export(
    target: Path,
    settings: Settings,
    *,
    texts: Sequence[str] = (),
    link: str | None = None,
    model: str | None = None,
) -> int:
    """Write the file, and return its size in bytes.

    Raises:
        HeadlightError: it cannot be made, for the reason given.
    """
    models = Models(build_registry(settings), settings)
    folder = settings.shipped or SHIPPED
    contents = live(models, "shipped", folder, gallery("shipped", settings), limits(settings))
    html = export_page(templates(), current(), contents, query_of(texts, link)).encode()
    target.write_bytes(html)
    return len(html)


def query_of(texts: Sequence[str], link: str | None) -> str:
    """What the page opens with, as a query string of the inspector; empty: its first example.

    Raises:
        InputError: there are both texts and a link, or the link shows nothing.
    """
    if link is None:
        return f"?{urlencode([('text', text) for text in texts])}" if texts else ""
    if texts:
        raise InputError("Expected --text or --link; got both. A link has its text inside.")
    for mark in "?#":
        _, found, query = link.partition(mark)
        if found and "=" in query:
            return f"?{query.partition('#')[0]}"
    raise InputError(
        "Expected a link to the inspector, as the page's “Share” copies it, such as "
        f"http://127.0.0.1:8000/?text=The+cat+sat; got {link!r}."
    )

"""A run as a picture in a notebook."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from headlight.http.steps import Steps
from headlight.inline.picture import Picture, title_of
from headlight.inline.still import still

if TYPE_CHECKING:
    from headlight.run.run import BaseRun


def show(run: "BaseRun", *, live: bool, **view: Any) -> Steps[Picture]:
    """The picture; see `Run.show`."""
    _, _, query = run.link(**{**view, "depth": "embed"}).partition("?")
    return (yield from picture_of(run, query, view, live=live))


def picture_of(
    run: "BaseRun", query: str, view: Mapping[str, Any], *, live: bool
) -> Steps[Picture]:
    """The picture that a query of the run describes; `view` tells the same by name."""
    page = yield from page_of(run, query, live=live)
    return Picture(page, title_of(view), (yield from still(run, view)))


def page_of(run: "BaseRun", query: str, *, live: bool) -> Steps[bytes]:
    """The page for a frame."""
    what = "" if live else "&export=recorded"
    reply = yield from run._connection.get(f"/export?{query}{what}")
    return reply.content

"""A run as a picture in a notebook."""

from typing import TYPE_CHECKING, Any

from headlight.http.steps import Steps
from headlight.inline.picture import Picture, title_of
from headlight.inline.still import still

if TYPE_CHECKING:
    from headlight.run.run import BaseRun


def show(run: "BaseRun", *, live: bool, **view: Any) -> Steps[Picture]:
    """The picture; see `Run.show`."""
    _, _, query = run.link(**{**view, "depth": "embed"}).partition("?")
    what = "" if live else "&export=recorded"
    reply = yield from run._connection.get(f"/export?{query}{what}")
    return Picture(reply.content, title_of(view), (yield from still(run, view)))

"""One file for a link of the inspector: the model itself if a page can run it, else one run."""

import json
from urllib.parse import parse_qsl

from jinja2 import Environment

from model.core.checkpoint import SHIPPED
from model.errors import InputError
from model.sources.native import NativeSource
from server.api.routes.pages import limits
from server.api.schemas.settings import SETTINGS
from server.pages.assets.release import current
from server.pages.examples import gallery
from server.pages.export.asked import asked
from server.pages.export.head import check_head
from server.pages.export.live import live, live_of
from server.pages.export.page import Contents, export_page
from server.pages.export.recorded import ONE_RUN, Half, recorded
from server.run.models import Models
from server.settings import Settings

LIVE = ("shipped", *SETTINGS)  # the models that every page can run; they share one file
MAX_CARRIED = 4_000_000  # parameters of another native model that a file carries, exactly


def file_of(
    models: Models,
    settings: Settings,
    templates: Environment,
    query: str,
    dtype: Half,
    *,
    alone: bool = False,
) -> bytes:
    """The HTML file that opens with this query string; with its first example if it is empty.

    Args:
        alone: one run, also of the model that a page can run.

    Raises:
        HeadlightError: the model cannot be loaded, or cannot run what the link shows, or lacks
            the head that it shows.
    """
    contents = _contents(models, settings, query, dtype, alone=alone)
    name = model_in(query, models)
    check_head(query, next(row for row in contents.models if row["name"] == name))
    return export_page(templates, current(), contents, query).encode()


def empty_file(models: Models, settings: Settings, templates: Environment) -> bytes:
    """The HTML file with no model but the mechanisms from scratch.

    A page puts a recording of a reader's own data into it: static/js/standalone/writing.js.
    """
    for each in SETTINGS:
        models.load(each)
    rows = {row.name: row.model_dump() for row in models.describe()}
    sources = [{"type": each, "name": each} for each in SETTINGS]
    contents = Contents(
        models=[rows[each] for each in SETTINGS],
        gallery=[],
        limits=limits(settings),
        inside={"sources.json": json.dumps(sources).encode()},
        about=[ONE_RUN],
    )
    return export_page(templates, current(), contents, "").encode()


def is_recorded(name: str, *, alone: bool) -> bool:
    """Whether a file with this model holds one run of it, and not the model; see `file_of`."""
    return name not in LIVE or (alone and name not in SETTINGS)


def model_in(query: str, models: Models) -> str:
    """The model that a query string shows."""
    named = dict(reversed(parse_qsl(query.removeprefix("?"))))
    return named.get("model", models.default)


def _contents(
    models: Models, settings: Settings, query: str, dtype: Half, *, alone: bool
) -> Contents:
    shown = dict(parse_qsl(query.removeprefix("?"), keep_blank_values=True))
    for key, field, cannot in (
        ("intervention", "interventions", "makes no interventions. Remove them first"),
        ("answer", "answer", "reads what the model predicts alone. Choose that first"),
    ):
        if key in shown:
            raise InputError(
                f"A page in one file computes without a server, and {cannot}, or share the link "
                "instead.",
                field=field,
            )
    name = model_in(query, models)
    if not is_recorded(name, alone=alone):
        folder = settings.shipped or SHIPPED
        return live(models, LIVE[0], folder, gallery(LIVE[0], settings), limits(settings))
    for each in SETTINGS:
        models.load(each)
    with models.use(name) as source:
        is_small = source.info.n_parameters <= MAX_CARRIED
        if isinstance(source, NativeSource) and is_small and not alone:
            return live_of(models, source, limits(settings))
        rows = {row.name: row.model_dump() for row in models.describe(name)}
        return recorded(source, rows, asked(query), dtype, limits(settings), settings)

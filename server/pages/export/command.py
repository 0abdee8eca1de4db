"""`headlight export`: writes the inspector as one file, or the course as a folder."""

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from model.errors import InputError
from server.languages.table import ENGLISH, LANGUAGES, Language
from server.pages.assets.pages import templates
from server.pages.assets.release import current
from server.pages.export.course import course_of
from server.pages.export.file import file_of
from server.pages.export.folder import write
from server.pages.export.recorded import Half
from server.run.finding import build_registry, named
from server.run.models import Models
from server.settings import Settings


def export(
    target: Path,
    settings: Settings,
    *,
    texts: Sequence[str] = (),
    link: str | None = None,
    model: str | None = None,
    dtype: Half = "float16",
    language: Language = ENGLISH,
) -> int:
    """Write the file, and return its size in bytes.

    Args:
        model: [NAME=]LOCATION, or the name of a model in the settings; None: the link's.

    Raises:
        HeadlightError: it cannot be made, for the reason given.
    """
    _check_target(target)
    query = query_of(texts, link)
    registry = build_registry(settings)
    models = Models(registry, settings)
    if model is not None:
        name = named(model)[0]
        if not registry.has(name):  # nor unlisted, nor a step of a film
            settings = settings.model_copy(update={"models": (*settings.models, model)})
            models = Models(build_registry(settings), settings)
        query = with_model(query, name)
    if query and link is None:
        query += "&depth=start"  # as a first visit; what a link leaves out means every control
    html = file_of(models, settings, templates(language), query, dtype)
    try:
        target.write_bytes(html)
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error.strerror}.") from None
    return len(html)


def _check_target(target: Path) -> None:
    """Refuse what cannot be written before any work is done."""
    if target.suffix.lower() not in (".html", ".htm"):
        raise InputError(
            "Expected a file that ends in .html, such as page.html, or, for the course, a folder "
            f"that ends in /, such as {target.name}/; got {str(target)!r}."
        )
    if not target.parent.is_dir():
        raise InputError(f"There is no folder {target.parent}. Create it first.")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise InputError(f"{target} cannot be written: you lack the permission.")


def is_folder(target: str) -> bool:
    """Whether a target of the command is a folder, for the course."""
    return target.endswith(("/", os.sep)) or Path(target).is_dir()


def export_course(
    folder: Path,
    settings: Settings,
    *,
    lms: bool = False,
    force: bool = False,
    language: Language = ENGLISH,
) -> tuple[int, tuple[str, ...]]:
    """Write the course; return its size in bytes, and which lessons it lacks, and why.

    Raises:
        HeadlightError: it cannot be made, or is not translated, or the folder holds other files.
    """
    if not language.has_course:
        known = ", ".join(each.code for each in LANGUAGES if each.has_course)
        raise InputError(f"The course is in {known}; got --language {language.code}.")
    models = Models(build_registry(settings), settings)
    course = course_of(models, settings, templates(language), current(), lms=lms)
    return write(folder, course.files, force=force), course.left_out


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


def with_model(query: str, name: str) -> str:
    """The query string with this model in place of the one that it has."""
    pairs = parse_qsl(query.removeprefix("?"), keep_blank_values=True)
    return f"?{urlencode([('model', name), *(pair for pair in pairs if pair[0] != 'model')])}"

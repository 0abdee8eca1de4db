"""What the server needs to start: a free port, and the page's files."""

from collections.abc import Iterator

from model.errors import HeadlightError
from server.doctor.finding import Finding
from server.http.serving.listening import check_free
from server.pages.assets.folders import IS_CHECKOUT
from server.pages.assets.release import current
from server.settings import Settings


def port(settings: Settings) -> Iterator[Finding]:
    try:
        check_free(settings.host, settings.port)
    except HeadlightError as error:
        yield Finding("port", "problem", error.message)
        return
    yield Finding("port", "ok", f"{settings.host}:{settings.port} is free")


def packed_page(settings: Settings) -> Iterator[Finding]:
    """Without a pack the page works, module by module; exported files need it."""
    release = current()
    if release.is_packed:
        yield Finding("page", "ok", f"packed, release {release.digest}")
        return
    advice = (
        "`python -m scripts.pack` packs it, and so does `make run`."
        if IS_CHECKOUT
        else "Install Headlight again: its files were changed."
    )
    found = "not packed: it loads more slowly, and `headlight export` does not work"
    yield Finding("page", "warning", found, advice)

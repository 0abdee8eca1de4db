"""What to install where a plotting library is missing."""

from collections.abc import Iterator
from contextlib import contextmanager

from headlight.errors import HeadlightError
from headlight.extras import install


class MissingLibraryError(HeadlightError, ImportError):
    """A library that draws is not installed."""


@contextmanager
def needs(library: str, extra: str) -> Iterator[None]:
    """Say how to install what an extra needs if importing a library of it fails."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != library:
            raise
        raise MissingLibraryError(
            f"This needs {library}, which is not installed. Run: {install(extra)}",
            code="missing_library",
        ) from None

"""What to install where a plotting library is missing."""

from collections.abc import Iterator
from contextlib import contextmanager

from headlight.errors import HeadlightError


class MissingLibraryError(HeadlightError, ImportError):
    """A library that draws is not installed."""


@contextmanager
def needs(library: str, install: str) -> Iterator[None]:
    """Say how to install a library if importing it fails."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != library:
            raise
        raise MissingLibraryError(
            f"This needs {library}, which is not installed. Run: pip install '{install}'",
            code="missing_library",
        ) from None

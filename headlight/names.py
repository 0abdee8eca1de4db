"""Names that a user gives, such as those of masks and options: refused here if they are unknown."""

from collections.abc import Iterable
from difflib import get_close_matches

from headlight.errors import UnknownNameError


def check_names(given: Iterable[str], known: Iterable[str], field: str | None = None) -> None:
    """Refuse a name that is not known, and say which one comes near.

    Raises:
        UnknownNameError: `field` is what the names belong to, such as `masks`.
    """
    known = tuple(known)
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, 1)
            expected = f"one of {', '.join(known)}" if known else "no arguments with a name"
            advice = f" Did you mean {near[0]}?" if near else ""
            raise UnknownNameError(
                f"Expected {expected}; got {name}.{advice}",
                code="unknown_name",
                field=f"{field}.{name}" if field else name,
            )

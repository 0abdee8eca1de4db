"""The addresses of the inspector in a lesson, checked against what the page can read.

The page ignores what makes no sense in an address; in a lesson it is a typing error to report.
"""

import re
from urllib.parse import unquote_plus

from server.api.schemas.settings import SETTINGS
from server.pages.learning.choices import INDICES, KEYS, ONE_OF

Pairs = list[tuple[str, str]]


def link(address: str) -> str:
    """A figure's link: what follows the host in an address, or all of it, from its "?" on.

    Raises:
        ValueError: it is not a query string of the inspector.
    """
    _, question, query = address.partition("?")
    if not question:
        raise ValueError(
            'expected what the address bar of the inspector shows, from its "?" on, such as '
            f'"?model=scratch&text=The cat sat"; got {address!r}'
        )
    pairs(query)
    return f"?{query}"


def changes(query: str) -> str:
    """What a switch sets: keys that replace the link's; `without=key,key` takes some away.

    Raises:
        ValueError: it is not a query string of the inspector.
    """
    pairs(query.removeprefix("?"), "without")
    return query.removeprefix("?")


def pairs(query: str, *more: str) -> Pairs:
    """The keys and values of a query string, each key known (or one of `more`)."""
    found: Pairs = []
    for part in query.split("&") if query else []:
        if "#" in part:
            raise ValueError('write a "#" in a text as %23')
        if bad := re.search(r"%(?![0-9A-Fa-f]{2}).{0,2}", part):
            raise ValueError(f'write a "%" in a text as %25; got {bad[0]!r}')
        name, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f'expected key=value; write a "&" in a text as %26; got {part!r}')
        key, value = _decoded(name), _decoded(value)
        if key not in more:
            _check_key(key)
            _check_value(key, value)
        elif key == "without":
            for name in value.split(","):
                _check_key(name)
        found.append((key, value))
    return found


def _decoded(text: str) -> str:
    try:
        return unquote_plus(text, errors="strict")
    except UnicodeDecodeError:
        raise ValueError(f"expected UTF-8 after the percent signs; got {text!r}") from None


def _check_key(key: str) -> None:
    source, dot, field = key.partition(".")
    if dot and source in SETTINGS:
        known = SETTINGS[source].in_address
        if field not in known:
            raise ValueError(f"there is no {key!r}; `{source}` has {_listed(known)}")
    elif key not in KEYS:
        dotted = ", ".join(f"{name}.…" for name in SETTINGS)
        raise ValueError(f"an address has no {key!r}; it has {_listed(KEYS)}, and {dotted}")


def _check_value(key: str, value: str) -> None:
    if key in ONE_OF and value not in ONE_OF[key]:
        raise ValueError(f"{key} is one of {', '.join(ONE_OF[key])}; got {value!r}")
    if key == "against":
        pairs(value, "without", "transposed")
    if key in INDICES and not re.fullmatch(r"[0-9]+", value):
        raise ValueError(f"{key} is a whole number; got {value!r}")


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))

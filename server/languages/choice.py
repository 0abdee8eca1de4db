"""Which language a reader gets: by the address, else the cookie, else what the browser asks for.

An answer of the API is in the language of its Accept-Language header alone: that of the page, which
asks for its own.
"""

import re
from collections.abc import Sequence
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from server.http.guard.cookies import cookie
from server.languages.table import BY_CODE, ENGLISH, LANGUAGES, Language

KEY = "lang"  # of the address
COOKIE = "headlight_language"
VARY = "Accept-Language, Cookie"
KEPT_S = 365 * 24 * 3600
MOST = 20  # languages that are read of a header
_OFFER = re.compile(r"\s*(([A-Za-z]{1,8})[A-Za-z0-9-]*)\s*(?:;\s*q=([0-9.]{1,5}))?\s*")
_OURS = {each.primary: each for each in reversed(LANGUAGES)}


def language_of(scope: Scope) -> Language:
    """The language of a page."""
    kept = BY_CODE.get(cookie(Headers(scope=scope).get("cookie", ""), COOKIE) or "")
    return asked_for(scope) or kept or accepted(scope)


def asked_for(scope: Scope) -> Language | None:
    """The language that the address names."""
    return BY_CODE.get(dict(query_of(scope)).get(KEY, ""))


def links_to(query: Sequence[tuple[str, str]] = ()) -> list[tuple[Language, str]]:
    """Each language, with the address of this page in it. `query`: what else it asks for."""
    rest = [pair for pair in query if pair[0] != KEY]
    return [(each, f"?{urlencode([*rest, (KEY, each.code)])}") for each in LANGUAGES]


def keep(response: Response, scope: Scope) -> Response:
    """Remember what the address asked for, so that the next pages and errors are in it, too.

    A link on another site chooses for the page that it opens alone.
    """
    response.headers["Vary"] = ", ".join(filter(None, (response.headers.get("Vary"), VARY)))
    is_elsewhere = Headers(scope=scope).get("sec-fetch-site") == "cross-site"
    if (language := asked_for(scope)) is not None and not is_elsewhere:
        value = f"{COOKIE}={language.code}; Path=/; Max-Age={KEPT_S}; SameSite=Lax"
        response.headers.append("Set-Cookie", value)
    return response


def query_of(scope: Scope) -> list[tuple[str, str]]:
    """What the address asks for; nothing, if that is too much to read."""
    try:
        text = scope["query_string"].decode("latin-1")
        return parse_qsl(text, keep_blank_values=True, max_num_fields=100)
    except ValueError:  # it has more fields
        return []


def accepted(scope: Scope) -> Language:
    """The best of ours in the Accept-Language header, whatever script or country it names."""
    header = Headers(scope=scope).get("accept-language", "")
    offers = [_OFFER.fullmatch(part) for part in header[:1000].split(",")[:MOST]]
    found = [
        (_weight(offer[3]), ours)
        for offer in offers
        if offer and (ours := BY_CODE.get(offer[1]) or _OURS.get(offer[2].lower()))
    ]
    best = max(found, key=lambda each: each[0], default=(0.0, ENGLISH))  # the first of equals
    return best[1] if best[0] > 0 else ENGLISH


def _weight(text: str | None) -> float:
    try:
        return 1.0 if text is None else float(text)
    except ValueError:
        return 0.0

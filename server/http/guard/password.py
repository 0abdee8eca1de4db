"""One password for the whole server: a page that asks for it, and a cookie for those who enter it.

The cookie is signed with a key derived from the password. So every worker and replica accepts it,
it survives a restart, a new password invalidates it, and nothing has to be stored.
"""

import asyncio
import base64
import binascii
import hashlib
import hmac
import logging
import secrets
import time
import unicodedata
from collections import deque
from collections.abc import Callable
from urllib.parse import parse_qs

from markupsafe import Markup
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from model.message import Message
from server.errors import error_response
from server.http.guard.cookies import cookie
from server.http.guard.frames import EMBED
from server.languages.catalogue import catalogue
from server.languages.choice import keep, language_of, links_to, query_of
from server.pages.assets.folders import STATIC
from server.pages.assets.pages import templates
from server.settings import Settings

log = logging.getLogger("headlight")

COOKIE = "headlight_password"
OPEN = frozenset({"/healthz", "/readyz"})  # orchestrators have no password; nothing secret here
VALID_S = 7 * 24 * 3600  # a cookie's lifetime; browsers drop it earlier, when they are closed
SKEW_S = 300  # how far another machine's clock may be ahead
MAX_FORM_BYTES = 4_096
PAUSE_S = 0.5  # before a wrong password is called wrong
MANY = 100  # wrong ones in a minute: a class that types does not reach it, a program does
MINUTE_S = 60.0
SHEETS = ("tokens", "base", "components", "password")

_WRONG = Message("Wrong password. Try again; passwords are case-sensitive.")
_FOREIGN = Message("The password was sent by another page. Enter it here.")
_REQUIRED = (
    "This server requires a password. In a browser, reload the page and enter it; in a program, "
    "send `Authorization: Bearer PASSWORD`, or use HTTP Basic with any user name."
)


class Keys:
    """Checks passwords, and signs and verifies cookies, with keys derived from the password."""

    def __init__(self, password: str, now: Callable[[], float] = time.time) -> None:
        # scrypt is slow on purpose: a stolen cookie must not allow a fast search for the password
        self._key = hashlib.scrypt(_plain(password), salt=b"headlight", n=2**14, r=8, p=1)
        self._password = self._sign(_plain(password))
        self._now = now

    def matches(self, password: str) -> bool:
        """Whether this is the password, compared in constant time."""
        return hmac.compare_digest(self._sign(_plain(password)), self._password)

    def cookie(self) -> str:
        """A new cookie's value: the time, a random token, and the signature of both."""
        payload = f"{int(self._now())}.{secrets.token_urlsafe(12)}"
        return f"{payload}.{self._sign(payload.encode())}"

    def accepts_cookie(self, value: str) -> bool:
        """Whether a cookie's value has a valid signature and has not expired."""
        payload, _, signature = value[:200].rpartition(".")
        if not hmac.compare_digest(self._sign(payload.encode()).encode(), signature.encode()):
            return False
        age = self._now() - int(payload.partition(".")[0])
        return -SKEW_S <= age < VALID_S

    def _sign(self, payload: bytes) -> str:
        return base64.urlsafe_b64encode(hmac.digest(self._key, payload, "sha256")).decode()


class Wrong:
    """Wrong passwords. Each is answered after a pause, and many of them are logged.

    They are not refused unread: whoever guesses would keep out those who know the password, since
    nothing tells them apart before. So it has to be one that cannot be guessed.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: deque[float] = deque(maxlen=MANY)
        self._told = -MINUTE_S

    async def count(self) -> None:
        """Count one, and wait."""
        now = self._clock()
        self._times.append(now)
        many = len(self._times) == MANY and now - self._times[0] < MINUTE_S
        if many and now - self._told >= MINUTE_S:
            self._told = now
            log.warning("Somebody guesses passwords: %d were wrong within a minute", MANY)
        await asyncio.sleep(PAUSE_S)


class Password:
    """Admits requests with a valid cookie or the password, and asks all others for it.

    Without a password in the settings it admits every request.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        password = settings.password
        self._keys = None if password is None else Keys(password.get_secret_value())
        self._wrong = Wrong()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        keys = self._keys
        if keys is None or scope["type"] != "http" or scope["path"] in OPEN:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        has_cookie = keys.accepts_cookie(cookie(headers.get("cookie", ""), COOKIE) or "")
        if _is_form(scope, headers):
            if has_cookie:  # the password was entered in another tab
                answer = _redirect_to_self(scope)
            else:
                answer = await self._try(keys, scope, receive)
        elif has_cookie:
            await self._app(scope, receive, send)
            return
        elif (sent := _password_sent(headers.get("authorization", ""))) is not None:
            if keys.matches(sent):
                await self._app(scope, receive, send)
                return
            await self._wrong.count()
            answer = _password_required("The password is wrong. ")
        elif scope["method"] == "GET" and "text/html" in headers.get("accept", ""):
            answer = _page(scope, 401, None, whole=_whole_page(scope, headers))
        else:
            answer = _password_required()
        await answer(scope, receive, send)

    async def _try(self, keys: Keys, scope: Scope, receive: Receive) -> Response:
        """Answer the page's form."""
        password = await _password_in(receive)
        if Headers(scope=scope).get("sec-fetch-site") == "cross-site":  # a foreign page sent it
            return _page(scope, 403, _FOREIGN)
        if keys.matches(password):
            answer = _redirect_to_self(scope)
            secure = "; Secure" if scope["scheme"] == "https" else ""
            answer.headers["Set-Cookie"] = (
                f"{COOKIE}={keys.cookie()}; Path=/; HttpOnly; SameSite=Lax{secure}"
            )
            return answer
        await self._wrong.count()
        return _page(scope, 401, _WRONG)


def _page(
    scope: Scope, status: int, problem: Message | None, *, whole: str | None = None
) -> Response:
    """The page with the form or, in a frame, with a link to the `whole` page instead."""
    language = language_of(scope)
    content = (
        templates(language)
        .get_template("password.html")
        .render(
            problem=problem and catalogue(language).text(problem),
            styles=_styles(),
            whole=whole,
            languages=links_to(query_of(scope)),
        )
    )
    return keep(HTMLResponse(content, status, _HEADERS), scope)


# Bearer, because for a Basic challenge a browser shows its own dialog, even to a script's request
_HEADERS = {
    "WWW-Authenticate": 'Bearer realm="Headlight"',
    "Cache-Control": "no-store",
    "Vary": "Accept, Authorization, Cookie",
}


def _password_required(prefix: str = "") -> Response:
    return error_response(401, "password_required", prefix + _REQUIRED, headers=_HEADERS)


def _styles() -> Markup:
    """The page's style sheets, inlined because static files need the password too."""
    sheets = (STATIC / "css" / f"{name}.css" for name in SHEETS)
    return Markup("\n".join(sheet.read_text("utf-8") for sheet in sheets))


def _plain(password: str) -> bytes:
    """Normalized: keyboards differ in how they compose é, and files end with a line break."""
    return unicodedata.normalize("NFC", password).strip().encode("utf-8", "replace")


def _is_form(scope: Scope, headers: Headers) -> bool:
    """Whether this is the page's form; no other route accepts a browser's form."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return (
        scope["method"] == "POST"
        and kind == "application/x-www-form-urlencoded"
        and "text/html" in headers.get("accept", "")
    )


def _whole_page(scope: Scope, headers: Headers) -> str | None:
    """The address of the inspector for a frame, else None.

    Browsers keep our cookie from frames in other sites' pages, so the password would be asked for
    again and again there.
    """
    if scope["path"] != EMBED or headers.get("sec-fetch-dest") == "document":
        return None
    return f"/?{scope['query_string'].decode('latin-1')}"


async def _password_in(receive: Receive) -> str:
    """The password in the form; "" if the form is malformed."""
    body, more = b"", True
    while more and len(body) <= MAX_FORM_BYTES:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    if len(body) > MAX_FORM_BYTES:
        return ""
    try:
        fields = parse_qs(body.decode("latin-1"), max_num_fields=10)
    except ValueError:
        return ""
    return fields.get("password", [""])[0]


def _password_sent(authorization: str) -> str | None:
    """The password in an Authorization header, or None."""
    scheme, _, credentials = authorization.strip().partition(" ")
    match scheme.lower():
        case "bearer":
            # Starlette decodes headers as Latin-1, but programs send é as UTF-8
            return credentials.strip().encode("latin-1").decode("utf-8", "replace")
        case "basic":
            try:
                decoded = base64.b64decode(credentials.strip(), validate=True)
            except (binascii.Error, ValueError):
                return ""
            return decoded.decode("utf-8", "replace").partition(":")[2]
        case _:
            return None


def _redirect_to_self(scope: Scope) -> Response:
    """Redirect to the same URL with GET, so that reloading the page does not resend the form.

    A path that starts with two slashes would lead to another server.
    """
    path = "/" + scope["raw_path"].decode("latin-1").lstrip("/\\")
    query = scope["query_string"].decode("latin-1")
    location = f"{path}?{query}" if query else path
    return Response(status_code=303, headers={"Location": location, "Cache-Control": "no-store"})

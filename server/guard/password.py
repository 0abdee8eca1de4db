"""One password for the whole server: a page that asks for it, and a cookie for who knows it.

The cookie is signed with a key that is made of the password, so that every worker, replica and
restart knows it, a new password ends it, and nothing has to be kept.
"""

import base64
import binascii
import hashlib
import hmac
import secrets
import time
import unicodedata
from collections.abc import Callable, Mapping
from urllib.parse import parse_qs

from jinja2 import Environment
from markupsafe import Markup
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from server.assets.folders import STATIC
from server.errors import error_response
from server.guard.cookies import cookie
from server.guard.tries import Tries
from server.participants import participant_of
from server.settings import Settings

COOKIE = "headlight_password"
OPEN = frozenset({"/healthz", "/readyz"})  # an orchestrator has no password; they tell nothing
VALID_S = 7 * 24 * 3600  # of a cookie; the browser forgets it sooner, when it is closed
SKEW_S = 300  # by which the clock of another machine may be ahead
MAX_FORM_BYTES = 4_096
SHEETS = ("tokens", "base", "components", "password")

_WRONG = "Wrong password. Try again; passwords are case-sensitive."
_CLOSED = (
    "This server asks for its password. In a browser, open the page again and enter it; a program "
    "sends it as `Authorization: Bearer PASSWORD`, or as the password of HTTP Basic."
)


class Keys:
    """What is made of a password: whether another one equals it, and cookies that prove it."""

    def __init__(self, password: str, now: Callable[[], float] = time.time) -> None:
        # slow on purpose: a stolen cookie must not be a quick way to guess the password
        self._key = hashlib.scrypt(_plain(password), salt=b"headlight", n=2**14, r=8, p=1)
        self._password = self._sign(_plain(password))
        self._now = now

    def fits(self, password: str) -> bool:
        """Whether it is the password; the time it takes does not tell how nearly."""
        return hmac.compare_digest(self._sign(_plain(password)), self._password)

    def cookie(self) -> str:
        """A new cookie's value: when, a random number, and the signature of both."""
        said = f"{int(self._now())}.{secrets.token_urlsafe(12)}"
        return f"{said}.{self._sign(said.encode())}"

    def knows(self, value: str) -> bool:
        """Whether a cookie's value is one of ours, and not too old."""
        said, _, signature = value[:200].rpartition(".")
        if not hmac.compare_digest(self._sign(said.encode()).encode(), signature.encode()):
            return False
        age = self._now() - int(said.partition(".")[0])
        return -SKEW_S <= age < VALID_S

    def _sign(self, said: bytes) -> str:
        return base64.urlsafe_b64encode(hmac.digest(self._key, said, "sha256")).decode()


class Password:
    """Lets in who has the cookie, or sends the password; asks everybody else for it.

    Without a password in the settings, everybody.
    """

    def __init__(self, app: ASGIApp, settings: Settings, templates: Environment) -> None:
        self._app = app
        password = settings.password
        self._keys = None if password is None else Keys(password.get_secret_value())
        self._tries = Tries(settings.workers)
        self._templates = templates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        keys = self._keys
        if keys is None or scope["type"] != "http" or scope["path"] in OPEN:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        is_in = keys.knows(cookie(headers.get("cookie", ""), COOKIE) or "")
        if _is_form(scope, headers):
            if is_in:  # in another tab
                answer = _to_the_same_address(scope)
            else:
                answer = await self._try(keys, scope, receive)
        elif is_in:
            await self._app(scope, receive, send)
            return
        elif (sent := _sent(headers.get("authorization", ""))) is not None:
            refusal = self._refusal(keys, sent, scope)
            if refusal is None:
                await self._app(scope, receive, send)
                return
            answer = refusal
        elif scope["method"] == "GET" and "text/html" in headers.get("accept", ""):
            answer = self._page(401, None)
        else:
            answer = _closed()
        await answer(scope, receive, send)

    async def _try(self, keys: Keys, scope: Scope, receive: Receive) -> Response:
        """Answer the page's form."""
        password = await _password_in(receive)
        if Headers(scope=scope).get("sec-fetch-site") == "cross-site":  # somebody else's page
            return self._page(403, "The password was sent by another page. Enter it here.")
        problem = self._look(keys, password, scope)
        if problem is None:
            answer = _to_the_same_address(scope)
            secure = "; Secure" if scope["scheme"] == "https" else ""
            answer.headers["Set-Cookie"] = (
                f"{COOKIE}={keys.cookie()}; Path=/; HttpOnly; SameSite=Lax{secure}"
            )
            return answer
        if problem == 0:
            return self._page(401, _WRONG)
        return self._page(429, _too_many(problem), {"Retry-After": str(problem)})

    def _refusal(self, keys: Keys, password: str, scope: Scope) -> Response | None:
        """What a program is told that sent this password; None: it was right."""
        problem = self._look(keys, password, scope)
        if problem is None:
            return None
        if problem == 0:
            return _closed("That is not the password of this server. ")
        retry = {"Retry-After": str(problem)}
        return error_response(429, "too_many_tries", _too_many(problem), headers=retry)

    def _look(self, keys: Keys, password: str, scope: Scope) -> int | None:
        """None: it is right. 0: it is wrong. More: nobody looked, and will not for so long (s)."""
        who = participant_of(scope), (scope.get("client") or ("", 0))[0]
        wait_s = self._tries.wait_s(*who)
        if wait_s > 0:
            return wait_s
        if keys.fits(password):
            return None
        self._tries.wrong(*who)
        return 0

    def _page(
        self, status: int, problem: str | None, headers: Mapping[str, str] | None = None
    ) -> Response:
        template = self._templates.get_template("password.html")
        content = template.render(problem=problem, styles=_styles())
        return HTMLResponse(content, status, {**_HEADERS, **(headers or {})})


# a browser shows a window of its own for a Basic challenge, even when a script asked
_HEADERS = {
    "WWW-Authenticate": 'Bearer realm="Headlight"',
    "Cache-Control": "no-store",
    "Vary": "Accept, Authorization, Cookie",
}


def _closed(before: str = "") -> Response:
    return error_response(401, "password_required", before + _CLOSED, headers=_HEADERS)


def _too_many(wait_s: int) -> str:
    return f"There were too many wrong passwords. Try again in {wait_s} s."


def _styles() -> Markup:
    """The page's own style, inside it: nothing else of this server is open."""
    sheets = (STATIC / "css" / f"{name}.css" for name in SHEETS)
    return Markup("\n".join(sheet.read_text("utf-8") for sheet in sheets))


def _plain(password: str) -> bytes:
    """As it was meant: keyboards differ in how they compose é, and files end in a line break."""
    return unicodedata.normalize("NFC", password).strip().encode("utf-8", "replace")


def _is_form(scope: Scope, headers: Headers) -> bool:
    """Whether this is the page's form: nothing else here takes one that a browser shows."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return (
        scope["method"] == "POST"
        and kind == "application/x-www-form-urlencoded"
        and "text/html" in headers.get("accept", "")
    )


async def _password_in(receive: Receive) -> str:
    """What the form says; "" where it makes no sense."""
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


def _sent(authorization: str) -> str | None:
    """The password in an Authorization header; None: it has none."""
    scheme, _, credentials = authorization.strip().partition(" ")
    match scheme.lower():
        case "bearer":
            # headers are bytes: a program sends é in UTF-8
            return credentials.strip().encode("latin-1").decode("utf-8", "replace")
        case "basic":
            try:
                decoded = base64.b64decode(credentials.strip(), validate=True)
            except (binascii.Error, ValueError):
                return ""
            return decoded.decode("utf-8", "replace").partition(":")[2]
        case _:
            return None


def _to_the_same_address(scope: Scope) -> Response:
    """So that the page is asked for again, and reloading it sends no form.

    Two slashes at the beginning would lead to another server.
    """
    path = "/" + scope["raw_path"].decode("latin-1").lstrip("/\\")
    query = scope["query_string"].decode("latin-1")
    location = f"{path}?{query}" if query else path
    return Response(status_code=303, headers={"Location": location, "Cache-Control": "no-store"})

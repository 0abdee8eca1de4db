"""CORS: whose scripts, on pages of other origins, may call the API and read its answers.

No cookie is ever accepted from them (there is no Access-Control-Allow-Credentials): a script sends
a password itself, if the server has one.
"""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.http.guard.origins import UNNAMED, RefusedOrigins, is_own, origin_of

API = ("/api/", "/openapi.json")
ALLOWED = {
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": "Accept, Authorization, Content-Type, X-Headlight-Participant",
    "Access-Control-Max-Age": "600",
}
READABLE = "Retry-After"  # what a script may read besides the headers that every one may


class CrossOrigin:
    """Answers preflights, and marks answers as readable, for the named origins."""

    def __init__(self, app: ASGIApp, origins: tuple[str, ...]) -> None:
        self._app = app
        self._origins = origins
        self._refused = RefusedOrigins(
            "A script on a page of %s called the API, and browsers keep the answers from it. To "
            "allow it, add this origin to HEADLIGHT_CORS_ORIGINS and restart the server."
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(API):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        sent = headers.get("origin")
        origin = None if sent is None else origin_of(sent)
        named = origin if origin in self._origins else None
        if sent is not None and named is None and not is_own(origin or UNNAMED, headers):
            self._refused.tell(origin or UNNAMED)

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._mark(MutableHeaders(scope=message), named)
            await send(message)

        is_preflight = scope["method"] == "OPTIONS" and "access-control-request-method" in headers
        if named is not None and is_preflight:
            await Response(status_code=204, headers=ALLOWED)(scope, receive, send_marked)
        else:
            await self._app(scope, receive, send_marked if self._origins else send)

    def _mark(self, headers: MutableHeaders, named: str | None) -> None:
        """Caches must not give one origin the answer to another."""
        headers.add_vary_header("Origin")
        if named is not None:
            headers["Access-Control-Allow-Origin"] = named
            headers["Access-Control-Expose-Headers"] = READABLE

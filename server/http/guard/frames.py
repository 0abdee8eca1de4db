"""Which pages of other origins may show this server in a frame: those in the settings, and only
/embed.

No other page can be framed from outside. The inspector keeps views and preferences in the browser
and takes files and text; a page that lays something over it could make a reader click what he does
not see (clickjacking). /embed has nothing to type into, changes nothing in the browser or on the
server, and links out in a new tab.
"""

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.http.guard.origins import RefusedOrigins, is_own, origin_of

EMBED = "/embed"
POLICY = "Content-Security-Policy"
OLD_POLICY = "X-Frame-Options"  # browsers that know frame-ancestors ignore it
_OWN = "frame-ancestors 'self'"
_FRAMES = ("iframe", "frame", "embed", "object")  # of Sec-Fetch-Dest
_HIDDEN = "an origin that its page does not tell"


def frame_policy(policy: str, ancestors: tuple[str, ...]) -> str:
    """A content policy that lets pages of this origin, and of the given ones, frame a page."""
    return " ".join((f"{policy}; {_OWN}", *ancestors))


def opens_frames(policy: str | None) -> bool:
    """Whether pages of other origins may frame a page, which the old policy cannot say."""
    return policy is not None and not policy.endswith(_OWN)


class Frames:
    """Opens /embed to the named origins, and logs who else tries to frame a page."""

    def __init__(self, app: ASGIApp, policy: str, ancestors: tuple[str, ...]) -> None:
        """`policy`: the content policy of all pages, without its frame-ancestors."""
        self._app = app
        self._ancestors = ancestors
        self._policy = frame_policy(policy, ancestors)
        self._not_named = RefusedOrigins(
            "A page of %s asked for /embed in a frame, and browsers refuse to show it there. To "
            "allow it, add this origin to HEADLIGHT_FRAME_ANCESTORS and restart the server."
        )
        self._not_embed = RefusedOrigins(
            "A page of %s asked for the whole page in a frame, and browsers refuse to show it "
            "there. Only /embed can be shown in other pages: Share, then Embed, has the lines."
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self._watch(scope)

        async def send_open(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[POLICY] = self._policy
            await send(message)

        is_open = self._ancestors and scope["path"] == EMBED
        await self._app(scope, receive, send_open if is_open else send)

    def _watch(self, scope: Scope) -> None:
        """Log a frame that the browser is going to refuse."""
        headers = Headers(scope=scope)
        kind = headers.get("sec-fetch-dest")
        if kind not in _FRAMES and (kind is not None or scope["path"] != EMBED):
            return  # without https, browsers do not say what a request is for
        sent = headers.get("referer")
        if sent is None and (kind is None or headers.get("sec-fetch-site") != "cross-site"):
            return
        origin = origin_of(sent or "") or _HIDDEN
        if is_own(origin, headers):
            return
        if scope["path"] != EMBED:
            self._not_embed.tell(origin)
        elif origin not in self._ancestors:
            self._not_named.tell(origin)

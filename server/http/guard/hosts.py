"""The host names under which browsers may reach this server.

This prevents DNS rebinding: a foreign page whose own domain suddenly resolves to this server could
read every response as its own. The browser always sends that page's domain as the Host, so
checking the Host stops it.
"""

import re
import socket
import threading
from collections.abc import Iterable
from functools import cache, lru_cache
from ipaddress import ip_address

from starlette.types import ASGIApp, Receive, Scope, Send

from server.errors import error_response

ANY = "*"
_NAME = re.compile(r"\.?[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63}){0,30}")
_MESSAGE = (
    "This server does not accept the name in the Host header. Open it by its IP address or its "
    "machine's own name, or add the name to HEADLIGHT_ALLOWED_HOSTS and restart the server."
)


def check_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """The configured names in lower case.

    Raises:
        ValueError: a name is not a host name, perhaps because it has a scheme or a port.
    """
    names = tuple(name.lower().rstrip(".") for name in names)
    for name in names:
        if name != ANY and not _NAME.fullmatch(name):
            raise ValueError(
                f"expected host names like example.org, .example.org (for all its subdomains) or "
                f"*, without scheme, port or path; got {name!r}"
            )
    return names


class AllowedHosts:
    """Refuses requests whose Host is not this machine.

    IP addresses are always allowed, because they cannot be rebound. So are loopback names, the
    machine's own names, and requests without a Host, which no browser sends.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self._app = app
        names = frozenset(names)
        self._any = ANY in names
        machine = socket.gethostname().lower()
        short = machine.partition(".")[0]
        self._names = names | {"localhost", machine, short, f"{short}.local"}
        self._endings = (".localhost", *(name for name in names if name.startswith(".")))
        if not self._any:  # in a thread, because a failing DNS lookup may take seconds
            threading.Thread(target=self._add_full_name, daemon=True).start()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._any or self._is_ours(scope):
            await self._app(scope, receive, send)
        else:
            await error_response(421, "unknown_host", _MESSAGE)(scope, receive, send)

    def _is_ours(self, scope: Scope) -> bool:
        sent = [value for name, value in scope["headers"] if name == b"host"]
        if len(sent) != 1:
            return not sent
        host = host_of(sent[0].decode("latin-1"))
        return host is not None and (
            is_address(host) or host in self._names or host.endswith(self._endings)
        )

    def _add_full_name(self) -> None:
        self._names |= {full_name()}


def host_of(header: str) -> str | None:
    """The host in a Host header, without its port, in lower case; None if it is malformed."""
    header = header.strip().lower()
    if header.startswith("["):
        host, bracket, port = header[1:].partition("]")
        return host if bracket and re.fullmatch(r"(:\d{0,5})?", port) else None
    host, _, port = header.partition(":")
    host = host.removesuffix(".")
    return host if re.fullmatch(r"\d{0,5}", port) and _NAME.fullmatch(host) else None


@cache
def full_name() -> str:
    """The machine's fully qualified name, according to DNS."""
    return socket.getfqdn().lower().rstrip(".")


@lru_cache(1_024)
def is_address(host: str) -> bool:
    """Whether a host is an IP address, version 4 or 6."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True

"""Under which addresses a class can open this server, and their QR codes.

A teacher often opens `localhost`, which means another machine on every other machine. Then the
machine's own addresses are offered. The Host header was checked before
(`server/http/guard/hosts.py`).
"""

import io
import re
import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address
from pathlib import Path

import psutil
import segno
from fastapi import Request
from markupsafe import Markup

from server.http.guard.hosts import host_of
from server.settings import Settings

MAX_OFFERED = 3
EVERYWHERE = ("0.0.0.0", "::")  # a server listens there; a browser that opens it stays at home
IN_CONTAINER = Path("/.dockerenv")  # then the machine's own addresses cannot be seen
VIRTUAL = ("docker", "br-", "veth", "virbr", "cni", "tun", "tap")  # networks inside the machine


@dataclass(frozen=True)
class Reach:
    """How other devices reach the server."""

    addresses: tuple[str, ...]  # such as http://192.168.1.20:8000; the best first, maybe none
    closed: bool  # whether the server listens to this machine alone
    port: int

    @property
    def best(self) -> str | None:
        return self.addresses[0] if self.addresses else None


def reach_of(request: Request, settings: Settings) -> Reach:
    """The addresses under which a class can open this server."""
    scheme, sent = request.url.scheme, request.headers.get("host", "").strip().lower()
    host, usual = host_of(sent), 443 if scheme == "https" else 80
    given = re.search(r":(\d+)$", sent) if host else None
    port = int(given[1]) if given else usual if host else settings.port
    if host and not is_loopback(host) and host not in EVERYWHERE:
        return Reach((f"{scheme}://{sent}",), closed=False, port=port)
    if is_loopback(settings.host):
        return Reach((), closed=True, port=port)
    ending = "" if port == usual else f":{port}"
    own = [] if IN_CONTAINER.exists() else local_addresses()
    found = tuple(f"{scheme}://{address}{ending}" for address in own[:MAX_OFFERED])
    return Reach(found, closed=False, port=port)


def is_loopback(host: str) -> bool:
    """Whether a host name or address means the machine that uses it."""
    host = host.strip("[]").lower().rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def local_addresses() -> list[str]:
    """The machine's IPv4 addresses in its networks, those of home and school networks first."""
    states = psutil.net_if_stats()
    found = [
        IPv4Address(each.address)
        for name, addresses in psutil.net_if_addrs().items()
        if not name.startswith(VIRTUAL) and (name not in states or states[name].isup)
        for each in addresses
        if each.family == socket.AF_INET
    ]
    usable = [each for each in found if not (each.is_loopback or each.is_link_local)]
    return [str(each) for each in sorted(usable, key=lambda each: (not each.is_private, each))]


def qr(address: str) -> Markup:
    """A QR code as SVG, dark on light in either colour scheme, since cameras need that."""
    out = io.BytesIO()
    code = segno.make_qr(address, error="m")
    code.save(out, kind="svg", xmldecl=False, svgns=False, omitsize=True, border=4, light="white")
    return Markup(out.getvalue().decode())  # safe: made of numbers

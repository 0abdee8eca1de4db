"""The server that is tested, in a process of its own, with one class in it."""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO

from httpx2 import Response

from model.errors import HeadlightError
from server.doctor.room.connection import Client, trusting
from server.doctor.room.follower import HEADER
from server.pages.learning.workshop.reach import EVERYWHERE, is_loopback, local_addresses
from server.settings import Settings

START_S = 90.0  # for importing torch and loading the model, on a slow laptop
LOOK_S = 0.1
SPARE = 10  # seats beside those of the load: for the other checks, and the phone


class RoomError(HeadlightError):
    """The server does not start, or opens no class."""

    code = "room"


@dataclass(frozen=True)
class Room:
    """A running server with a class."""

    settings: Settings
    code: str
    secret: str

    @property
    def near(self) -> str:
        """The address for this machine itself."""
        return address_of(self.settings, _near_host(self.settings.host))

    def far(self) -> list[str]:
        """The addresses for other machines, the likeliest first."""
        host = self.settings.host
        if is_loopback(host):
            return []
        hosts = local_addresses() if host in EVERYWHERE else [host]
        return [address_of(self.settings, each) for each in hosts]

    def client(self, address: str | None = None) -> Client:
        return client_of(self.settings, address or self.near)


@contextmanager
def opened(settings: Settings) -> Iterator[Room]:
    """Start a server as `headlight class` would, and open a class for the time of the check.

    Raises:
        RoomError: it does not start, or refuses to open a class.
    """
    command = [sys.executable, "-m", "headlight", "serve"]
    environment = {
        **os.environ,
        "HEADLIGHT_CLASSES": "on",
        "HEADLIGHT_CLASS_PEOPLE": str(settings.class_people + SPARE),
        "HEADLIGHT_LOG_LEVEL": "warning",
    }
    with tempfile.TemporaryFile("w+b") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
        try:
            near = Room(settings, "", "").near
            _wait(process, settings, near, output)
            made = asyncio.run(_ask(settings, near, "POST", "/api/classes", {}))
            if made.status_code != 201:
                raise RoomError(f"The server opens no class: {made.text[:300]}")
            found = made.json()
            room = Room(settings, found["code"], found["secret"])
            try:
                yield room
            finally:
                path = f"/api/classes/{room.code}"
                with suppress(OSError):
                    asyncio.run(_ask(settings, near, "DELETE", path, None, room.secret))
        finally:
            process.terminate()
            process.wait()


def _wait(
    process: "subprocess.Popen[bytes]", settings: Settings, near: str, output: IO[bytes]
) -> None:
    end = time.monotonic() + START_S
    while process.poll() is None and time.monotonic() < end:
        with suppress(OSError):
            if asyncio.run(_ask(settings, near, "GET", "/readyz")).status_code == 200:
                return
        time.sleep(LOOK_S)
    output.seek(0)
    said = output.read().decode(errors="replace").strip()[-500:]
    raise RoomError(f"The server did not start within {START_S:.0f} s. {said}")


async def _ask(
    settings: Settings,
    address: str,
    method: str,
    path: str,
    body: object = None,
    token: str | None = None,
) -> Response:
    client = client_of(settings, address)
    if token:
        client.headers[HEADER] = token
    try:
        return await client.ask(method, path, body)
    finally:
        await client.close()


def client_of(settings: Settings, address: str) -> Client:
    """A client that the server lets in, whatever its certificate."""
    password = settings.password
    sent = {} if password is None else {"Authorization": f"Bearer {password.get_secret_value()}"}
    return Client(address, sent, verify=trusting(settings.certfile))


def address_of(settings: Settings, host: str) -> str:
    scheme = "http" if settings.certfile is None else "https"
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{settings.port}"


def _near_host(host: str) -> str:
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)

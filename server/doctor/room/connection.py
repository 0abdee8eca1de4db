"""HTTP for simulated pages: requests, and event streams as they arrive."""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import orjson

TIMEOUT_S = 20.0


class Event(NamedTuple):
    """One message of an event stream."""

    name: str
    data: Any


class RefusedError(Exception):
    """A stream was answered with something else."""

    def __init__(self, status: int) -> None:
        super().__init__(f"Expected an event stream, got status {status}.")
        self.status = status


def trusting(certificate: Path | None) -> ssl.SSLContext | bool:
    """Trusts any certificate, if the server has one: a check looks at it elsewhere."""
    if certificate is None:
        return False  # nothing to verify; reading the system's authorities takes a while
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


class Client:
    """The connections of one simulated page."""

    def __init__(
        self,
        address: str,
        headers: Mapping[str, str] | None = None,
        *,
        verify: ssl.SSLContext | bool = False,
    ) -> None:
        self._http = httpx2.AsyncClient(
            base_url=address, headers=headers, verify=verify, timeout=TIMEOUT_S, trust_env=False
        )
        self.headers = self._http.headers

    async def close(self) -> None:
        await self._http.aclose()

    async def ask(
        self, method: str, path: str, body: object = None, *, timeout_s: float = TIMEOUT_S
    ) -> httpx2.Response:
        """Send a request and read the response.

        Raises:
            OSError: the connection could not be opened, or it broke.
            TimeoutError: the response did not arrive in time.
        """
        sent = None if body is None else body if isinstance(body, bytes) else orjson.dumps(body)
        with _as_os_errors():
            async with asyncio.timeout(timeout_s):
                return await self._http.request(
                    method, path, content=sent, headers={"Content-Type": "application/json"}
                )

    async def events(self, path: str) -> AsyncGenerator[Event, None]:
        """The events of a stream, until it ends.

        Raises:
            OSError: the connection could not be opened, or it broke.
            RefusedError: the response is not an event stream.
        """
        with _as_os_errors():
            async with self._http.stream("GET", path, timeout=None) as response:
                if "text/event-stream" not in response.headers.get("content-type", ""):
                    raise RefusedError(response.status_code)
                async for event in httpx2.EventSource(response):
                    yield Event(event.event, orjson.loads(event.data))


@contextmanager
def _as_os_errors() -> Iterator[None]:
    try:
        yield
    except httpx2.TransportError as error:
        raise ConnectionError(str(error) or type(error).__name__) from error

"""The connection to a server, by httpx2: one that waits, and one that awaits."""

import asyncio
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from headlight.errors import UnreachableError
from headlight.http.steps import PAUSED, Call, Done, Pause, Reply, Steps, T, advance

if TYPE_CHECKING:
    import httpx2

LOOPBACK = ("127.0.0.1", "localhost", "::1")
CONNECT_S = 10.0
ANSWER_S = 600.0  # servers limit their own time; this is for one that hangs


class Transport:
    """Does steps, and waits for each."""

    def __init__(self, address: str, password: str | None = None) -> None:
        import httpx2  # here, because it takes a tenth of a second to import

        self.address = address
        self._client = httpx2.Client(**_options(address, password))
        weakref.finalize(self, self._client.close)  # for who does not close it

    def do(self, steps: Steps[T]) -> T:
        """Do the steps, and return their result."""
        state = advance(steps)
        while not isinstance(state, Done):
            state = advance(steps, self._reply(state))
        return state.result

    def _reply(self, step: Call | Pause) -> Reply | UnreachableError:
        if isinstance(step, Pause):
            time.sleep(step.seconds)
            return PAUSED
        try:
            with _unreachable(self.address, self._client):
                return _read(self._client.request(**_request(step)))
        except UnreachableError as error:
            return error

    def close(self) -> None:
        self._client.close()


class AsyncTransport:
    """Does steps, and awaits each."""

    def __init__(self, address: str, password: str | None = None) -> None:
        import httpx2

        self.address = address
        self._client = httpx2.AsyncClient(**_options(address, password))

    async def do(self, steps: Steps[T]) -> T:
        """Do the steps, and return their result."""
        state = advance(steps)
        while not isinstance(state, Done):
            state = advance(steps, await self._reply(state))
        return state.result

    async def _reply(self, step: Call | Pause) -> Reply | UnreachableError:
        if isinstance(step, Pause):
            await asyncio.sleep(step.seconds)
            return PAUSED
        try:
            with _unreachable(self.address, self._client):
                return _read(await self._client.request(**_request(step)))
        except UnreachableError as error:
            return error

    async def close(self) -> None:
        await self._client.aclose()


def _options(address: str, password: str | None) -> dict[str, Any]:
    import httpx2

    near = urlsplit(address).hostname in LOOPBACK
    headers = {"User-Agent": "headlight"}
    if near:  # compressing takes longer than sending within one machine
        headers["Accept-Encoding"] = "identity"
    if password is not None:
        headers["Authorization"] = f"Bearer {password}"
    return {
        "base_url": address,
        "headers": headers,
        "timeout": httpx2.Timeout(ANSWER_S, connect=CONNECT_S),
        "trust_env": not near,  # a proxy does not reach this machine
    }


def _request(call: Call) -> dict[str, Any]:
    headers = {"Accept": call.accept}
    if call.body is not None:
        headers["Content-Type"] = "application/json"
    return {"method": call.method, "url": call.path, "content": call.body, "headers": headers}


def _read(response: "httpx2.Response") -> Reply:
    return Reply(response.status_code, response.headers, response.content)


@contextmanager
def _unreachable(address: str, client: "httpx2.Client | httpx2.AsyncClient") -> Iterator[None]:
    """Turn the errors of the connection into one that says what to do."""
    import httpx2

    if client.is_closed:
        raise UnreachableError(
            "This client is closed, and fetches nothing more. Connect again, and trace again.",
            code="closed",
        )
    try:
        yield
    except (httpx2.TransportError, httpx2.InvalidURL) as error:
        lost = not isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout)
        raise UnreachableError(
            f"Expected a Headlight server at {address}; {error or type(error).__name__}. Start one "
            "with `headlight serve`, or from Python with `headlight.start()`.",
            code="connection_lost" if lost else "unreachable",
        ) from None

"""The client of a server: what it has, and traces of texts."""

import asyncio
import weakref
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from types import TracebackType
from typing import Any, Self, Unpack
from urllib.parse import urlencode

from headlight.dossier import Dossier
from headlight.errors import HeadlightError, RequestError, ServerError
from headlight.frames import Table
from headlight.http.connection import PATIENCE_S, Connection
from headlight.http.replies import parsed, wait_of
from headlight.http.steps import Async, Pause, Steps, Sync, asked
from headlight.http.transport import AsyncTransport, Transport
from headlight.progress import Progress
from headlight.request.request import Options, Request
from headlight.request.texts import Messages, Texts
from headlight.run.batches import Batch, next_batch, sizes_of, traced
from headlight.run.look import Look
from headlight.run.run import AsyncRun, Run
from headlight.study.studies import Studies

_CHUNK = 1_024  # texts taken from a generator at once


class BaseClient(Studies):
    """A client of one server.

    Args:
        address: such as `http://class:8000`.
        password: of a server that asks for one.
        model: the model for requests that name none; by default the server's first.
        patience_s: how many seconds to wait for a server that is busy, or loads a model.
    """

    _transport: type[Any]

    def __init__(
        self,
        address: str,
        *,
        password: str | None = None,
        model: str | None = None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        address = (address if "://" in address else f"http://{address}").rstrip("/")
        self.address = address
        self.model = model
        self._connection = Connection(address, f"headlight.connect({address!r})", patience_s)
        self._doing: Any = self._transport(address, password)
        self._stop: Callable[[], Any] | None = None

    @asked
    def check(self) -> Steps[None]:
        """See whether a Headlight server answers.

        Raises:
            UnreachableError: nothing answers.
            ServerError: it is no Headlight server.
        """
        found = parsed((yield from self._connection.get("/healthz")))
        if found != {"status": "ok"}:
            raise ServerError(
                f"Expected a Headlight server at {self.address}; something else answers there.",
                code="not_headlight",
            )

    @asked
    def models(self) -> Steps[Table]:
        """The models of the server, a row for each: name, sizes, limits, state, ….

        The first is the default.
        """
        return Table.of((yield from self._connection.models()))

    @asked
    def heads(self, model: str | None = None) -> Steps[Table]:
        """What each head of a model does by habit: its scores on random tokens that are repeated.

        The server computes that once for each model, which takes a while.
        """
        if model is None and (model := self.model) is None:
            model = (yield from self._connection.models())[0]["name"]
        with Progress(f"Scoring the heads of {model}") as progress:
            while True:
                reply = yield from self._connection.get(f"/api/models/{model}/heads")
                answer = parsed(reply)
                if reply.status != 202:
                    break
                progress.at(answer["progress"]["done"], answer["progress"]["total"])
                yield Pause(wait_of(reply) or 1.0)
        if answer["state"] == "failed":
            raise ServerError(answer["error"], code="failed")
        return Table.of(
            [
                {"site": head["site"], "layer": head["layer"], "head": head["head"]}
                | {name: score["value"] for name, score in head["scores"].items()}
                for head in answer["heads"]
            ]
        )

    @asked
    def dossier(self, model: str | None = None) -> Steps[Dossier]:
        """What each head of a model does over many texts, as `headlight dossier` measured it.

        Raises:
            RequestError: the model has no dossier (code "no_dossier"); it says how to make one.
        """
        if model is None and (model := self.model) is None:
            model = (yield from self._connection.models())[0]["name"]
        return Dossier(parsed((yield from self._connection.get(f"/api/models/{model}/dossier"))))

    @asked
    def film(self, model: str | None = None) -> Steps[Table]:
        """What was measured of a model at each kept step of its training: a row for each.

        What it was at a step is the model `NAME@STEP`.

        Raises:
            RequestError: the model has no film (code "no_film").
        """
        if model is None and (model := self.model) is None:
            model = (yield from self._connection.models())[0]["name"]
        film = parsed((yield from self._connection.get(f"/api/models/{model}/film")))
        return Table.of(
            [
                {"step": step} | {name: values[at] for name, values in film["curves"].items()}
                for at, step in enumerate(film["steps"])
            ]
        )

    @asked
    def circuits(
        self,
        layer: int,
        head: int,
        *,
        kind: str | None = None,
        token: int | None = None,
        pairs: bool = True,
        model: str | None = None,
    ) -> Steps[dict[str, Any]]:
        """A head read over the vocabulary: `qk`, `ov`, the `copying` score, and a token's partners.

        It is as the API sends it (`GET /api/models/{name}/circuits`). `token` is an id. Without
        `pairs`, the strongest pairs of the whole vocabulary are left out, which take longest.

        >>> hl.circuits(1, 3)["copying"] > 0.9
        True
        """
        if model is None and (model := self.model) is None:
            model = (yield from self._connection.models())[0]["name"]
        asked = {"layer": layer, "head": head, "kind": kind, "token": token, "pairs": pairs}
        query = urlencode({name: value for name, value in asked.items() if value is not None})
        found: dict[str, Any] = parsed(
            (yield from self._connection.get(f"/api/models/{model}/circuits?{query}"))
        )
        return found

    def owns(self, stop: Callable[[], Any], made: str) -> None:
        """Take over a server: `stop` ends it, at the latest with this process; `made` is how.

        It is kept as long as the client, or anything that came from it.
        """
        self._stop = weakref.finalize(self._connection, stop)
        self._connection.made = made

    def _request(self, texts: Texts | Request, options: Options) -> Request:
        if isinstance(texts, Request):
            request = texts.replace(**options) if options else texts
        else:
            request = Request.of(texts, options)
        return (
            request.replace(model=self.model) if request.model is None and self.model else request
        )

    def _chunks(self, texts: Iterable[str], options: Options) -> Iterator[Request]:
        """Requests for all the texts, of which a generator gives some at a time.

        An option that names a text counts those of all requests.
        """
        if isinstance(texts, Sequence):
            request = self._request(texts, options)
            request.check_texts(request.n_texts)
            yield request
            return
        iterator, start = iter(texts), 0
        while some := list(islice(iterator, _CHUNK)):
            request = self._request(some, options)
            yield request.edited_as(range(start, start + len(some)))
            start += len(some)
        if start:
            request.check_texts(start)

    def _rendered(
        self, texts: Texts | Request, messages: Messages, options: Options
    ) -> Steps[Texts]:
        """The texts that the model's chat template makes of conversations.

        Raises:
            RequestError: there are texts, too; or the model has no template, or it refuses them.
        """
        if texts or options.get("ids") is not None:
            raise RequestError("Expected texts or messages; got both.", field="messages")
        single = bool(messages) and isinstance(messages[0], Mapping)
        body: dict[str, Any] = {
            "model": options.get("model") or self.model,
            "messages": [messages] if single else messages,
            "select": {"layers": []},
            "predict": None,
        }
        answer = yield from self._connection.trace(body)
        found: list[str] = answer.document["rendered"]
        return found[0] if single else found

    def _traced(self, request: Request, fetch: Sequence[str]) -> Steps[list[Batch]]:
        batches = yield from traced(self._connection, request, Look(tensors=tuple(fetch)))
        yield from self._connection.model(batches[0].model)  # whose weights made it
        return batches

    def _next(
        self, request: Request, sizes: Sequence[int], done: int, fetch: Sequence[str]
    ) -> Steps[Batch]:
        look = Look(tensors=tuple(fetch))
        return next_batch(self._connection, request, sizes, done, look)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.address}>"


class Client(BaseClient, Sync):
    __doc__ = BaseClient.__doc__
    _transport = Transport

    def trace(
        self,
        texts: Texts | Request = (),
        *,
        messages: Messages | None = None,
        fetch: Sequence[str] = (),
        **options: Unpack[Options],
    ) -> Run:
        """Run a model on a text, or on any number of them.

        They are sent in as many requests as the server's limits ask for. The tokens come at once,
        everything else when it is read; `fetch` names tensors to bring along. `messages` is a
        conversation in place of a text, [{"role": "user", "content": "Hi"}], or a list of them, of
        which the model's chat template makes the texts.

        >>> run = hl.trace("Maria saw herself in the mirror.")
        >>> run.pattern.shape  # layer, head, query, key
        (3, 8, 8, 8)

        Raises:
            RequestError: the server refuses the request, and says why.
        """
        if messages is not None:
            texts = self._doing.do(self._rendered(texts, messages, options))
            options["special_tokens"] = False
        request = self._request(texts, options)
        batches = self._doing.do(self._traced(request, fetch))
        return Run(self._doing, self._connection, request, batches)

    def each(
        self, texts: Iterable[str], *, fetch: Sequence[str] = (), **options: Unpack[Options]
    ) -> Iterator[Run]:
        """Run a model on many texts, and give the run of each in turn.

        One request brings several texts with the tensors that `fetch` names, and is forgotten when
        the next one comes: so there is no limit to the texts, which may come from a generator. The
        server works on the next texts meanwhile.

        >>> for run in hl.each(["The cat sat.", "The dogs run."], fetch=["pattern"]):
        ...     print(run.tokens[1], run.pattern[0, 0, -1, 0] > 0)
        The True
        The True
        """
        with ThreadPoolExecutor(1) as ahead:
            batches = self._batches(self._chunks(texts, options), fetch)
            coming = ahead.submit(next, batches, None)
            while (batch := coming.result()) is not None:
                coming = ahead.submit(next, batches, None)
                yield from Run(self._doing, self._connection, batch.request, [batch])

    def _batches(self, requests: Iterable[Request], fetch: Sequence[str]) -> Iterator[Batch]:
        for request in requests:
            sizes, done = sizes_of(request), 0
            while done < len(sizes):
                batch: Batch = self._doing.do(self._next(request, sizes, done, fetch))
                yield batch
                done += len(batch.texts)

    def close(self) -> None:
        """Close the connection. A server that `headlight.start` began ends."""
        self._doing.close()
        if self._stop is not None:
            self._stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class AsyncClient(BaseClient, Async):
    """The client of a server, for programs with an event loop: what is asked is to be awaited.

    The arguments are those of `Client`.

    >>> async def tokens() -> list[str]:
    ...     async with headlight.AsyncClient(address) as hl:
    ...         run = await hl.trace("The cat sat.")
    ...         return run.tokens, (await run.pattern).shape
    >>> asyncio.run(tokens())
    (['[BOS]', 'The', ' cat', ' sat', '.'], (3, 8, 5, 5))
    """

    _transport = AsyncTransport

    async def trace(
        self,
        texts: Texts | Request = (),
        *,
        messages: Messages | None = None,
        fetch: Sequence[str] = (),
        **options: Unpack[Options],
    ) -> AsyncRun:
        """Run a model on a text, or on any number of them, as `Client.trace` does."""
        if messages is not None:
            texts = await self._doing.do(self._rendered(texts, messages, options))
            options["special_tokens"] = False
        request = self._request(texts, options)
        batches = await self._doing.do(self._traced(request, fetch))
        return AsyncRun(self._doing, self._connection, request, batches)

    async def each(
        self, texts: Iterable[str], *, fetch: Sequence[str] = (), **options: Unpack[Options]
    ) -> AsyncGenerator[AsyncRun]:
        """Run a model on many texts, and give the run of each in turn, as `Client.each` does."""
        batches = self._batches(self._chunks(texts, options), fetch)
        coming = asyncio.ensure_future(anext(batches, None))
        try:
            while (batch := await coming) is not None:
                coming = asyncio.ensure_future(anext(batches, None))
                for run in AsyncRun(self._doing, self._connection, batch.request, [batch]):
                    yield run
        finally:  # the loop may have been left
            coming.cancel()
            with suppress(asyncio.CancelledError, HeadlightError):
                await coming
            await batches.aclose()

    async def _batches(
        self, requests: Iterable[Request], fetch: Sequence[str]
    ) -> AsyncGenerator[Batch]:
        for request in requests:
            sizes, done = sizes_of(request), 0
            while done < len(sizes):
                batch: Batch = await self._doing.do(self._next(request, sizes, done, fetch))
                yield batch
                done += len(batch.texts)

    async def close(self) -> None:
        """Close the connection."""
        await self._doing.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

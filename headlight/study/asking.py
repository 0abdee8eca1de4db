"""Asks the server about each pair in turn, and keeps the answers."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, TypeAlias

from headlight.errors import RequestError
from headlight.http.connection import Connection
from headlight.http.steps import Steps
from headlight.progress import Progress
from headlight.request.request import Request
from headlight.run.chosen import ids_of
from headlight.study.pairs import Pair
from headlight.tokens import Token

ALONE: Mapping[str, Any] = {"predict": None, "select": {"layers": []}}
# One pair, with the ids of its answer and of the rival: what is kept of it, as JSON.
Ask: TypeAlias = Callable[[Pair, Request, int | None, int | None], Steps[Any]]


class Keep(AbstractContextManager[Any], Protocol):
    """Where answers are kept while pairs are asked about."""

    def begin(self, n: int) -> None:
        """Be told how many pairs there are."""

    def known(self, key: str) -> Any | None:
        """An earlier answer."""

    def found(self, key: str, result: Any) -> None:
        """Take the answer about the next pair, whether it was known or not."""


class InFile(Keep):
    """A file of JSON lines, or none at all; a bar shows how far it is."""

    def __init__(self, path: str | Path | None) -> None:
        self._path = None if path is None else Path(path)
        exists = self._path is not None and self._path.exists()
        self._known = _kept(self._path) if self._path and exists else {}
        self._progress: Progress | None = None
        self._done = 0

    def begin(self, n: int) -> None:
        self._progress = Progress("Studying", n)

    def known(self, key: str) -> Any | None:
        return self._known.get(key)

    def found(self, key: str, result: Any) -> None:
        if self._path is not None and key not in self._known:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "result": result}) + "\n")
        self._done += 1
        if self._progress is not None:
            self._progress.at(self._done)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._progress is not None:
            self._progress.__exit__(kind, error, traceback)


def each_pair(
    connection: Connection,
    pairs: Sequence[Pair],
    request: Request,
    settings: Mapping[str, Any],
    ask: Ask,
    keep: Keep,
) -> Steps[tuple[Any, ...]]:
    """What `ask` finds of each pair; what `keep` knows is not asked again.

    Raises:
        RequestError: there is no pair, an answer is not one token, or the server refuses a
            sentence; its field has the number of the pair.
    """
    if not pairs:
        raise RequestError("Expected at least one pair; got none.", field="pairs")
    if request.model is None:  # said, so that what is kept is never of another model
        request = request.replace(model=(yield from connection.models())[0]["name"])
    named = [{"token": pair.answer, "against": pair.wrong} for pair in pairs]
    ids = yield from ids_of(named, connection, request)
    found = []
    with keep:
        keep.begin(len(pairs))
        for n, pair in enumerate(pairs):
            asked = json.dumps([request.body(), *vars(pair).values(), settings], default=str)
            key = hashlib.sha256(asked.encode()).hexdigest()
            answer, wrong = (
                None if text is None else ids[text] for text in (pair.answer, pair.wrong)
            )
            try:
                result = keep.known(key) or (yield from ask(pair, request, answer, wrong))
            except RequestError as error:
                error.field = f"pairs.{n}"
                raise
            keep.found(key, result)
            found.append(result)
    return tuple(found)


def tokens_of(connection: Connection, text: str, request: Request) -> Steps[list[Token]]:
    """The tokens of a sentence."""
    answer = yield from connection.trace({**replace(request, texts=(text,)).body(), **ALONE})
    return [Token.of(token) for token in answer.document["tokens"][0]]


def _kept(path: Path) -> dict[str, Any]:
    """The answers of a file, without a last line that was cut off."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            one = json.loads(line)
        except ValueError:
            continue
        found[one["key"]] = one["result"]
    return found

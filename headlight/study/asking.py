"""Asks the server about each pair in turn, and keeps the answers."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
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
Told: TypeAlias = Callable[[int], None]
Ask: TypeAlias = Callable[[Pair, Request, int | None, int | None], Steps[Any]]


class Keep(Protocol):
    """Where answers are kept, and who is told how far it is."""

    def known(self, key: str) -> Any | None:
        """An earlier answer."""

    def found(self, key: str, result: Any) -> None:
        """Take the answer about the next pair, whether it was known or not."""

    def tried(self, step: Mapping[str, Any]) -> None:
        """Take a step of a search."""

    def progress(self, doing: str, n: int | None = None) -> AbstractContextManager[Told]:
        """What takes the number of things that are done."""
        ...


class InFile:
    """A file of JSON lines, or none at all; a bar shows how far it is."""

    def __init__(self, path: str | Path | None) -> None:
        self._path = None if path is None else Path(path)
        exists = self._path is not None and self._path.exists()
        self._known = _kept(self._path) if self._path and exists else {}

    def known(self, key: str) -> Any | None:
        return self._known.get(key)

    def found(self, key: str, result: Any) -> None:
        if self._path is not None and key not in self._known:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "result": result}) + "\n")

    def tried(self, step: Mapping[str, Any]) -> None:
        pass  # the bar says it

    @contextmanager
    def progress(self, doing: str, n: int | None = None) -> Iterator[Told]:
        with Progress(doing, n) as bar:
            yield bar.at


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
    with keep.progress("Studying", len(pairs)) as done:
        for n, pair in enumerate(pairs):
            asked = json.dumps([request.body(), *vars(pair).values(), settings], default=str)
            key = hashlib.sha256(asked.encode()).hexdigest()
            answer, wrong = (
                usual if text is None else ids[text]
                for text, usual in zip((pair.answer, pair.wrong), _usual(request), strict=True)
            )
            try:
                result = keep.known(key) or (yield from ask(pair, request, answer, wrong))
            except RequestError as error:
                error.field = f"pairs.{n}"
                raise
            keep.found(key, result)
            found.append(result)
            done(n + 1)
    return tuple(found)


def tells_how_much(request: Request) -> bool:
    """Whether the answer is a quantity, of which neither class is right."""
    asked = request.answer or {}
    return asked.get("kind") in ("entropy", "loss") or len(asked.get("texts", ())) == 1


def _usual(request: Request) -> tuple[int | None, int | None]:
    """The class that says how much, and its opposite, where an answer has just these two.

    None: the server takes the likeliest.
    """
    alone = len((request.answer or {}).get("weights", ())) == 1
    return (1, 0) if alone or tells_how_much(request) else (None, None)


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

"""Asks the server about each pair in turn, and keeps the answers in a file, if there is one."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

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


def each_pair(
    connection: Connection,
    pairs: Sequence[Pair],
    request: Request,
    settings: Mapping[str, Any],
    ask: Ask,
    keep: str | Path | None,
) -> Steps[tuple[Any, ...]]:
    """What `ask` finds of each pair; with a file `keep`, what it has is not asked again.

    Raises:
        RequestError: there is no pair, an answer is not one token, or the server refuses a
            sentence; its field has the number of the pair.
    """
    if not pairs:
        raise RequestError("Expected at least one pair; got none.", field="pairs")
    path = None if keep is None else Path(keep)
    known = {} if path is None or not path.exists() else _kept(path)
    if request.model is None:  # said, so that what is kept is never of another model
        request = request.replace(model=(yield from connection.models())[0]["name"])
    named = [{"token": pair.answer, "against": pair.wrong} for pair in pairs]
    ids = yield from ids_of(named, connection, request)
    found = []
    with Progress("Studying", len(pairs)) as progress:
        for n, pair in enumerate(pairs):
            asked = json.dumps([request.body(), *vars(pair).values(), settings], default=str)
            key = hashlib.sha256(asked.encode()).hexdigest()
            answer, wrong = (
                None if text is None else ids[text] for text in (pair.answer, pair.wrong)
            )
            try:
                result = known.get(key) or (yield from ask(pair, request, answer, wrong))
            except RequestError as error:
                error.field = f"pairs.{n}"
                raise
            if path is not None and key not in known:
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"key": key, "result": result}) + "\n")
            found.append(result)
            progress.at(n + 1)
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

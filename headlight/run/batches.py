"""The texts of a request, sent in as many requests to the server as its limits ask for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from headlight.errors import RequestError
from headlight.http.answer import Answer
from headlight.http.connection import Connection
from headlight.http.limits import size_of
from headlight.http.steps import Steps
from headlight.progress import Progress
from headlight.request import Request
from headlight.run.counting import counted
from headlight.run.look import PART, TENSORS, Arrays, Look, arrays_of
from headlight.tokens import Token

Document = Mapping[str, Any]


@dataclass(frozen=True)
class Traced:
    """One text of an answer."""

    tokens: list[Token]  # with padding
    target_tokens: list[Token] | None

    n_tokens: int = field(init=False)  # without padding
    n_targets: int = field(init=False)

    def __post_init__(self) -> None:
        for name, row in (("n_tokens", self.tokens), ("n_targets", self.target_tokens)):
            object.__setattr__(self, name, sum(not token.padding for token in row or ()))


@dataclass(frozen=True)
class Batch:
    """Texts that one request traced together."""

    request: Request  # of these texts alone
    model: str
    sites: list[dict[str, Any]]  # the JSON of each, without tensors
    texts: list[Traced]
    arrays: Arrays  # of the tensors that came with the tokens

    @classmethod
    def of(cls, request: Request, answer: Answer, look: Look) -> "Batch":
        document = answer.document
        targets = document["target_tokens"] or [None] * request.n_texts
        texts = [
            Traced(_tokens(row), None if target is None else _tokens(target))
            for row, target in zip(document["tokens"], targets, strict=True)
        ]
        return cls(request, document["model"], document["sites"], texts, arrays_of(answer, look))

    def axis(self, site: Mapping[str, Any], axis: str, text: int = 0) -> list[Token]:
        """The tokens along the `query` or `key` axis of a site, with padding."""
        named: list[Token] = getattr(self.texts[text], site[f"{axis}_tokens"])
        return named

    def length(self, site: Mapping[str, Any], axis: str, text: int) -> int:
        """How many of them are not padding."""
        text_of = self.texts[text]
        return text_of.n_targets if site[f"{axis}_tokens"] == "target_tokens" else text_of.n_tokens

    def alone(self, row: int, request: Request) -> "Batch":
        """One of the texts, without its padding, as a request for it alone gives it."""
        kept = self.texts[row]
        text = Traced(
            [token for token in kept.tokens if not token.padding],
            kept.target_tokens and [token for token in kept.target_tokens if not token.padding],
        )
        arrays = {}
        for (name, tensor), array in self.arrays.items():
            [site] = [site for site in self.sites if site["name"] == name]
            sizes = [
                len(getattr(text, site[f"{axis}_tokens"])) if axis in ("query", "key") else None
                for axis in TENSORS[tensor]
            ]
            arrays[name, tensor] = array[row : row + 1, :, : sizes[0], : sizes[1]]
        return Batch(request, self.model, self.sites, [text], arrays)


def _tokens(row: Sequence[Document]) -> list[Token]:
    return [Token.of(token) for token in row]


def next_batch(
    connection: Connection, request: Request, sizes: Sequence[int], start: int, look: Look
) -> Steps[Batch]:
    """The next texts of a request, as many as the server takes together.

    Raises:
        RequestError: a text is refused even alone. Its field counts the texts of the whole request.
    """
    most = len(sizes)
    while True:
        part = connection.limits.part(sizes, start, most)
        if request.needs_all_texts:
            part = range(len(sizes))
        some = request.only(part)
        try:
            body = some.body() | {"parts": {PART: look.document()}, "predict": None}
            answer = yield from connection.trace(body)
            return Batch.of(some, answer, look)
        except RequestError as error:
            fewer = None if request.needs_all_texts else connection.limits.learn(error, part)
            if fewer is None:
                raise counted(error, request, part) from None
            most = fewer


def traced(connection: Connection, request: Request, look: Look) -> Steps[list[Batch]]:
    """All texts of a request, in order.

    Raises:
        RequestError: the server refuses one, or an edit names a text that is not there.
    """
    request.check_texts(request.n_texts)
    sizes = sizes_of(request)
    batches: list[Batch] = []
    done = 0
    with Progress("Tracing", len(sizes)) as progress:
        while done < len(sizes) or not batches:
            batches.append((yield from next_batch(connection, request, sizes, done, look)))
            done += len(batches[-1].texts)
            progress.at(done)
    return batches


def sizes_of(request: Request) -> list[int]:
    """The bytes that each text adds to a request."""
    more = [each for each in (request.targets, request.pairs) if each is not None]
    rows: Sequence[str | Sequence[int]] = request.texts if request.ids is None else request.ids
    return [sum(map(size_of, together)) for together in zip(rows, *more, strict=False)]

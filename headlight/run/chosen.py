"""Tokens chosen by their text, and positions counted from the end, as the server takes them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any, TypeAlias

from headlight.errors import RequestError
from headlight.http.connection import Connection
from headlight.http.steps import Steps
from headlight.request import Request
from headlight.tokens import Token

ChosenToken: TypeAlias = int | str | Sequence[int | str | None] | None
"""A token's id, or its text, such as " Mary"; a list has one for each text of the run."""
ChosenPosition: TypeAlias = int | Sequence[int | None] | None
"""A position in the text, from the end if negative; a list has one for each text of the run."""

_TOKENS = ("token", "against")


def settings_in(more: Mapping[str, Any]) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Where the settings of an analysis or of predictions stand in a request, and what they are."""
    if "predict" in more:
        return ("predict",), more["predict"]
    [(name, settings)] = [*more["analyse"].items()][:1]
    return ("analyse", name), settings if isinstance(settings, dict) else {}


def is_plain(settings: Mapping[str, Any]) -> bool:
    """Whether the server takes the settings as they are, for all texts at once."""
    position = settings.get("position")
    return (
        all(settings.get(name) is None or isinstance(settings[name], Integral) for name in _TOKENS)
        and (position is None or (isinstance(position, Integral) and int(position) >= 0))
        and all(isinstance(token, Integral) for token in settings.get("tokens", ()))
    )


def for_text(
    settings: Mapping[str, Any], text: int, n_texts: int, row: Sequence[Token], *, padded: bool
) -> dict[str, Any]:
    """The settings for one text: of lists its own entry, and positions from the start.

    Args:
        row: the tokens that the model predicts from, with padding.
        padded: whether the request for it is padded as `row` is.
    """
    found = dict(settings)
    for name in ("position", *_TOKENS):
        value = found.get(name)
        if value is None or isinstance(value, (Integral, str)):
            continue
        each = list(value)
        if len(each) != n_texts:
            raise RequestError(
                f"There are {len(each)} of {name}, but the run has {n_texts} texts.", field=name
            )
        found[name] = each[text]
    position = found.get("position")
    if position is not None and position < 0:
        places = [at for at, token in enumerate(row) if not token.padding]
        if position < -len(places):
            raise RequestError(
                f"Text {text} has {len(places)} tokens, so its positions from the end are "
                f"-{len(places)} to -1; got {position}.",
                field="position",
            )
        found["position"] = places[position] if padded else len(places) + position
    return found


def ids_of(
    settings: Iterable[Mapping[str, Any]], connection: Connection, request: Request
) -> Steps[dict[str, int]]:
    """The ids of all tokens that are named by their text.

    Raises:
        RequestError: the model reads a text as several tokens, or as none.
    """
    named = {
        value
        for each in settings
        for value in (*(each.get(name) for name in _TOKENS), *each.get("tokens", ()))
        if isinstance(value, str)
    }
    found: dict[str, int] = {}
    if request.answer is not None and named:
        classes = yield from classes_of(connection, request)
        for text in named - classes.keys():
            raise RequestError(
                f"The answer has the classes {', '.join(classes)}; got {text!r}.", field="token"
            )
        return classes
    for text in sorted(named):
        body = Request.of(text, model=request.model).body() | {"predict": None}
        answer = yield from connection.trace({**body, "select": {"layers": []}})
        tokens = [token for token in answer.document["tokens"][0] if not token["special"]]
        if len(tokens) != 1:
            parts = ", ".join(repr(token["text"]) for token in tokens) or "nothing"
            raise RequestError(
                f"The model reads {text!r} as {len(tokens)} tokens ({parts}); expected one. Give "
                "one of them, with the space before it if it has one, or a token's id.",
                field="token",
            )
        found[text] = tokens[0]["id"]
    return found


def classes_of(connection: Connection, request: Request) -> Steps[dict[str, int]]:
    """The ids of an answer's classes, by name: the server lists all with any text."""
    some = request.only(range(1)) if request.n_texts > 0 else replace(request, texts=("a b",))
    body = some.body()
    asked = {"predict": {"top_k": 100}, "select": {"layers": []}}
    answer = yield from connection.trace(body | asked)
    listed = sorted(answer.document["predictions"][0], key=lambda one: one["id"])
    return {one["text"]: one["id"] for one in listed}


def with_ids(settings: Mapping[str, Any], ids: Mapping[str, int]) -> dict[str, Any]:
    """The settings with ids in the places of texts."""

    def id_of(value: Any) -> Any:
        return ids[value] if isinstance(value, str) else value

    found = dict(settings)
    found |= {name: id_of(found[name]) for name in _TOKENS if name in found}
    if "tokens" in found:
        found["tokens"] = [id_of(token) for token in found["tokens"]]
    return found

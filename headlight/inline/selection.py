"""What is selected in a view, and how an address says it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from headlight.errors import RequestError
from headlight.request.masks import Kind
from headlight.tokens import places

if TYPE_CHECKING:
    from headlight.run.run import BaseRun

_ADDRESS = {"text": "shown"}  # where an address has another name for it


@dataclass(frozen=True, kw_only=True)
class Selection:
    """A head, and the tokens that are chosen in it."""

    layer: int = 0
    head: int = 0
    query: int | None = None  # a position; None: none was chosen, so the page chooses one
    key: int | None = None  # a position; None: none is chosen
    text: int = 0  # from 0, if there are several
    kind: Kind = "self"

    @classmethod
    def said(cls, message: Mapping[str, Any]) -> "Selection":
        """The one that a page tells: the message `headlight.selection` of docs/embed.md."""
        tokens = {name: message[name] and message[name]["position"] for name in ("query", "key")}
        return cls(**{name: message[name] for name in NAMES if name not in tokens}, **tokens)

    @classmethod
    def at(cls, view: Mapping[str, Any], run: "BaseRun") -> "Selection":
        """The one that the parameters of an address name."""
        sites = run._batches[0].sites
        kind = view.get("kind", sites[0]["kind"])
        first = next((site["layer"] for site in sites if site["kind"] == kind), 0)
        named = {
            name: view[_ADDRESS.get(name, name)]
            for name in NAMES
            if _ADDRESS.get(name, name) in view
        }
        return cls(kind=kind, layer=first).changed(named, run)

    def changed(self, given: "Selection | Mapping[str, Any]", run: "BaseRun") -> "Selection":
        """Another one: what is given, and the rest as here. Tokens may be named by their text.

        Raises:
            RequestError: the run has no such head or token.
        """
        if not isinstance(given, Selection):
            given = replace(self, **_known(given))
        sites = run._batches[0].sites
        kinds = list(dict.fromkeys(site["kind"] for site in sites))
        _check("kind", given.kind, kinds)
        of_kind = {site["layer"]: site for site in sites if site["kind"] == given.kind}
        _check("layer", given.layer, list(of_kind))
        _check("head", given.head, of_kind[given.layer]["heads"])
        _check("text", given.text, list(range(len(run))))
        tokens: dict[str, Any] = {
            axis: _position(axis, getattr(given, axis), names or [])
            for axis, names in zip(("query", "key"), run._axes(given.text, given.kind), strict=True)
        }
        return replace(given, **tokens)

    def place(self) -> dict[str, Any]:
        """The parameters of an address; None where it has none."""
        return {_ADDRESS.get(name, name): value for name, value in asdict(self).items()}


NAMES = tuple(field.name for field in fields(Selection))


def _known(given: Any) -> Mapping[str, Any]:
    unknown = [name for name in given if name not in NAMES] if isinstance(given, Mapping) else None
    if unknown == []:
        return dict(given)
    raise RequestError(
        "Expected what to select, such as {'layer': 2, 'head': 3, 'query': 'saw'}, with the names "
        f"{', '.join(NAMES)}; got {given!r}."
    )


def _check(name: str, value: Any, known: list[Any]) -> None:
    if value not in known or isinstance(value, bool):
        raise RequestError(
            f"Expected the {name} to be one of {', '.join(map(repr, known))}; got {value!r}.",
            field=name,
        )


def _position(axis: str, value: Any, tokens: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, str):
        [position] = places([value], tokens, axis)
        return position
    if isinstance(value, bool) or value not in range(len(tokens)):
        raise RequestError(
            f"Expected the {axis} to be a position from 0 to {len(tokens) - 1}, or the text of a "
            f"token; got {value!r}.",
            field=axis,
        )
    return int(value)

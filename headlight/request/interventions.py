"""The interventions of a request, and short ways to make them.

>>> from headlight.interventions import patch, scale
>>> run.intervene(scale(0.5, layer=2, head=3), patch("Robert saw himself.", at="mlp", layer=1))
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from operator import index
from typing import Any, Literal, Required, TypeAlias, TypedDict, Unpack

from headlight.errors import RequestError
from headlight.names import check_names
from headlight.request.masks import Kind
from headlight.request.texts import Texts, several

At: TypeAlias = Literal["head", "mlp", "resid_pre", "resid_mid", "resid_post"]


class Where(TypedDict, total=False):
    """Where an intervention acts: the fields of `Intervention` that every kind takes."""

    at: At
    layer: Required[int]
    head: int | None
    site: Kind | None
    text: int | None
    positions: int | Sequence[int] | None


@dataclass(frozen=True, kw_only=True)
class Intervention:
    """A change of what a head, a feed-forward network or the residual stream gives."""

    kind: str  # zero, mean, resample, patch, scale, add, freeze_pattern, freeze_values
    at: At = "head"
    layer: int
    head: int | None = None  # None: all heads of the layer
    site: Kind | None = None  # of an encoder–decoder; None: all
    text: int | None = None  # None: all
    positions: tuple[int, ...] | None = None  # in the padded text; None: all
    factor: float | None = None  # of scale and add
    texts: tuple[str, ...] | None = None  # of mean
    source: str | None = None  # of patch, resample and add: the other sentence
    minus: str | None = None  # of add: the sentence that is subtracted from the source
    token: int | str | None = None  # of add: its id, or a text that is one token
    vector: tuple[float, ...] | None = None  # of add
    # of patch: the aligned tokens, as (position in the source, position in the text)
    pairs: tuple[tuple[int, int], ...] | None = None

    @classmethod
    def of(cls, given: "Intervention | Mapping[str, Any]") -> "Intervention":
        """An intervention, or one of `interventions` of a request to the API.

        Raises:
            UnknownNameError: it has no such field.
            RequestError: a field is missing, or is not what it should be.
        """
        if isinstance(given, Intervention):
            return given
        if not isinstance(given, Mapping):
            raise RequestError(
                "Expected an intervention, such as scale(0.5, layer=2), or a dict of its fields; "
                f"got {given!r}.",
                code="invalid_value",
            )
        check_names(given, NAMES)
        for name, example in _NEEDED.items():
            if given.get(name) is None:
                raise RequestError(
                    f"Expected the {name} of the intervention; got none. Add it, such as "
                    f"{example}.",
                    code="missing_field",
                    field=name,
                )
        known = dict(given)
        for name, read in _READ.items():
            if known.get(name) is not None:
                known[name] = read(known[name])
        return cls(**known)

    def document(self) -> dict[str, Any]:
        """The intervention as the API takes it, without what is None."""
        found = {name: value for name, value in asdict(self).items() if value is not None}
        return {name: _listed(value) for name, value in found.items()}

    @property
    def text_form(self) -> str:
        """The intervention in an address: `patch~resid_pre.2~positions=3~source=Another text.`"""
        place = [self.at, self.layer, *([] if self.head is None else [self.head])]
        pieces = [self.kind, ".".join(map(str, place))]
        pieces += [f"{name}={escaped(value)}" for name, value in self._settings()]
        return "~".join(pieces)

    def _settings(self) -> Iterator[tuple[str, str]]:
        if self.site is not None:
            yield "site", self.site
        if self.text is not None:
            yield "text", str(self.text)
        if self.positions is not None:
            yield "positions", ".".join(map(str, self.positions))
        if self.pairs is not None:
            yield "pairs", ".".join(f"{source}-{to}" for source, to in self.pairs)
        if self.factor is not None:
            yield "factor", repr(float(self.factor)).removesuffix(".0")
        for text in self.texts or ():
            yield "texts", text
        if self.source is not None:
            yield "source", self.source
        if self.minus is not None:
            yield "minus", self.minus
        if self.token is not None:
            yield "id" if isinstance(self.token, int) else "token", str(self.token)
        if self.vector is not None:
            yield "vector", ",".join(repr(each).removesuffix(".0") for each in self.vector)


def _positions(given: Any) -> tuple[int, ...]:
    """Positions; an integer is one of them."""
    try:
        return tuple(map(index, given if isinstance(given, Iterable) else [given]))
    except TypeError:
        raise RequestError(
            f"Expected positions, such as 3 or [3, 4]; got {given!r}.",
            code="invalid_value",
            field="positions",
        ) from None


def _pairs(given: Any) -> tuple[tuple[int, int], ...]:
    try:
        return tuple((index(source), index(to)) for source, to in given)
    except (TypeError, ValueError):
        raise RequestError(
            "Expected pairs of two positions, as (in the source, in the text), such as "
            f"[(1, 1), (2, 3)]; got {given!r}.",
            code="invalid_value",
            field="pairs",
        ) from None


def _vector(given: Any) -> tuple[float, ...]:
    """Numbers along one axis, of a list or an array."""
    try:
        return tuple(float(each) for each in getattr(given, "tolist", lambda: given)())
    except (TypeError, ValueError):
        raise RequestError(
            f"Expected a vector, such as [0.5, -1.0] or an array of one axis; got {given!r:.80}.",
            code="invalid_value",
            field="vector",
        ) from None


NAMES = tuple(field.name for field in fields(Intervention))
_NEEDED = {"kind": 'kind="zero"', "layer": "layer=1"}
_READ = {"positions": _positions, "pairs": _pairs, "texts": several, "vector": _vector}


def interventions(
    given: Iterable[Intervention | Mapping[str, Any]],
) -> tuple[Intervention, ...]:
    """Interventions, from what a user gives."""
    if isinstance(given, Intervention | Mapping):
        raise RequestError(
            "Expected a list of interventions; got one alone. Put it in brackets.",
            code="invalid_value",
            field="interventions",
        )
    found = []
    for n, one in enumerate(given):
        try:
            found.append(Intervention.of(one))
        except RequestError as error:
            error.field = ".".join(filter(None, (f"interventions.{n}", error.field)))
            raise
    return tuple(found)


def _made(kind: str, where: Where, **own: Any) -> Intervention:
    check_names(where, Where.__annotations__)
    return Intervention.of({"kind": kind, **own, **where})


def zero(**where: Unpack[Where]) -> Intervention:
    """Set a part to 0."""
    return _made("zero", where)


def mean(texts: Texts, **where: Unpack[Where]) -> Intervention:
    """Set a part to its mean over all tokens of some texts, or of one."""
    return _made("mean", where, texts=texts)


def resample(source: str, **where: Unpack[Where]) -> Intervention:
    """Set a part to what it is in another sentence, at the same positions."""
    return _made("resample", where, source=source)


def patch(
    source: str, *, pairs: Sequence[tuple[int, int]] | None = None, **where: Unpack[Where]
) -> Intervention:
    """Set a part to what it is in another sentence, at aligned positions."""
    return _made("patch", where, source=source, pairs=pairs)


def scale(factor: float, **where: Unpack[Where]) -> Intervention:
    """Multiply a part by a number."""
    return _made("scale", where, factor=factor)


def add(
    vector: Any = None,
    *,
    token: int | str | None = None,
    source: str | None = None,
    minus: str | None = None,
    factor: float | None = None,
    **where: Unpack[Where],
) -> Intervention:
    """Add a vector to a part, `factor` times: to steer the model.

    The vector is an array with as many numbers as the part gives for a token, the direction of a
    `token`, or what the part gives at the end of `source`, less what it gives at the end of
    `minus`.
    """
    own = {"token": token, "source": source, "minus": minus, "factor": factor}
    return _made("add", where, vector=vector, **own)


def freeze_pattern(**where: Unpack[Where]) -> Intervention:
    """Keep a head's pattern as it is without interventions and mutes."""
    return _made("freeze_pattern", where)


def freeze_values(**where: Unpack[Where]) -> Intervention:
    """Keep a head's values as they are without interventions and mutes."""
    return _made("freeze_values", where)


def _listed(value: Any) -> Any:
    return [_listed(each) for each in value] if isinstance(value, tuple) else value


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("~", "\\~")

"""The interventions of a request, and short ways to make them.

>>> from headlight.interventions import patch, scale
>>> run.intervene(scale(0.5, layer=2, head=3), patch("Robert saw himself.", at="mlp", layer=1))
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, TypeAlias, TypedDict, Unpack

from headlight.names import check_names
from headlight.request.masks import Kind

At: TypeAlias = Literal["head", "mlp", "resid_pre", "resid_mid", "resid_post"]


class Where(TypedDict, total=False):
    """Where an intervention acts: the fields of `Intervention` that every kind takes."""

    at: At
    layer: int
    head: int | None
    site: Kind | None
    text: int | None
    positions: Sequence[int] | None


@dataclass(frozen=True, kw_only=True)
class Intervention:
    """A change of what a head, a feed-forward network or the residual stream gives."""

    kind: str  # zero, mean, resample, patch, scale, freeze_pattern, freeze_values
    at: At = "head"
    layer: int = 0
    head: int | None = None  # None: all heads of the layer
    site: Kind | None = None  # of an encoder–decoder; None: all
    text: int | None = None  # None: all
    positions: tuple[int, ...] | None = None  # in the padded text; None: all
    factor: float | None = None  # of scale
    texts: tuple[str, ...] | None = None  # of mean
    source: str | None = None  # of patch and resample: the other sentence
    # of patch: the aligned tokens, as (position in the source, position in the text)
    pairs: tuple[tuple[int, int], ...] | None = None

    @classmethod
    def of(cls, given: "Intervention | Mapping[str, Any]") -> "Intervention":
        """An intervention, or one of `interventions` of a request to the API."""
        if isinstance(given, Intervention):
            return given
        check_names(given, NAMES, "interventions")
        known = dict(given)
        for name in ("positions", "texts"):
            if known.get(name) is not None:
                known[name] = tuple(known[name])
        if known.get("pairs") is not None:
            known["pairs"] = tuple((int(source), int(to)) for source, to in known["pairs"])
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
        pieces += [f"{name}={_escaped(value)}" for name, value in self._settings()]
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


NAMES = tuple(field.name for field in fields(Intervention))


def interventions(
    given: Iterable[Intervention | Mapping[str, Any]],
) -> tuple[Intervention, ...]:
    """Interventions, from what a user gives."""
    return tuple(map(Intervention.of, given))


def zero(**where: Unpack[Where]) -> Intervention:
    """Set a part to 0."""
    return Intervention.of({"kind": "zero", **where})


def mean(texts: Sequence[str], **where: Unpack[Where]) -> Intervention:
    """Set a part to its mean over all tokens of some texts."""
    return Intervention.of({"kind": "mean", "texts": texts, **where})


def resample(source: str, **where: Unpack[Where]) -> Intervention:
    """Set a part to what it is in another sentence, at the same positions."""
    return Intervention.of({"kind": "resample", "source": source, **where})


def patch(
    source: str, *, pairs: Sequence[tuple[int, int]] | None = None, **where: Unpack[Where]
) -> Intervention:
    """Set a part to what it is in another sentence, at aligned positions."""
    return Intervention.of({"kind": "patch", "source": source, "pairs": pairs, **where})


def scale(factor: float, **where: Unpack[Where]) -> Intervention:
    """Multiply a part by a number."""
    return Intervention.of({"kind": "scale", "factor": factor, **where})


def freeze_pattern(**where: Unpack[Where]) -> Intervention:
    """Keep a head's pattern as it is without interventions and mutes."""
    return Intervention.of({"kind": "freeze_pattern", **where})


def freeze_values(**where: Unpack[Where]) -> Intervention:
    """Keep a head's values as they are without interventions and mutes."""
    return Intervention.of({"kind": "freeze_values", **where})


def _listed(value: Any) -> Any:
    return [_listed(each) for each in value] if isinstance(value, tuple) else value


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("~", "\\~")

"""A request: everything that determines a run, as a value, and the edits that give another."""

import base64
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Generic, TypeAlias, TypedDict, TypeVar

from headlight.errors import RequestError
from headlight.names import check_names
from headlight.request.answers import answer_of
from headlight.request.interventions import Intervention, interventions
from headlight.request.masks import MASKS, PAINTED, Cell, Head, Kind, Masks
from headlight.request.texts import Texts, several
from headlight.tokens import Place, places

R = TypeVar("R")
Tokens: TypeAlias = Sequence[str] | None
_SHOWN = 2  # texts, in one line


class Options(TypedDict, total=False):
    """What a request may say besides its texts. What is left out is as the model has it."""

    ids: Sequence[int] | Sequence[Sequence[int]] | None  # token ids in place of texts
    special_tokens: bool | None  # whether the model's own are added; None: to texts alone
    targets: Texts | None  # the decoder's texts, in an encoder–decoder
    pairs: Texts | None  # second segments
    model: str | None  # a name from `models()`
    masks: Masks | Mapping[str, Any]
    muted: Iterable[Head]
    interventions: Iterable[Intervention | Mapping[str, Any]]  # in the order in which they act
    generate: Mapping[str, Any] | None  # tokens to append first, such as {"n_tokens": 5}
    # read in place of the prediction: "entropy", "loss", {"kind": "similarity", "texts": …}, …
    answer: Mapping[str, Any] | str | None
    scratch: Mapping[str, Any] | None  # for the model `scratch`: the mechanism and its settings


class Edits(ABC, Generic[R]):
    """What can be edited. Each edit gives a new value, and changes nothing."""

    @property
    @abstractmethod
    def request(self) -> "Request":
        """What determines the run."""

    @abstractmethod
    def _edited(self, request: "Request") -> R:
        """The result of an edit."""

    def _axes(self, text: int, kind: Kind | None) -> tuple[Tokens, Tokens]:
        """The tokens that a cell's query and key may name; None if they are not known yet."""
        return None, None

    def mute(self, *named: Head) -> R:
        """Set the z of heads to 0 before W_O: `mute((2, 3))` is head 3 of layer 2.

        In an encoder–decoder, `(2, 3, "cross")` is the head of one kind of site alone.
        """
        return self._replace(muted=(*self.request.muted, *heads(named, self.request.muted)))

    def unmute(self, *named: Head) -> R:
        """Take mutes back: those of the given heads, or all."""
        kept = [head for head in self.request.muted if named and head not in heads(named)]
        return self._replace(muted=tuple(kept))

    def intervene(self, *given: Intervention | Mapping[str, Any]) -> R:
        """Change what parts give during the run, after the interventions so far.

        `intervene(scale(0.5, layer=2, head=3))`; `headlight.interventions` makes each kind.
        """
        return self._replace(interventions=(*self.request.interventions, *interventions(given)))

    def withdraw(self, *given: Intervention | Mapping[str, Any]) -> R:
        """Take interventions back: the given ones, or all."""
        unwanted = interventions(given)
        kept = [one for one in self.request.interventions if given and one not in unwanted]
        return self._replace(interventions=tuple(kept))

    def mask(self, **settings: Any) -> R:
        """Change masks, such as `mask(causal=False, window=3)`: the fields of `Masks`."""
        check_names(settings, MASKS, "masks")
        return self._replace(masks=replace(self.request.masks, **settings))

    def block(self, query: Place = None, key: Place = None, **where: Any) -> R:
        """Keep a query from attending to a key.

        Both are named by position or by text, `block(query="saw", key="Maria")`, or are several of
        them; None means all. `text`, `layer`, `head` and `kind` say where, by default everywhere.

        Raises:
            RequestError: no token, or more than one, has the text.
        """
        return self._painted("blocked", query, key, **where)

    def allow(self, query: Place = None, key: Place = None, **where: Any) -> R:
        """Let a query attend to a key, whatever any mask blocks. Takes what `block` takes."""
        return self._painted("allowed", query, key, **where)

    def replace(self, **changes: Any) -> R:
        """Change anything else: `replace(texts="Another text.")`, `replace(model="my-bert")`."""
        old = self.request
        kept = old.options()
        if "texts" in changes or "ids" in changes:  # one of them takes the place of the other
            kept.pop("ids", None)
        elif old.ids is None:
            changes["texts"] = old.given_texts
        return self._edited(type(old).of(changes.pop("texts", ()), {**kept, **changes}))

    def _replace(self, **changes: Any) -> R:
        return self._edited(replace(self.request, **changes))

    def _painted(
        self,
        name: str,
        query: Place,
        key: Place,
        *,
        text: int | None = None,
        layer: int | None = None,
        head: int | None = None,
        kind: Kind | None = None,
        **unknown: Any,
    ) -> R:
        check_names(unknown, ("query", "key", "text", "layer", "head", "kind"))
        queries, keys = _listed(query), _listed(key)
        by_name = any(isinstance(named, str) for named in (*queries, *keys))
        everywhere = text is None and by_name and self.request.n_texts > 1
        cells = list(getattr(self.request.masks, name))
        for each in range(self.request.n_texts) if everywhere else [text]:
            query_tokens, key_tokens = self._axes(each or 0, kind) if by_name else (None, None)
            for q, k in product(
                places(queries, query_tokens, "query"), places(keys, key_tokens, "key")
            ):
                cells.append(Cell(text=each, layer=layer, head=head, query=q, key=k, kind=kind))
        return self.mask(**{name: tuple(dict.fromkeys(cells))})


@dataclass(frozen=True, kw_only=True)
class Request(Edits["Request"]):
    """One run of a model: texts, masks, muted heads, interventions and settings.

    It is a value: an edit gives another request. `Client.trace` runs it.

    >>> plain = Request.of("The cat sat.")
    >>> plain.mute((2, 3)).mask(causal=False)
    Request.of('The cat sat.', masks={'causal': False}, muted=[(2, 3)])
    >>> plain.muted
    ()
    """

    texts: tuple[str, ...] = ()
    ids: tuple[tuple[int, ...], ...] | None = None
    special_tokens: bool | None = None
    targets: tuple[str, ...] | None = None
    pairs: tuple[str, ...] | None = None
    model: str | None = None
    masks: Masks = field(default_factory=Masks)
    muted: tuple[Head, ...] = ()
    interventions: tuple[Intervention, ...] = ()
    generate: Mapping[str, Any] | None = None
    answer: Mapping[str, Any] | None = None
    scratch: Mapping[str, Any] | None = None
    single: bool = False  # one text was given as it is: results are not lists

    @classmethod
    def of(
        cls, texts: Texts = (), options: Mapping[str, Any] | None = None, /, **more: Any
    ) -> "Request":
        """A request from what a user gives: one text, or several."""
        given = {**(options or {}), **more}
        check_names(given, Options.__annotations__)
        ids = given.pop("ids", None)
        flat = ids is not None and not isinstance(next(iter(ids), ()), Iterable)
        rows = [ids] if flat else ids
        return cls(
            texts=several(texts),
            ids=None if rows is None else tuple(tuple(map(int, row)) for row in rows),
            targets=_texts_or_none(given.pop("targets", None)),
            pairs=_texts_or_none(given.pop("pairs", None)),
            masks=Masks.of(given.pop("masks", None)),
            muted=tuple(heads(given.pop("muted", ()))),
            interventions=interventions(given.pop("interventions", ())),
            scratch=_with_weights(given.pop("scratch", None)),
            answer=answer_of(given.pop("answer", None)),
            single=isinstance(texts, str) or flat,
            **given,
        )

    @property
    def request(self) -> "Request":
        return self

    def _edited(self, request: "Request") -> "Request":
        return request

    @property
    def n_texts(self) -> int:
        """How many texts there are, or rows of ids."""
        return len(self.texts if self.ids is None else self.ids)

    @property
    def needs_all_texts(self) -> bool:
        """Whether a text's numbers depend on the others, which decide how far it is padded."""
        return not self.masks.padding or self.masks.padding_side == "left"

    def only(self, texts: range) -> "Request":
        """The request for some of the texts."""

        def some(each: tuple[str, ...] | None) -> tuple[str, ...] | None:
            return None if each is None else each[texts.start : texts.stop]

        return replace(
            self,
            texts=self.texts[texts.start : texts.stop],
            ids=None if self.ids is None else self.ids[texts.start : texts.stop],
            targets=some(self.targets),
            pairs=some(self.pairs),
        ).edited_as(texts)

    def edited_as(self, texts: range) -> "Request":
        """The request with the edits of some texts, which count from 0 again."""
        return replace(
            self,
            masks=self.masks.of_texts(texts),
            interventions=tuple(
                one if one.text is None else replace(one, text=one.text - texts.start)
                for one in self.interventions
                if one.text is None or one.text in texts
            ),
        )

    def edits_of_texts(self) -> dict[str, Sequence[Cell | Intervention]]:
        """The lists of edits of which each may be of one text, by their fields."""
        painted = {f"masks.{name}": getattr(self.masks, name) for name in sorted(PAINTED)}
        return {"interventions": self.interventions, **painted}

    def check_texts(self, n: int) -> None:
        """Refuse an edit of a text that is not one of `n`.

        Raises:
            RequestError: there is no such text.
        """
        for name, edits in self.edits_of_texts().items():
            for index, one in enumerate(edits):
                if one.text is not None and one.text not in range(n):
                    raise RequestError(
                        f"This run has texts 0 to {n - 1}; got {one.text!r}. Leave `text` out for "
                        "all of them.",
                        code="invalid_input",
                        field=f"{name}.{index}.text",
                    )

    def options(self) -> dict[str, Any]:
        """What differs from a plain request, as `Client.trace` takes it."""
        ids = None if self.ids is None else tuple(map(list, self.ids))
        lists = {"ids": ids, "targets": self.targets, "pairs": self.pairs}
        found: dict[str, Any] = {
            **{
                name: value[0] if self.single and len(value) == 1 else list(value)
                for name, value in lists.items()
                if value is not None
            },
            "special_tokens": self.special_tokens,
            "model": self.model,
            "masks": self.masks.document(),
            "muted": list(self.muted),
            "interventions": [one.document() for one in self.interventions],
            "generate": None if self.generate is None else dict(self.generate),
            "answer": None if self.answer is None else dict(self.answer),
            "scratch": None if self.scratch is None else dict(self.scratch),
        }
        return {name: value for name, value in found.items() if value not in (None, {}, [])}

    def body(self) -> dict[str, Any]:
        """The request as POST /api/trace takes it, without what to send back."""
        texts = self.texts if self.ids is None else None
        ids = None if self.ids is None else map(list, self.ids)
        lists = {"texts": texts, "ids": ids, "targets": self.targets, "pairs": self.pairs}
        return self.options() | {
            name: list(value) for name, value in lists.items() if value is not None
        }

    @property
    def given_texts(self) -> str | list[str]:
        """The texts as they were given: one, or a list."""
        return self.texts[0] if self.single else list(self.texts)

    def __repr__(self) -> str:
        return f"Request.of({self.arguments()})"

    def arguments(self, *, short: bool = False) -> str:
        """The arguments that make it again, as Python; `short` leaves out most of many texts."""
        options = [f"{name}={value!r}" for name, value in self.options().items()]
        if self.ids is not None:
            return ", ".join(options)
        texts = repr(self.given_texts)
        if short and len(self.texts) > _SHOWN:
            texts = f"[{', '.join(map(repr, self.texts[:_SHOWN]))}, … {len(self.texts):,} texts]"
        return ", ".join([texts, *options])


def _texts_or_none(given: Texts | None) -> tuple[str, ...] | None:
    return None if given is None else several(given)


def _with_weights(scratch: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Settings of a mechanism whose weights may be the bytes of a safetensors file."""
    weights = None if scratch is None else scratch.get("weights")
    if not isinstance(weights, bytes):
        return scratch
    return {**(scratch or {}), "weights": base64.b64encode(weights).decode()}


def _listed(named: Place) -> list[int | str | None]:
    if named is None or isinstance(named, str) or not isinstance(named, Iterable):
        return [named]
    return list(named)


def heads(named: Iterable[Head], known: Iterable[Head] = ()) -> list[Head]:
    """Heads with plain integers, without those that are known."""
    known = set(known)
    return [head for head in dict.fromkeys(map(_plain, named)) if head not in known]


def _plain(head: Head) -> Head:
    place = (int(head[0]), int(head[1]))
    return place if len(head) == 2 else (*place, head[2])

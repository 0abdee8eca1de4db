"""The edits that one can make of a request, of a run, and of what comes from them."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from headlight.names import check_names
from headlight.request.interventions import Intervention, interventions
from headlight.request.masks import MASKS, Cell, Head, Kind
from headlight.tokens import Place, places

if TYPE_CHECKING:
    from headlight.request.request import Request

R = TypeVar("R")
Tokens: TypeAlias = Sequence[str] | None


class Edits(ABC, Generic[R]):
    """Each edit gives a new value, and changes nothing."""

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

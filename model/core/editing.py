"""Edits of a run: what a model computes at a point can be changed before it goes on.

An editor is called at each point of each layer with the tensor there, and returns the tensor that
the run goes on with. Interventions, the rows of a patch bench (each row of a batch with an edit of
its own) and cuts of single paths are all editors.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from model.errors import InputError
from model.kinds import SiteKind

# In the order in which a run comes to them. The embedding is that of the tokens alone, before
# positions are added (batch pos d_embedding); its layer is 0. q, k, v, z are (batch head pos
# d_head): q and k as they enter the dot product, z before W_O; the others are (batch pos d_model),
# mlp_out before it is added to the stream. decay is (batch head pos), where a site has one.
Point = Literal[
    "embedding", "resid_pre", "q", "k", "v", "decay", "z", "resid_mid", "mlp_out", "resid_post"
]


class Place(NamedTuple):
    """A point of one layer. In an encoder–decoder, `kind` tells the sites of a layer apart.

    The feed-forward network and the stream are in the `encoder` or the `decoder`.
    """

    point: Point
    layer: int
    kind: SiteKind = "self"


Editor = Callable[[Place, Tensor], Tensor]
LayerEditor = Callable[[Point, Tensor], Tensor]  # of one site


def at_layer(edit: Editor | None, layer: int, kind: SiteKind = "self") -> LayerEditor | None:
    """The editor as one layer calls it."""
    if edit is None:
        return None
    return lambda point, x: edit(Place(point, layer, kind), x)


def in_turn(*edits: Editor | None) -> Editor | None:
    """One editor that applies several, in this order; None if there are none."""
    given = [edit for edit in edits if edit is not None]
    if len(given) < 2:
        return given[0] if given else None

    def edit(place: Place, x: Tensor) -> Tensor:
        for each in given:
            x = each(place, x)
        return x

    return edit


class Affine(NamedTuple):
    """x → scale · x + shift, for each text, head and position; `shift` None stands for 0.

    Setting a vector is a scale of 0 and a shift. Edits of this form compose to another one.
    """

    scale: Float[Tensor, "#batch *head pos 1"]
    shift: Float[Tensor, "#batch *head pos d"] | None = None

    def __call__(self, x: Tensor) -> Tensor:
        x = x * self.scale.to(x)
        if self.shift is None:
            return x
        if self.shift.shape[-1] != x.shape[-1]:
            raise InputError(
                f"This part gives {x.shape[-1]:,} numbers for each token; the vector that is added "
                f"has {self.shift.shape[-1]:,}.",
                field="interventions",
            )
        return x + self.shift.to(x)

    def times(self, factor: Tensor) -> "Affine":
        """This edit, and then a multiplication."""
        shift = None if self.shift is None else self.shift * factor
        return Affine(self.scale * factor, shift)

    def then_add(self, chosen: Tensor, values: Tensor) -> "Affine":
        """This edit, and then the addition of `values` where `chosen` (… pos 1) is True."""
        added = torch.where(chosen, values, 0.0)
        shift = added if self.shift is None else self.shift + added
        return Affine(self.scale, shift.contiguous())

    def then_set(self, chosen: Tensor, values: Tensor) -> "Affine":
        """This edit, and then `values` where `chosen` (… pos 1) is True."""
        before = torch.zeros_like(values) if self.shift is None else self.shift
        return Affine(
            self.scale.masked_fill(chosen, 0.0), torch.where(chosen, values, before).contiguous()
        )


@dataclass(frozen=True, eq=False)
class AffineEdits:
    """An editor with one affine edit at each of some places."""

    at: Mapping[Place, Affine] = field(default_factory=dict)

    def __call__(self, place: Place, x: Tensor) -> Tensor:
        affine = self.at.get(place)
        return x if affine is None else affine(x)

    def of_text(self, text: int) -> "AffineEdits":
        """The edits of one text, for a batch whose rows are all this text."""
        here = slice(text, text + 1)
        return AffineEdits(
            {
                place: Affine(scale[here], None if shift is None else shift[here])
                for place, (scale, shift) in self.at.items()
            }
        )


@dataclass(frozen=True)
class Growing:
    """An editor that makes more rows of one before a layer: up to there, they are all the same."""

    layer: int
    rows: int

    def __call__(self, place: Place, x: Tensor) -> Tensor:
        if place != Place("resid_pre", self.layer) or len(x) == self.rows:
            return x
        return x.repeat(self.rows, *[1] * (x.dim() - 1))


@dataclass(frozen=True, eq=False)
class Capture:
    """An editor that changes nothing and keeps the tensors at some places."""

    places: Collection[Place]
    found: dict[Place, Tensor] = field(default_factory=dict)

    def __call__(self, place: Place, x: Tensor) -> Tensor:
        if place in self.places:
            self.found[place] = x.detach().float().cpu().clone()
        return x

"""What the queries and the keys of a head are made of: one side of its scores each.

A query is a projection of the normed stream at its position, and so is a key. With the scale of
the norm frozen, both are sums with one summand for each part of the stream, one for the bias of
the norm, and one for the bias of the projection itself.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from model.errors import UnavailableError
from model.slices import end_slice
from model.trace.recorded import TokenAxis
from model.trace.site import Site
from model.trace.stream import (
    FrozenNorm,
    HeadsWrite,
    Part,
    Project,
    Read,
    Renorm,
    Step,
    Stream,
    Write,
    summands,
)
from model.trace.trace import Trace

_AT_ONCE = 4_000_000  # numbers of summands that are held at a time


class Summed(NamedTuple):
    """The summands of a head's queries or keys at a few positions of a text."""

    parts: tuple[Part, ...]
    vectors: Float[Tensor, "part pos d_head"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Side:
    """How the queries or the keys of a site are made from a stream."""

    site: Site
    sites: Sequence[Site]
    stream: Stream
    until: Step | None  # the step before which the stream is read; None: at its end
    norm: FrozenNorm | None
    project: Project
    place: int  # of the queries or the keys in what `project` gives

    def summands(self, head: int, text: int, positions: Sequence[int]) -> Summed:
        """What the head's queries or keys are the sum of, at some positions of a text.

        The bias of the norm is the part `norm` of this site, that of the projection its part
        `bias`. Where an intervention froze them, all of it is its part `intervention`.

        Raises:
            UnavailableError: what a head wrote to the stream is not known.
        """
        named, normed = self._normed(text, positions)
        constant = self._constant(head, text, positions)
        found = [self._projected(normed, head, text, positions) - constant] if named else []
        if bool(constant.any()):
            found.append(constant)
            named.append(self._of_projection)
        vectors = torch.cat(found) if found else constant[:0]
        follows = self._follows(head, text, positions)
        if follows is None:
            return Summed(tuple(named), vectors)
        frozen = self._frozen(head, text, positions, follows)
        return Summed((*named, self._of_intervention), torch.cat([vectors * follows, frozen[None]]))

    def _follows(
        self, head: int, text: int, positions: Sequence[int]
    ) -> Float[Tensor, "pos 1"] | None:
        """The factors with which they follow the stream; None: they do so everywhere."""
        factors = self.site.follows.get(self._name)
        if factors is None or bool((factors[text, head] == 1).all()):
            return None
        return factors[text, head, list(positions)]

    @property
    def _name(self) -> Literal["q", "k"]:
        return "q" if self.place == 0 else "k"

    def _frozen(
        self, head: int, text: int, positions: Sequence[int], follows: Float[Tensor, "pos 1"]
    ) -> Float[Tensor, "pos d_head"]:
        """What an intervention set them to; 0 where they follow the stream."""
        whole = self.site.q if self.place == 0 else self.site.k
        assert whole is not None
        return whole[text, head, list(positions)] * (1 - follows)

    @property
    def n_parts(self) -> int:
        """How many summands there are; where a projection has no bias, one too many."""
        n = 1 + (self.norm is not None and self.norm.bias is not None)
        n += self._name in self.site.follows
        for step in self.stream.steps:
            if step is self.until:
                break
            match step:
                case Write():
                    n += 1
                case HeadsWrite(bias=bias, norm=norm):
                    n += self.sites[step.site].n_heads + (bias is not None)
                    n += norm is not None and norm.bias is not None
                case Renorm(norm=norm):
                    n += norm.bias is not None
        return n

    def total(
        self, head: int, text: int, positions: Sequence[int], parts: Collection[Part]
    ) -> Float[Tensor, "pos d_head"]:
        """The sum of some parts at each of the positions, never held all at once."""
        sums: list[Tensor] = []
        for some in self._stripes(positions, len(parts)):
            end_slice()
            sums.append(self._normed(text, some, parts)[1].sum(dim=0))
        constant = self._constant(head, text, positions)
        whole = self._projected(torch.cat(sums)[None], head, text, positions) - constant
        whole = (whole + constant if self._of_projection in parts else whole)[0]
        follows = self._follows(head, text, positions)
        if follows is None:
            return whole
        frozen = self._frozen(head, text, positions, follows)
        return whole * follows + (frozen if self._of_intervention in parts else 0.0)

    @property
    def _of_projection(self) -> Part:
        return Part("bias", self.site.layer, self.site.name)

    @property
    def _of_intervention(self) -> Part:
        return Part("intervention", self.site.layer, self.site.name)

    def _normed(
        self, text: int, positions: Sequence[int], only: Collection[Part] | None = None
    ) -> tuple[list[Part], Float[Tensor, "part pos d_model"]]:
        """The summands of the stream after its norm, and the bias of the norm."""
        parts, vectors = summands(
            self.stream, self.sites, text=text, positions=positions, until=self.until, only=only
        )
        named = list(parts)
        if not named:
            vectors = torch.zeros(0, len(positions), self._d_model)
        if self.norm is not None:
            vectors = self.norm.push(vectors, text, torch.tensor(positions))
            of_norm = Part("norm", self.site.layer, self.site.name)
            if self.norm.bias is not None and (only is None or of_norm in only):
                vectors = torch.cat([vectors, self.norm.bias.expand(1, len(positions), -1)])
                named.append(of_norm)
        return named, vectors

    def _constant(
        self, head: int, text: int, positions: Sequence[int]
    ) -> Float[Tensor, "1 pos d_head"]:
        """What the projection makes of nothing: its bias, turned at each position."""
        zero = torch.zeros(1, len(positions), self._d_model)
        return self._projected(zero, head, text, positions)

    def _projected(
        self,
        x: Float[Tensor, "part pos d_model"],
        head: int,
        text: int,
        positions: Sequence[int],
    ) -> Float[Tensor, "part pos d_head"]:
        whole = self.project(x, text, positions)[self.place]
        # keys may come for each group of heads
        return whole[:, head * whole.shape[1] // self.site.n_heads]

    @property
    def _d_model(self) -> int:
        return next(step.out.shape[-1] for step in self.stream.steps if isinstance(step, Write))

    def _stripes(self, positions: Sequence[int], n_parts: int) -> Iterator[Sequence[int]]:
        width = max(1, n_parts) * self._d_model
        size = max(1, _AT_ONCE // width)
        for start in range(0, len(positions), size):
            yield positions[start : start + size]


def sides_of(trace: Trace, site: Site, field: str) -> tuple[Side, Side]:
    """How the queries and the keys of a site are made.

    Raises:
        UnavailableError: a stream was not recorded, or the site does not read it in a known way;
            the error's field is `field`.
    """
    if site.q is None or site.k is None:
        raise UnavailableError(
            f"{site.name} has only its pattern, not q and k, so its scores cannot be taken apart.",
            field=field,
        )
    stream = _stream(trace, site.query_tokens, field)
    read = next(
        (
            step
            for step in stream.steps
            if isinstance(step, Read) and trace.sites[step.site] is site
        ),
        None,
    )
    if read is None:
        raise UnavailableError(
            f"How {site.name} reads the residual stream is not known, so its scores cannot be "
            "taken apart.",
            field=field,
        )
    if read.lacks:
        raise UnavailableError(
            f"The scores of {site.name} cannot be taken apart: {read.lacks}.", field=field
        )
    query = Side(
        site=site,
        sites=trace.sites,
        stream=stream,
        until=read,
        norm=read.norm,
        project=read.project,
        place=0,
    )
    if read.reads == "q k v":
        return query, replace(query, place=1)
    if read.project_other is None:
        raise UnavailableError(
            f"How {site.name} makes keys from the encoder's output is not known, so its scores "
            "cannot be taken apart.",
            field=field,
        )
    other = _stream(trace, site.key_tokens, field)
    key = Side(
        site=site,
        sites=trace.sites,
        stream=other,
        until=None,
        norm=other.final,
        project=read.project_other,
        place=0,
    )
    return query, key


def _stream(trace: Trace, axis: TokenAxis, field: str) -> Stream:
    return trace.stream(axis, "what its scores are made of cannot be told", field=field)

"""The residual stream of a run as what was written to it, in order.

Each attention head, each feed-forward network and each embedding adds a vector to the stream, and
the stream is the sum of these vectors (Elhage et al. 2021, "A Mathematical Framework for
Transformer Circuits"). Norms are the only thing between them that is not linear: with its scale
frozen at the one of the run, a norm is linear too, so every sum stays exact.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, runtime_checkable

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from model.errors import UnavailableError
from model.masks.mask import STRIPE
from model.trace.site import Site

PartKind = Literal[
    "embedding", "position", "segment", "head", "bias", "mlp", "mixer", "norm", "intervention"
]


TokenRows = Callable[[Int[Tensor, " token"]], Float[Tensor, "token d_model"]]  # by id


class Part(NamedTuple):
    """The name of one summand of the stream."""

    kind: PartKind
    layer: int | None = None
    site: str | None = None  # of a head, or of the bias of an attention's W_O
    head: int | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class FrozenNorm:
    """A LayerNorm or an RMSNorm with the scale of one run: linear, plus a bias."""

    scale: Float[Tensor, "batch pos"]  # what it divides by: √(variance + ε)
    gain: Float[Tensor, " d_model"]
    bias: Float[Tensor, " d_model"] | None
    centres: bool  # LayerNorm subtracts the mean first; RMSNorm does not

    @classmethod
    def of_layer_norm(
        cls, norm: nn.LayerNorm, x: Float[Tensor, "batch pos d_model"]
    ) -> "FrozenNorm":
        """The norm with the scale that it has for this input."""
        scale = (x.var(dim=-1, unbiased=False) + norm.eps).sqrt()
        return cls(scale=scale, gain=norm.weight.detach(), bias=norm.bias.detach(), centres=True)

    def push(
        self, parts: Float[Tensor, "part pos d_model"], text: int, positions: Int[Tensor, " pos"]
    ) -> Float[Tensor, "part pos d_model"]:
        """What the linear part of the norm makes of each part, at some positions of a text."""
        if self.centres:
            parts = parts - parts.mean(dim=-1, keepdim=True)
        return parts * self.gain / self.scale[text, positions, None]

    def normed(self, x: Float[Tensor, "batch pos d_model"]) -> Float[Tensor, "batch pos d_model"]:
        """The norm of the whole stream, bias included."""
        if self.centres:
            x = x - x.mean(dim=-1, keepdim=True)
        out = x * self.gain / self.scale[..., None]
        return out if self.bias is None else out + self.bias

    def unit(self, rows: Float[Tensor, "*row d_model"]) -> Float[Tensor, "*row d_model"]:
        """Vectors that no run had, each divided by a scale of its own, without ε."""
        rows = self.centred(rows)
        return rows / rows.square().mean(dim=-1, keepdim=True).sqrt().clamp(min=1e-12)

    def fresh(self, rows: Float[Tensor, "*row d_model"]) -> Float[Tensor, "*row d_model"]:
        """The norm of vectors that no run had, with its gain and its bias."""
        found = self.unit(rows) * self.gain
        return found if self.bias is None else found + self.bias

    def rescaled(
        self,
        x: Float[Tensor, "row d_model"],
        run: Float[Tensor, "#row d_model"],
        scale: Float[Tensor, "#row"],
    ) -> Float[Tensor, "row d_model"]:
        """The norm of x, of which the run had `run` with this `scale`: scale² changes as x² does.

        So ε need not be known.
        """
        x, run = self.centred(x), self.centred(run)
        change = x.square().mean(dim=-1) - run.square().mean(dim=-1)
        new = (scale.square() + change).clamp(min=1e-12).sqrt()
        found = x * self.gain / new[:, None]
        return found if self.bias is None else found + self.bias

    def folded(self, rows: Float[Tensor, "*row d_model"]) -> Float[Tensor, "*row d_model"]:
        """What the norm makes of vectors without its bias and its scale, which no text changes."""
        return self.centred(rows) * self.gain

    def centred(self, rows: Float[Tensor, "*row d_model"]) -> Float[Tensor, "*row d_model"]:
        """The vectors without their mean, if the norm subtracts it."""
        return rows - rows.mean(dim=-1, keepdim=True) if self.centres else rows

    def pull(
        self, direction: Float[Tensor, " d_model"], text: int, position: int
    ) -> Float[Tensor, " d_model"]:
        """The direction before the norm whose dot product equals that with `direction` after it."""
        return self.centred(direction * self.gain / self.scale[text, position])

    def unfolded(self, directions: Float[Tensor, "*row d_model"]) -> Float[Tensor, "*row d_model"]:
        """Directions whose dot products before the norm are those after `folded`."""
        return self.centred(directions * self.gain)

    def pull_one(
        self, directions: Float[Tensor, "*row d_model"], text: int, position: int
    ) -> Float[Tensor, "*row d_model"]:
        """As `pull`, with several directions at one position."""
        return self.centred(directions * self.gain / self.scale[text, position])

    def pull_at(
        self, directions: Float[Tensor, "pos d_model"], text: int, positions: Int[Tensor, " pos"]
    ) -> Float[Tensor, "pos d_model"]:
        """As `pull`, with a direction for each of some positions."""
        return self.centred(directions * self.gain / self.scale[text, positions, None])

    def pull_all(
        self, directions: Float[Tensor, "*row pos d_model"], text: int
    ) -> Float[Tensor, "*row pos d_model"]:
        """As `pull`, with directions for all positions of a text."""
        return self.centred(directions * self.gain / self.scale[text, :, None])


@dataclass(frozen=True, kw_only=True, eq=False)
class Write:
    """One or several vectors added to the stream: an embedding, or a feed-forward network."""

    part: Part
    out: Float[Tensor, "#batch pos d_model"]
    reads: FrozenNorm | None = None  # the norm through which a feed-forward network reads
    # what a feed-forward network makes of the normed stream; None: unknown
    function: Callable[[Tensor], Tensor] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadsWrite:
    """What the heads of a site add to the stream, and the bias of their W_O."""

    site: int  # its index in the trace
    layer: int
    bias: Float[Tensor, " d_model"] | None = None
    norm: FrozenNorm | None = None  # what they give goes through it first (Gemma 2)


@dataclass(frozen=True, kw_only=True, eq=False)
class Renorm:
    """A norm that the whole stream goes through (post-norm: BERT)."""

    norm: FrozenNorm
    layer: int | None
    site: str | None = None  # that has just written


@runtime_checkable
class Project(Protocol):
    """q, k and v from vectors of a text that a norm has seen; affine in them."""

    def __call__(
        self,
        x: Float[Tensor, "part pos d_model"],
        text: int,
        positions: Sequence[int] | None = None,
    ) -> tuple[Float[Tensor, "part head pos d_head"], ...]:
        """`positions` are those of x, for rotary positions; None means 0, 1, 2, …"""


@dataclass(frozen=True, kw_only=True, eq=False)
class Read:
    """The place where a site's queries, keys and values are made from the stream."""

    site: int
    norm: FrozenNorm | None
    # from the normed stream: q, k and v, or only q; affine unless it `lacks` something
    project: Project
    reads: Literal["q k v", "q"] = "q k v"  # "q": keys and values come from another stream
    # of cross-attention: k and v from the stream of the other stack after its final norm
    project_other: Project | None = None
    lacks: str = ""  # why `project` is not affine, as the end of a sentence; "": it is
    tensors: tuple[Tensor, ...] = ()  # that `project` keeps for this run


Step = Write | HeadsWrite | Renorm | Read


def layer_of(step: Step, sites: Sequence[Site]) -> int | None:
    """The layer that a step belongs to; None: it comes before the first, or after the last."""
    match step:
        case Write(part=part):
            return part.layer
        case HeadsWrite(layer=layer) | Renorm(layer=layer):
            return layer
        case Read(site=site):
            return sites[site].layer


@dataclass(frozen=True, kw_only=True, eq=False)
class Stream:
    """The steps of a stack in their order, and the norm before the head."""

    steps: tuple[Step, ...]
    final: FrozenNorm | None
    # the head without a soft cap, normed stream in; None if the model predicts nothing
    raw_unembed: Callable[[Tensor], Tensor] | None
    # rows of its matrix, by id; None: unknown, or it has none of its own
    unembedding_rows: TokenRows | None = None
    # what the tokens of the vocabulary start with, by id, without positions; None: unknown
    embed: TokenRows | None = None

    @property
    def tensors(self) -> Iterator[Tensor]:
        """The tensors that only this run needs, without parameters."""
        for step in self.steps:
            norm = step.reads if isinstance(step, Write) else step.norm
            if isinstance(step, Write):
                yield step.out
            if isinstance(step, Read):
                yield from step.tensors
            if norm is not None:
                yield norm.scale
        if self.final is not None:
            yield self.final.scale

    def read_of(self, site: int) -> Read:
        """The step in which this site reads the stream."""
        return next(step for step in self.steps if isinstance(step, Read) and step.site == site)


class Summands(NamedTuple):
    """The summands of the stream at a few positions of a text."""

    parts: tuple[Part, ...]
    vectors: Float[Tensor, "part pos d_model"]


def summands(
    stream: Stream,
    sites: Sequence[Site],
    *,
    text: int,
    positions: Sequence[int],
    until: Step | None = None,
    only: Collection[Part] | None = None,
) -> Summands:
    """What the stream is the sum of, before the step `until`, or at its end if that is None.

    After a norm that the whole stream goes through, each summand is what the norm with its frozen
    scale makes of it, and the norm's bias is a summand of its own. If `only` some parts are asked
    for, the others are left out, and what their heads write is not computed.
    """
    steps = walk(stream, sites, text=text, positions=positions, only=only)
    return next(before.summands() for step, before in steps if step is until)


@dataclass(frozen=True, eq=False)
class Before:
    """What was written before a step; blocks of vectors that other steps share."""

    parts: tuple[Part, ...]
    blocks: tuple[Float[Tensor, "_ pos d_model"], ...]
    n_positions: int

    def summands(self) -> Summands:
        if not self.blocks:
            return Summands((), torch.zeros(0, self.n_positions, 0))
        return Summands(self.parts, torch.cat(self.blocks))


def walk(
    stream: Stream,
    sites: Sequence[Site],
    *,
    text: int,
    positions: Sequence[int],
    only: Collection[Part] | None = None,
) -> Iterator[tuple[Step | None, Before]]:
    """Each step of a stream, and None for its end, with what was written before it."""
    at = torch.tensor(positions)
    parts: tuple[Part, ...] = ()
    blocks: tuple[Tensor, ...] = ()
    for step in stream.steps:
        yield step, Before(parts, blocks, len(positions))
        if isinstance(step, Read):
            continue
        if isinstance(step, Renorm):
            blocks = tuple(step.norm.push(block, text, at) for block in blocks)
            new = _norm_bias(step, len(positions))
        else:
            new = _written(step, sites, text, positions, only)
        new = [(part, vector) for part, vector in new if only is None or part in only]
        for part, vector in new:
            if part in parts:  # interventions may change the stream of a layer twice
                blocks = _plus(blocks, parts.index(part), vector)
        new = [(part, vector) for part, vector in new if part not in parts]
        if new:
            parts += tuple(part for part, _ in new)
            blocks += (torch.stack([vector for _, vector in new]),)
    yield None, Before(parts, blocks, len(positions))


def _plus(
    blocks: tuple[Float[Tensor, "_ pos d_model"], ...],
    place: int,
    vector: Float[Tensor, "pos d_model"],
) -> tuple[Float[Tensor, "_ pos d_model"], ...]:
    """The blocks with a vector added to one of theirs. Earlier steps keep theirs as they were."""
    sizes = [len(block) for block in blocks]
    which = next(n for n in range(len(blocks)) if place < sum(sizes[: n + 1]))
    more = blocks[which].clone()
    more[place - sum(sizes[:which])] += vector
    return (*blocks[:which], more, *blocks[which + 1 :])


def _norm_bias(step: Renorm, n: int) -> list[tuple[Part, Tensor]]:
    bias = step.norm.bias
    return [] if bias is None else [(Part("norm", step.layer, step.site), bias.expand(n, -1))]


def _written(
    step: Write | HeadsWrite,
    sites: Sequence[Site],
    text: int,
    positions: Sequence[int],
    only: Collection[Part] | None,
) -> list[tuple[Part, Float[Tensor, "pos d_model"]]]:
    """The summands that a step adds."""
    if isinstance(step, Write):
        out = step.out[text if step.out.shape[0] > 1 else 0]
        return [(step.part, out[list(positions)])]
    site, layer = sites[step.site], step.layer
    if site.w_o is None:
        raise UnavailableError(
            f"{site.name} has no known W_O, so what its heads write cannot be told apart."
        )
    named = [Part("head", layer, site.name, head) for head in range(site.n_heads)]
    if only is not None:
        named = [part for part in named if part in only]
    found: list[tuple[Part, Tensor]] = []
    if named:
        heads = [part.head for part in named if part.head is not None]
        results = _results(site, heads, text, positions)
        if step.norm is not None:
            results = step.norm.push(results, text, torch.tensor(positions))
        found += zip(named, results, strict=True)
    if step.bias is not None:
        bias = step.bias.expand(1, len(positions), -1)
        if step.norm is not None:
            bias = step.norm.push(bias, text, torch.tensor(positions))
        found.append((Part("bias", layer, site.name), bias[0]))
    if step.norm is not None and step.norm.bias is not None:
        found.append((Part("norm", layer, site.name), step.norm.bias.expand(len(positions), -1)))
    return found


def _results(
    site: Site, heads: Sequence[int], text: int, positions: Sequence[int]
) -> Float[Tensor, "head pos d_model"]:
    """What some heads write at some positions, derived for each run of neighbours together."""
    each = [
        site.derive(["result"], heads=heads, text=text, rows=rows)["result"]
        for rows in _runs(positions)
    ]
    return torch.cat(each, dim=2)[0]


def _runs(positions: Sequence[int]) -> Iterator[slice]:
    """The positions as slices, in order: runs of neighbours, each at most one stripe long."""
    start = 0
    for index, position in enumerate(positions, 1):
        follows = index < len(positions) and positions[index] == position + 1
        if not follows or index - start == STRIPE:
            yield slice(positions[start], position + 1)
            start = index

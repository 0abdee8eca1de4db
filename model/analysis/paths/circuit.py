"""Circuits of edges: what is left of an answer if all other edges carry a corrupted run.

An edge is a sender (the embedded tokens, a head, a feed-forward network) as one receiver reads it:
a head with its queries, its keys or its values, a feed-forward network, or the answer. Outside the
circuit, a receiver gets what the sender gives in the corrupted sentence, at the aligned token;
inside, what it gives now, which depends on the edges before it (path patching: Goldowsky-Dill et
al. 2023; ACDC: Conmy et al. 2023). Norms are computed anew. With all edges this is the clean run.

How much each edge matters is estimated by the gradient of the answer by how far the edge is open,
averaged on the way from none to all (EAP-IG: Hanna et al. 2024; with one step: Syed et al. 2023).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from einops import einsum
from jaxtyping import Bool, Float
from torch import Tensor

from model.analysis.patching.clean import CleanRun
from model.analysis.paths.promises import Through
from model.core.attention import attend
from model.core.editing import Place
from model.errors import InputError, UnavailableError
from model.kinds import SiteKind
from model.lazy import lazy
from model.slices import end_slice
from model.trace.site import Site
from model.trace.stream import (
    Before,
    FrozenNorm,
    HeadsWrite,
    Part,
    Read,
    Renorm,
    Step,
    Stream,
    Write,
    walk,
)
from model.trace.trace import Trace

FIELD = "analyse.edges"
TOKENS = Part("embedding")  # with their positions, as they enter the first layer
AGREES = 0.01  # of the clean answer, at most, may the run with all edges differ
CHANGED = "parts are muted or changed. Send the text without mutes and interventions"
_READS: tuple[Literal["q", "k", "v"], ...] = ("q", "k", "v")


class Receiver(NamedTuple):
    """What reads the stream; no part: the answer."""

    part: Part | None
    through: Through


class CircuitEdge(NamedTuple):
    """What a receiver reads of a sender, at all tokens."""

    sender: Part
    receiver: Receiver


class _Reading(NamedTuple):
    """A step in which some receivers read the stream."""

    step: Step | None  # None: the end
    receivers: tuple[Receiver, ...]
    n_senders: int  # that have written before
    first: int  # the number of the first of their edges, which come sender by sender
    run: Float[Tensor, "pos d_model"]  # the stream of the clean run
    rest: Float[Tensor, "pos d_model"]  # what is no sender's: biases

    @property
    def edges(self) -> slice:
        return slice(self.first, self.first + len(self.receivers) * self.n_senders)


@dataclass(frozen=True, eq=False)
class EdgeRuns:
    """Runs of a text in which some edges are open, and the others carry the corrupted sentence."""

    trace: Trace
    corrupted: CleanRun  # a run of that sentence
    pairs: Sequence[tuple[int, int]]  # aligned positions: in the corrupted sentence, in the text
    answer: Callable[[Float[Tensor, " d_model"]], Tensor]  # of what enters the head
    position: int
    text: int = 0

    @lazy
    def edges(self) -> tuple[CircuitEdge, ...]:
        """All edges, in the order in which their receivers read."""
        return tuple(
            CircuitEdge(sender, receiver)
            for reading in self._readings
            for receiver in reading.receivers
            for sender in self._senders[: reading.n_senders]
        )

    @torch.no_grad()
    def lead(self, kept: Bool[Tensor, " edge"]) -> float:
        """The answer if only these edges are open."""
        found: float = self._run(kept.float()).item()
        return found

    def estimates(self, steps: int) -> Float[Tensor, " edge"]:
        """By how much the answer rises with each edge: the mean gradient, from none to all open."""
        total = torch.zeros(len(self.edges))
        for step in range(steps):
            end_slice(step, steps)
            with torch.inference_mode(False), torch.enable_grad():
                share = 1.0 if steps == 1 else (step + 0.5) / steps
                opened = torch.full((len(self.edges),), share, requires_grad=True)
                (gradient,) = torch.autograd.grad(self._run(opened), opened)
            total += gradient
        return total / max(1, steps)

    def _run(self, opened: Float[Tensor, " edge"]) -> Tensor:
        """The answer; each edge is as far open as its number says."""
        given = [_plain(self._clean_tokens)]
        written: dict[int, Tensor] = {}
        for step in self._stream.steps:
            reading = self._by_step.get(id(step))
            match step:
                case Read(site=index):
                    assert reading is not None
                    written[index] = self._heads(step, self._read(reading, opened, given))
                case HeadsWrite(site=index):
                    given += [*written.pop(index)]
                case Write(function=function) if reading is not None:
                    assert function is not None
                    given.append(function(self._read(reading, opened, given)[0]))
                case _:
                    pass
        return self.answer(self._read(self._readings[-1], opened, given)[0, self.position])

    def _read(
        self, reading: _Reading, opened: Float[Tensor, " edge"], given: Sequence[Tensor]
    ) -> Float[Tensor, "receiver pos d_model"]:
        """What each receiver reads, after the norm."""
        corrupted = torch.stack([_plain(each) for each in self._corrupted[: reading.n_senders]])
        share = opened[reading.edges].view(len(reading.receivers), reading.n_senders)
        moved = torch.stack(list(given)) - corrupted
        x = (
            _plain(reading.rest)
            + corrupted.sum(0)
            + einsum(share, moved, "r s, s pos d -> r pos d")
        )
        norm = self._norm(reading.step)
        if norm is None:
            return x
        n = len(x)
        run, scale = _plain(reading.run).repeat(n, 1), _plain(norm.scale)[self.text].repeat(n)
        return norm.rescaled(x.flatten(0, 1), run, scale).view_as(x)

    def _norm(self, step: Step | None) -> FrozenNorm | None:
        if step is None:
            return self._stream.final
        return step.reads if isinstance(step, Write) else step.norm

    def _heads(
        self, step: Read, x: Float[Tensor, "receiver pos d_model"]
    ) -> Float[Tensor, "head pos d_model"]:
        """What the heads of a site write; x has what each reads with q, then with k, then v."""
        site = self.trace.sites[step.site]
        assert site.w_o is not None
        each = torch.arange(site.n_heads)
        q, k, v = (
            step.project(rows, self.text)[name][each, each][None]
            for name, rows in enumerate(x.chunk(len(_READS)))
        )
        z = attend(
            q,
            k,
            v,
            mask=None if site.mask.is_open else self._own(site.mask.allows()),
            bias=None if site.bias is None else self._own(site.bias),
            sink=None if site.sink is None else _plain(site.sink),
            **site.rule,
        )[0]
        written: Tensor = einsum(z, _plain(site.w_o), "head pos d, head d m -> head pos m")
        return written

    def _own(self, rows: Tensor) -> Tensor:
        """The row of this text, of what may be the same for all."""
        return _plain(rows[self.text : self.text + 1] if len(rows) > 1 else rows)

    @lazy
    def _stream(self) -> Stream:
        return self.trace.stream_to_read("no circuit of edges can be run", field=FIELD)

    @lazy
    def _walked(self) -> list[tuple[Step | None, Before]]:
        """
        Raises:
            UnavailableError: a step cannot be run with edges of its own.
        """
        has_read = False
        for step in self._stream.steps:
            has_read = has_read or isinstance(step, Read)
            if why := self._cannot(step, has_read):
                raise UnavailableError(
                    f"The edges of {self.trace.model} cannot be run: {why}.", field=FIELD
                )
        n = len(self.trace.read_tokens[self.text])
        return list(walk(self._stream, self.trace.sites, text=self.text, positions=range(n)))

    def _cannot(self, step: Step, has_read: bool) -> str:
        """Why a step cannot be run with edges of its own; "" if it can."""
        match step:
            case Renorm() if has_read:
                return "a norm follows each part, so the stream is no sum of what parts write"
            case HeadsWrite(norm=norm) if norm is not None:
                return "a norm follows its attention"
            case Write(part=part) if part.kind == "intervention":
                return CHANGED
            case Write(part=part, function=None) if part.kind == "mixer":
                return "some of its layers have something else in place of attention"
            case Write(part=part, function=None) if part.kind == "mlp":
                return f"what the feed-forward network of layer {part.layer} computes is not known"
            case Read(site=index):
                return _unusual(self.trace.sites[index], step)
            case _:
                return ""

    @lazy
    def _first(self) -> Before:
        """What was written before the first site reads."""
        return next(before for step, before in self._walked if isinstance(step, Read))

    @lazy
    def _clean_tokens(self) -> Float[Tensor, "pos d_model"]:
        return self._first.summands().vectors.sum(0)

    @lazy
    def _senders(self) -> tuple[Part, ...]:
        end = self._walked[-1][1].parts
        return (TOKENS, *(part for part in end if part.kind in ("head", "mlp")))

    @lazy
    def _readings(self) -> tuple[_Reading, ...]:
        found: list[_Reading] = []
        first, at_start = 0, set(self._first.parts)
        for step, before in self._walked:
            receivers = tuple(self._receivers(step))
            if not receivers:
                continue
            parts, vectors = before.summands()
            senders = [part.kind in ("head", "mlp") for part in parts]
            rest = [
                vector
                for part, vector, sends in zip(parts, vectors, senders, strict=True)
                if not sends and part not in at_start
            ]
            n = 1 + sum(senders)
            none = torch.zeros_like(self._clean_tokens)
            whole = vectors.sum(0)
            found.append(
                _Reading(step, receivers, n, first, whole, torch.stack([none, *rest]).sum(0))
            )
            first += len(receivers) * n
        return tuple(found)

    @lazy
    def _by_step(self) -> Mapping[int, _Reading]:
        return {id(reading.step): reading for reading in self._readings if reading.step is not None}

    def _receivers(self, step: Step | None) -> Iterator[Receiver]:
        match step:
            case None:
                yield Receiver(None, "logit")
            case Read(site=index):
                site = self.trace.sites[index]
                for read in _READS:
                    for head in range(site.n_heads):
                        yield Receiver(Part("head", site.layer, site.name, head), read)
            case Write(part=part) if part.kind == "mlp":
                yield Receiver(part, "mlp")

    @lazy
    def _corrupted(self) -> list[Float[Tensor, "pos d_model"]]:
        """What each sender gives in the corrupted sentence, at the tokens of this text."""
        kind = self._kind
        layers = {part.layer for part in self._senders if part.layer is not None}
        sites = {site.name: site for site in self.trace.sites}
        places = {
            TOKENS: Place("resid_pre", min(layers), kind),
            **{
                part: Place("z" if part.kind == "head" else "mlp_out", part.layer or 0, kind)
                for part in self._senders[1:]
            },
        }
        values = self.corrupted.values(set(places.values()))
        parts, vectors = self._walked[-1][1].summands()
        clean = dict(zip(parts, vectors, strict=True)) | {TOKENS: self._clean_tokens}
        found = []
        for part, place in places.items():
            if place not in values:
                raise UnavailableError(
                    f"The edges of {self.trace.model} cannot be run: what layer {part.layer} adds "
                    "is not reached.",
                    field=FIELD,
                )
            value = values[place]
            if part.kind == "head":
                site = sites[part.site or ""]
                assert site.w_o is not None and part.head is not None
                value = value[part.head] @ site.w_o[part.head]
            # a token that the other sentence does not have stays as it is
            own = clean[part].clone()
            for source, to in self.pairs:
                own[to] = value[source]
            found.append(own)
        return found

    @property
    def _kind(self) -> SiteKind:
        return self.trace.sites[
            next(step.site for step in self._stream.steps if isinstance(step, Read))
        ].kind


def _plain(x: Tensor) -> Tensor:
    """The tensor as one that autograd may keep, even if it was made in inference mode."""
    return x.clone() if x.is_inference() and not torch.is_inference_mode_enabled() else x


def _unusual(site: Site, step: Read) -> str:
    if step.reads != "q k v" or step.project_other is not None:
        return "its attention reads two streams"
    if site.w_o is None or step.lacks:
        return f"q, k and v of {site.name} are not known from the stream"
    if site.decay is not None or site.minus is not None or site.gate is not None:
        return f"the attention of {site.name} depends on more of the stream than q, k and v"
    if site.muted or site.z_scale is not None or site.z_shift is not None or site.follows:
        return CHANGED
    return ""


def checked_sets(
    sets: Sequence[Sequence[int]], n_edges: int, name: str = "sets"
) -> list[Bool[Tensor, " edge"]]:
    """Sets of edges, each as which edges are in it.

    Raises:
        InputError: there is no such edge.
    """
    found = []
    for n, given in enumerate(sets):
        if given and not 0 <= min(given) <= max(given) < n_edges:
            raise InputError(
                f"This model has edges 0 to {n_edges - 1}; got {max(given)}.",
                field=f"{FIELD}.{name}.{n}",
            )
        kept = torch.zeros(n_edges, dtype=torch.bool)
        kept[list(given)] = True
        found.append(kept)
    return found

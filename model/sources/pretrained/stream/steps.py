"""Reads the steps of a stream backwards from the last hidden states of a flow."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from model.errors import UnavailableError
from model.sources.pretrained.opening.device import kept
from model.sources.pretrained.stream.flow import (
    Call,
    Flow,
    Heads,
    Leaf,
    Node,
    Normed,
    Scaled,
    Sum,
)
from model.trace.stream import FrozenNorm, Part


class UnfollowedError(UnavailableError):
    """The stream of a family cannot be followed; the message says why, as the end of a sentence."""


class Written(NamedTuple):
    """What an embedding or a feed-forward network added, with its factor."""

    made: int  # when its numbers were made
    value: Tensor  # as the model has it
    factor: float
    part: Part | None = None  # if what it is needs no finding


class HeadsWritten(NamedTuple):
    """What the heads of a site added."""

    made: int
    site: int
    w_o: nn.Module
    norm: FrozenNorm | None  # which it went through first, or a factor


class Renormed(NamedTuple):
    """A norm, or a factor, of the whole stream."""

    made: int
    norm: FrozenNorm


class ReadBy(NamedTuple):
    """Where attention reads the stream."""

    call: Call
    norm: FrozenNorm | None


Event = Written | HeadsWritten | Renormed | ReadBy


@dataclass(frozen=True, kw_only=True)
class Events:
    """What happened to the stream of a stack, in order, and its last norm."""

    events: tuple[Event, ...]
    final: FrozenNorm | None
    path: frozenset[int]  # the ids of the nodes that the whole stream was


def events_of(flow: Flow) -> Events:
    """Everything that was written to the stream, and where attention read it.

    Raises:
        UnfollowedError: the last hidden states are not a sum, or attention reads something else.
    """
    assert flow.output is not None
    node: Node = flow.node(flow.output)
    final: FrozenNorm | None = None
    if not node.carries:
        raise UnfollowedError("its last hidden states are not the sum of what its parts write")
    if isinstance(node, Normed) and node.is_last:
        final = node.norm
        node = node.of
    timed: list[tuple[int, int, Event]] = []  # sorted by when it was added, then when it was made
    path = set[int]()
    for here, events in _backwards(node, flow):
        path.add(id(here))
        timed += [(time, event.made, event) for time, event in events]
    for call in flow.calls:
        time, norm = _read(call, path)
        timed.append((time, flow.clock + call.site, ReadBy(call, norm)))
    timed.sort(key=lambda each: each[:2])
    ordered = tuple(event for _, _, event in timed)
    return Events(events=ordered, final=final, path=frozenset(path))


def _backwards(
    node: Node, flow: Flow
) -> Iterator[tuple[Node, list[tuple[int, Written | HeadsWritten | Renormed]]]]:
    """The nodes that the stream was, from the last one, and what was added to make each."""
    at: Node | None = node
    while at is not None:
        here, at = at, None
        if isinstance(here, Leaf):
            yield here, [(here.time, Written(here.time, here.value, here.factor))]
        elif isinstance(here, Normed):
            yield here, [(here.time, Renormed(here.time, here.norm))]
            at = here.of
        elif isinstance(here, Scaled) and isinstance(here.of, Leaf):
            yield here, [(here.time, Written(here.time, here.of.value, here.factor))]
        elif isinstance(here, Scaled):
            yield here, [(here.time, Renormed(here.time, _factor(flow, here.factor)))]
            at = here.of
        elif isinstance(here, Sum):
            at, rest = _carried(here)
            yield here, [(here.time, event) for term in rest for event in _added(term, flow)]


def _carried(node: Sum) -> tuple[Node | None, list[Node]]:
    """The term of a sum that is the stream so far, and the other; None before there is a stream."""
    carried = [term for term in node.terms if term.carries]
    if len(carried) == 2:  # embeddings that are added to each other
        carried = [term for term in carried if not _is_plain(term)]
        if len(carried) == 2:
            raise UnfollowedError("it adds its stream to an earlier one")
    at = carried[0] if carried else None
    return at, [term for term in node.terms if term is not at]


def _is_plain(node: Node) -> bool:
    return isinstance(node, Leaf) or (isinstance(node, Scaled) and isinstance(node.of, Leaf))


def _added(
    term: Node, flow: Flow, norm: FrozenNorm | None = None, factor: float = 1.0
) -> Iterator[Written | HeadsWritten]:
    """The parts of what was added, which may have gone through a factor and a norm first."""
    if isinstance(term, Sum):
        for each in term.terms:
            yield from _added(each, flow, norm, factor)
    elif isinstance(term, Scaled):
        yield from _added(term.of, flow, norm, factor * term.factor)
    elif isinstance(term, Normed):
        if norm is not None or isinstance(term.of, Sum):
            raise UnfollowedError("several norms or several parts stand before one addition")
        bias = term.norm.bias
        outer = replace(
            term.norm,
            gain=term.norm.gain * factor,
            bias=None if bias is None else bias * factor,
        )
        yield from _added(term.of, flow, outer)
    elif isinstance(term, Heads):
        if factor != 1.0:
            norm = _factor(flow, factor) if norm is None else replace(norm, gain=norm.gain * factor)
        yield HeadsWritten(term.time, term.site, term.w_o, norm)
    elif norm is not None:
        raise UnfollowedError("several parts go through one norm before they are added")
    else:
        yield Written(term.time, term.value, factor * term.factor, term.part)


def _factor(flow: Flow, factor: float) -> FrozenNorm:
    """A factor, as a norm that divides by a constant."""
    return FrozenNorm(
        scale=torch.full((flow.n_text, flow.n_pos), 1 / factor),
        gain=torch.ones(flow.d_model),
        bias=None,
        centres=False,
    )


def _read(call: Call, path: Collection[int]) -> tuple[int, FrozenNorm | None]:
    """When the stream was what this site reads, and the norm in between."""
    node = call.reads
    if node is not None and id(node) in path:
        return node.time, None
    if isinstance(node, Normed) and id(node.of) in path:
        return node.of.time, node.norm
    raise UnfollowedError("its attention reads something other than the stream")


def norm_between(node: Node, path: Collection[int]) -> FrozenNorm | None:
    """The norm that stands between the stream and what reads this node; None if there is none."""
    return node.norm if isinstance(node, Normed) and id(node) not in path else None


def as_write(written: Written, flow: Flow) -> Float[Tensor, "#batch pos d_model"]:
    """What was added, as a trace keeps it; one row if it is the same for all texts."""
    value = kept(written.value if written.factor == 1.0 else written.value * written.factor)
    if value.dim() == 1:
        return value.expand(1, flow.n_pos, -1)
    return value.reshape(-1, flow.n_pos, flow.d_model)


def sites_written(events: Sequence[Event]) -> list[int]:
    """The sites whose heads write to the stream, in order."""
    return [event.site for event in events if isinstance(event, HeadsWritten)]

"""Cuts of single edges: a receiver reads the stream without the sender, and the run goes on.

Everything before the receiver stays as it was, so what the receiver then gives is computed once
from the recorded stream, with the norm before it recomputed; the rest is a real run.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.paths.promises import Edge, Node, Steps
from model.core.attention import attend
from model.core.editing import Editor, Place
from model.kinds import SiteKind
from model.sources.runner import Runner
from model.trace.site import Site
from model.trace.stream import Before, FrozenNorm, Part, Read, Stream, Write


class Changed(NamedTuple):
    """What one row of a pass has instead, at one place."""

    row: int
    position: int
    place: Place
    head: int | None
    value: Tensor


class Cuts:
    """Computes what receivers give without one of their senders."""

    def __init__(self, stream: Stream, sites: Sequence[Site], steps: Steps, text: int) -> None:
        self._stream = stream
        self._sites = sites
        self._steps = steps
        self._text = text

    def closed(self, runner: Runner) -> set[Part]:
        """The feed-forward networks whose output no edit of this source reaches."""
        reached: set[Place] = set()

        def see(place: Place, x: Tensor) -> Tensor:
            reached.add(place)
            return x

        runner(see, text=self._text, rows=1)
        networks = [step.part for step, _ in self._steps if isinstance(step, Write)]
        return {
            part
            for part in networks
            if part.layer is not None and Place("mlp_out", part.layer, self._stack) not in reached
        }

    def into_answer(self, sender: Node) -> Float[Tensor, " d_model"]:
        """What enters the head at the sender's position without it."""
        return self._without(self._steps[-1][1], self._stream.final, sender)

    def at(self, edge: Edge) -> tuple[Place, int | None, Tensor]:
        """Where a receiver gives something else (a place and a head), and what it gives there."""
        part = edge.receiver.part
        assert part is not None
        if edge.through == "mlp":
            write, before = next(
                (step, before)
                for step, before in self._steps
                if isinstance(step, Write) and step.part == part
            )
            assert write.function is not None and part.layer is not None
            x = self._without(before, write.reads, edge.sender)
            return Place("mlp_out", part.layer, self._stack), None, write.function(x[None])[0]
        step, before = next(
            (step, before)
            for step, before in self._steps
            if isinstance(step, Read) and self._sites[step.site].name == part.site
        )
        site = self._sites[step.site]
        x = self._without(before, step.norm, edge.sender)
        read = step.project(x[None, None], self._text, [edge.sender.position])
        assert part.head is not None
        new = {
            name: each[0, part.head, 0] for name, each in zip(("q", "k", "v"), read, strict=False)
        }[edge.through]
        z = self._z(site, part, edge, new)
        return Place("z", site.layer, site.kind), part.head, z

    @property
    def _stack(self) -> SiteKind:
        """The kind of the stack's own attention, by which its feed-forward networks are named."""
        return self._sites[
            next(step.site for step, _ in self._steps if isinstance(step, Read))
        ].kind

    def _without(
        self, before: Before, norm: FrozenNorm | None, sender: Node
    ) -> Float[Tensor, " d_model"]:
        """The stream without one part, after a norm that is computed anew."""
        parts, vectors = before.summands()
        here = vectors[:, sender.position]
        whole = here.sum(0)
        rest = whole - here[parts.index(_part(sender))]
        if norm is None:
            return rest
        scale = norm.scale[self._text, sender.position]
        return norm.rescaled(rest[None], whole[None], scale[None])[0]

    def _z(self, site: Site, part: Part, edge: Edge, new: Tensor) -> Float[Tensor, " d_head"]:
        """The head's z at the receiver's position, with q there, or k or v at the sender's, new."""
        head, i, j, text = part.head, edge.receiver.position, edge.sender.position, self._text
        assert head is not None and site.q is not None
        assert site.k is not None and site.v is not None
        q = site.q[text, head, i].clone()
        k, v = site.k[text, head].clone(), site.v[text, head].clone()
        if edge.through == "q":
            q = new
        elif edge.through == "k":
            k[j] = new
        else:
            v[j] = new
        allowed = site.mask.allows(slice(i, i + 1))[text]
        bias = site.bias
        if bias is not None:
            bias = bias[text if len(bias) > 1 else 0, head if bias.shape[1] > 1 else 0, i]
        z: Tensor = attend(
            q[None, None, None],
            k[None, None],
            v[None, None],
            mask=allowed[head if len(allowed) > 1 else 0][None, None],
            bias=None if bias is None else bias[None, None, None],
            sink=None if site.sink is None else site.sink[head][None],
            **site.rule,
        )[0, 0, 0]
        # an intervention on the head comes after its attention, so it acts on the new z, too
        if site.z_factor is not None:
            z = z * site.z_factor[text, head, i]
        if site.z_shift is not None:
            z = z + site.z_shift[text, head, i]
        return z


def _part(node: Node) -> Part:
    assert node.part is not None
    return node.part


def cut_run(
    cuts: Cuts, edges: Sequence[Edge], runner: Runner, *, text: int, position: int
) -> Float[Tensor, "edge d_model"]:
    """What enters the head at `position` with each of the edges cut alone: a row of a pass each."""
    changed = [
        Changed(row, edge.receiver.position, *cuts.at(edge))
        for row, edge in enumerate(edges)
        if edge.through != "logit"
    ]
    if not changed:
        return torch.stack([cuts.into_answer(edge.sender) for edge in edges])
    resid = runner(_editor(changed), text=text, rows=len(edges))[:, position].clone()
    for row, edge in enumerate(edges):
        if edge.through == "logit":
            resid[row] = cuts.into_answer(edge.sender)
    return resid


def _editor(found: Sequence[Changed]) -> Editor:
    def edit(place: Place, x: Tensor) -> Tensor:
        here = [one for one in found if one.place == place]
        x = x.clone() if here else x
        for one in here:
            head = () if one.head is None else (one.head,)
            x[(one.row, *head, one.position)] = one.value.to(x)
        return x

    return edit

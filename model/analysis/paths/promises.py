"""What attribution promises of each edge between two parts of a run: the routes to an answer.

The answer is a logit, or the difference of two. With the scales of all norms frozen, we follow its
gradient back through the stream. An edge is a part at a position (the sender), read at one place
(the receiver); its promise is the sender's vector along the gradient there:

    logit: the direction of the answer itself, so the promises and the biases sum to it
    v:     pattern[i, j] · v'[j] · ∂z[i],  with v' the part of v that comes from the sender
    q, k:  (z[i] − z'[i]) · ∂z[i],         with z' the head's z if the scores lacked the part that
           comes from the sender: the softmax of the row is computed anew (AtP*: Kramár et al. 2024)
    mlp:   along the derivative of the feed-forward network where the run was

logit and v are exact shares of what is written; what happens after ∂z, which sums over all paths to
the answer, and mlp are first-order estimates (edge attribution patching: Syed et al. 2023).
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Literal, NamedTuple

import torch
from einops import einsum
from jaxtyping import Float
from torch import Tensor

from model.analysis.paths.heads import HeadsRead, pulled_back
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
)

Through = Literal["logit", "q", "k", "v", "mlp"]
SENDERS = ("embedding", "position", "segment", "head", "mlp")  # not biases: they come from no token
Steps = Sequence[tuple[Step | None, Before]]


class Node(NamedTuple):
    """A part of the run at a position; no part: the answer."""

    part: Part | None
    position: int


class Edge(NamedTuple):
    """What a receiver reads of a sender. A head reads k and v at the sender's position."""

    sender: Node
    receiver: Node
    through: Through


class Promises(NamedTuple):
    """The edges that promise at least `least`, by what they promise."""

    edges: dict[Edge, float]
    least: float
    strongest: float  # of the edges into the answer
    opaque: tuple[Part, ...]  # feed-forward networks that could not be traced further


def promises(
    stream: Stream,
    sites: Sequence[Site],
    steps: Steps,
    direction: Float[Tensor, " d_model"],
    *,
    text: int,
    position: int,
    threshold: float,
    closed: Collection[Part] = (),
) -> Promises:
    """All edges on routes to the answer that promise a share of the strongest edge into it.

    `direction` is the gradient of the answer with respect to the stream after the last norm;
    `steps` come from `walk`, over all positions. Edges into the feed-forward networks that are
    `closed` are left out.

    Raises:
        UnavailableError: attention works in a way that has no such routes.
    """
    return _Search(stream, sites, text, position, threshold, closed).run(steps, direction)


class _Search:
    """One pass back through the stream."""

    def __init__(
        self,
        stream: Stream,
        sites: Sequence[Site],
        text: int,
        position: int,
        threshold: float,
        closed: Collection[Part],
    ) -> None:
        self._closed = closed
        self._stream = stream
        self._sites = sites
        self._text = text
        self._position = position
        self._threshold = threshold
        self._strongest = 0.0
        self._edges: dict[Edge, float] = {}
        self._reached: set[Node] = set()  # senders of edges so far
        self._opaque: list[Part] = []

    def run(self, steps: Steps, direction: Float[Tensor, " d_model"]) -> Promises:
        end = steps[-1][1].summands()
        gradient = torch.zeros(end.vectors.shape[1:])
        final = self._stream.final
        gradient[self._position] = (
            direction if final is None else final.pull(direction, self._text, self._position)
        )
        self._into_answer(end.parts, end.vectors[:, self._position] @ gradient[self._position])
        written: dict[int, Tensor] = {}  # the gradient where the heads of a site write
        for step, before in reversed(steps):
            match step:
                case Renorm(norm=norm):
                    gradient = norm.pull_all(gradient, self._text)
                case HeadsWrite(site=site, norm=norm):
                    here = gradient if norm is None else norm.pull_all(gradient, self._text)
                    written[site] = here
                case Write(function=function) if function is not None:
                    gradient = gradient + self._through_mlp(step, before, gradient)
                case Read(site=site) if site in written:
                    end_slice()
                    gradient = gradient + self._through_heads(step, before, written[site])
        return Promises(self._edges, self._least, self._strongest, tuple(self._opaque[::-1]))

    @property
    def _least(self) -> float:
        return self._threshold * self._strongest

    def _into_answer(self, parts: tuple[Part, ...], values: Float[Tensor, " part"]) -> None:
        found = [
            (Edge(Node(part, self._position), Node(None, self._position), "logit"), value)
            for part, value in zip(parts, values.tolist(), strict=True)
            if part.kind in SENDERS
        ]
        self._strongest = max((abs(value) for _, value in found), default=0.0)
        self._keep(found)

    def _keep(self, found: Sequence[tuple[Edge, float]]) -> None:
        for edge, value in found:
            if abs(value) >= self._least and value != 0.0:
                self._edges[edge] = value
                self._reached.add(edge.sender)

    def _through_mlp(
        self, step: Write, before: Before, gradient: Float[Tensor, "pos d_model"]
    ) -> Float[Tensor, "pos d_model"]:
        """The gradient before a feed-forward network that is added by going through it."""
        assert step.function is not None
        parts, vectors = before.summands()
        x = normed(step.reads, vectors.sum(0), self._text)
        out = step.out[self._text if step.out.shape[0] > 1 else 0]
        if not torch.allclose(step.function(x), out, rtol=1e-2, atol=1e-3 * float(out.abs().max())):
            self._opaque.append(step.part)  # it reads something else, or an edit changed it
            return torch.zeros_like(gradient)
        [back] = pulled_back(step.function, x, gradient)
        if step.reads is not None:
            back = step.reads.pull_all(back, self._text)
        places = [node.position for node in self._reached if node.part == step.part]
        if step.part in self._closed:
            self._opaque += [step.part] if places else []
            return back
        values = einsum(vectors, back, "part pos d, pos d -> part pos")
        self._keep(
            [
                (Edge(Node(part, place), Node(step.part, place), "mlp"), value)
                for place in places
                for part, value in zip(parts, values[:, place].tolist(), strict=True)
                if part.kind in SENDERS
            ]
        )
        return back

    def _through_heads(
        self, step: Read, before: Before, written: Float[Tensor, "pos d_model"]
    ) -> Float[Tensor, "pos d_model"]:
        """The gradient before the heads of a site that is added by going through them."""
        heads = HeadsRead.of(self._sites[step.site], self._text, written)
        name = heads.site.name
        for node in [node for node in self._reached if _is_head_of(node, name)]:
            self._into_head(step, before, heads, node)

        def project(x: Tensor) -> tuple[Tensor, ...]:
            return tuple(step.project(x, self._text))

        given = [each[None] for each in heads.derivatives()]
        given = given[: 1 if step.reads == "q" else 3]
        pulled = pulled_back(project, torch.zeros(1, *written.shape), *given)
        back = torch.stack(pulled).sum(0)[0]
        return back if step.norm is None else step.norm.pull_all(back, self._text)

    def _into_head(self, step: Read, before: Before, heads: HeadsRead, node: Node) -> None:
        """Keep the edges into one head at one position."""
        head, i, n_keys = _head(node), node.position, heads.k.shape[1]
        parts, vectors = before.summands()
        scale = heads.site.scale

        def project(x: Tensor) -> tuple[Tensor, ...]:
            return tuple(step.project(x, self._text))

        def at_query(x: Tensor) -> tuple[Tensor, ...]:
            return tuple(step.project(x, self._text, [i])[:1])

        # the scores of one row with each key, by what is read at the query
        along = torch.zeros(n_keys, len(heads.q), 1, heads.q.shape[-1])
        along[:, head, 0] = scale * heads.k[head] * heads.follows["q"][head, i]
        [by_query] = pulled_back(at_query, torch.zeros(n_keys, 1, vectors.shape[-1]), along)
        if step.norm is not None:
            by_query = step.norm.pull_one(by_query[:, 0], self._text, i)[:, None]
        scores = einsum(vectors[:, i], by_query[:, 0], "part d, key d -> part key")
        values = torch.zeros(len(parts), before.n_positions)
        values[:, i] = heads.without_query(head, i, scores)
        self._keep(list(_edges(node, "q", parts, values, self._least)))
        if step.reads == "q":
            return
        by_key, by_value = (torch.zeros(1, *each.shape) for each in (heads.k, heads.v))
        by_key[0, head] = scale * heads.q[head, i]
        by_value[0, head] = heads.pattern[head, i, :, None] * heads.d_z[head, i]
        by_key, by_value = by_key * heads.follows["k"], by_value * heads.follows["v"]
        nothing = torch.zeros(1, *heads.q.shape)
        x = torch.zeros(1, *vectors.shape[1:])
        _, *pulled = pulled_back(project, x, nothing, by_key, by_value)
        if step.norm is not None:
            pulled = [step.norm.pull_all(each, self._text) for each in pulled]
        scores, values = (
            einsum(vectors, each[0], "part pos d, pos d -> part pos") for each in pulled
        )
        keys = heads.without_keys(head, i, scores)
        self._keep(list(_edges(node, "k", parts, keys, self._least)))
        self._keep(list(_edges(node, "v", parts, values, self._least)))


def _is_head_of(node: Node, site: str) -> bool:
    part = node.part
    return part is not None and part.kind == "head" and part.site == site


def _head(node: Node) -> int:
    assert node.part is not None and node.part.head is not None
    return node.part.head


def _edges(
    node: Node,
    through: Through,
    parts: Sequence[Part],
    values: Float[Tensor, "part pos"],
    least: float,
) -> Iterator[tuple[Edge, float]]:
    for n, place in (values.abs() >= max(least, 1e-12)).nonzero().tolist():
        if parts[n].kind in SENDERS:
            value = values[n, place].item()
            yield Edge(Node(parts[n], place), node, through), value


def normed(
    norm: FrozenNorm | None, x: Float[Tensor, "pos d_model"], text: int
) -> Float[Tensor, "pos d_model"]:
    """The stream of a text at all positions after a frozen norm, bias included."""
    if norm is None:
        return x
    found = norm.push(x[None], text, torch.arange(len(x)))[0]
    return found if norm.bias is None else found + norm.bias

"""What a head copies: how it moves the logit of the very token that it takes its value from.

A head adds A[i,j] · v[j] · W_O to the stream at query i for the source token j, and the last norm,
with its scale frozen, and the unembedding turn that into logits (Elhage et al. 2021, the OV
circuit). A head that copies raises the logit of token j itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter

import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.words import words_of
from model.dossier.heads import heads_of, places
from model.site import Site
from model.stream import FrozenNorm, HeadsWrite, Renorm, Stream
from model.trace import Trace

MAX_KEPT = 64_000_000  # numbers of the unembedding that are kept
_AFFINE = 1e-3  # of the largest logit

NO_STREAM = "the model's residual stream is not recorded"
NO_HEAD = "the model predicts nothing"
NOT_LINEAR = "its prediction is not linear in the residual stream"
NO_W_O = "its W_O is not known"
ELSEWHERE = "what it writes reaches the prediction only through other heads"


@dataclass(kw_only=True, eq=False)
class Copied:
    """Sums over one text, for each head."""

    lift: Float[Tensor, " head"]  # Σ_i Σ_j A[i,j] · lift[i,j], in logits
    queries: int
    raised: Float[Tensor, " head"]  # Σ A[i,j] over the cells whose source token is lifted
    mass: Float[Tensor, " head"]  # Σ A[i,j]
    reasons: list[str]  # for each head: why it has none; "" if it has


@dataclass
class Unembedding:
    """Rows of the unembedding W_U less its mean row, computed when they are asked for."""

    unembed: Callable[[Tensor], Tensor]
    d_model: int
    _rows: dict[int, Tensor] = field(default_factory=dict)
    _mean: Tensor | None = None

    @cached_property
    def is_affine(self) -> bool:
        """Whether the logits are W_U · x + b, and nothing else."""
        with torch.inference_mode():
            generator = torch.Generator().manual_seed(0)
            x, y = torch.randn(2, self.d_model, generator=generator)
            zero = self.unembed(torch.zeros(self.d_model))
            one, two, both = self.unembed(x), self.unembed(y), self.unembed(x + y)
        off = (one + two - zero - both).abs().max().item()
        return off <= _AFFINE * max(one.abs().max().item(), 1e-9)

    def rows(self, ids: Sequence[int]) -> Float[Tensor, "token d_model"]:
        """W_U[id] − the mean over the vocabulary."""
        if self._mean is None:
            self._mean = self._gradient(lambda logits: logits.mean())
        if len(self._rows) * self.d_model > MAX_KEPT:
            self._rows.clear()
        for id in ids:
            if id not in self._rows:
                self._rows[id] = self._gradient(itemgetter(id)) - self._mean
        return torch.stack([self._rows[id] for id in ids])

    def _gradient(self, of: Callable[[Tensor], Tensor]) -> Tensor:
        with torch.inference_mode(False), torch.enable_grad():
            x = torch.zeros(self.d_model, requires_grad=True)
            (gradient,) = torch.autograd.grad(of(self.unembed(x)), x)
        return gradient


def copied(trace: Trace, known: dict[int, Unembedding], text: int = 0) -> Copied:
    """Read what each head of a trace copies; `known` keeps the unembedding from text to text."""
    n = len(heads_of(trace.sites))
    found = Copied(
        lift=torch.zeros(n, dtype=torch.float64),
        queries=0,
        raised=torch.zeros(n, dtype=torch.float64),
        mass=torch.zeros(n, dtype=torch.float64),
        reasons=[ELSEWHERE] * n,
    )
    stream = trace.streams.get("tokens" if trace.target_tokens is None else "target_tokens")
    if trace.unembed is None or stream is None or stream.raw_unembed is None:
        found.reasons = [NO_HEAD if trace.unembed is None else NO_STREAM] * n
        return found
    assert trace.stages is not None
    unembedding = known.setdefault(
        0, Unembedding(stream.raw_unembed, d_model=trace.stages.shape[-1])
    )
    if not unembedding.is_affine:
        found.reasons = [NOT_LINEAR] * n
        return found
    counted = words_of(trace.read_tokens[text]).counted(specials=False)
    found.queries = int(counted.sum())
    for step in stream.steps:
        if isinstance(step, HeadsWrite):
            site = trace.sites[step.site]
            at = places(trace.sites, [site])
            if site.w_o is None or site.v is None:
                reason = NO_W_O
            else:
                _read_site(found, trace, stream, step, unembedding, counted.nonzero()[:, 0], text)
                reason = ""
            for head in at.tolist():
                found.reasons[head] = reason
    return found


def _read_site(
    found: Copied,
    trace: Trace,
    stream: Stream,
    step: HeadsWrite,
    unembedding: Unembedding,
    queries: Tensor,
    text: int,
) -> None:
    site, at = trace.sites[step.site], places(trace.sites, [trace.sites[step.site]])
    tokens = trace.tokens if site.key_tokens == "tokens" else trace.target_tokens
    assert tokens is not None
    row = tokens[text]
    sources = [place for place, token in enumerate(row) if not (token.special or token.padding)]
    if not sources:
        return
    wanted = unembedding.rows([row[place].id for place in sources])
    written = _written(site, sources, text)
    norms = _norms_after(stream, step)
    for query in queries.tolist():
        vectors = written.flatten(0, 1)[:, None]
        for norm in norms:
            vectors = norm.push(vectors, text, torch.tensor([query]))
        vectors = vectors.reshape(written.shape)
        lift = torch.einsum("hjd,jd->hj", vectors, wanted).double()
        derived = site.derive(["pattern"], text=text, rows=slice(query, query + 1))
        weight = derived["pattern"][0, :, 0][:, sources].double()
        weight[list(site.muted)] = 0.0
        found.lift[at] += (weight * lift).sum(-1)
        found.raised[at] += (weight * (lift > 0)).sum(-1)
        found.mass[at] += weight.sum(-1)


def _written(site: Site, sources: Sequence[int], text: int) -> Float[Tensor, "head source d_model"]:
    """v · W_O of each source token."""
    assert site.v is not None and site.w_o is not None
    v = site.v[text][:, list(sources)].float()
    return torch.einsum("hjd,hdm->hjm", v, site.w_o.float())


def _norms_after(stream: Stream, step: HeadsWrite) -> list[FrozenNorm]:
    """The norms that what a step writes goes through until the prediction, in order."""
    norms = [] if step.norm is None else [step.norm]
    after = stream.steps[stream.steps.index(step) + 1 :]
    norms += [later.norm for later in after if isinstance(later, Renorm)]
    return norms if stream.final is None else [*norms, stream.final]

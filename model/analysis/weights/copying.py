"""Whether a head copies: whether it raises the logit of the very token that it looks at.

Head h adds A[i,j] · v[j] · W_O to the stream at query i for the source token j. The norms after
it, with their scales frozen, and the unembedding W_U turn that into logits (Elhage et al. 2021, the
OV circuit). Against the mean over the vocabulary, the logit of token j itself moves by

    lift[i,j] = A[i,j] · (v[j] · W_O, through the norms at i) · (W_U[t[j]] − mean of W_U)

    copying = Σ A[i,j] where lift[i,j] > 0  ÷  Σ A[i,j], over queries i and source tokens j

Special tokens are neither. Chance is about half, and a head that writes nothing has 0. Olsson et
al. 2022 ask two things of an induction head: prefix matching (the metric `induction`), and copying.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from einops import einsum
from jaxtyping import Bool, Float
from torch import Tensor

from model.analysis.scores import Score
from model.analysis.weights.head_weights import smallest_trace
from model.analysis.weights.unembedding import Unembedding
from model.analysis.words import words_of
from model.core.tokenizer import Token
from model.errors import InputError, UnavailableError
from model.masks.mask import stripes_of
from model.sources.source import Source
from model.trace.recorded import TokenAxis
from model.trace.site import Site
from model.trace.stream import FrozenNorm, HeadsWrite, Renorm, Stream
from model.trace.trace import Trace

NO_STREAM = "the model's residual stream is not recorded"
NO_HEAD = "the model predicts nothing"
CLASSES = "the model predicts a class, not tokens"
NOT_LINEAR = "the model's prediction is not linear in the residual stream"
NO_W_O = "its W_O is not known"
ELSEWHERE = "what it writes reaches the prediction only through other heads"
NOTHING = "it looks at special tokens only"
NO_QUERIES = "the text has only special tokens, which do not count here"


@dataclass(frozen=True, kw_only=True, eq=False)
class Outputs:
    """How what heads write becomes logits: the stream of a run of the model, and its unembedding.

    Scales of norms are not read, so any run will do, whatever its text.
    """

    stream: Stream | None
    unembedding: Unembedding | None
    lacks: str = ""  # why it cannot be told, as the end of a sentence; "" if it can

    @classmethod
    def of(cls, trace: Trace, known: Unembedding | None = None) -> "Outputs":
        """Those of a run's model. `known` is the unembedding, if an earlier run gave it."""
        stream = trace.streams.get(trace.read_axis)
        if trace.unembed is None or trace.stages is None:
            return cls(stream=None, unembedding=None, lacks=NO_HEAD)
        if trace.classes:
            return cls(stream=None, unembedding=None, lacks=CLASSES)
        if stream is None or stream.raw_unembed is None:
            return cls(stream=None, unembedding=None, lacks=trace.stream_lacks or NO_STREAM)
        if known is None:
            d_model = trace.stages.shape[-1]
            known = Unembedding(stream.raw_unembed, d_model, stream.unembedding_rows)
        lacks = "" if known.is_affine else NOT_LINEAR
        return cls(stream=stream, unembedding=known, lacks=lacks)

    @classmethod
    def of_source(cls, source: Source) -> "Outputs":
        """Those of a source, from a run over one token."""
        try:
            return cls.of(smallest_trace(source))
        except (InputError, UnavailableError):  # it takes no ids, or its stream is not known
            return cls(stream=None, unembedding=None, lacks=NO_STREAM)


@dataclass(frozen=True, kw_only=True, eq=False)
class Lifts:
    """By how much the heads of a site move the logits of their source tokens, up to two factors.

    Left out are A[i,j] and the scales of the norms at the query; both are positive.
    """

    site: Site
    step: HeadsWrite
    text: int
    queries: Bool[Tensor, " query"]  # those that count
    sources: Bool[Tensor, " key"]
    lift: Float[Tensor, "head key"]  # 0 where the key is not a source token

    def weighted(
        self, values: Float[Tensor, "value head key"]
    ) -> Iterator[tuple[slice, Float[Tensor, "value head row"]]]:
        """Sums over the keys, weighted by the pattern, in stripes of queries.

        They are 0 for queries that do not count, and for muted heads.
        """
        for rows in stripes_of(self.site.mask.n_query):
            pattern = self.site.derive(["pattern"], text=self.text, rows=rows)["pattern"][0]
            sums = einsum(pattern, values, "head row key, value head key -> value head row")
            if self.site.muted:
                sums[:, list(self.site.muted)] = 0.0
            yield rows, (sums * self.queries[rows]).double()

    def tally(self) -> "CopyTally":
        """The attention to source tokens, and to those whose logit is raised."""
        both = torch.stack([(self.lift > 0).float(), self.sources.float().expand_as(self.lift)])
        sums = sum(sums.sum(-1) for _, sums in self.weighted(both))
        assert isinstance(sums, Tensor)
        return CopyTally(sums[0], sums[1], int(self.queries.sum()))


def lifts_of(trace: Trace, outputs: Outputs, text: int) -> list[Lifts | str]:
    """The lifts of each site of a trace, or why they cannot be told."""
    if outputs.lacks:
        return [outputs.lacks] * len(trace.sites)
    stream, unembedding = outputs.stream, outputs.unembedding
    assert stream is not None and unembedding is not None
    writes = {step.site: step for step in stream.steps if isinstance(step, HeadsWrite)}
    counted: dict[TokenAxis, Bool[Tensor, " pos"]] = {}
    wanted: dict[TokenAxis, Float[Tensor, "pos d_model"]] = {}
    rows_by_axis: dict[TokenAxis, tuple[tuple[Token, ...], ...] | None] = {
        "tokens": trace.tokens,
        "target_tokens": trace.target_tokens,
    }
    for axis, rows in rows_by_axis.items():
        if rows is not None:
            counted[axis] = words_of(rows[text]).counted(specials=False)
            wanted[axis] = torch.zeros(len(rows[text]), unembedding.d_model)
            ids = [token.id for token in rows[text] if not (token.special or token.padding)]
            if ids:
                wanted[axis][counted[axis]] = unembedding.rows(ids)
    found: list[Lifts | str] = []
    for index, site in enumerate(trace.sites):
        if index not in writes:
            found.append(ELSEWHERE)
        elif site.w_o is None or site.v is None:
            found.append(NO_W_O)
        else:
            step, sources = writes[index], counted[site.key_tokens]
            directions = wanted[site.key_tokens]
            for norm in reversed(norms_after(stream, step)):
                directions = norm.unfolded(directions)
            back = einsum(
                directions, site.w_o, "key d_model, head d_head d_model -> head key d_head"
            )
            lift = einsum(back, site.v[text], "head key d_head, head key d_head -> head key")
            found.append(
                Lifts(
                    site=site,
                    step=step,
                    text=text,
                    queries=counted[site.query_tokens],
                    sources=sources,
                    lift=lift * sources,
                )
            )
    return found


def norms_after(stream: Stream, step: HeadsWrite) -> list[FrozenNorm]:
    """The norms that what heads write goes through until the prediction, in order."""
    norms = [] if step.norm is None else [step.norm]
    after = stream.steps[stream.steps.index(step) + 1 :]
    norms += [later.norm for later in after if isinstance(later, Renorm)]
    return norms if stream.final is None else [*norms, stream.final]


@dataclass(frozen=True, eq=False)
class CopyTally:
    """The sums of one site over one text; tallies of several texts can be added."""

    raised: Float[Tensor, " head"]  # Σ A[i,j] over the cells whose source token is lifted
    mass: Float[Tensor, " head"]  # Σ A[i,j]
    over: int  # queries
    lacks: str = ""  # why there is none

    @classmethod
    def nothing(cls, n_heads: int, lacks: str) -> "CopyTally":
        """For a site where it cannot be measured."""
        raised, mass = torch.zeros(2, n_heads, dtype=torch.float64)
        return cls(raised, mass, 0, lacks)

    def __add__(self, other: "CopyTally") -> "CopyTally":
        return replace(
            self,
            raised=self.raised + other.raised,
            mass=self.mass + other.mass,
            over=self.over + other.over,
        )

    def scores(self) -> list[Score]:
        """The copying score of each head."""
        reason = self.lacks or (NOTHING if self.over else NO_QUERIES)
        return [
            Score(raised / mass, self.over, None) if mass else Score(None, 0, reason)
            for raised, mass in zip(self.raised.tolist(), self.mass.tolist(), strict=True)
        ]


def copy_tallies(trace: Trace, outputs: Outputs, text: int) -> list[CopyTally]:
    """The sums of each site over the queries of one text."""
    return [
        CopyTally.nothing(site.n_heads, lifts) if isinstance(lifts, str) else lifts.tally()
        for site, lifts in zip(trace.sites, lifts_of(trace, outputs, text), strict=True)
    ]

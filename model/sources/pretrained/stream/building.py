"""Makes the `Stream` of a trace from the flow of its run, with the names found at loading."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jaxtyping import Float, Int
from torch import Tensor, nn

from model.errors import UnavailableError
from model.sources.pretrained.head import Unembed
from model.sources.pretrained.opening.device import kept
from model.sources.pretrained.stream.flow import Flow, Node, Normed
from model.sources.pretrained.stream.projecting import Projecting
from model.sources.pretrained.stream.steps import (
    Event,
    HeadsWritten,
    ReadBy,
    Renormed,
    Written,
    as_write,
    events_of,
    norm_between,
)
from model.trace.recorded import TokenAxis
from model.trace.site import Site
from model.trace.stream import HeadsWrite, Part, Read, Renorm, Step, Stream, TokenRows, Write


class Middle(NamedTuple):
    """The modules whose outputs and inputs meet in the middle of a layer."""

    layer: nn.Module
    w_o: nn.Module
    mlp: nn.Module


@dataclass(frozen=True, kw_only=True, eq=False)
class LayerParts:
    """The modules of one layer, for hooks of interventions."""

    stack: TokenAxis  # that the layer runs over
    layer: int
    attention: tuple[nn.Module, ...] = ()  # one per site
    w_o: tuple[nn.Module, ...] = ()  # one per site: its output is what the heads give, all added
    # what gives the feed-forward network's output, as it is added to the stream; its output may be
    # a tuple, whose first element is meant
    mlp: nn.Module | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Named:
    """What was found of one event at loading."""

    part: Part | None = None  # of what is written
    layer: int | None = None
    # the modules that make what is written of the normed stream, one after another; empty: unknown
    function: tuple[nn.Module, ...] = ()


@dataclass(frozen=True, eq=False)
class Embedded:
    """Rows of the token embeddings, times the factor with which they enter the stream."""

    table: nn.Embedding
    factor: float

    def __call__(self, ids: Int[Tensor, " token"]) -> Float[Tensor, "token d_model"]:
        return self.factor * kept(self.table.weight[ids.to(self.table.weight.device)])


@dataclass(frozen=True, kw_only=True, eq=False)
class Plan:
    """What was found of a family's stream when it was loaded."""

    events: Mapping[TokenAxis, tuple[Named, ...]]
    embed: Mapping[TokenAxis, TokenRows | None]
    reads_lack: Mapping[int, str]  # by site: why its q, k and v are not linear in the stream
    layers: tuple[LayerParts, ...] = ()
    # by layer, the modules around the stream between attention and network; empty: it has no place
    middles: tuple[Middle, ...] = ()


def streams_of(
    flows: Mapping[TokenAxis, Flow],
    sites: Sequence[Site],
    plan: Plan,
    raw_unembed: Unembed | None,
    unembedding_rows: TokenRows | None = None,
) -> dict[TokenAxis, Stream]:
    """The streams of a run by what its stacks run over: an encoder and a decoder, or one.

    Raises:
        UnavailableError: this run added other parts than the one at loading.
    """
    streams = dict[TokenAxis, Stream]()
    last: TokenAxis = "target_tokens" if "target_tokens" in flows else "tokens"
    for axis, flow in flows.items():
        found, names = events_of(flow), iter(plan.events[axis])
        if sum(_added(event) is None for event in found.events) != len(plan.events[axis]):
            raise UnavailableError(
                "This text goes through other parts of the model than the ones found at loading, "
                "so its residual stream cannot be taken apart."
            )
        steps = list[Step]()
        made = dict[Step, int]()
        read_by = dict(flow.read_by)
        for event in found.events:
            added = _added(event)
            name = next(names) if added is None else Named(part=added)
            if isinstance(event, Written):
                write, read_at = _write(event, name, flow, found.path, read_by)
                _append(steps, write, before={each for each in made if made[each] > read_at})
            elif isinstance(event, Renormed):
                after = steps[-1] if steps else None
                site = sites[after.site].name if isinstance(after, HeadsWrite) else None
                steps.append(Renorm(norm=event.norm, layer=name.layer, site=site))
            elif isinstance(event, HeadsWritten):
                heads = _heads_write(event, sites[event.site].layer)
                steps.append(heads)
                made[heads] = event.made
            else:
                steps.append(_read(event, flow, sites, plan))
        streams[axis] = Stream(
            steps=tuple(steps),
            final=found.final,
            raw_unembed=raw_unembed if axis == last else None,
            unembedding_rows=unembedding_rows if axis == last else None,
            embed=plan.embed[axis],
        )
    return streams


def _added(event: Event) -> Part | None:
    """What an intervention added, which has its name; None: the event was named at loading."""
    return event.part if isinstance(event, Written) else None


def _write(
    event: Written,
    named: Named,
    flow: Flow,
    path: Collection[int],
    read_by: dict[nn.Module, tuple[Node, ...]],
) -> tuple[Write, int]:
    """What was written, and when the stream that it was made of was."""
    assert named.part is not None
    out = as_write(event, flow)
    if not named.function:
        return Write(part=named.part, out=out), event.made
    first, *later = read_by[named.function[0]]
    read_by[named.function[0]] = tuple(later)  # a module may be shared by several layers
    function = Chain(named.function, event.factor)
    norm = norm_between(first, path)
    read = first.of if isinstance(first, Normed) and norm is not None else first
    return Write(part=named.part, out=out, reads=norm, function=function), read.time


def _heads_write(event: HeadsWritten, layer: int) -> HeadsWrite:
    bias = getattr(event.w_o, "bias", None)
    kept_bias = kept(bias.detach()) if isinstance(bias, Tensor) else None
    return HeadsWrite(site=event.site, layer=layer, bias=kept_bias, norm=event.norm)


def _read(event: ReadBy, flow: Flow, sites: Sequence[Site], plan: Plan) -> Read:
    site = event.call.site
    mask = sites[site].mask
    projecting = Projecting(
        call=event.call, n_text=flow.n_text, n_query=mask.n_query, n_key=mask.n_key
    )
    crosses = event.call.context is not None
    return Read(
        site=site,
        norm=event.norm,
        project=projecting.q if crosses else projecting.q_k_v,
        reads="q" if crosses else "q k v",
        project_other=projecting.k_v if crosses else None,
        lacks=plan.reads_lack.get(site, ""),
        tensors=projecting.tensors,
    )


@dataclass(frozen=True)
class Chain:
    """Modules one after another; of one that gives a tuple, the first element counts."""

    modules: tuple[nn.Module, ...]
    factor: float

    def __call__(self, x: Tensor) -> Tensor:
        like = next((p for module in self.modules for p in module.parameters()), x)
        shape = x.shape
        # a mixture of experts takes batches only
        x = x.reshape(1, -1, shape[-1]).to(like.device, like.dtype)
        for module in self.modules:
            x = first_tensor(module(x))
        return kept(x if self.factor == 1.0 else x * self.factor).reshape(shape)


def first_tensor(output: object) -> Tensor:
    """The output of a module, or the first of several."""
    found = output[0] if isinstance(output, tuple) else output
    assert isinstance(found, Tensor)
    return found


def _append(steps: list[Step], write: Write, before: Collection[Step] = ()) -> None:
    """Add a write; what is written to the same part at the same place becomes one.

    It stands `before` the heads of its layer if those run beside it: it was made without them.
    """
    for place, earlier in reversed(list(enumerate(steps))):
        if isinstance(earlier, Read | Renorm):
            break
        if isinstance(earlier, Write) and earlier.part == write.part:
            steps[place] = Write(part=write.part, out=earlier.out + write.out)
            return
    place = len(steps)
    while place > 0 and steps[place - 1] in before:
        place -= 1
    steps.insert(place, write)

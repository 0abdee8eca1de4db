"""Finds the parts of a checkpoint's layers when it is loaded, and checks that they add up.

A few tokens run through the model while it is followed. What is found is used only if the numbers
agree: the parts must sum to the last hidden states. Otherwise there is a reason, in plain words.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from model.sources.pretrained.body import Body, layers_of
from model.sources.pretrained.hooks import HookCalls
from model.sources.pretrained.opening.device import kept
from model.sources.pretrained.recording import Recording
from model.sources.pretrained.stacks import embeddings_of
from model.sources.pretrained.stream.building import Named, Plan, streams_of
from model.sources.pretrained.stream.checking import check_reads, check_sums
from model.sources.pretrained.stream.editable import layer_of
from model.sources.pretrained.stream.flow import Flow, current_flow
from model.sources.pretrained.stream.middle import middles
from model.sources.pretrained.stream.naming import Call, embed_of, layer_parts, named
from model.sources.pretrained.stream.norms import NormRule, recognise
from model.sources.pretrained.stream.steps import UnfollowedError, events_of, sites_written
from model.sources.pretrained.stream.watching import watch, watch_readers
from model.sources.pretrained.text.reading import Rows
from model.trace.recorded import TokenAxis
from model.trace.stream import TokenRows


class Sample(NamedTuple):
    """A few tokens, and what a recorded run of them showed."""

    rows: Rows
    targets: Rows | None
    recording: Recording
    hook_calls: HookCalls
    layers: tuple[int, ...]  # one per site


def find_stream(body: Body, sample: Sample) -> tuple[Plan | None, str]:
    """How to follow the stream of this model; or None and why not, as the end of a sentence.

    Hooks stay on the modules that were found; they do nothing in runs that are not followed.
    """
    with ExitStack() as undo:
        try:
            plan = _found(body, sample, undo)
        except UnfollowedError as error:
            return None, str(error)
        except Exception as error:  # a family may raise anything, and its pictures need no stream
            return None, f"following it raises {error!r}"
        undo.pop_all()
        return plan, ""


def _found(body: Body, sample: Sample, undo: ExitStack) -> Plan:
    modules = sample.recording.modules
    calls = [module for module in modules if module is not None]
    if not calls:
        raise UnfollowedError("none of its layers has a softmax, which is what Headlight follows")
    lists = _stacks(body.model, calls)
    w_o = [sample.hook_calls.w_o_parts.get(site) for site in range(len(modules))]
    for site, module, part in zip(sample.recording.sites, modules, w_o, strict=True):
        if module is not None and part is None:
            raise UnfollowedError(f"the W_O of {site.name} was not found")
    handles = watch(
        [each[0] for each in lists],
        dict.fromkeys(calls),
        dict.fromkeys(part for part in w_o if part is not None),
        _norms(body, sample),
    )
    for handle in handles:
        undo.callback(handle.remove)
    with _observed(body.model, lists) as seen:
        recording = _run(body, sample, follow=True)
    assert recording.flows is not None
    events: dict[TokenAxis, tuple[Named, ...]] = {}
    embed: dict[TokenAxis, TokenRows | None] = {}
    table = embeddings_of(body.model)
    for axis, flow in recording.flows.items():
        found = events_of(flow).events
        _check_sites(recording, axis, sites_written(found))
        ids = (sample.rows if axis == "tokens" else sample.targets or sample.rows).ids
        tokens = kept(table(ids.to(table.weight.device)))
        entered = [(clock, number) for of, clock, number in seen.entered if of is flow]
        events[axis] = named(found, flow, seen.ran, entered, sample.layers, tokens)
        embed[axis] = embed_of(found, events[axis], flow, tokens, table)
    readers = [each.function[0] for of in events.values() for each in of if each.function]
    for handle in watch_readers(list(dict.fromkeys(readers))):
        undo.callback(handle.remove)
    plan = Plan(
        events=events,
        embed=embed,
        reads_lack={},
        layers=layer_parts(events, recording, w_o),
    )
    recording = _run(body, sample, follow=True)
    assert recording.flows is not None
    streams = streams_of(recording.flows, recording.sites, plan, None)
    real: dict[TokenAxis, Tensor] = {"tokens": sample.rows.real}
    if sample.targets is not None:
        real["target_tokens"] = sample.targets.real
    for axis, stream in streams.items():
        check_sums(stream, recording.sites, recording.flows[axis].output, real[axis])
    return Plan(
        events=plan.events,
        embed=plan.embed,
        reads_lack=check_reads(streams, recording.sites, real),
        layers=plan.layers,
        middles=middles(
            streams,
            plan.layers,
            lambda parts: layer_of(body.model, parts),
            lambda: _run(body, sample, follow=False),
        ),
    )


def _run(body: Body, sample: Sample, *, follow: bool) -> Recording:
    real = sample.recording.real
    found = Recording(
        real=real,
        w_o=[sample.hook_calls.w_o.get(site) for site in range(len(sample.layers))],
        layers=sample.layers,
        flows={} if follow else None,
    )
    found.w_o = [None if each is None else each.to("cpu", torch.float32) for each in found.w_o]
    body.record(found, sample.rows, sample.targets)
    return found


def _check_sites(recording: Recording, axis: TokenAxis, written: Sequence[int]) -> None:
    for index, site in enumerate(recording.sites):
        is_scan = recording.modules[index] is None
        if site.query_tokens == axis and not is_scan and written.count(index) != 1:
            raise UnfollowedError(
                f"what the heads of {site.name} write was not found in the stream"
            )


def _stacks(model: nn.Module, attention: Sequence[nn.Module]) -> list[nn.ModuleList]:
    """The outermost lists of modules that have attention in them."""
    names = layers_of(model)
    outer = [name for name in names if not any(name.startswith(f"{one}.") for one in names)]
    lists = [model.get_submodule(name) for name in outer]
    wanted = set(attention)
    found = [
        each
        for each in lists
        if isinstance(each, nn.ModuleList) and not wanted.isdisjoint(each.modules())
    ]
    if not found:
        raise UnfollowedError("its layers do not stand in a list")
    return found


def _norms(body: Body, sample: Sample) -> dict[nn.Module, tuple[NormRule, bool]]:
    """The norms of the model by their numbers, with whether each stands outside the layers."""
    d_model = body.model.config.get_text_config().hidden_size
    inside = {
        part for name in layers_of(body.model) for part in body.model.get_submodule(name).modules()
    }
    found: dict[nn.Module, tuple[NormRule, bool]] = {}

    def leaving(part: nn.Module, given: tuple[object, ...], output: object) -> None:
        x = given[0] if given else None
        if part in found or not isinstance(x, Tensor) or not isinstance(output, Tensor):
            return
        if x.shape[-1:] == (d_model,) and x.is_floating_point():
            rule = recognise(part, x, output)
            if rule is not None:
                found[part] = rule, part not in inside

    with _hooked(part.register_forward_hook(leaving) for part in body.model.modules()):
        _run(body, sample, follow=False)
    return found


@contextmanager
def _hooked(handles: Iterable[Any]) -> Iterator[None]:
    taken = list(handles)
    try:
        yield
    finally:
        for handle in taken:
            handle.remove()


class _Seen(NamedTuple):
    ran: list[Call]  # in the order in which they ended
    entered: list[tuple[Flow, int, int]]  # a layer: its stack's flow, the clock, its number


@contextmanager
def _observed(model: nn.Module, lists: Sequence[nn.ModuleList]) -> Iterator[_Seen]:
    """Note every module that runs, and every layer that begins."""
    seen = _Seen([], [])

    def leaving(part: nn.Module, args: Any, kwargs: Mapping[str, Any], output: object) -> None:
        seen.ran.append(Call(part, args, kwargs, output))

    def entering(number: int) -> Any:
        def entering_layer(*_: object) -> None:
            flow = current_flow()
            if flow is not None:
                seen.entered.append((flow, flow.clock, number))

        return entering_layer

    handles = [part.register_forward_hook(leaving, with_kwargs=True) for part in model.modules()]
    handles += [
        layer.register_forward_pre_hook(entering(number))
        for layers in lists
        for number, layer in enumerate(layers)
    ]
    with _hooked(handles):
        yield seen

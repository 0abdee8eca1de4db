"""Circuits of edges: against a pass of plain loops, against patches, and against differences."""

import math
import random
from collections.abc import Collection
from typing import Any

import pytest
import torch
from torch import Tensor

from model.analysis.patching.clean import CleanRun
from model.analysis.paths.circuit import TOKENS, CircuitEdge, EdgeRuns, checked_sets
from model.core.checkpoint import SHIPPED
from model.core.embedding import rotary, rotate
from model.core.transformer import Transformer
from model.errors import InputError, UnavailableError
from model.interventions import Intervention
from model.masks.rules import MaskSettings
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead
from model.trace.stream import Part
from tests.unit.by_hand import normed

CLEAN = "When Mary and John went to the store, John gave a drink to"
CORRUPTED = "When Mary and John went to the store, Mary gave a drink to"


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


def ids_of(source: NativeSource) -> tuple[int, int]:
    one, other = (source.tokenizer.encode(word)[-1].id for word in (" Mary", " John"))
    return one, other


def runs_of(source: NativeSource, *, corrupted: str = CORRUPTED, **settings: Any) -> EdgeRuns:
    inputs = Inputs(texts=(CLEAN,), stream=True, **settings)
    trace = source.trace(inputs)
    other = CleanRun(source.runner(Inputs(texts=(corrupted,), masks=inputs.masks)), 0)
    unembed = trace.stream_to_read("", field="").raw_unembed
    assert unembed is not None
    one, rival = ids_of(source)
    n = min(len(trace.tokens[0]), len(other.tokens))
    return EdgeRuns(
        trace,
        other,
        [(at, at) for at in range(n)],
        lambda x: unembed(x)[one] - unembed(x)[rival],
        len(trace.tokens[0]) - 1,
    )


def lead(source: NativeSource, text: str, **settings: Any) -> float:
    """The answer of a run of its own."""
    trace = source.trace(Inputs(texts=(text,), **settings))
    stages, unembed, _ = trace.head("")
    logits = unembed(stages[-1, 0, len(trace.tokens[0]) - 1])
    one, rival = ids_of(source)
    return float(logits[one] - logits[rival])


def by_loops(
    model: Transformer, clean: Tensor, corrupted: Tensor, kept: Collection[tuple[Any, Any]]
) -> Tensor:
    """The last logits if each reader sums what it reads, sender by sender."""
    weights, config = dict(model.state_dict()), model.config
    heads, d, n = config.n_heads, config.d_head, len(clean)
    turn = rotary(torch.arange(n)[None], d)
    future = torch.ones(n, n, dtype=torch.bool).triu(1)

    def parts_of(ids: Tensor, other: dict[str, Tensor] | None) -> dict[str, Tensor]:
        found = {"tokens": weights["embedding.token.weight"][ids]}

        def read(receiver: str) -> Tensor:
            x = torch.zeros(n, config.d_model)
            for sender, vector in found.items():
                is_kept = other is None or (sender, receiver) in kept
                x = x + (vector if is_kept or other is None else other[sender])
            return x

        for layer in range(config.n_layers):
            block = f"blocks.{layer}"
            w_qkv = weights[f"{block}.attention.w_qkv.weight"].view(3, heads, d, -1)
            w_o = weights[f"{block}.attention.w_o.weight"]
            new = {}
            for head in range(heads):
                q, k, v = (
                    normed(weights, f"{block}.norm_attention", read(f"L{layer}H{head}.{name}"))
                    @ w_qkv[at, head].T
                    for at, name in enumerate("qkv")
                )
                q, k = (rotate(each[None, None], turn)[0, 0] for each in (q, k))
                scores = (q @ k.T / math.sqrt(d)).masked_fill(future, -math.inf)
                z = scores.softmax(-1) @ v
                new[f"L{layer}H{head}"] = z @ w_o[:, head * d : (head + 1) * d].T
            found |= new
            inside = normed(weights, f"{block}.norm_mlp", read(f"mlp{layer}"))
            hidden = inside @ weights[f"{block}.mlp.0.weight"].T + weights[f"{block}.mlp.0.bias"]
            out = torch.nn.functional.gelu(hidden) @ weights[f"{block}.mlp.2.weight"].T
            found[f"mlp{layer}"] = out + weights[f"{block}.mlp.2.bias"]
        found["end"] = read("logit")
        return found

    with torch.no_grad():
        end = parts_of(clean, parts_of(corrupted, None))["end"][-1]
        logits: Tensor = normed(weights, "norm", end) @ weights["embedding.token.weight"].T
        return logits


def name_of(edge: CircuitEdge) -> tuple[str, str]:
    def part_name(part: Part) -> str:
        if part == TOKENS:
            return "tokens"
        return f"mlp{part.layer}" if part.kind == "mlp" else f"L{part.layer}H{part.head}"

    receiver, through = edge.receiver
    if receiver is None:
        return part_name(edge.sender), "logit"
    end = f".{through}" if receiver.kind == "head" else ""
    return part_name(edge.sender), part_name(receiver) + end


def test_any_set_of_edges_is_a_pass_of_plain_loops(shipped: NativeSource) -> None:
    runs, rng = runs_of(shipped), random.Random(5)
    assert len(runs.edges) == len(set(runs.edges)) == 802
    one, rival = ids_of(shipped)
    ids = [
        torch.tensor([token.id for token in shipped.tokenizer.encode(text)])
        for text in (CLEAN, CORRUPTED)
    ]
    for share in (0.02, 0.3, 0.7, 0.95):
        kept = torch.tensor([rng.random() < share for _ in runs.edges])
        names = {
            name_of(edge) for edge, is_in in zip(runs.edges, kept.tolist(), strict=True) if is_in
        }
        logits = by_loops(shipped.model, ids[0], ids[1], names)
        assert runs.lead(kept) == pytest.approx(float(logits[one] - logits[rival]), abs=2e-4)


def test_all_edges_are_the_clean_run_and_none_the_corrupted_one(shipped: NativeSource) -> None:
    for masks in (MaskSettings(), MaskSettings(window=4), MaskSettings(causal=False)):
        runs = runs_of(shipped, masks=masks)
        for all_open, text in ((True, CLEAN), (False, CORRUPTED)):
            kept = torch.full((len(runs.edges),), all_open)
            assert runs.lead(kept) == pytest.approx(lead(shipped, text, masks=masks), abs=2e-4)


@pytest.mark.parametrize("part", [Part("head", 0, "layers.0", 5), Part("mlp", 1)])
def test_without_the_edges_of_one_part_it_is_patched(shipped: NativeSource, part: Part) -> None:
    runs = runs_of(shipped)
    where = {"at": "mlp"} if part.kind == "mlp" else {"at": "head", "head": part.head}
    patched = Intervention(kind="patch", layer=part.layer or 0, source=CORRUPTED, **where)
    expected = lead(shipped, CLEAN, interventions=(patched,))
    assert abs(expected - lead(shipped, CLEAN)) > 0.1
    for closed in (
        [edge.sender == part for edge in runs.edges],
        [edge.receiver.part == part for edge in runs.edges],
    ):
        assert runs.lead(~torch.tensor(closed)) == pytest.approx(expected, abs=2e-4)


def test_estimates_are_derivatives_and_on_the_whole_way_they_sum(shipped: NativeSource) -> None:
    runs = runs_of(shipped)
    n = len(runs.edges)
    one = runs.estimates(1)
    for at in one.abs().argsort(descending=True)[:4].tolist():
        ends = []
        for share in (0.98, 1.02):
            opened = torch.ones(n)
            opened[at] = share
            ends.append(runs._run(opened).item())
        assert one[at].item() == pytest.approx((ends[1] - ends[0]) / 0.04, rel=0.02, abs=0.01)
    whole, none = (runs.lead(torch.full((n,), is_open)) for is_open in (True, False))
    assert runs.estimates(20).sum().item() == pytest.approx(whole - none, rel=0.02)
    assert runs.estimates(0).abs().sum() == 0


def test_tokens_that_the_other_sentence_lacks_stay_as_they_are(shipped: NativeSource) -> None:
    runs = runs_of(shipped, corrupted="When Mary and")
    none = runs.lead(torch.zeros(len(runs.edges), dtype=torch.bool))
    assert none == pytest.approx(lead(shipped, CLEAN), abs=2e-4)  # which these do not change


def test_what_cannot_be_run_is_refused(shipped: NativeSource) -> None:
    changed = Intervention(kind="zero", at="head", layer=0, head=1)
    scaled = Intervention(kind="scale", at="resid_post", layer=0, factor=0.5)
    for settings in (
        {"muted": (MutedHead(0, 1),)},
        {"interventions": (changed,)},
        {"interventions": (scaled,)},
    ):
        with pytest.raises(UnavailableError, match="Send the text without mutes"):
            _ = runs_of(shipped, **settings).edges
    with pytest.raises(InputError, match="edges 0 to 9; got 10") as caught:
        checked_sets([[1], [3, 10]], 10)
    assert caught.value.field == "analyse.edges.sets.1"
    assert [kept.tolist() for kept in checked_sets([[], [0, 2]], 3)] == [
        [False] * 3,
        [True, False, True],
    ]

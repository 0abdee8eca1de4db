"""The court on the shipped model: each number against a pass that is run by hand."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor

from model.analysis.attribution import attribution
from model.analysis.explanations import Asked, Comparison, compare
from model.analysis.explanations.comparison import MAX_TOKENS, n_rows
from model.analysis.explanations.comparison import MethodResult as Said
from model.analysis.explanations.curves import RANDOM_ORDERS, Curve
from model.analysis.explanations.methods import METHODS
from model.analysis.flow import flow
from model.analysis.rollout import rollout
from model.core.checkpoint import SHIPPED
from model.errors import InputError, LimitError
from model.interventions import Intervention
from model.masks.rules import Cell, MaskSettings
from model.slices import sliced
from model.sources.native import NativeSource
from model.sources.runner import Runner
from model.sources.source import Inputs, MutedHead
from model.trace.trace import Trace
from tests.unit.by_hand import by_hand

pytestmark = pytest.mark.long

TEXT = "The dogs near the old cabinet"
TOKEN, AGAINST = 20, 21


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


def heard(
    source: NativeSource, asked: Asked | None = None, texts: Sequence[str] = (TEXT,), **more: object
) -> tuple[Comparison, Trace]:
    """The court of the first text, under inference mode as in the server."""
    inputs = Inputs(texts=tuple(texts), stream=True, **more)  # type: ignore[arg-type]
    runner = source.runner(inputs)
    with torch.inference_mode():
        trace = source.trace(inputs)
        return compare(trace, runner, asked or Asked(token=TOKEN))[0], trace


@pytest.fixture(scope="module")
def case(shipped: NativeSource) -> tuple[Comparison, Trace]:
    return heard(shipped, Asked(token=TOKEN, against=AGAINST, layer=1, head=2))


def said(court: Comparison, name: str) -> Said:
    [found] = [one for one in court.methods if one.name == name]
    return found


def values(court: Comparison, name: str) -> list[float]:
    found = said(court, name).values
    assert found is not None
    return list(found)


def ids(trace: Trace) -> Tensor:
    return torch.tensor([token.id for token in trace.tokens[0]])


def blocked_by_hand(
    source: NativeSource, row: Tensor, keys: set[int]
) -> Tensor:  # logits at the last position
    """A pass in which nobody may look at some keys, with softmax by hand."""
    now: dict[str, Tensor] = {}

    def change(point: str, layer: int, x: Tensor) -> Tensor:
        now[point] = x
        if point != "z":
            return x
        n = x.shape[1]
        scores = now["q"] @ now["k"].transpose(1, 2) / math.sqrt(x.shape[-1])
        z = torch.zeros_like(x)
        for query in range(n):
            allowed = [key for key in range(query + 1) if key not in keys]
            if allowed:
                z[:, query] = torch.einsum(
                    "hk,hkd->hd", scores[:, query, allowed].softmax(-1), now["v"][:, allowed]
                )
        return z

    return by_hand(source.model, row, change)[-1]


def difference(logits: Tensor) -> float:
    return (logits[TOKEN] - logits[AGAINST]).item()


def test_ablation_is_a_run_in_which_nobody_looks(
    shipped: NativeSource, case: tuple[Comparison, Trace]
) -> None:
    court, trace = case
    row = ids(trace)
    full = difference(blocked_by_hand(shipped, row, set()))
    assert court.logit == pytest.approx(full, abs=1e-4)
    assert court.sources == tuple(range(len(row)))
    for at, drop in enumerate(values(court, "ablation")):
        left = difference(blocked_by_hand(shipped, row, {at}))
        assert drop == pytest.approx(full - left, abs=2e-4)


def test_ablation_is_what_painting_the_column_does(shipped: NativeSource) -> None:
    court, _ = heard(shipped)
    for at in (0, 3):
        masks = MaskSettings(blocked=(Cell(key=at),))
        painted = shipped.trace(Inputs((TEXT,), masks=masks))
        assert painted.stages is not None and painted.unembed is not None
        left = painted.unembed(painted.stages[-1, 0, -1])[TOKEN].item()
        assert values(court, "ablation")[at] == pytest.approx(court.logit - left, abs=1e-4)


def test_curves_hide_and_show_the_tokens_in_order(
    shipped: NativeSource, case: tuple[Comparison, Trace]
) -> None:
    court, trace = case
    row, n = ids(trace), len(court.sources)
    for name in ("ablation", "gradient_input"):
        said_here = values(court, name)
        order = sorted(range(n), key=lambda at: -said_here[at])
        curves = said(court, name).curves
        assert curves is not None
        for k in range(n + 1):
            without = difference(blocked_by_hand(shipped, row, set(order[:k])))
            only = difference(blocked_by_hand(shipped, row, set(order[k:])))
            assert curves.deletion.logits[k] == pytest.approx(without, abs=2e-4)
            assert curves.insertion.logits[k] == pytest.approx(only, abs=2e-4)
        p = blocked_by_hand(shipped, row, set(order[:2])).double().softmax(-1)[TOKEN].item()
        assert curves.deletion.probabilities[2] == pytest.approx(p, abs=1e-5)


def test_areas_are_those_of_the_trapezoids(case: tuple[Comparison, Trace]) -> None:
    court, _ = case

    def area(curve: Curve) -> float:
        total, steps = 0.0, len(curve.logits) - 1
        for k in range(steps):
            total += (curve.logits[k] + curve.logits[k + 1]) / 2 / steps
        return total

    every = [one.curves for one in court.methods] + [court.random]
    assert len(every) == len(METHODS) + 1
    for curves in every:
        assert curves is not None
        for curve in (curves.deletion, curves.insertion):
            assert curve.area == pytest.approx(area(curve), abs=1e-5)


def test_raw_weights_are_means_over_the_heads(case: tuple[Comparison, Trace]) -> None:
    court, trace = case
    assert court.weights_of == "layers.1"
    pattern = trace.sites[1].derive(["pattern"])["pattern"][0, :, court.position].tolist()
    for at in court.sources:
        mean = sum(pattern[head][at] for head in range(len(pattern))) / len(pattern)
        assert values(court, "weight")[at] == pytest.approx(mean, abs=1e-6)
        assert values(court, "head_weight")[at] == pytest.approx(pattern[2][at], abs=1e-6)


def test_norm_weights_are_lengths_of_what_moves(
    shipped: NativeSource, case: tuple[Comparison, Trace]
) -> None:
    court, trace = case
    site, d_head = trace.sites[1], shipped.info.d_head
    pattern = site.derive(["pattern"])["pattern"][0, :, court.position].double()
    w_o = shipped.model.state_dict()["blocks.1.attention.w_o.weight"].double()
    assert site.v is not None
    for at in court.sources:
        moved = torch.zeros(shipped.info.d_model, dtype=torch.float64)
        for head in range(site.n_heads):
            block = w_o[:, head * d_head : (head + 1) * d_head]
            moved += pattern[head, at] * (block @ site.v[0, head, at].double())
        length = math.sqrt(sum(number * number for number in moved.tolist()))
        assert values(court, "norm_weight")[at] == pytest.approx(length, abs=1e-4)


def test_rollout_and_flow_are_their_rows(case: tuple[Comparison, Trace]) -> None:
    court, trace = case
    assert values(court, "rollout") == pytest.approx(rollout(trace)[0, court.position].tolist())
    assert values(court, "flow") == pytest.approx(flow(trace)[0, court.position].tolist())


def test_attribution_is_the_sum_over_heads_and_the_direct_path(
    case: tuple[Comparison, Trace],
) -> None:
    court, trace = case
    [found] = attribution(trace, token=TOKEN, against=AGAINST)
    each = values(court, "attribution")
    for at in court.sources:
        total = 0.0
        for one in found.sources:
            total += one.values[at]
        if at == court.position:
            total += next(c.value for c in found.contributions if c.part.kind == "embedding")
        assert each[at] == pytest.approx(total, abs=1e-5)
    rest = said(court, "attribution").notes["rest"]
    assert sum(each) + rest == pytest.approx(court.logit, abs=1e-4)


def with_embeddings(
    source: NativeSource, row: Tensor, change: Callable[[Tensor], Tensor]
) -> Tensor:
    """The difference of the logits in double precision, with other embeddings."""

    def changed(point: str, layer: int, x: Tensor) -> Tensor:
        return change(x) if (point, layer) == ("resid_pre", 0) else x

    logits = by_hand(source.model, row, changed)[-1]
    return logits[TOKEN] - logits[AGAINST]


@pytest.fixture
def double() -> NativeSource:
    """A copy whose weights are float64, for differences of small steps."""
    source = NativeSource("double", SHIPPED)
    source.model.double().requires_grad_(False)
    return source


def test_gradient_times_input_against_finite_differences(
    double: NativeSource, case: tuple[Comparison, Trace]
) -> None:
    """The change of the logit as a token's embedding is scaled by 1 ± ε, over 2ε."""
    court, trace = case
    row, step = ids(trace), 1e-4
    for at, number in enumerate(values(court, "gradient_input")):
        ends = []
        for sign in (1, -1):

            def scaled(x: Tensor, at: int = at, sign: int = sign) -> Tensor:
                x = x.clone()
                x[at] *= 1 + sign * step
                return x

            ends.append(with_embeddings(double, row, scaled).item())
        assert number == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-3)


@pytest.mark.parametrize("baseline", ["mean", "zero"])
def test_integrated_gradients_against_a_fine_sum(
    double: NativeSource, shipped: NativeSource, baseline: str
) -> None:
    """The midpoint rule with 80 steps, by another way to take gradients."""
    asked = Asked(token=TOKEN, against=AGAINST, baseline=baseline, steps=64)  # type: ignore[arg-type]
    court, trace = heard(shipped, asked)
    row = ids(trace)
    table = double.model.state_dict()["embedding.token.weight"]
    x = table[row]
    base = (table.mean(0) if baseline == "mean" else torch.zeros_like(x[0])).expand_as(x)
    total = torch.zeros(len(row), dtype=torch.float64)
    steps = 80
    for k in range(steps):
        here = (base + (k + 0.5) / steps * (x - base)).requires_grad_()
        value = with_embeddings(double, row, lambda _, here=here: here)  # type: ignore[misc]
        (gradient,) = torch.autograd.grad(value, here)
        total += ((x - base) * gradient).sum(-1) / steps
    promised = with_embeddings(double, row, lambda x: x) - with_embeddings(
        double, row, lambda _: base
    )
    notes = said(court, "integrated_gradients").notes
    assert notes["promised"] == pytest.approx(promised.item(), abs=1e-3)
    sum_of = sum(values(court, "integrated_gradients"))
    assert sum_of + notes["gap"] == pytest.approx(notes["promised"], abs=1e-3)
    if baseline == "mean":  # from 0, where the norms jump, neither sum is exact: the gap says so
        assert abs(notes["gap"]) < 0.02
        assert values(court, "integrated_gradients") == pytest.approx(total.tolist(), abs=0.05)


def test_embedding_ablation_is_a_run_with_the_mean(
    double: NativeSource, case: tuple[Comparison, Trace]
) -> None:
    court, trace = case
    row = ids(trace)
    mean = double.model.state_dict()["embedding.token.weight"].mean(0)
    full = with_embeddings(double, row, lambda x: x).item()
    for at, drop in enumerate(values(court, "mean_ablation")):

        def replaced(x: Tensor, at: int = at) -> Tensor:
            x = x.clone()
            x[at] = mean
            return x

        left = with_embeddings(double, row, replaced).item()
        assert drop == pytest.approx(full - left, abs=1e-3)


def test_agreement_counts_the_pairs_of_the_same_tokens(case: tuple[Comparison, Trace]) -> None:
    court, trace = case
    names = [one.name for one in court.methods]
    assert [(one.specials, one.by) for one in court.agreement] == list(
        product((True, False), ("value", "size"))
    )
    for one in court.agreement:
        kept = [at for at in court.sources if one.specials or not trace.tokens[0][at].special]
        assert one.n_tokens == len(kept)
        a, b = names.index("gradient_input"), names.index("ablation")
        pairs = [(values(court, names[a])[at], values(court, names[b])[at]) for at in kept]
        numbers = [(abs(x), abs(y)) if one.by == "size" else (x, y) for x, y in pairs]
        signs = [
            math.copysign(1, (x[0] - y[0]) * (x[1] - y[1]))
            for i, x in enumerate(numbers)
            for y in numbers[:i]
        ]
        assert one.tau[a][b] == pytest.approx(sum(signs) / len(signs))
        assert one.tau[a][b] == one.tau[b][a]
        assert one.tau[a][a] == 1


def test_only_tokens_that_can_reach_the_prediction_are_sources(shipped: NativeSource) -> None:
    court, trace = heard(shipped, Asked(position=2, token=TOKEN), [TEXT, "A cat"])
    assert court.sources == (0, 1, 2)
    longer = heard(shipped, Asked(token=TOKEN), ["A cat", TEXT])[0]
    assert longer.sources == (0, 1, 2)  # and no padding
    # a window of 2 reaches one token back in each of three layers
    near, _ = heard(shipped, masks=MaskSettings(window=2))
    n = len(trace.tokens[0])
    assert near.sources == tuple(range(n - 1 - 3, n))


def test_texts_together_give_what_each_gives_alone(shipped: NativeSource) -> None:
    inputs = Inputs((TEXT, "A cat"), stream=True)
    each = compare(shipped.trace(inputs), shipped.runner(inputs), Asked())
    for text, court in zip(inputs.texts, each, strict=True):
        alone, _ = heard(shipped, Asked(), [text])
        for a, b in zip(court.methods, alone.methods, strict=True):
            assert (a.values is None) == (b.values is None), a.name
            if a.values is not None and a.name not in ("flow", "rollout"):
                assert list(a.values) == pytest.approx(list(b.values or ()), abs=1e-4), a.name


def test_mutes_and_interventions_hold_in_every_run(shipped: NativeSource) -> None:
    edits: dict[str, object] = {
        "muted": (MutedHead(1, 3),),
        "interventions": (Intervention(kind="scale", at="head", layer=0, head=2, factor=3.0),),
    }
    court, _ = heard(shipped, **edits)  # type: ignore[arg-type]
    inputs = Inputs((TEXT,), masks=MaskSettings(blocked=(Cell(key=2),)), **edits)  # type: ignore[arg-type]
    painted = shipped.trace(inputs)
    assert painted.stages is not None and painted.unembed is not None
    left = painted.unembed(painted.stages[-1, 0, -1])[TOKEN].item()
    assert values(court, "ablation")[2] == pytest.approx(court.logit - left, abs=1e-4)
    plain, _ = heard(shipped)
    assert court.logit != pytest.approx(plain.logit, abs=1e-2)


def test_one_without_an_answer_says_why(shipped: NativeSource) -> None:
    inputs = Inputs((" ".join(["cat"] * 24),))  # too long for the flow; and no stream
    court = compare(shipped.trace(inputs), shipped.runner(inputs), Asked())[0]
    for name, reason in (("flow", "at most 24 tokens; this one has 25"), ("attribution", "stream")):
        one = said(court, name)
        assert one.values is None and one.curves is None
        assert one.reason is not None and reason in one.reason
    index = [one.name for one in court.methods].index("flow")
    assert set(court.agreement[0].tau[index]) == {None}
    assert len(court.methods) == len(METHODS) - 1  # no head was chosen


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        (Asked(position=99), "position"),
        (Asked(token=10**6), "token"),
        (Asked(against=-1), "against"),
        (Asked(layer=3), "layer"),
        (Asked(head=8), "head"),
    ],
)
def test_what_is_not_there_is_refused(shipped: NativeSource, asked: Asked, field: str) -> None:
    with pytest.raises(InputError) as refused:
        heard(shipped, asked)
    assert refused.value.field == f"analyse.explanations.{field}"


def test_long_texts_are_refused_before_anything_runs(shipped: NativeSource) -> None:
    with pytest.raises(LimitError, match="at most 64 tokens; this one has 65") as refused:
        heard(shipped, texts=[" ".join(["cat"] * MAX_TOKENS)])
    assert refused.value.limit == MAX_TOKENS


def test_progress_counts_up_to_the_number_of_runs(shipped: NativeSource) -> None:
    inputs = Inputs(("The dog", "A cat saw"), stream=True)
    trace, runner = shipped.trace(inputs), shipped.runner(inputs)
    seen: list[tuple[int, int]] = []
    with sliced(lambda done, total: seen.append((done, total))):
        compare(trace, runner, Asked())
    known = [pair for pair in seen if pair[1]]
    n = sum(n_rows(len([t for t in row if not t.padding]), Asked()) for row in trace.tokens)
    assert {total for _, total in known} == {n}
    assert [done for done, _ in known] == sorted(done for done, _ in known)
    assert RANDOM_ORDERS > 1


def test_what_was_computed_before_is_not_computed_again(
    shipped: NativeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs = Inputs((TEXT,), stream=True)
    known: dict[object, object] = {}
    runs = 0

    def remembered(name: str, settings: object, compute: Callable[[], object], /) -> Any:
        if (name, settings) not in known:
            known[name, settings] = compute()
        return known[name, settings]

    call = Runner.__call__

    def counting(*args: Any, rows: int = 1, **more: Any) -> Tensor:
        nonlocal runs
        runs += rows
        return call(*args, rows=rows, **more)

    monkeypatch.setattr(Runner, "__call__", counting)
    with torch.inference_mode():
        trace, runner = shipped.trace(inputs), shipped.runner(inputs)

        def asked(**more: Any) -> tuple[Comparison, int]:
            nonlocal runs
            runs = 0
            [found] = compare(trace, runner, Asked(token=TOKEN, **more), remembered)
            return found, runs

        first, took = asked(curves=())
        assert first.random is None and all(one.curves is None for one in first.methods)
        whole, curved = asked()
        assert [one.values for one in whole.methods] == [one.values for one in first.methods]
        assert whole.agreement == first.agreement
        assert curved > 1.5 * took
        some, took = asked(curves=("ablation",))
        assert took == 1
        assert [one.name for one in some.methods if one.curves is not None] == ["ablation"]
        assert some.random == whole.random
        of_head, took = asked(layer=1, head=2)
        # the deletion and the insertion of three orders that are new, and the run itself
        assert 1 <= took <= 3 * 2 * len(whole.sources) + 1
        alone, _ = heard(shipped, Asked(token=TOKEN, layer=1, head=2))
        for one, other in zip(of_head.methods, alone.methods, strict=True):
            assert one.values == pytest.approx(other.values, abs=1e-5)
            assert one.curves is not None and other.curves is not None
            assert one.curves.deletion.logits == pytest.approx(other.curves.deletion.logits, 1e-4)
        assert asked(layer=1, head=2) == (of_head, 1)


def test_the_same_request_gives_the_same_answer(shipped: NativeSource) -> None:
    first, second = (heard(shipped)[0] for _ in range(2))
    assert first == replace(second)

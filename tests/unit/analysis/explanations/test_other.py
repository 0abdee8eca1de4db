"""Another attention pattern: what is found is confirmed by a pass run by hand."""

import math
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from model.analysis.explanations.other import OtherAttention, Search, other_attention
from model.core.checkpoint import SHIPPED
from model.errors import InputError, UnavailableError
from model.interventions import Intervention
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead
from model.trace.trace import Trace
from tests.unit.by_hand import by_hand

pytestmark = pytest.mark.long

TEXT = "The dogs near the old cabinet"
SEARCH = Search(layer=1, head=2, steps=15)


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


def searched(
    source: NativeSource, search: Search = SEARCH, **more: object
) -> tuple[OtherAttention, Trace]:
    inputs = Inputs((TEXT,), **more)  # type: ignore[arg-type]
    runner = source.runner(inputs)
    with torch.inference_mode():
        trace = source.trace(inputs)
        return other_attention(trace, runner, search)[0], trace


def p_with(source: NativeSource, trace: Trace, found: OtherAttention, rows: object) -> Tensor:
    """p of every next token in a pass in which some heads have another row of the pattern."""
    ids = torch.tensor([token.id for token in trace.tokens[0]])
    layer, now = int(found.site.removeprefix("layers.")), {}

    def change(point: str, at: int, x: Tensor) -> Tensor:
        if at == layer:
            now[point] = x
        if point != "z" or at != layer or rows is None:
            return x
        z = x.clone()
        for head, row in zip(found.heads, rows, strict=True):  # type: ignore[call-overload]
            total = torch.zeros(x.shape[-1])
            for key, weight in zip(found.keys, row, strict=True):
                total += weight * now["v"][head, key]
            z[head, found.position] = total
        return z

    return by_hand(source.model, ids, change)[found.position].double().softmax(-1)


def distance(p: Tensor, q: Tensor) -> float:
    total: float = sum(abs(a - b) for a, b in zip(p.tolist(), q.tolist(), strict=True))
    return total / 2


def divergence(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """Jensen–Shannon, in nats."""
    total = 0.0
    for x, y in zip(a, b, strict=True):
        middle = (x + y) / 2
        total += sum(part * math.log(part / middle) for part in (x, y) if part > 0) / 2
    return total


@pytest.mark.parametrize("head", [2, None])
def test_what_is_found_gives_nearly_the_same_answer(
    shipped: NativeSource, head: int | None
) -> None:
    found, trace = searched(shipped, replace(SEARCH, head=head))
    assert found.heads == ((2,) if head is not None else tuple(range(8)))
    assert found.found and found.other is not None
    assert found.jsd is not None and found.tvd is not None
    before, after = (p_with(shipped, trace, found, rows) for rows in (None, found.other))
    assert found.tvd == pytest.approx(distance(before, after), abs=1e-4)
    assert found.tvd <= 0.05
    each = [divergence(a, b) for a, b in zip(found.pattern, found.other, strict=True)]
    assert found.jsd == pytest.approx(sum(each) / len(each), abs=1e-4)
    assert found.jsd >= 0.1
    for row in found.other:
        assert sum(row) == pytest.approx(1, abs=1e-5) and min(row) >= 0
    for one in found.answers:
        assert one.token.probability == pytest.approx(before[one.token.id].item(), abs=1e-5)
        assert one.after == pytest.approx(after[one.token.id].item(), abs=1e-5)


def test_the_real_row_is_that_of_the_trace(shipped: NativeSource) -> None:
    found, trace = searched(shipped)
    real = trace.sites[1].derive(["pattern"])["pattern"][0, 2, found.position]
    assert found.keys == tuple(range(len(trace.tokens[0])))
    assert list(found.pattern[0]) == pytest.approx(real.tolist(), abs=1e-6)


def test_nothing_at_all_is_what_a_muted_row_gives(shipped: NativeSource) -> None:
    found, trace = searched(shipped)
    nothing = [[0.0] * len(found.keys)] * len(found.heads)
    before, after = (p_with(shipped, trace, found, rows) for rows in (None, nothing))
    assert found.tvd_without == pytest.approx(distance(before, after), abs=1e-5)


def test_gradient_ascent_finds_more_than_the_starts(shipped: NativeSource) -> None:
    start, _ = searched(shipped, replace(SEARCH, head=None, steps=0))
    climbed, _ = searched(shipped, replace(SEARCH, head=None, steps=25))
    assert climbed.jsd is not None
    assert climbed.jsd > (start.jsd or 0.0) + 0.02
    assert climbed.tried == start.tried + 8 * 25


def test_it_says_that_it_found_none(shipped: NativeSource) -> None:
    none, _ = searched(shipped, replace(SEARCH, epsilon=0.0))
    assert not none.found and none.other is None and none.jsd is None and none.tvd is None
    for one in none.answers:
        assert one.after == pytest.approx(one.token.probability, abs=1e-6)
    alike, _ = searched(shipped, replace(SEARCH, min_jsd=0.7))
    assert not alike.found and alike.other is not None  # the best there is, but not so different


def test_equal_requests_give_equal_answers(shipped: NativeSource) -> None:
    assert searched(shipped)[0] == searched(shipped)[0]


@pytest.mark.parametrize(
    ("search", "edits", "message"),
    [
        (SEARCH, {"muted": (MutedHead(1, 2),)}, "muted"),
        (replace(SEARCH, position=0), {}, "fewer than two tokens"),
        (
            SEARCH,
            {"interventions": (Intervention(kind="zero", at="head", layer=1, head=2),)},
            "intervention",
        ),
    ],
)
def test_without_a_choice_it_says_why(
    shipped: NativeSource, search: Search, edits: dict[str, object], message: str
) -> None:
    with pytest.raises(UnavailableError, match=message):
        searched(shipped, search, **edits)


@pytest.mark.parametrize("name", ["layer", "head", "position"])
def test_what_is_not_there_is_refused(shipped: NativeSource, name: str) -> None:
    with pytest.raises(InputError) as refused:
        searched(shipped, replace(SEARCH, **{name: 30}))
    assert refused.value.field == f"analyse.other_attention.{name}"

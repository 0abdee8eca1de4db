"""A cell taken apart: compared with plain loops over the weights, and sums that hold."""

import math
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from model.analysis.cell import CellScore, Without, cell
from model.core.attention import SoftmaxOver, attend
from model.core.checkpoint import SHIPPED
from model.errors import InputError, UnavailableError
from model.interventions import Intervention
from model.masks.rules import MaskSettings
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead
from model.trace.stream import Part, Read, summands
from model.trace.trace import Trace

SOFTMAX_OVER: tuple[SoftmaxOver, ...] = ("key", "query")
TEXTS = ("Maria saw herself in the mirror", "The cat")


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


def traced(source: NativeSource, **more: object) -> Trace:
    return source.trace(Inputs(texts=TEXTS, stream=True, **more))  # type: ignore[arg-type]


def total(found: CellScore) -> float:
    return found.values.sum().item() + (found.soft_cap or 0.0) + (found.bias or 0.0)


class ByHand:
    """q and k of one head at one position, part by part: plain loops in double precision."""

    def __init__(self, source: NativeSource, trace: Trace, layer: int, head: int, text: int):
        self.source, self.trace, self.text = source, trace, text
        self.layer, self.head = layer, head
        self.weights = {name: each.double() for name, each in source.model.state_dict().items()}
        ids = torch.tensor([[token.id for token in row] for row in trace.tokens])
        masks = [site.mask.allows() for site in trace.sites]
        self.ran = source.model(ids, masks=masks, record=True)

    def written(self, at: int) -> dict[Part, list[float]]:
        """What was written to the stream before the layer, by the definitions."""
        d_head = self.source.info.d_head
        id = self.trace.tokens[self.text][at].id
        found = {Part("embedding"): self.weights["embedding.token.weight"][id].tolist()}
        for layer in range(self.layer):
            site = self.trace.sites[layer]
            assert site.v is not None
            pattern = site.derive(["pattern"])["pattern"][self.text].double().tolist()
            values = site.v[self.text].double().tolist()
            w_o = self.weights[f"blocks.{layer}.attention.w_o.weight"].tolist()
            for head in range(self.source.info.n_heads):
                z = [
                    sum(
                        weight * v[i]
                        for weight, v in zip(pattern[head][at], values[head], strict=True)
                    )
                    for i in range(d_head)
                ]
                found[Part("head", layer, site.name, head)] = [
                    sum(row[head * d_head + i] * z[i] for i in range(d_head)) for row in w_o
                ]
            mlp_out = self.ran.layers[layer].mlp_out
            found[Part("mlp", layer)] = mlp_out[self.text, at].double().tolist()
        return found

    def parts(self, at: int, block: int) -> dict[Part, list[float]]:
        """Each part's share of q (block 0) or k (block 1)."""
        d_head, n_heads = self.source.info.d_head, self.source.info.n_heads
        place, site = f"blocks.{self.layer}", self.trace.sites[self.layer].name
        gain = self.weights[f"{place}.norm_attention.weight"].tolist()
        bias = self.weights[f"{place}.norm_attention.bias"].tolist()
        start = (block * n_heads + self.head) * d_head
        rows = self.weights[f"{place}.attention.w_qkv.weight"][start : start + d_head].tolist()
        written = self.written(at)
        stream = [sum(each) for each in zip(*written.values(), strict=True)]
        mean = sum(stream) / len(stream)
        scale = math.sqrt(sum((x - mean) ** 2 for x in stream) / len(stream) + 1e-5)

        def turned(x: list[float]) -> list[float]:
            found, half = [0.0] * d_head, d_head // 2
            for i in range(half):
                angle = at * 10_000 ** (-i / half)
                found[i] = x[i] * math.cos(angle) - x[i + half] * math.sin(angle)
                found[i + half] = x[i] * math.sin(angle) + x[i + half] * math.cos(angle)
            return found

        def projected(x: list[float]) -> list[float]:
            return turned(
                [sum(w * number for w, number in zip(row, x, strict=True)) for row in rows]
            )

        found = {}
        for part, vector in written.items():
            average = sum(vector) / len(vector)
            normed = [(x - average) / scale * g for x, g in zip(vector, gain, strict=True)]
            found[part] = projected(normed)
        return found | {Part("norm", self.layer, site): projected(bias)}


@pytest.mark.parametrize(("layer", "head", "query", "key"), [(1, 6, 5, 2), (2, 3, 3, 1)])
def test_against_plain_loops(
    shipped: NativeSource, layer: int, head: int, query: int, key: int
) -> None:
    trace = traced(shipped)
    [found] = cell(trace, layer=layer, head=head, query=query, key=key, text=0)
    by_hand = ByHand(shipped, trace, layer, head, 0)
    queries, keys = by_hand.parts(query, 0), by_hand.parts(key, 1)
    assert set(found.query_parts) == set(queries) and set(found.key_parts) == set(keys)
    assert len(found.query_parts) == 2 + layer * (shipped.info.n_heads + 1)
    scale = 1 / math.sqrt(shipped.info.d_head)
    for row, q_part in zip(found.values.tolist(), found.query_parts, strict=True):
        for value, k_part in zip(row, found.key_parts, strict=True):
            product = sum(q * k for q, k in zip(queries[q_part], keys[k_part], strict=True))
            assert value == pytest.approx(scale * product, abs=1e-5)


@pytest.mark.parametrize("layer", [0, 1, 2])
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"muted": (MutedHead(0, 2), MutedHead(1, 6))},
        {"masks": MaskSettings(window=2, padding_side="left")},
    ],
    ids=["plain", "muted", "window"],
)
def test_the_table_sums_to_the_score(
    shipped: NativeSource, layer: int, more: dict[str, object]
) -> None:
    trace = traced(shipped, **more)
    for head in range(shipped.info.n_heads):
        for found in cell(trace, layer=layer, head=head, query=2, key=1):
            derived = trace.sites[layer].derive(
                ["scores", "pattern"], heads=[head], rows=slice(2, 3), text=found.text
            )
            assert found.score == derived["scores"][0, 0, 0, 1].item()
            assert torch.equal(found.scores, derived["scores"][0, 0, 0])
            assert torch.equal(found.pattern, derived["pattern"][0, 0, 0])
            assert total(found) == pytest.approx(found.score, abs=1e-4)
            assert found.remainder == pytest.approx(found.score - total(found), abs=1e-9)
            assert (found.soft_cap, found.bias, found.switched) == (None, None, None)


def test_switching_nothing_off_changes_nothing(shipped: NativeSource) -> None:
    """A muted head is a part of zeros, so without it the pattern is the recorded one."""
    trace = traced(shipped, muted=(MutedHead(1, 6),))
    muted = off(Part("head", 1, "layers.1", 6))
    [found] = cell(trace, layer=2, head=3, query=3, key=1, text=0, without=muted)
    assert found.switched is not None
    assert torch.equal(found.switched.pattern, found.pattern)
    assert torch.equal(found.switched.scores, found.scores)


def test_a_muted_head_is_a_part_of_nothing(shipped: NativeSource) -> None:
    trace = traced(shipped, muted=(MutedHead(1, 6),))
    [found] = cell(trace, layer=2, head=3, query=3, key=1, text=0)
    part = Part("head", 1, "layers.1", 6)
    assert not found.values[found.query_parts.index(part)].any()
    assert not found.values[:, found.key_parts.index(part)].any()


def off(*parts: Part, side: str = "both") -> list[Without]:
    return [Without(part, side) for part in parts]  # type: ignore[arg-type]


def test_without_all_parts_every_allowed_key_gets_the_same(shipped: NativeSource) -> None:
    trace = traced(shipped)
    [whole] = cell(trace, layer=2, head=3, query=3, key=1, text=0)
    for side, parts in (("both", whole.query_parts), ("query", whole.query_parts)):
        [found] = cell(
            trace,
            layer=2,
            head=3,
            query=3,
            key=1,
            text=0,
            without=off(*parts, side=side),
        )
        assert found.switched is not None
        assert found.switched.pattern.tolist() == pytest.approx([0.25] * 4 + [0] * 3, abs=1e-4)
        assert found.switched.score == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize("side", ["query", "key", "both"])
@pytest.mark.parametrize("softmax_over", SOFTMAX_OVER)
def test_a_part_is_taken_out_of_all_scores_of_the_row(
    shipped: NativeSource, side: str, softmax_over: SoftmaxOver
) -> None:
    """The pattern of q and k that are made here from a stream without these parts."""
    trace = traced(shipped, masks=MaskSettings(padding_side="left"))
    last = replace(trace.sites[2], softmax_over=softmax_over)
    trace = replace(trace, sites=(*trace.sites[:2], last))
    gone = [Part("mlp", 0), Part("head", 1, "layers.1", 6), Part("norm", 2, "layers.2")]
    layer, head, query, key, text = 2, 3, 6, 4, 1
    [found] = cell(
        trace,
        layer=layer,
        head=head,
        query=query,
        key=key,
        text=text,
        without=off(*gone, side=side),
        whole_head=True,
    )
    site, stream = trace.sites[layer], trace.streams["tokens"]
    read = stream.read_of(layer)
    assert site.q is not None and site.k is not None and site.v is not None
    assert isinstance(read, Read) and read.norm is not None and read.norm.bias is not None
    n = len(trace.tokens[0])
    parts, vectors = summands(stream, trace.sites, text=text, positions=range(n), until=read)
    kept = torch.zeros(n, shipped.info.d_model)
    for part, vector in zip(parts, vectors, strict=True):
        if part not in gone:
            kept += vector
    std = read.norm.scale[text]
    mean = kept.mean(-1, keepdim=True)
    normed = (kept - mean) / std[:, None] * read.norm.gain  # and no bias, which is switched off
    q, k, _ = read.project(normed[None], text)
    q = q[:, head : head + 1] if side != "key" else site.q[text : text + 1, head : head + 1]
    k = k[:, head : head + 1] if side != "query" else site.k[text : text + 1, head : head + 1]
    expected = attend(
        q,
        k,
        site.v[text : text + 1, head : head + 1],
        mask=site.mask.allows()[text : text + 1],
        scale=site.scale,
        softmax_over=softmax_over,
        need="all",
    )
    assert found.switched is not None and found.switched.head_pattern is not None
    torch.testing.assert_close(
        found.switched.head_pattern, expected.pattern[0, 0], atol=1e-4, rtol=0
    )
    torch.testing.assert_close(
        found.switched.scores, expected.scores[0, 0, query], atol=1e-4, rtol=0
    )
    assert torch.equal(found.switched.pattern, found.switched.head_pattern[query])
    assert found.switched.score == found.switched.scores[key].item()
    [row] = cell(
        trace,
        layer=layer,
        head=head,
        query=query,
        key=key,
        text=text,
        without=off(*gone, side=side),
    )
    assert row.switched is not None and row.switched.head_pattern is None
    torch.testing.assert_close(row.switched.pattern, found.switched.pattern, atol=1e-6, rtol=0)
    moved = (found.switched.pattern - found.pattern).abs().max()
    assert moved > 0.01  # else this shows little


def test_the_trace_is_left_as_it_was(shipped: NativeSource) -> None:
    trace = traced(shipped)
    before = [(each.q.clone(), each.k.clone()) for each in trace.sites if each.q is not None]  # type: ignore[union-attr]
    cell(trace, layer=2, head=3, query=3, key=1, without=off(Part("mlp", 0)))
    for site, (q, k) in zip(trace.sites, before, strict=True):
        assert isinstance(site.q, Tensor) and torch.equal(site.q, q)
        assert isinstance(site.k, Tensor) and torch.equal(site.k, k)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"layer": 3}, "layer"),
        ({"head": 8}, "head"),
        ({"query": 7}, "query"),
        ({"key": 7}, "key"),
        ({"text": 2}, "text"),
        ({"kind": "cross"}, "kind"),
        ({"without": off(Part("mlp", 2))}, "without.0"),
        ({"without": off(Part("embedding"), Part("position"), side="key")}, "without.1"),
    ],
)
def test_what_is_not_there_is_named(
    shipped: NativeSource, change: dict[str, object], field: str
) -> None:
    settings = {"layer": 1, "head": 0, "query": 2, "key": 1} | change
    with pytest.raises(InputError) as refused:
        cell(traced(shipped), **settings)  # type: ignore[arg-type]
    assert refused.value.field == f"analyse.cell.{field}"


def test_what_cannot_be_taken_apart(shipped: NativeSource) -> None:
    asked = {"layer": 1, "head": 0, "query": 2, "key": 1}
    plain = shipped.trace(Inputs(texts=TEXTS))
    with pytest.raises(UnavailableError, match="was not recorded"):
        cell(plain, **asked)  # type: ignore[arg-type]
    trace = traced(shipped)
    stored = trace.sites[1].derive(["pattern"])["pattern"]
    bare = replace(trace.sites[1], q=None, k=None, v=None, stored_pattern=stored)
    sites = (trace.sites[0], bare, trace.sites[2])
    with pytest.raises(UnavailableError, match="only its pattern"):
        cell(replace(trace, sites=sites), **asked)  # type: ignore[arg-type]


def test_summands_at_several_positions_are_those_of_each(shipped: NativeSource) -> None:
    trace = traced(shipped)
    stream = trace.streams["tokens"]
    several = summands(stream, trace.sites, text=0, positions=[5, 1, 2, 4])
    some = {Part("head", 1, "layers.1", 6), Part("mlp", 0)}
    for place, position in enumerate((5, 1, 2, 4)):
        parts, vectors = summands(stream, trace.sites, text=0, positions=[position])
        assert parts == several.parts
        torch.testing.assert_close(vectors[:, 0], several.vectors[:, place], atol=1e-4, rtol=0)
        only = summands(stream, trace.sites, text=0, positions=[position], only=some)
        chosen = [index for index, part in enumerate(parts) if part in some]
        assert only.parts == tuple(parts[index] for index in chosen)
        torch.testing.assert_close(only.vectors, vectors[chosen], atol=1e-4, rtol=0)


def test_a_frozen_pattern_is_a_part_of_its_own(shipped: NativeSource) -> None:
    """Nothing that was written before reaches a q or a k that is frozen."""
    given = (
        Intervention(kind="zero", at="head", layer=0),
        Intervention(kind="freeze_pattern", at="head", layer=2, head=1),
    )
    trace = traced(shipped, interventions=given)
    [found] = cell(trace, layer=2, head=1, query=3, key=1, text=0)
    assert found.score == pytest.approx(
        trace.sites[2].derive(["scores"], text=0)["scores"][0, 1, 3, 1].item(), abs=1e-5
    )
    assert total(found) == pytest.approx(found.score, abs=1e-4)
    frozen = Part("intervention", 2, "layers.2")
    here = found.query_parts.index(frozen), found.key_parts.index(frozen)
    assert found.values[here].item() == pytest.approx(found.score, abs=1e-4)
    assert found.values.abs().sum() == found.values[here].abs()
    without = [Without(frozen, "both"), Without(Part("embedding"), "both")]
    [found] = cell(trace, layer=2, head=1, query=3, key=1, text=0, without=without)
    assert found.switched is not None
    assert found.switched.score == pytest.approx(0.0, abs=1e-5)
    [other] = cell(trace, layer=2, head=2, query=3, key=1, text=0)
    assert total(other) == pytest.approx(other.score, abs=1e-4)
    assert frozen not in other.query_parts
    assert other.values.abs().sum() > 1


def test_the_remainder_is_that_of_the_numbers_that_are_sent(shipped: NativeSource) -> None:
    """Huge parts that cancel leave what their rounding leaves."""
    given = (Intervention(kind="zero", at="resid_pre", layer=1),)
    trace = traced(shipped, interventions=given)
    for key in (0, 1):
        [found] = cell(trace, layer=1, head=2, query=1, key=key, text=0)
        sent = found.values.float().double().sum().item()
        assert sent + found.remainder == pytest.approx(found.score, abs=1e-6)

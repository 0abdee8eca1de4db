"""Composition: compared with whole matrices and plain loops, and sums that hold."""

import math

import pytest
import torch
from torch import Tensor

from model.analysis.weights.composition import SitePair, text_composition, weight_composition
from model.analysis.weights.head_weights import smallest_trace
from model.core.checkpoint import SHIPPED
from model.errors import UnavailableError
from model.interventions import Intervention
from model.masks.rules import MaskSettings
from model.sources.native import NativeSource
from model.sources.source import Inputs
from model.trace.stream import Read, summands

TEXTS = ("quick lamps near slow lamps", "The cat")


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


def of_pair(pairs: tuple[SitePair, ...], earlier: int, later: int) -> SitePair:
    [one] = [
        pair
        for pair in pairs
        if (pair.earlier, pair.later) == (f"layers.{earlier}", f"layers.{later}")
    ]
    return one


class Whole:
    """The matrices of one head, cut from the checkpoint by hand, in double precision."""

    def __init__(self, source: NativeSource, layer: int, head: int) -> None:
        state = {name: tensor.double() for name, tensor in source.model.state_dict().items()}
        d = source.info.d_head
        name = f"blocks.{layer}"
        fused = state[f"{name}.attention.w_qkv.weight"].reshape(3, source.info.n_heads, d, -1)
        gain = state[f"{name}.norm_attention.weight"]
        self.bias = state[f"{name}.norm_attention.bias"]
        n = len(gain)
        self.centre = torch.eye(n, dtype=torch.float64) - 1 / n
        self.gain = gain
        self.raw = [fused[which, head].T for which in range(3)]  # each d_model × d_head
        self.q, self.k, self.v = (self.centre @ torch.diag(gain) @ one for one in self.raw)
        self.o = state[f"{name}.attention.w_o.weight"][:, head * d : (head + 1) * d].T


@pytest.mark.parametrize(("one", "other"), [((0, 2), (1, 3)), ((0, 5), (2, 7)), ((1, 4), (2, 0))])
def test_weights_against_whole_matrices(
    shipped: NativeSource, one: tuple[int, int], other: tuple[int, int]
) -> None:
    found = weight_composition(smallest_trace(shipped))
    pair = of_pair(found.pairs, one[0], other[0])
    a, b = Whole(shipped, *one), Whole(shipped, *other)
    written = a.v @ a.o @ b.centre

    def ratio(read: Tensor) -> float:
        size = math.sqrt(sum(x * x for x in written.flatten().tolist()))
        size *= math.sqrt(sum(x * x for x in read.flatten().tolist()))
        both = written @ read
        return math.sqrt(sum(x * x for x in both.flatten().tolist())) / size

    assert pair.k is not None and pair.v is not None
    at = (one[1], other[1])
    assert pair.q[at].item() == pytest.approx(ratio(b.q @ b.k.T), abs=1e-5)
    assert pair.k[at].item() == pytest.approx(ratio(b.k @ b.q.T), abs=1e-5)
    assert pair.v[at].item() == pytest.approx(ratio(b.v @ b.o @ b.centre), abs=1e-5)


def test_chance_is_what_random_matrices_give(shipped: NativeSource) -> None:
    found = weight_composition(smallest_trace(shipped))
    n = shipped.info.d_model - 1  # LayerNorm takes one direction away
    assert found.baseline == pytest.approx(n**-0.5)
    draw = torch.Generator().manual_seed(0)
    ratios = []
    for _ in range(60):
        a, b = (
            torch.randn(n, 16, generator=draw) @ torch.randn(16, n, generator=draw)
            for _ in range(2)
        )
        ratios.append((a @ b).norm() ** 2 / (a.norm() * b.norm()) ** 2)
    assert math.sqrt(sum(ratios) / len(ratios)) == pytest.approx(found.baseline, rel=0.05)


def turned(x: Tensor, position: int) -> Tensor:
    """Rotary positions, channel by channel."""
    d = len(x)
    out = x.clone()
    for i in range(d // 2):
        angle = position * 10_000.0 ** (-2 * i / d)
        a, b = float(x[i]), float(x[i + d // 2])
        out[i] = a * math.cos(angle) - b * math.sin(angle)
        out[i + d // 2] = b * math.cos(angle) + a * math.sin(angle)
    return out


@pytest.mark.parametrize("masks", [MaskSettings(), MaskSettings(window=3)])
def test_a_text_against_plain_loops(shipped: NativeSource, masks: MaskSettings) -> None:
    """Every part of what one head reads, by the definition; the heads are some of the parts."""
    layer, head, text = 1, 3, 0
    trace = shipped.trace(Inputs(texts=TEXTS, masks=masks, stream=True))
    stream, site = trace.streams["tokens"], trace.sites[layer]
    n = len(trace.tokens[0])
    read = next(step for step in stream.steps if isinstance(step, Read) and step.site == layer)
    parts, vectors = summands(stream, trace.sites, text=text, positions=range(n), until=read)
    weights = Whole(shipped, layer, head)
    assert read.norm is not None and site.q is not None and site.k is not None
    assert site.v is not None
    q, k, v = (each[text, head].double() for each in (site.q, site.k, site.v))
    pattern = site.derive(["pattern"])["pattern"][text, head].double()
    result = [sum(pattern[i, j] * v[j] for j in range(n)) @ weights.o for i in range(n)]
    size = sum(float(r @ r) for r in result)
    lift, share = {"q": 0.0, "k": 0.0}, 0.0
    [found, _] = text_composition(trace)

    def lifted(scores: list[list[float]]) -> float:
        total = 0.0
        for i in range(n):
            keys = [j for j in range(i + 1) if masks.window is None or i - j < masks.window]
            mean = sum(scores[i][j] for j in keys) / len(keys)
            total += sum(float(pattern[i, j]) * (scores[i][j] - mean) for j in keys)
        return total / n

    for part, of_part in zip(parts, vectors.double(), strict=True):
        made = [
            [weights.raw[which].T @ (weights.gain * (weights.centre @ of_part[i]))
             / float(read.norm.scale[text, i]) for i in range(n)]
            for which in range(3)
        ]  # fmt: skip
        via_q = [[float(turned(made[0][i], i) @ k[j]) * site.scale for j in range(n)]
                 for i in range(n)]  # fmt: skip
        via_k = [[float(q[i] @ turned(made[1][j], j)) * site.scale for j in range(n)]
                 for i in range(n)]  # fmt: skip
        its = [sum(pattern[i, j] * made[2][j] for j in range(n)) @ weights.o for i in range(n)]
        expected = lifted(via_q), lifted(via_k)
        along = sum(float(a @ b) for a, b in zip(its, result, strict=True)) / size
        lift["q"] += expected[0]
        lift["k"] += expected[1]
        share += along
        if part.kind == "head":
            assert part.head is not None
            pair, at = of_pair(found.pairs, 0, layer), (part.head, head)
            assert pair.k is not None and pair.v is not None
            assert pair.q[at].item() == pytest.approx(expected[0], abs=1e-4)
            assert pair.k[at].item() == pytest.approx(expected[1], abs=1e-4)
            assert pair.v[at].item() == pytest.approx(along, abs=1e-4)
    [whole] = [one for one in found.wholes if (one.site, one.head) == (site.name, head)]
    # the bias of the norm is the rest: q, k and v are sums over the parts and it
    bias = [weights.raw[which].T @ weights.bias for which in range(3)]
    rest_q = lifted([[float(turned(bias[0], i) @ k[j]) * site.scale for j in range(n)]
                     for i in range(n)])  # fmt: skip
    rest_k = lifted([[float(q[i] @ turned(bias[1], j)) * site.scale for j in range(n)]
                     for i in range(n)])  # fmt: skip
    rest_v = sum(float(pattern[i].sum() * (bias[2] @ weights.o) @ result[i]) for i in range(n))
    assert lift["q"] + rest_q == pytest.approx(whole.lift, abs=1e-4)
    assert lift["k"] + rest_k == pytest.approx(whole.lift, abs=1e-4)
    assert share + rest_v / size == pytest.approx(1.0, abs=1e-4)
    assert whole.output == pytest.approx(size / n, abs=1e-4)


def test_a_text_counts_only_its_own_tokens(shipped: NativeSource) -> None:
    together = text_composition(shipped.trace(Inputs(texts=TEXTS, stream=True)))[1]
    [alone] = text_composition(shipped.trace(Inputs(texts=TEXTS[1:], stream=True)))
    for one, other in zip(together.pairs, alone.pairs, strict=True):
        assert one.k is not None and other.k is not None
        assert torch.allclose(one.q, other.q, atol=1e-5)
        assert torch.allclose(one.k, other.k, atol=1e-5)


def test_induction_heads_read_the_previous_token_head_through_k(shipped: NativeSource) -> None:
    """The known circuit of the shipped model, in weights and on a text that repeats itself."""
    words = "silver garden bottle twelve slowly above letter"
    trace = shipped.trace(Inputs(texts=(f"{words} {words}",), stream=True))
    [on_text] = text_composition(trace)
    for pair in (
        of_pair(on_text.pairs, 0, 1),
        of_pair(weight_composition(smallest_trace(shipped)).pairs, 0, 1),
    ):
        assert pair.k is not None
        for head in (1, 3, 4):
            assert int(pair.k[:, head].argmax()) == 2


def test_the_stream_is_needed(shipped: NativeSource) -> None:
    with pytest.raises(UnavailableError, match="was not recorded"):
        text_composition(shipped.trace(Inputs(texts=TEXTS)))


def test_interventions_count(shipped: NativeSource) -> None:
    """What a head gives is that of the changed run, and what is frozen reads no other head."""
    other = "slow lamps near quick rivers"
    given = (
        Intervention(kind="scale", at="head", layer=2, head=3, factor=3.0, positions=(2, 4)),
        Intervention(
            kind="patch",
            at="head",
            layer=2,
            head=5,
            source=other,
            positions=(3,),
        ),
        Intervention(kind="freeze_pattern", at="head", layer=2, head=1),
        Intervention(kind="freeze_values", at="head", layer=2, head=4),
    )
    trace = shipped.trace(Inputs(TEXTS[:1], stream=True, interventions=given))
    [found] = text_composition(trace)
    site = trace.sites[2]
    result = site.derive(["result"])["result"][0]
    outputs = {whole.head: whole.output for whole in found.wholes if whole.site == "layers.2"}
    for head, of_head in enumerate(result):
        squares = [sum(x * x for x in row) for row in of_head.tolist()]
        assert outputs[head] == pytest.approx(sum(squares) / len(squares), rel=1e-4)
    pair = of_pair(found.pairs, 1, 2)
    assert pair.k is not None and pair.v is not None
    assert pair.q[:, 1].eq(0).all() and pair.k[:, 1].eq(0).all() and pair.v[:, 1].ne(0).any()
    assert pair.v[:, 4].eq(0).all() and pair.k[:, 4].ne(0).any()
    [plain] = text_composition(shipped.trace(Inputs(TEXTS[:1], stream=True)))
    before = of_pair(plain.pairs, 1, 2)
    assert before.v is not None and not torch.allclose(before.v[:, 3], pair.v[:, 3], rtol=1e-2)
    torch.testing.assert_close(before.v[:, 0], pair.v[:, 0])

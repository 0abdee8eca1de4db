"""The circuits of a head over the vocabulary: compared with whole matrices and plain loops."""

import math
from functools import cache

import pytest
import torch
from torch import Tensor

from model.analysis.weights import circuits as module
from model.analysis.weights.circuits import Circuits, TokenPair, circuits
from model.core.checkpoint import SHIPPED
from model.errors import InputError
from model.sources.native import NativeSource

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


class ByHand:
    """One head's factors, made from the checkpoint in double precision."""

    def __init__(self, source: NativeSource, layer: int, head: int) -> None:
        state = {name: tensor.double() for name, tensor in source.model.state_dict().items()}
        self.ids = list(source.ordinary_ids)
        x = state["embedding.token.weight"][self.ids]
        if layer > 0:
            inside = self.normed(x, state, "blocks.0.norm_mlp")
            inside = inside @ state["blocks.0.mlp.0.weight"].T + state["blocks.0.mlp.0.bias"]
            inside = torch.nn.functional.gelu(inside)
            x = x + inside @ state["blocks.0.mlp.2.weight"].T + state["blocks.0.mlp.2.bias"]
        d = source.info.d_head
        name = f"blocks.{layer}"
        fused = state[f"{name}.attention.w_qkv.weight"].reshape(3, source.info.n_heads, d, -1)
        read = self.normed(x, state, f"{name}.norm_attention")
        bias = state[f"{name}.norm_attention.bias"]
        self.q, self.k = read @ fused[0, head].T / math.sqrt(d), read @ fused[1, head].T
        self.v = (read - bias) @ fused[2, head].T
        w_o = state[f"{name}.attention.w_o.weight"][:, head * d : (head + 1) * d]
        written = self.v @ w_o.T
        self.out = (written - written.mean(1, keepdim=True)) * state["norm.weight"]
        self.unembed = state["embedding.token.weight"][self.ids]

    @staticmethod
    def normed(x: Tensor, state: dict[str, Tensor], name: str) -> Tensor:
        x = x - x.mean(dim=1, keepdim=True)
        x = x / (x * x).mean(dim=1, keepdim=True).sqrt()
        return x * state[f"{name}.weight"] + state[f"{name}.bias"]

    @cache  # noqa: B019
    def qk(self, query: int, key: int) -> float:
        """One cell: a score above the query's mean over all keys."""
        scores = self.k @ self.q[self.ids.index(query)]
        return float(scores[self.ids.index(key)] - scores.mean())

    @cache  # noqa: B019
    def ov(self, source: int, output: int) -> float:
        values = self.unembed @ self.out[self.ids.index(source)]
        return float(values[self.ids.index(output)] - values.mean())


@cache
def by_hand(source: NativeSource, layer: int, head: int) -> ByHand:
    return ByHand(source, layer, head)


def check(pairs: tuple[TokenPair, ...], cell: object, *, falling: bool = True) -> None:
    assert len(pairs) == 7
    values = [pair.value for pair in pairs]
    assert values == sorted(values, reverse=falling)
    for pair in pairs:
        expected = cell(pair.first, pair.second)  # type: ignore[operator]
        assert pair.value == pytest.approx(expected, rel=1e-3, abs=1e-4)


@pytest.mark.parametrize(("layer", "head"), [(0, 2), (1, 3), (2, 6)])
def test_against_whole_matrices(shipped: NativeSource, layer: int, head: int) -> None:
    token = shipped.tokenizer.encode("garden")[-1].id
    found = circuits(shipped, layer=layer, head=head, token=token, top=7)
    hand = by_hand(shipped, layer, head)
    assert found.n_tokens == len(hand.ids) < shipped.info.vocab_size
    assert found.reads == ("effective embedding" if layer else "embedding")
    check(found.qk, hand.qk)
    check(found.ov, hand.ov)
    assert found.partners is not None
    for name in ("as_query", "as_key"):
        check(getattr(found.partners, name), hand.qk)
    check(found.partners.raises, hand.ov)
    check(found.partners.lowers, hand.ov, falling=False)
    # and nothing larger was missed, in any row
    q, k = hand.q.float(), hand.k.float()
    centred = k - k.mean(0)
    largest = max(float((some @ centred.T).max()) for some in torch.split(q, 1000))
    assert found.qk[0].value == pytest.approx(largest, rel=1e-3)
    unembed = hand.unembed.float() - hand.unembed.float().mean(0)
    largest = max(float((some @ unembed.T).max()) for some in torch.split(hand.out.float(), 1000))
    assert found.ov[0].value == pytest.approx(largest, rel=1e-3)
    own = [float(a @ b) for a, b in zip(hand.out, unembed.double(), strict=True)]
    assert found.copied == pytest.approx(sum(one > 0 for one in own) / len(own), abs=1e-3)


def test_the_copying_score_is_that_of_the_whole_circuit(shipped: NativeSource) -> None:
    """The eigenvalues of a small vocabulary's OV circuit, whole, are those of its small product."""
    hand = by_hand(shipped, 1, 3)
    some = slice(100, 190)  # 90 tokens are enough for 16 eigenvalues, and quick
    unembed = hand.unembed[some] - hand.unembed[some].mean(0)
    values = torch.linalg.eigvals(hand.out[some] @ unembed.T)
    expected = float(values.real.sum() / values.abs().sum())
    out, v = hand.out[some], hand.v[some]
    o = torch.linalg.lstsq(v, out).solution @ unembed.T
    score, _ = module._copying(o.float(), v.float())
    assert score == pytest.approx(expected, abs=1e-3)


def test_stripes_change_nothing(shipped: NativeSource, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked() -> Circuits:
        return circuits(shipped, layer=1, head=2, top=9)

    whole = asked()
    monkeypatch.setattr(module, "STRIPE_CELLS", 1_700_000)
    striped = asked()
    for one, other in zip(whole.qk + whole.ov, striped.qk + striped.ov, strict=True):
        assert (one.first, one.second) == (other.first, other.second)
        assert one.value == pytest.approx(other.value, rel=1e-5)


def test_induction_heads_copy_and_others_need_not(shipped: NativeSource) -> None:
    scores = {
        head: circuits(shipped, layer=1, head=head, top=1).copying for head in (1, 2, 3, 4, 5)
    }
    for head, score in scores.items():
        assert score is not None
        assert (score > 0.9) == (head != 2)
    previous = circuits(shipped, layer=0, head=2, top=1).copying
    assert previous is not None and previous < 0


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"layer": 3}, "layer"), ({"head": 8}, "head"), ({"token": 10**6}, "token")],
)
def test_what_there_is_not(shipped: NativeSource, wrong: dict[str, int], field: str) -> None:
    with pytest.raises(InputError) as error:
        circuits(shipped, **{"layer": 0, "head": 0, **wrong})  # type: ignore[arg-type]
    assert error.value.field == field
    special = shipped.tokenizer.bos_id
    with pytest.raises(InputError, match="ordinary"):
        circuits(shipped, layer=0, head=0, token=special)

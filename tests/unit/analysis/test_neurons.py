"""Neurons and directions in words: against the weights themselves, and against attribution."""

from itertools import pairwise

import pytest
import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity, gelu

from model.analysis.attribution import attribution
from model.analysis.weights.decoding import Decoded, decode
from model.analysis.weights.neurons import Neurons, neurons
from model.core.checkpoint import SHIPPED
from model.errors import InputError, UnavailableError
from model.interventions import Intervention
from model.sources.native import NativeSource
from model.sources.source import Inputs
from model.trace.stream_tensors import stream_tensors
from model.trace.trace import Trace

TEXTS = ("Mary near the boys saw", "the dog")


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


@pytest.fixture(scope="module")
def state(shipped: NativeSource) -> dict[str, Tensor]:
    return dict(shipped.model.state_dict())


def read(trace: Trace, **asked: int | None) -> list[Neurons]:
    none = {"at": None, "position": None, "token": None, "against": None}
    return neurons(trace, **{"layer": 1, "top_k": 10_000, **none, **asked})  # type: ignore[arg-type]


def normed(x: Tensor, state: dict[str, Tensor], name: str) -> Tensor:
    x = x - x.mean()
    return x / (x.var(correction=0) + 1e-5).sqrt() * state[f"{name}.weight"] + state[f"{name}.bias"]


@pytest.mark.parametrize("at", [None, 1])
def test_neurons_add_up_to_what_their_network_writes(
    shipped: NativeSource, state: dict[str, Tensor], at: int | None
) -> None:
    trace = shipped.trace(Inputs(TEXTS, stream=True))
    stream = stream_tensors(trace, ["resid_mid", "mlp_out", "final_scale"], layers=[1])
    whole = attribution(trace, token=9, against=40)
    rows = state["blocks.1.mlp.2.weight"].T
    to = (state["embedding.token.weight"][9] - state["embedding.token.weight"][40]) * state[
        "norm.weight"
    ]
    for text, one in enumerate(read(trace, token=9, against=40, at=at)):
        end = whole[text].position
        place = end if at is None else at
        assert one.against is not None
        assert (one.position, one.token.id, one.against.id) == (place, 9, 40)
        inside = normed(stream["layers.1.resid_mid"][text, place], state, "blocks.1.norm_mlp")
        hidden = gelu(state["blocks.1.mlp.0.weight"] @ inside + state["blocks.1.mlp.0.bias"])
        fired = {each.neuron: each for each in one.neurons}
        assert len(fired) == one.n_neurons == len(hidden)
        assert one.n_active == int((hidden > 0).sum())
        scale = stream["final.final_scale"][text, end]
        for neuron in (0, 17, 200, len(hidden) - 1):
            assert fired[neuron].activation == pytest.approx(float(hidden[neuron]), abs=1e-4)
            write = hidden[neuron] * (rows[neuron] - rows[neuron].mean())
            value = float(write @ to / scale) if at is None else 0.0
            assert fired[neuron].value == pytest.approx(value, abs=1e-4)
        written = [abs(each.activation) * float(rows[each.neuron].norm()) for each in one.neurons]
        values = [abs(each.value) for each in one.neurons]
        order = values if at is None else written
        assert all(a >= b - 1e-4 for a, b in pairwise(order))
        [of_network] = [
            each.value
            for each in whole[text].contributions
            if (each.part.kind, each.part.layer) == ("mlp", 1)
        ]
        expected = of_network if at is None else 0.0
        assert one.value == pytest.approx(expected, abs=1e-3)
        assert sum(each.value for each in one.neurons) + one.bias == pytest.approx(
            expected, abs=1e-3
        )


def test_a_neuron_speaks_for_the_tokens_along_its_row(
    shipped: NativeSource, state: dict[str, Tensor]
) -> None:
    trace = shipped.trace(Inputs(TEXTS[:1], stream=True))
    [one] = read(trace, top_k=3)
    row = state["blocks.1.mlp.2.weight"].T[one.neurons[0].neuron]
    [same] = decode(trace, row[None], vocab_size=shipped.info.vocab_size, top_k=5)
    for name in ("raises", "lowers"):
        mine, theirs = getattr(one.neurons[0], name), getattr(same, name)
        assert [each.id for each in mine] == [each.id for each in theirs]
        assert mine[0].value == pytest.approx(theirs[0].value, rel=1e-5)


def test_a_direction_is_read_by_the_unembedding_and_by_embeddings(
    shipped: NativeSource, state: dict[str, Tensor]
) -> None:
    trace = shipped.trace(Inputs(TEXTS[:1], stream=True))
    table = state["embedding.token.weight"]
    vectors = torch.randn(2, 128, generator=torch.Generator().manual_seed(0))
    found = decode(trace, vectors, vocab_size=len(table), top_k=4)
    for vector, one in zip(vectors, found, strict=True):
        logits = table @ ((vector - vector.mean()) * state["norm.weight"])
        logits = logits - logits.mean()
        check(one, logits, cosine_similarity(table, vector[None]))
    # the embedding of a token is nearest to itself
    [itself] = decode(trace, table[900][None], vocab_size=len(table), top_k=1)
    assert itself.near is not None and itself.near[0].id == 900
    # what a head writes
    z = torch.randn(1, 16, generator=torch.Generator().manual_seed(1))
    w_o = state["blocks.2.attention.w_o.weight"][:, 3 * 16 : 4 * 16]
    [of_head] = decode(trace, z, vocab_size=len(table), top_k=4, layer=2, head=3)
    [by_hand] = decode(trace, z @ w_o.T, vocab_size=len(table), top_k=4)
    assert [one.id for one in of_head.raises] == [one.id for one in by_hand.raises]


def check(one: Decoded, logits: Tensor, cosines: Tensor) -> None:
    assert one.near is not None
    for listed, values in ((one.raises, logits), (one.lowers, -logits), (one.near, cosines)):
        best = values.topk(4)
        assert [each.id for each in listed] == best.indices.tolist()
        sign = -1 if listed is one.lowers else 1
        for each, value in zip(listed, best.values.tolist(), strict=True):
            assert sign * each.value == pytest.approx(value, rel=1e-3, abs=1e-4)


def test_what_is_not_there_is_refused(shipped: NativeSource) -> None:
    trace = shipped.trace(Inputs(TEXTS, stream=True))
    for asked in ({"layer": 3}, {"at": 99}, {"position": 99}, {"token": 10**6}):
        with pytest.raises(InputError) as caught:
            read(trace, **asked)
        assert (caught.value.field or "").startswith(f"analyse.neurons.{next(iter(asked))}")
    short = torch.zeros(1, 3)
    for settings, field in (
        ({}, "vectors"),
        ({"layer": 1}, "head"),
        ({"head": 1}, "layer"),
        ({"layer": 1, "head": 8}, "head"),
        ({"layer": 1, "head": 0}, "vectors"),
    ):
        with pytest.raises(InputError) as caught:
            decode(trace, short, vocab_size=9, top_k=3, **settings)  # type: ignore[arg-type]
        assert caught.value.field == f"analyse.decode.{field}"
    changed = Intervention(kind="scale", at="mlp", layer=1, factor=2.0)
    edited = shipped.trace(Inputs(TEXTS, stream=True, interventions=(changed,)))
    with pytest.raises(UnavailableError, match="intervention"):
        read(edited)
    assert read(edited, layer=2)

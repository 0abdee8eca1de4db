"""Direct logit attribution: compared with plain loops over the weights, and sums that hold."""

import math
from itertools import product

import pytest
import torch

from model.analysis.attribution import Attribution, attribution
from model.core.checkpoint import SHIPPED
from model.errors import InputError, UnavailableError
from model.masks.rules import MaskSettings
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead
from model.trace.stream import Part
from model.trace.trace import Trace

TEXTS = ("Maria saw herself in the mirror", "The cat")


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


def traced(source: NativeSource, **more: object) -> Trace:
    return source.trace(Inputs(texts=TEXTS, stream=True, **more))  # type: ignore[arg-type]


def value(found: Attribution, part: Part) -> float:
    [one] = [each for each in found.contributions if each.part == part]
    return one.value


def test_against_plain_loops(shipped: NativeSource) -> None:
    """Every head's summand by the definition, in double precision and without einsum."""
    trace = traced(shipped)
    at, text = 3, 0
    (found, _) = attribution(trace, position=at, token=20, against=21)
    weights = {name: tensor.double() for name, tensor in shipped.model.state_dict().items()}
    ran = shipped.model(
        torch.tensor([[token.id for token in row] for row in trace.tokens]),
        masks=[site.mask.allows() for site in trace.sites],
        record=True,
    )
    x = ran.layers[-1].resid_post[text, at].double()
    mean = sum(x.tolist()) / len(x)
    variance = sum((number - mean) * (number - mean) for number in x.tolist()) / len(x)
    std = math.sqrt(variance + 1e-5)
    wanted = weights["embedding.token.weight"][20] - weights["embedding.token.weight"][21]

    def along(vector: torch.Tensor) -> float:
        average = sum(vector.tolist()) / len(vector)
        total = 0.0
        gains = weights["norm.weight"]
        for number, gain, row in zip(vector, gains, wanted, strict=True):
            total += (float(number) - average) / std * float(gain) * float(row)
        return total

    d_head = shipped.info.d_head
    per_key = {(one.site, one.head): one.values for one in found.sources}
    for layer, head in product(range(shipped.info.n_layers), (0, 3)):
        site = trace.sites[layer]
        pattern = site.derive(["pattern"])["pattern"][text, head, at].double()
        w_o = weights[f"blocks.{layer}.attention.w_o.weight"]
        block = w_o[:, head * d_head : (head + 1) * d_head]
        assert site.v is not None
        each = [
            along(block @ (pattern[key] * site.v[text, head, key].double()))
            for key in range(len(pattern))
        ]
        assert per_key[site.name, head] == pytest.approx(each, abs=1e-5)
        assert value(found, Part("head", layer, site.name, head)) == pytest.approx(
            sum(each), abs=1e-5
        )
    mlp = ran.layers[1].mlp_out[text, at].double()
    assert value(found, Part("mlp", 1)) == pytest.approx(along(mlp), abs=1e-5)


@pytest.mark.parametrize("position", [None, 0, 2])
@pytest.mark.parametrize("against", [None, 7])
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"muted": (MutedHead(1, 2), MutedHead(2, 0))},
        {"masks": MaskSettings(window=2, padding_side="left")},
    ],
)
def test_the_parts_sum_to_the_logit(
    shipped: NativeSource, position: int | None, against: int | None, more: dict[str, object]
) -> None:
    trace = traced(shipped, **more)
    for text, found in enumerate(attribution(trace, position=position, against=against)):
        assert trace.stages is not None
        logits = shipped.model.unembed(trace.stages[-1, text, found.position])
        expected = logits[found.token.id] - (0.0 if against is None else logits[against])
        assert found.logit == pytest.approx(expected.item(), abs=1e-5)
        assert abs(found.remainder) < 1e-4  # the shipped model's head is one matrix
        for one in found.sources:
            head = value(found, Part("head", one.layer, one.site, one.head))
            assert sum(one.values) == pytest.approx(head, abs=1e-5)


def test_a_muted_head_adds_nothing(shipped: NativeSource) -> None:
    found = attribution(traced(shipped, muted=(MutedHead(1, 2),)))[0]
    assert value(found, Part("head", 1, "layers.1", 2)) == 0.0
    (muted,) = [one for one in found.sources if (one.layer, one.head) == (1, 2)]
    assert set(muted.values) == {0.0}


def test_the_default_token_is_the_likeliest(shipped: NativeSource) -> None:
    trace = traced(shipped)
    best = trace.predict(top_k=1)
    for found, (likeliest,) in zip(attribution(trace), best, strict=True):
        assert found.token.id == likeliest.id
        assert found.token.probability == pytest.approx(likeliest.probability, abs=1e-6)


def test_what_cannot_be_taken_apart(shipped: NativeSource) -> None:
    plain = shipped.trace(Inputs(texts=TEXTS))
    with pytest.raises(UnavailableError, match="was not recorded"):
        attribution(plain)
    trace = traced(shipped)
    with pytest.raises(InputError, match="token ids 0 to"):
        attribution(trace, token=10**6)
    with pytest.raises(InputError, match="positions 0 to"):
        attribution(trace, position=99)


def test_recording_the_stream_is_counted(shipped: NativeSource) -> None:
    plain, recorded = shipped.trace(Inputs(texts=TEXTS)), traced(shipped)
    n = len(recorded.tokens) * len(recorded.tokens[0])
    info = shipped.info
    # each feed-forward's output and the embedding; the scales of two norms a layer and of the last
    more = 4 * n * ((info.n_layers + 1) * info.d_model + 2 * info.n_layers + 1)
    assert recorded.nbytes - plain.nbytes == more

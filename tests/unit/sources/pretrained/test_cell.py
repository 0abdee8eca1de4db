"""A cell taken apart, in other people's models: sums, the bias alone, and GPT-2 by plain loops."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
import transformers as hf
from torch import Tensor

from model.analysis.cell import Without, cell
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs
from model.trace.stream import Part
from model.trace.trace import Trace
from tests.unit.sources.pretrained.conftest import Folder, Load

pytestmark = pytest.mark.long

TEXTS = ("the old cat sat on the mat", "a dog")
TARGETS = ("a girl saw him", "the old boy sat on")
FOLLOWED = ("bert", "gpt2", "llama", "gemma2", "t5", "bart")
HEAD, QUERY, KEY = 1, 2, 1


def traced(load: Load, family: str) -> Trace:
    source = load(family)
    targets = TARGETS if source.info.takes_targets else None
    return source.trace(Inputs(texts=TEXTS, targets=targets, stream=True))


def allowed(trace: Trace, place: int, text: int) -> list[bool]:
    mask = trace.sites[place].mask.allows()[text]
    found: list[bool] = mask[HEAD if len(mask) > 1 else 0, QUERY].tolist()
    return found


@pytest.mark.parametrize("family", FOLLOWED)
def test_the_table_sums_to_the_score_of_every_site(load: Load, family: str) -> None:
    trace = traced(load, family)
    assert trace.streams
    for site in trace.sites:
        place = {"layer": site.layer, "kind": site.kind}
        for found in cell(trace, **place, head=HEAD, query=QUERY, key=KEY):  # type: ignore[arg-type]
            rows = slice(QUERY, QUERY + 1)
            scores = site.derive(["scores"], heads=[HEAD], rows=rows, text=found.text)["scores"]
            assert found.score == scores[0, 0, 0, KEY].item()
            assert (found.soft_cap is None) == (site.soft_cap is None)
            assert (found.bias is None) == (site.bias is None)
            product = found.values.sum().item()
            total = product + (found.soft_cap or 0.0) + (found.bias or 0.0)
            assert total == pytest.approx(found.score, abs=1e-4), site.name
            assert abs(found.remainder) < 1e-4
            assert len(set(found.query_parts)) == len(found.query_parts)
            if site.soft_cap is not None:
                capped = site.soft_cap * math.tanh(product / site.soft_cap)
                assert found.soft_cap == pytest.approx(capped - product, abs=1e-6)


@pytest.mark.parametrize("family", FOLLOWED)
def test_without_all_parts_the_pattern_is_that_of_the_bias(load: Load, family: str) -> None:
    trace = traced(load, family)
    for index, site in enumerate(trace.sites):
        place: dict[str, Any] = {"layer": site.layer, "kind": site.kind, "text": 0}
        place |= {"head": HEAD, "query": QUERY, "key": KEY}
        [whole] = cell(trace, **place)
        off = [Without(part, "query") for part in whole.query_parts]
        [found] = cell(trace, **place, without=off)
        n = site.mask.n_key
        bias = [0.0] * n
        if site.bias is not None:
            rows = site.derive(["bias"], heads=[HEAD], text=0)["bias"]
            bias = rows[0, 0, QUERY].tolist()
        weights = [
            math.exp(each) if may else 0.0
            for each, may in zip(bias, allowed(trace, index, 0), strict=True)
        ]
        expected = [weight / sum(weights) for weight in weights]
        assert found.switched is not None
        assert found.switched.pattern.tolist() == pytest.approx(expected, abs=1e-4), site.name


@pytest.fixture(scope="module")
def biased(folder: Folder, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Trace]:
    """A GPT-2 whose biases are not zero, by Transformers alone and as a trace."""
    torch.manual_seed(1)
    place = tmp_path_factory.mktemp("biased")
    with torch.inference_mode(False):  # else no hook sees its weights
        model = hf.GPT2LMHeadModel.from_pretrained(folder("gpt2"), attn_implementation="eager")
        for name, parameter in model.named_parameters():
            if name.endswith(".bias"):
                torch.nn.init.normal_(parameter, std=0.5)
    model.save_pretrained(place)
    hf.AutoTokenizer.from_pretrained(folder("gpt2")).save_pretrained(place)
    source = PretrainedSource.load("biased", str(place))
    return model.eval(), source.trace(Inputs(texts=TEXTS, stream=True))


def test_gpt2_by_plain_loops(biased: tuple[Any, Trace]) -> None:
    """Layer 1: what Transformers' own modules gave, and each product by hand."""
    model, trace = biased
    caught: dict[str, Any] = {}
    blocks = model.transformer.h

    def catch(name: str) -> Callable[..., None]:
        def hook(module: Any, given: tuple[Tensor, ...], output: Any) -> None:
            caught[name] = (given[0].detach()[0], output)

        return hook

    handles = [
        blocks[0].attn.c_proj.register_forward_hook(catch("c_proj")),
        blocks[0].mlp.register_forward_hook(catch("mlp")),
        blocks[1].ln_1.register_forward_hook(catch("ln")),
    ]
    ids = [token.id for token in trace.tokens[0]]
    with torch.no_grad():
        model(torch.tensor([ids]))
    for handle in handles:
        handle.remove()
    d_model = model.config.n_embd
    n_heads = model.config.n_head
    d_head = d_model // n_heads
    numbers = {
        name: each.double().tolist() for name, each in model.transformer.state_dict().items()
    }
    z, stream = caught["c_proj"][0].double().tolist(), caught["ln"][0].double().tolist()
    mlp_out = caught["mlp"][1].detach()[0].double().tolist()
    w_o = numbers["h.0.attn.c_proj.weight"]  # [in][out]

    def written(at: int) -> dict[Part, list[float]]:
        found = {
            Part("embedding"): numbers["wte.weight"][ids[at]],
            Part("position"): numbers["wpe.weight"][at],
            Part("bias", 0, "layers.0"): numbers["h.0.attn.c_proj.bias"],
            Part("mlp", 0): mlp_out[at],
        }
        for head in range(n_heads):
            rows = range(head * d_head, (head + 1) * d_head)
            found[Part("head", 0, "layers.0", head)] = [
                sum(z[at][row] * w_o[row][column] for row in rows) for column in range(d_model)
            ]
        return found

    def side(at: int, block: int) -> dict[Part, list[float]]:
        mean = sum(stream[at]) / d_model
        variance = sum((x - mean) ** 2 for x in stream[at]) / d_model
        scale = math.sqrt(variance + model.config.layer_norm_epsilon)
        gain, bias = numbers["h.1.ln_1.weight"], numbers["h.1.ln_1.bias"]
        w = numbers["h.1.attn.c_attn.weight"]  # [in][q k v]
        columns = range(block * d_model + HEAD * d_head, block * d_model + (HEAD + 1) * d_head)

        def projected(x: list[float]) -> list[float]:
            return [sum(x[row] * w[row][column] for row in range(d_model)) for column in columns]

        found = {}
        for part, vector in written(at).items():
            average = sum(vector) / d_model
            normed = [(x - average) / scale * g for x, g in zip(vector, gain, strict=True)]
            found[part] = projected(normed)
        found[Part("norm", 1, "layers.1")] = projected(bias)
        of_projection = [numbers["h.1.attn.c_attn.bias"][column] for column in columns]
        return found | {Part("bias", 1, "layers.1"): of_projection}

    [found] = cell(trace, layer=1, head=HEAD, query=4, key=3, text=0)
    queries, keys = side(4, 0), side(3, 1)
    for parts, by_hand in ((found.query_parts, queries), (found.key_parts, keys)):
        assert set(parts) == set(by_hand)
    for row, query in zip(found.values.tolist(), found.query_parts, strict=True):
        for value, key in zip(row, found.key_parts, strict=True):
            products = [a * b for a, b in zip(queries[query], keys[key], strict=True)]
            assert value == pytest.approx(sum(products) / math.sqrt(d_head), abs=1e-5)


def test_the_bias_of_the_projection_is_a_part_that_switches_off(biased: tuple[Any, Trace]) -> None:
    model, trace = biased
    site = trace.sites[1]
    assert site.q is not None and site.k is not None
    d_model, d_head = model.config.n_embd, site.q.shape[-1]
    start = HEAD * d_head
    bias = model.transformer.h[1].attn.c_attn.bias.tolist()[start : start + d_head]  # of q
    q, keys = site.q[0, HEAD, QUERY].tolist(), site.k[0, HEAD].tolist()
    part = Part("bias", 1, "layers.1")
    place: dict[str, Any] = {"layer": 1, "head": HEAD, "query": QUERY, "key": KEY, "text": 0}
    [found] = cell(trace, **place, without=[Without(part, "query")])
    expected = [
        sum((a - b) * c for a, b, c in zip(q, bias, k, strict=True)) / math.sqrt(d_head)
        for k in keys
    ]
    assert found.switched is not None and d_model == 2 * d_head
    assert found.switched.scores.tolist() == pytest.approx(expected, abs=1e-5)

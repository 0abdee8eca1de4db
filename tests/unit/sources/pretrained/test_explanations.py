"""The court on other families, against the model that Transformers runs by itself."""

from typing import Any

import pytest
import torch
from torch import Tensor

from model.analysis.attribution import attribution
from model.analysis.explanations import Asked, Comparison, compare
from model.analysis.explanations.other import Search, other_attention
from model.errors import UnavailableError
from model.masks.rules import Cell, MaskSettings
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs
from model.trace.trace import Trace
from tests.unit.sources.pretrained.conftest import Load

pytestmark = pytest.mark.long

TEXT, TOKEN = "the cat sat on the old mat", 7
FAMILIES = ["gpt2", "llama", "gemma2", "bert", "t5", "bart"]


def heard(source: PretrainedSource) -> tuple[Comparison, Trace]:
    inputs = Inputs((TEXT,), stream=True)
    runner = source.runner(inputs)
    with torch.inference_mode():
        trace = source.trace(inputs)
        return compare(trace, runner, Asked(token=TOKEN, steps=48))[0], trace


def values(court: Comparison, name: str) -> list[float]:
    [found] = [one for one in court.methods if one.name == name]
    assert found.values is not None, found.reason
    return list(found.values)


def logit(trace: Trace) -> float:
    assert trace.stages is not None and trace.unembed is not None
    at = trace.read_positions(None, "")[0]
    return trace.unembed(trace.stages[-1, 0, at])[TOKEN].item()


@pytest.mark.parametrize("family", FAMILIES)
def test_ablation_is_what_painting_the_column_does(load: Load, family: str) -> None:
    source = load(family)
    court, trace = heard(source)
    assert court.logit == pytest.approx(logit(trace), abs=1e-5)
    kinds = ("encoder", "cross") if trace.target_tokens is not None else ("self",)
    for at in (0, 2, court.sources[-1]):
        blocked = tuple(Cell(key=at, kind=kind) for kind in kinds)
        painted = source.trace(Inputs((TEXT,), masks=MaskSettings(blocked=blocked)))
        drop = logit(trace) - logit(painted)
        assert values(court, "ablation")[at] == pytest.approx(drop, abs=2e-5)


@pytest.mark.parametrize("family", ["gpt2", "llama", "gemma2", "bert", "t5"])
def test_attribution_is_the_sum_over_heads_and_the_direct_path(load: Load, family: str) -> None:
    court, trace = heard(load(family))
    [found] = attribution(trace, token=TOKEN)
    crosses = trace.target_tokens is not None
    for at, number in zip(court.sources, values(court, "attribution"), strict=True):
        total = 0.0
        for one in found.sources:
            if not crosses or one.site.endswith("cross"):
                total += one.values[at]
        if at == court.position and not crosses:
            for each in found.contributions:
                if each.part.kind in ("embedding", "position", "segment"):
                    total += each.value
        assert number == pytest.approx(total, abs=1e-5)
    [rest] = [one.notes["rest"] for one in court.methods if one.name == "attribution"]
    assert sum(values(court, "attribution")) + rest == pytest.approx(court.logit, abs=1e-4)


def own_logit(model: Any, trace: Trace, embeddings: Tensor) -> Tensor:
    """The logit of Transformers' own model, in double precision, given other embeddings."""
    at = trace.read_positions(None, "")[0]
    given: dict[str, Any] = {"inputs_embeds": embeddings[None]}
    if trace.target_tokens is not None:
        ids = torch.tensor([[token.id for token in row] for row in trace.target_tokens])
        given |= {"decoder_input_ids": ids}
    found: Tensor = model(**given).logits[0, at, TOKEN]
    return found


@pytest.mark.parametrize("family", ["gpt2", "llama", "gemma2", "bert", "t5"])
def test_gradients_against_finite_differences(load: Load, eager: Any, family: str) -> None:
    court, trace = heard(load(family))
    model = eager(family).double()
    with torch.no_grad():
        ids = torch.tensor([token.id for token in trace.tokens[0]])
        x = model.get_input_embeddings()(ids)
        every = model.get_input_embeddings()  # which may scale what it looks up
        mean = every(torch.arange(every.num_embeddings)).mean(0)
        step = 4e-3  # not smaller: RMSNorm computes in float32
        for at, number in zip(court.sources, values(court, "gradient_input"), strict=True):
            ends = []
            for sign in (1, -1):
                scaled = x.clone()
                scaled[at] *= 1 + sign * step
                ends.append(own_logit(model, trace, scaled).item())
            slope = (ends[0] - ends[1]) / (2 * step)
            assert number == pytest.approx(slope, rel=2e-3, abs=5e-4)
        full = own_logit(model, trace, x).item()
        for at, drop in zip(court.sources, values(court, "mean_ablation"), strict=True):
            replaced = x.clone()
            replaced[at] = mean
            left = own_logit(model, trace, replaced).item()
            assert drop == pytest.approx(full - left, rel=1e-3, abs=1e-4)
        promised = full - own_logit(model, trace, mean.expand_as(x)).item()
    model.float()
    [found] = [one for one in court.methods if one.name == "integrated_gradients"]
    assert found.notes["promised"] == pytest.approx(promised, rel=1e-3, abs=1e-4)
    reached = sum(values(court, "integrated_gradients")) + found.notes["gap"]
    assert reached == pytest.approx(promised, rel=1e-3, abs=1e-4)
    assert abs(found.notes["gap"]) < 0.05 * max(1.0, abs(promised))


def test_what_has_no_meaning_for_a_decoder_says_why(load: Load) -> None:
    court, trace = heard(load("t5"))
    reasons = {one.name: one.reason for one in court.methods if one.values is None}
    assert {"rollout", "flow"} <= set(reasons)
    assert reasons["rollout"] is not None and "a decoder's" in reasons["rollout"]
    assert court.weights_of == "decoder.layers.2.cross"
    pattern = trace.sites[-1].derive(["pattern"])["pattern"][0, :, court.position]
    assert values(court, "weight") == pytest.approx(pattern.mean(0).tolist(), abs=1e-6)


def test_a_model_that_takes_no_edits_says_why(load: Load) -> None:
    with pytest.raises(UnavailableError, match="computes attention itself"):
        load("bloom").runner(Inputs((TEXT,)))


@pytest.mark.parametrize("family", ["gpt2", "llama", "bert", "t5"])
def test_another_pattern_is_confirmed_by_a_run_with_it(load: Load, family: str) -> None:
    """A large ε is always met: what is checked is that the run obeys the pattern."""
    source = load(family)
    inputs = Inputs((TEXT,))
    trace, runner = source.trace(inputs), source.runner(inputs)
    search = Search(layer=1, head=1, epsilon=1.0, steps=3)
    [found] = other_attention(trace, runner, search)
    assert found.found and found.other is not None
    sites = [site for site in trace.sites if site.name == found.site]
    v, at = sites[0].v, found.position
    assert v is not None
    z = torch.zeros(v.shape[-1])
    for key, weight in zip(found.keys, found.other[0], strict=True):
        z += weight * v[0, 1, key]

    def edit(place: Any, x: Tensor) -> Tensor:
        if (place.point, place.layer, place.kind) != ("z", 1, sites[0].kind):
            return x
        x = x.clone()
        x[0, 1, at] = z
        return x

    assert trace.unembed is not None
    with torch.no_grad():
        after = trace.unembed(runner(edit)[0, at]).double().softmax(-1)
        before = trace.unembed(runner()[0, at]).double().softmax(-1)
    assert found.tvd == pytest.approx(float((after - before).abs().sum() / 2), abs=1e-5)

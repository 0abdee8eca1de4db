"""The cost of a request, estimated before it runs: normal use by a class passes, abuse does not."""

from dataclasses import replace
from typing import Any

import pytest

from model.core.checkpoint import SHIPPED
from model.errors import LimitError
from model.sources.native import NativeSource
from model.sources.source import SourceInfo
from server.api.schemas import TraceRequest
from server.run.tracing.cost import Cost, check_budget, estimate
from server.settings import Settings


@pytest.fixture(scope="module")
def info() -> SourceInfo:
    return NativeSource("shipped", SHIPPED).info


def cost(info: SourceInfo, **body: Any) -> Cost:
    request = TraceRequest.model_validate(body)
    return estimate(request, request.to_inputs(Settings()), info)


@pytest.mark.parametrize(
    "usual",
    [
        {"texts": ["a cat sat on the mat"], "analyse": {"scores": True, "lens": {}}},
        {"texts": ["a cat " * 500]},
        {"texts": ["a cat " * 500], "select": {"resolution": 64}, "analyse": {"rollout": True}},
        {"texts": ["a cat sat on the mat"] * 8, "analyse": {"mute_effects": {}}},
        {"texts": ["a cat " * 60], "generate": {"n_tokens": 64}},
        {"texts": ["a"], "masks": {"blocked": [{"query": n, "key": n} for n in range(10_000)]}},
    ],
)
def test_what_a_class_asks_is_within_the_budget(info: SourceInfo, usual: dict[str, Any]) -> None:
    check_budget(cost(info, **usual), Settings())


def test_abuse_is_refused_for_what_takes_longest(info: SourceInfo) -> None:
    found = cost(info, texts=["a cat " * 570] * 8, generate={"n_tokens": 64})
    assert found.largest == "generate"
    with pytest.raises(LimitError, match=r"about \d+ s of processor time, mostly for generating"):
        check_budget(found, Settings())


def test_flow_is_estimated_up_to_its_limit_and_refused_by_name(info: SourceInfo) -> None:
    short, limit, longer = (
        cost(info, texts=["a cat " * n] * 8, analyse={"flow": True}).terms["flow"]
        for n in (2, 13, 60)
    )
    assert 50 * short < limit < longer < 2 * limit
    found = cost(info, texts=["a cat " * 60] * 8, analyse={"flow": True})
    with pytest.raises(LimitError, match="mostly for the attention flow") as caught:
        check_budget(found, Settings(max_work_s=1))
    assert (caught.value.code, caught.value.field) == ("too_expensive", "analyse.flow")


def test_flow_through_a_deep_causal_model_is_within_the_budget(info: SourceInfo) -> None:
    sites = tuple(replace(info.sites[0], layer=layer) for layer in range(12))
    deep = replace(info, n_layers=12, sites=sites)
    body: dict[str, Any] = {"texts": ["a cat " * 13], "analyse": {"flow": True}}
    check_budget(cost(deep, **body), Settings())
    narrow = cost(deep, **body, masks={"window": 2}).terms["flow"]
    causal = cost(deep, **body).terms["flow"]
    full = cost(deep, **body, masks={"causal": False})
    assert 5 * narrow < causal < full.terms["flow"] / 5
    with pytest.raises(LimitError, match="mostly for the attention flow"):
        check_budget(full, Settings())


def test_what_multiplies_multiplies(info: SourceInfo) -> None:
    text = "a cat sat on the mat " * 20
    one = cost(info, texts=[text], analyse={"mute_effects": {}}, generate={"n_tokens": 4})
    more = cost(info, texts=[text] * 3, analyse={"mute_effects": {}}, generate={"n_tokens": 8})
    assert more.terms["mute_effects"] == pytest.approx(3 * one.terms["mute_effects"], rel=0.05)
    assert more.terms["generate"] == pytest.approx(6 * one.terms["generate"], rel=0.15)
    assert more.nbytes > 2 * one.nbytes


def test_an_answer_takes_another_run_of_each_text(info: SourceInfo) -> None:
    probe = {"kind": "probe", "layer": 0, "weights": [[0.1] * info.d_model]}
    plain = cost(info, texts=["a cat sat"] * 4)
    probed = cost(info, texts=["a cat sat"] * 4, answer=probe)
    assert probed.terms["run"] >= 2 * plain.terms["run"]


def test_more_to_send_costs_more(info: SourceInfo) -> None:
    looks = [
        {"layers": [0], "heads": [0]},
        {"layers": [0]},
        {},
        {"tensors": ["pattern", "scores", "result"]},
    ]
    costs = [cost(info, texts=["a cat sat on the mat"], select=look) for look in looks]
    assert [each.ms for each in costs] == sorted(each.ms for each in costs)
    assert len({each.ms for each in costs}) == len(looks)
    assert [each.nbytes for each in costs] == sorted(each.nbytes for each in costs)

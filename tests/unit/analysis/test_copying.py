"""Whether heads copy: plain loops on the shipped model, and heads that only look."""

from collections.abc import Iterator
from random import Random

import pytest
import torch

from model.analysis import PROBED, head_scores, probe
from model.analysis.metrics import COPYING, LABELLED, METRICS
from model.analysis.scores import HeadScores
from model.analysis.weights.circuits import circuits
from model.analysis.weights.copying import (
    NO_HEAD,
    NO_QUERIES,
    NO_STREAM,
    NOTHING,
    CopyTally,
    Outputs,
    copy_tallies,
)
from model.core.checkpoint import SHIPPED
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead
from tests.unit.analysis.building import stored, trace_of

pytestmark = pytest.mark.long

[INDUCTION] = (metric for metric in METRICS if metric.name == "induction")


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


def rows_of_the_probe(source: NativeSource) -> Iterator[list[int]]:
    chance = Random(0)
    for _ in range(16):
        yield chance.sample(source.ordinary_ids, 25) * 2


def by_hand(source: NativeSource, layer: int, head: int) -> float:
    """The copying score of a head over the probe, number by number, with the real last norm."""
    weights = {name: tensor.double() for name, tensor in source.model.state_dict().items()}
    unembedding = weights["embedding.token.weight"]
    mean_row = sum(unembedding[id] for id in range(len(unembedding))) / len(unembedding)
    d = source.info.d_head
    w_o = weights[f"blocks.{layer}.attention.w_o.weight"][:, head * d : (head + 1) * d]
    raised = mass = 0.0
    for row in rows_of_the_probe(source):
        site = source.trace_ids([row]).sites[layer]
        assert site.v is not None
        pattern = site.derive(["pattern"], heads=[head])["pattern"][0, 0].double().tolist()
        for j in range(1, 51):  # [BOS] is not a source token
            out = w_o @ site.v[0, head, j].double()
            normed = (out - out.mean()) * weights["norm.weight"]  # its scale is positive
            up = float(normed @ (unembedding[row[j - 1]] - mean_row)) > 0
            for i in range(j, 51):
                raised += pattern[i][j] * up
                mass += pattern[i][j]
    return raised / mass


def test_the_score_by_plain_loops(shipped: NativeSource) -> None:
    found = {(one.layer, one.head): one.scores["copying"] for one in probe(shipped).heads}
    for layer, head in ((0, 2), (1, 2), (1, 3), (1, 6), (2, 5)):
        score = found[layer, head]
        assert score.value == pytest.approx(by_hand(shipped, layer, head), abs=1e-5)
        assert (score.over, score.reason) == (16 * 50, None)


def named(head: HeadScores) -> bool:
    """Whether the rule of the label names a head after induction."""
    values = {name: score.value for name, score in head.scores.items()}
    looks = values["induction"] is not None and values["induction"] >= LABELLED
    assert INDUCTION.also is not None
    return looks and INDUCTION.also.is_met(values)


def test_the_induction_heads_of_the_shipped_model_copy(shipped: NativeSource) -> None:
    heads = {(one.layer, one.head): named(one) for one in probe(shipped).heads}
    assert [place for place, is_named in heads.items() if is_named] == [
        (1, head) for head in (0, 1, 3, 4, 5, 6, 7)
    ]


def test_the_weights_alone_agree_about_them(shipped: NativeSource) -> None:
    """The score of the OV circuit, which reads every token of the vocabulary alone."""
    heads = {(one.layer, one.head): one for one in probe(shipped).heads}
    for head in (0, 1, 3, 4, 5, 6, 7):
        alone = circuits(shipped, layer=1, head=head, pairs=False).copying
        assert alone is not None and 0.935 < alone < 0.99  # as docs/circuits.md says
        copying = heads[1, head].scores["copying"].value
        assert copying is not None and 0.865 < copying <= 1


@pytest.mark.parametrize(("factor", "most"), [(0.0, 0.0), (-1.0, 0.05)])
def test_a_head_that_looks_but_writes_nothing_or_the_opposite_is_no_induction_head(
    factor: float, most: float
) -> None:
    source = NativeSource("shipped", SHIPPED)
    d = source.info.d_head
    before = {(one.layer, one.head): one for one in probe(source).heads}[1, 3]
    w_o = source.model.layers[1].attention.w_o
    assert w_o is not None
    with torch.no_grad():
        w_o.weight[:, 3 * d : 4 * d] *= factor
    after = {(one.layer, one.head): one for one in probe(source).heads}[1, 3]
    assert named(before) and not named(after)
    assert after.scores["induction"] == before.scores["induction"]  # it looks where it did
    copying = after.scores["copying"].value
    assert copying is not None and copying <= most


def test_a_head_of_which_it_is_not_known_keeps_its_label() -> None:
    assert INDUCTION.also is not None
    assert INDUCTION.also.is_met({"copying": None})
    assert INDUCTION.also.is_met({})
    assert INDUCTION.also.is_met({"copying": 0.75})
    assert not INDUCTION.also.is_met({"copying": 0.749})


def test_why_it_is_not_known(shipped: NativeSource) -> None:
    def reasons(outputs: Outputs) -> set[str | None]:
        trace = shipped.trace(Inputs(texts=("a cat",)))
        return {score.reason for each in copy_tallies(trace, outputs, 0) for score in each.scores()}

    assert reasons(Outputs.of(shipped.trace(Inputs(texts=("a cat",))))) == {NO_STREAM}
    alone = trace_of([1, 3, 4], sites=(stored(torch.eye(3).expand(1, 2, 3, 3)),))
    assert reasons(Outputs.of(alone)) == {NO_HEAD}
    outputs = Outputs.of_source(shipped)
    assert outputs.lacks == ""
    assert reasons(outputs) == {None}
    empty = copy_tallies(shipped.trace(Inputs(texts=("",))), outputs, 0)
    assert {score.reason for each in empty for score in each.scores()} == {NO_QUERIES}
    zero = torch.zeros(2, dtype=torch.float64)
    assert {score.reason for score in CopyTally(zero, zero, 3).scores()} == {NOTHING}


def test_padding_special_tokens_and_muted_heads_do_not_count(shipped: NativeSource) -> None:
    outputs = Outputs.of_source(shipped)
    text = "red apple window red apple"
    alone = shipped.trace(Inputs(texts=(text,)))
    one = copy_tallies(alone, outputs, 0)[1]
    pattern = alone.sites[1].derive(["pattern"])["pattern"][0].double().tolist()
    for head in range(8):  # without [BOS]
        mass = sum(pattern[head][i][j] for i in range(1, 6) for j in range(1, i + 1))
        assert one.mass[head].item() == pytest.approx(mass, abs=1e-5)
    both = Inputs(texts=("a cat sat on the mat near the river", text), muted=(MutedHead(1, 3),))
    other = copy_tallies(shipped.trace(both), outputs, 1)[1]
    assert one.over == other.over == 5
    kept = [head for head in range(8) if head != 3]
    assert torch.allclose(one.mass[kept], other.mass[kept], atol=1e-5)
    assert torch.allclose(one.raised[kept], other.raised[kept], atol=1e-5)
    assert other.scores()[3].reason == NOTHING


def test_a_text_has_every_metric_but_this_one(shipped: NativeSource) -> None:
    """It takes the unembedding to tell, which a trace does not keep."""
    scores = head_scores(shipped.trace(Inputs(texts=("a cat",))), 0)[0].scores
    assert [*scores, COPYING.name] == [metric.name for metric in PROBED]


def test_weights_that_were_loaded_in_inference_mode_will_do(shipped: NativeSource) -> None:
    """They have no gradients."""
    with torch.inference_mode():
        found = probe(NativeSource("shipped", SHIPPED)).heads
    assert [one.scores["copying"] for one in found] == [
        one.scores["copying"] for one in probe(shipped).heads
    ]

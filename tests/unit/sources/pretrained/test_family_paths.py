"""Routes, composition and circuits of other people's checkpoints: what must hold in any family."""

import pytest
import torch

from model.analysis.patching.clean import CleanRun
from model.analysis.paths.circuit import EdgeRuns
from model.analysis.paths.search import paths
from model.analysis.weights.circuits import circuits
from model.analysis.weights.composition import text_composition, weight_composition
from model.errors import UnavailableError
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs
from tests.unit.sources.pretrained.conftest import Load

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


@pytest.mark.parametrize("family", ["gpt2", "llama", "gemma2", "bert", "t5"])
def test_every_edge_is_cut_in_a_run(load: Load, family: str) -> None:
    source = load(family)
    inputs = Inputs(texts=("the cat sat",), stream=True)
    trace = source.trace(inputs)
    [found] = paths(trace, source.runner(inputs), threshold=0.02, limit=20)
    assert len(found.edges) > 3
    for one in found.edges:  # where an edit does not reach a receiver, nothing would move at all
        assert abs(one.moved) > 1e-7, one.edge
    logits = [one for one in found.edges if one.edge.through == "logit"]
    assert logits and {one.edge.receiver.part for one in logits} == {None}


@pytest.mark.parametrize("family", ["gpt2", "llama", "gemma2", "bert", "t5"])
def test_composition_and_circuits_have_numbers(load: Load, family: str) -> None:
    source = load(family)
    trace = source.trace(Inputs(texts=("the cat sat",), stream=True))
    [on_text] = text_composition(trace)
    by_weights = weight_composition(trace)
    assert on_text.pairs and by_weights.pairs
    for pair in by_weights.pairs:
        for one in (pair.q, pair.k, pair.v):
            assert one is None or bool(((one >= 0) & (one <= 1 + 1e-5)).all())
    assert all(torch.isfinite(pair.q).all() for pair in on_text.pairs)
    found = circuits(source, layer=0, head=0, top=2)
    assert len(found.qk) == 2
    assert (found.copying is None) == (found.no_outputs is not None)


def test_cross_attention_has_no_circuits_and_the_reason_is_in_words(load: Load) -> None:
    with pytest.raises(UnavailableError, match=r"^Cross-attention reads its queries") as refused:
        circuits(load("t5"), layer=1, head=0, kind="cross")
    assert "decoder.layers" not in str(refused.value)
    assert refused.value.field == "layer"


@pytest.mark.parametrize("family", ["gpt2", "llama", "gemma2", "bert", "t5", "bart"])
def test_all_edges_are_the_clean_run_and_none_the_corrupted_one(load: Load, family: str) -> None:
    source, texts = load(family), ("the cat sat", "the dog sat")
    if source.info.takes_targets:
        with pytest.raises(UnavailableError, match=r"reads two streams|a norm follows"):
            _ = edges_of(source, texts, ("the mat",)).edges
        return
    edges = edges_of(source, texts, None)
    if family in ("gemma2", "bert"):
        with pytest.raises(UnavailableError, match="a norm follows"):
            _ = edges.edges
        return
    n = len(edges.edges)
    for is_open, text in ((True, texts[0]), (False, texts[1])):
        trace = source.trace(Inputs(texts=(text,)))
        stages, unembed, _ = trace.head("")
        logits = unembed(stages[-1, 0, edges.position])
        wanted = float(logits[3] - logits[4])
        assert edges.lead(torch.full((n,), is_open)) == pytest.approx(wanted, abs=1e-4)
    assert (edges.estimates(2).abs() > 0).sum() > n / 2


def edges_of(
    source: PretrainedSource, texts: tuple[str, str], targets: tuple[str] | None
) -> EdgeRuns:
    inputs = Inputs(texts=texts[:1], targets=targets, stream=True)
    trace = source.trace(inputs)
    corrupted = CleanRun(source.runner(Inputs(texts=texts[1:], targets=targets)), 0)
    raw = trace.stream_to_read("", field="").raw_unembed
    assert raw is not None
    n = len(trace.read_tokens[0])
    pairs = [(at, at) for at in range(n)]
    return EdgeRuns(trace, corrupted, pairs, lambda x: raw(x)[3] - raw(x)[4], n - 1)

"""Whether the heads of other families copy: against direct logit attribution, token by token."""

import pytest
import torch

from model.analysis import probe
from model.analysis.attribution import attribution
from model.analysis.weights.copying import ELSEWHERE, NO_QUERIES, NOT_LINEAR, Outputs, lifts_of
from model.analysis.weights.unembedding import Unembedding
from model.sources.source import Inputs
from tests.unit.sources.pretrained.conftest import Load

pytestmark = pytest.mark.long


@pytest.mark.parametrize("family", ["gpt2", "llama", "gemma2", "t5", "bart"])
def test_lifts_are_what_heads_add_to_the_logits_of_their_source_tokens(
    load: Load, family: str
) -> None:
    source = load(family)
    text = "the old cat saw him ."
    targets = ("a dog sat on",) if source.info.takes_targets else None
    trace = source.trace(Inputs(texts=(text,), targets=targets, stream=True))
    position = 3  # of the query
    n_vocab = source.info.vocab_size
    # what each vocabulary entry gets through each head from each source token
    adds = [attribution(trace, position=position, token=id)[0].sources for id in range(n_vocab)]
    places = {(one.site, one.head): at for at, one in enumerate(adds[0])}
    found = lifts_of(trace, Outputs.of(trace), 0)
    checked = 0
    for site, lifts in zip(trace.sites, found, strict=True):
        if isinstance(lifts, str):
            assert (lifts, site.kind) == (ELSEWHERE, "encoder")
            continue
        rows = trace.tokens if site.key_tokens == "tokens" else trace.target_tokens
        assert rows is not None
        pattern = site.derive(["pattern"])["pattern"][0]
        for head in range(site.n_heads):
            ratios = []
            for key, token in enumerate(rows[0]):
                weight = pattern[head, position, key].item()
                if token.special or weight < 1e-3:
                    continue
                each = [adds[id][places[site.name, head]].values[key] for id in range(n_vocab)]
                lift = each[token.id] - sum(each) / n_vocab
                ratios.append(lifts.lift[head, key].item() * weight / lift)
                checked += 1
            # they differ by the scales of the norms, which are positive, and one for all keys
            assert all(ratio > 0 for ratio in ratios)
            assert ratios == pytest.approx(ratios[:1] * len(ratios), rel=2e-3)
    assert checked > 20


@pytest.mark.parametrize("family", ["gpt2", "llama", "gemma2", "t5", "bart"])
def test_rows_of_the_matrix_are_the_gradients_of_the_logits(
    load: Load, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = Outputs.of_source(load(family))
    assert outputs.stream is not None and outputs.unembedding is not None
    assert outputs.stream.raw_unembed is not None
    assert outputs.unembedding.matrix is not None
    slow = Unembedding(outputs.stream.raw_unembed, outputs.unembedding.d_model)
    ids = [9, 6, 20, 6]
    monkeypatch.setattr("model.analysis.weights.unembedding.ROWS", 10)
    assert torch.allclose(outputs.unembedding.rows(ids), slow.rows(ids), atol=1e-5)


def test_families_whose_prediction_is_not_linear_say_so(load: Load) -> None:
    assert Outputs.of_source(load("bert")).lacks == NOT_LINEAR
    reasons = {head.scores["copying"].reason for head in probe(load("bert")).heads}
    assert reasons == {NOT_LINEAR}
    t5 = {head.site.split(".")[0]: head.scores["copying"] for head in probe(load("t5")).heads}
    assert t5["encoder"].reason == ELSEWHERE
    assert t5["decoder"].reason == NO_QUERIES
    bloom = {head.scores["copying"].reason for head in probe(load("bloom")).heads}
    assert bloom == {"it computes attention itself instead of calling the function of Transformers"}

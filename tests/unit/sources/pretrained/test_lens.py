"""The tuned lens of checkpoints: what it is fitted on, and which of them can have one."""

import pytest

from model.errors import UnavailableError
from model.lens import decided, fit_lens
from model.lens.texts import N_PASSAGES, N_PASSAGES_HELD, Texts, texts_for
from model.sources.source import Inputs
from tests.unit.sources.pretrained.conftest import Load

TEXT = "the cat sat on the mat"


def test_models_of_others_are_fitted_on_english_and_measured_on_other_topics(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = load("gpt2")
    texts = texts_for(source)
    assert len(texts.held_out) == N_PASSAGES_HELD and not set(texts.held_out) & set(texts.fit)
    assert len(texts.fit) > N_PASSAGES and "Python" in texts.description
    monkeypatch.setattr("model.lens.texts.find_spec", lambda name: None)
    bare = texts_for(source)
    assert bare.fit and bare.held_out and "Python" not in bare.description


@pytest.mark.parametrize("family", ["gpt2", "llama", "bert"])
def test_a_lens_is_fitted_to_checkpoints_too(
    load: Load, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = Texts("some", (TEXT, "the dog sat", "a cat") * 20, ("the mat sat on the dog",))
    monkeypatch.setattr("model.lens.fitting.texts_for", lambda source: texts)
    source = load(family)
    lens = fit_lens(source)
    assert lens.maps.shape[0] == source.info.n_layers
    assert all(nats < 20 for nats in lens.held_out.tuned)
    [found] = decided(source.trace(Inputs((TEXT,))), lens)
    assert found.tuned is not None and found.tuned.stages != found.logit.stages


def test_an_encoder_decoder_has_none_and_says_when_it_decided(load: Load) -> None:
    source = load("t5")
    with pytest.raises(UnavailableError, match="this model takes pairs"):
        fit_lens(source)
    trace = source.trace(Inputs((TEXT,), targets=("the dog",)))
    [found] = decided(trace)
    assert trace.target_tokens is not None
    assert len(found.positions) == len(trace.target_tokens[0])

"""How far a mute turns the vector of a text: against the library's model, with a head cut off."""

from pathlib import Path

import pytest
import torch
import transformers as hf

from model.sources.inputs import muted_heads
from model.sources.muting import VectorEffect, vector_effects
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs, MutedHead
from tests.unit.sources.pretrained.conftest import Folder, Load

pytestmark = pytest.mark.long

TEXTS = ("the old cat sat on the mat", "a dog")


@pytest.fixture(scope="module")
def headless(folder: Folder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """BERT without a head: it predicts nothing."""
    place = tmp_path_factory.mktemp("headless")
    for file in folder("bert").iterdir():
        text = file.read_bytes().replace(b"BertForMaskedLM", b"BertModel")
        (place / file.name).write_bytes(text if file.name == "config.json" else file.read_bytes())
    return place


def effects(source: PretrainedSource, inputs: Inputs) -> list[tuple[VectorEffect, ...]]:
    with torch.inference_mode():
        trace = source.trace(inputs)
        muted = muted_heads(inputs.muted, source.info)
        return vector_effects(trace, source.info.sites, muted, source.runner(inputs))


@pytest.mark.parametrize("muted", [(), (MutedHead(1, 0),)])
def test_each_cosine_is_that_of_a_model_whose_head_was_cut_off(
    headless: Path, muted: tuple[MutedHead, ...]
) -> None:
    source = PretrainedSource.load("headless", str(headless))
    assert source.info.predicts is None
    trace = source.trace(Inputs(TEXTS))
    ids = torch.tensor([[token.id for token in row] for row in trace.tokens])
    real = torch.tensor([[not token.padding for token in row] for row in trace.tokens])
    d_head = source.info.d_head

    def vectors(off: tuple[tuple[int, int], ...]) -> torch.Tensor:
        """With the columns of W_O zeroed that read these heads."""
        model = hf.BertModel.from_pretrained(headless).eval()
        with torch.no_grad():
            for layer, head in off:
                w_o = model.encoder.layer[layer].attention.output.dense.weight
                w_o[:, head * d_head : (head + 1) * d_head] = 0
            out = model(input_ids=ids, attention_mask=real.long()).last_hidden_state
        mean = (out * real[..., None]).sum(1) / real.sum(1, keepdim=True)
        return torch.nn.functional.normalize(mean.double(), dim=-1)

    always = tuple((one.layer, one.head) for one in muted)
    before = vectors(always)
    found = effects(source, Inputs(TEXTS, muted=muted))
    assert [len(each) for each in found] == [source.info.n_layers * source.info.n_heads] * 2
    for at, effect in enumerate(found[0]):
        place = (effect.layer, effect.head)
        if place in always:
            assert effect.cosine is None and effect.reason == "this head is muted already"
            continue
        cosines = (vectors((*always, place)) * before).sum(-1)
        for text, cosine in enumerate(cosines.tolist()):
            assert found[text][at].cosine == pytest.approx(cosine, abs=1e-6)
            assert found[text][at].reason is None
    numbers = [effect.cosine for effect in found[0] if effect.cosine is not None]
    assert len({round(one, 6) for one in numbers}) > 2  # heads differ


def test_a_model_that_predicts_has_a_vector_too(load: Load) -> None:
    for family in ("gpt2", "t5"):
        inputs = Inputs(TEXTS, targets=("a girl", "he") if family == "t5" else None)
        for each in effects(load(family), inputs):
            assert all(one.cosine is not None and -1 <= one.cosine <= 1 + 1e-9 for one in each)

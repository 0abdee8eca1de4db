"""Classifiers: their classes are what they predict, by the library's own model."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers as hf

from model.analysis.attribution import attribution
from model.analysis.weights.circuits import circuits
from model.analysis.weights.copying import CLASSES, Outputs
from model.errors import CheckpointError, InputError, UnavailableError
from model.lens.decided import decided
from model.lens.fitting import fit_lens
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs
from tests.unit.sources.pretrained.checkpoints import CLS, END, PAD, N, of_bert, save, tokenizer

pytestmark = pytest.mark.long

TEXTS = ("the old cat sat on the mat", "a dog")
CLASSES_OF = {0: "bad", 1: "so so", 2: "good"}
SIZES: dict[str, Any] = {
    "vocab_size": N, "hidden_size": 24, "num_hidden_layers": 3, "num_attention_heads": 2,
    "intermediate_size": 20, "max_position_embeddings": 40, "pad_token_id": PAD,
}  # fmt: skip


def _bert(folder: Path, **more: Any) -> Path:
    """It reads the first token, through a pooler of the body."""
    config = hf.BertConfig(**SIZES, **{"id2label": CLASSES_OF, **more})
    return save(hf.BertForSequenceClassification(config), of_bert(), folder)


def _roberta(folder: Path) -> Path:
    """Its head has two layers, and no pooler."""
    config = hf.RobertaConfig(**SIZES, id2label=CLASSES_OF)
    return save(hf.RobertaForSequenceClassification(config), tokenizer("[CLS] $A [SEP]"), folder)


def _albert(folder: Path) -> Path:
    """Its pooler is a matrix, with the function beside it."""
    config = hf.AlbertConfig(**SIZES, embedding_size=12, id2label=CLASSES_OF)
    return save(hf.AlbertForSequenceClassification(config), of_bert(), folder)


def _llama(folder: Path) -> Path:
    """It reads the last token that is not padding."""
    config = hf.LlamaConfig(
        **SIZES, id2label=CLASSES_OF, num_key_value_heads=1, bos_token_id=CLS, eos_token_id=END
    )
    kind: Any = hf.LlamaForSequenceClassification  # untyped in the library
    return save(kind(config), tokenizer("[CLS] $A"), folder)


def _tagger(folder: Path) -> Path:
    """It gives each token a class."""
    config = hf.BertConfig(**SIZES, id2label=CLASSES_OF)
    return save(hf.BertForTokenClassification(config), of_bert(), folder)


def _llama_tagger(folder: Path) -> Path:
    config = hf.LlamaConfig(
        **SIZES, id2label=CLASSES_OF, num_key_value_heads=1, bos_token_id=CLS, eos_token_id=END
    )
    kind: Any = hf.LlamaForTokenClassification  # untyped in the library
    return save(kind(config), tokenizer("[CLS] $A"), folder)


READS = {_bert: "first", _roberta: "first", _albert: "first", _llama: "last"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    def made(family: Callable[..., Path], **more: Any) -> Path:
        torch.manual_seed(0)
        return family(tmp_path_factory.mktemp("classifiers") / family.__name__[1:], **more)

    return made


@pytest.fixture(scope="module")
def load(folder: Callable[..., Path]) -> Callable[[Callable[..., Path]], PretrainedSource]:
    return cache(lambda family: PretrainedSource.load("classifier", str(folder(family))))


def ln_p_of(model: Any, ids: list[int]) -> torch.Tensor:
    with torch.no_grad():
        found: torch.Tensor = model(input_ids=torch.tensor([ids])).logits[0].double()
    return found.log_softmax(-1)


@pytest.mark.parametrize("family", READS)
def test_its_classes_are_predicted_as_transformers_does(
    family: Callable[..., Path], folder: Callable[..., Path], load: Any
) -> None:
    source = load(family)
    assert (source.info.predicts, source.info.classes) == ("class", ("bad", "so so", "good"))
    trace = source.trace(Inputs(TEXTS, stream=True))
    model = hf.AutoModelForSequenceClassification.from_pretrained(folder(family)).eval()
    positions = trace.read_positions(None, "predict")
    for row, found, read in zip(trace.tokens, trace.predict(top_k=10), positions, strict=True):
        ids = [token.id for token in row if not token.padding]
        assert read == (0 if READS[family] == "first" else len(ids) - 1)
        wanted = ln_p_of(model, ids).exp()
        assert [one.text for one in found] == [CLASSES_OF[one.id] for one in found]
        assert not any(one.special for one in found)
        for one in found:
            assert one.probability == pytest.approx(wanted[one.id].item(), abs=1e-6)
    [lens, _] = trace.lens(top_k=3)
    assert lens.stages[-1].final == lens.stages[-1].candidates[0]
    for told in attribution(trace):  # the parts of a logit sum to it
        parts = sum(one.value for one in told.contributions)
        assert parts + told.remainder == pytest.approx(told.logit, abs=1e-5)


@pytest.mark.parametrize("family", [_tagger, _llama_tagger])
def test_each_token_has_a_class(
    family: Callable[..., Path], folder: Callable[..., Path], load: Any
) -> None:
    source = load(family)
    assert (source.info.predicts, source.info.classes) == ("tag", ("bad", "so so", "good"))
    trace = source.trace(Inputs(TEXTS, stream=True))
    model = hf.AutoModelForTokenClassification.from_pretrained(folder(family)).eval()
    ends = 2 if family is _tagger else 1  # its last token is [SEP]
    for text, row in enumerate(trace.tokens):
        ids = [token.id for token in row if not token.padding]
        with torch.no_grad():
            wanted = model(input_ids=torch.tensor([ids])).logits[0].double().softmax(-1)
        assert trace.read_positions(None, "predict")[text] == len(ids) - ends
        for position in range(len(ids)):
            found = trace.predict(top_k=10, position=position)[text]
            assert sorted(one.text for one in found) == sorted(CLASSES_OF.values())
            for one in found:
                assert one.probability == pytest.approx(float(wanted[position, one.id]), abs=1e-6)
    for told in attribution(trace, position=1):
        parts = sum(one.value for one in told.contributions)
        assert parts + told.remainder == pytest.approx(told.logit, abs=1e-5)
    assert Outputs.of(trace).lacks == CLASSES
    assert list(decided(trace)[0].positions) == list(range(len(trace.tokens[0])))
    [told, _] = source.mute_effects(Inputs(TEXTS), position=2, token=1)
    assert told.position == 2 and any(one.change for one in told.effects)


def test_a_mute_moves_a_class_as_cutting_the_head_off_does(
    folder: Callable[..., Path], load: Any
) -> None:
    source = load(_bert)
    [told] = source.mute_effects(Inputs(TEXTS[:1]), token=1)
    assert (told.position, told.token.text) == (0, "so so")
    [row] = source.trace(Inputs(TEXTS[:1])).tokens
    ids = [token.id for token in row]
    for effect in told.effects:
        model: Any = hf.BertForSequenceClassification.from_pretrained(folder(_bert))
        model.eval()
        before = ln_p_of(model, ids)[1].item()
        w_o = model.bert.encoder.layer[effect.layer].attention.output.dense.weight
        with torch.no_grad():
            w_o[:, effect.head * 12 : (effect.head + 1) * 12] = 0
        assert effect.change == pytest.approx(ln_p_of(model, ids)[1].item() - before, abs=1e-5)


def test_only_the_position_that_it_reads_can_be_asked_for(load: Any) -> None:
    trace = load(_llama).trace(Inputs(TEXTS[1:]))
    assert trace.predict(top_k=3, position=2) == trace.predict(top_k=3)
    with pytest.raises(InputError, match="one class for a text, read at position 2; got 1"):
        trace.predict(top_k=3, position=1)
    both = load(_llama).trace(Inputs(TEXTS))
    with pytest.raises(InputError, match="read at position 7, 2; got 2"):
        both.predict(top_k=3, position=2)
    with pytest.raises(InputError, match="token ids 0 to 2; got 3"):
        trace.predict(top_k=1, tokens=[3])


def test_what_is_of_tokens_says_that_there_are_classes(load: Any) -> None:
    source = load(_llama)
    trace = source.trace(Inputs(TEXTS, stream=True))
    with pytest.raises(UnavailableError, match="is a classifier"):
        decided(trace)
    with pytest.raises(UnavailableError, match="one class for a text"):
        fit_lens(source)
    assert Outputs.of(trace).lacks == CLASSES
    found = circuits(source, layer=1, head=0, top=2)
    assert (found.ov, found.copying, found.no_outputs) == ((), None, CLASSES)
    assert len(found.qk) == 2


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"id2label": {0: "score"}}, "one number"),
        ({"problem_type": "multi_label_classification"}, "do not exclude each other"),
    ],
)
def test_what_has_no_probabilities_of_classes_says_why(
    folder: Callable[..., Path], more: dict[str, Any], why: str
) -> None:
    source = PretrainedSource.load("scores", str(folder(_bert, **more)))
    assert (source.info.predicts, source.info.classes) == (None, ())
    with pytest.raises(UnavailableError, match=why):
        source.trace(Inputs(TEXTS)).predict(top_k=1)


def test_another_model_is_none_though_its_configuration_has_labels(tmp_path: Path) -> None:
    torch.manual_seed(0)
    config = hf.BertConfig(**SIZES, id2label=CLASSES_OF, problem_type="multi_label_classification")
    place = save(hf.BertForMaskedLM(config), of_bert(), tmp_path / "fills")
    info = PretrainedSource.load("fills", str(place)).info
    assert (info.predicts, info.classes) == ("fill", ())


def test_a_pooler_that_a_classifier_reads_must_be_there(
    folder: Callable[..., Path], tmp_path: Path
) -> None:
    """BERT's classifier would else read a random one; a model without it has no use for it."""
    place = folder(_bert)
    model = hf.BertForSequenceClassification.from_pretrained(place)
    weights = {key: each for key, each in model.state_dict().items() if "pooler" not in key}
    model.save_pretrained(tmp_path, state_dict=weights)
    of_bert().save_pretrained(tmp_path)
    with pytest.raises(CheckpointError, match=r"lack 2 tensors .*bert\.pooler\.dense"):
        PretrainedSource.load("without", str(tmp_path))
    config = json.loads((tmp_path / "config.json").read_text())
    config["architectures"] = ["BertModel"]
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert PretrainedSource.load("body", str(tmp_path)).info.predicts is None

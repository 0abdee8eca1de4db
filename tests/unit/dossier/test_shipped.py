"""The dossier that ships belongs to the weights that ship, and its numbers are theirs."""

import json
from typing import Any

import pytest

from model.analysis.scores import head_scores
from model.core.checkpoint import SHIPPED
from model.dossier import MEASURES, load_dossier, own_corpus
from model.dossier.document import DOSSIER
from model.sources.native import NativeSource
from model.sources.source import Inputs

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def dossier() -> Any:
    return load_dossier(SHIPPED / DOSSIER)


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


def test_it_belongs_to_the_shipped_weights(dossier: Any, shipped: NativeSource) -> None:
    assert dossier["weights"] == shipped.info.weights, "make dossier makes it again"
    assert dossier["corpus"]["sha256"] == own_corpus().sha256, "make dossier makes it again"
    assert dossier["measures"] == json.loads(json.dumps([each.described() for each in MEASURES]))
    assert [(head["layer"], head["head"]) for head in dossier["heads"]] == [
        (layer, head) for layer in range(3) for head in range(8)
    ]
    assert (SHIPPED / DOSSIER).stat().st_size < 300_000


def test_its_examples_are_what_the_model_does(dossier: Any, shipped: NativeSource) -> None:
    texts = {each["number"]: each["text"] for each in dossier["texts"]}
    for head in dossier["heads"][::5]:
        example = head["top_examples"][0]
        text = texts[example["text"]]
        assert text == own_corpus().texts[example["text"]]
        site = shipped.trace(Inputs(texts=(text,))).sites[head["layer"]]
        pattern = site.derive(["pattern"], heads=[head["head"]])["pattern"][0, 0]
        weight = pattern[example["query"], example["key"]].item()
        assert weight == pytest.approx(example["weight"], abs=1e-4)


def test_its_means_are_those_of_the_model(dossier: Any, shipped: NativeSource) -> None:
    """The means of all texts, computed again without anything of the dossier's."""
    names = ("previous_token", "normalised_entropy")
    sums = {(place, name): 0.0 for place in range(24) for name in names}
    over = dict.fromkeys(sums, 0)
    for text in own_corpus().texts:
        for place, head in enumerate(head_scores(shipped.trace(Inputs(texts=(text,))), 0)):
            for name in names:
                value = head.scores[name].value
                if value is not None:
                    sums[place, name] += value
                    over[place, name] += 1
    for (place, name), total in sums.items():
        found = dossier["heads"][place]["values"][name]
        assert found["over"] == over[place, name]
        assert found["value"] == pytest.approx(total / over[place, name], rel=2e-3, abs=1e-4)
        assert found["low"] < found["value"] < found["high"]

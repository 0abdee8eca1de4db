"""A real language model: SmolLM2-135M-Instruct, as `headlight get smollm2` keeps it.

Installing for development fetches it into the environment (Makefile), where there is a network.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch
import transformers as hf

from model.dossier import everyday_corpus, load_dossier
from model.dossier.document import DOSSIER
from model.gallery import Entry, load_gallery
from model.sources.known import KNOWN
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs, MutedHead
from server.pages.examples import NAMES

FOLDER = Path(sys.prefix) / "cache" / "models" / "smollm2"
FETCH = f"SmolLM2 is not here (HEADLIGHT_CACHE={FOLDER.parent.parent} headlight get smollm2)"
pytestmark = [pytest.mark.long, pytest.mark.skipif(not FOLDER.is_dir(), reason=FETCH)]

GIFT = "When Mary and John went to the store, John gave a drink to"
PEOPLE = ("Mary", "Anna", "Paul", "Tom", "Lucy")
PLACES = ("store", "park", "school", "beach", "station")
SENTENCES = tuple(
    f"When {a} and {b} went to the {place}, {b} gave a {gift} to {a}."
    for a, b in zip(PEOPLE, PEOPLE[1:] + PEOPLE[:1], strict=True)
    for place in PLACES
    for gift in ("drink", "book")
)


@pytest.fixture(scope="module")
def smollm2() -> PretrainedSource:
    return PretrainedSource.load("smollm2", str(FOLDER))


@pytest.fixture(scope="module")
def eager() -> Iterator[hf.LlamaForCausalLM]:
    model = hf.LlamaForCausalLM.from_pretrained(FOLDER, attn_implementation="eager")
    yield model.float().eval()


def test_it_describes_itself(smollm2: PretrainedSource) -> None:
    info = smollm2.info
    assert (info.n_layers, info.n_heads, info.d_model, info.d_head) == (30, 9, 576, 64)
    assert (info.predicts, info.causal, info.licence, info.lacks) == (
        "next",
        True,
        "apache-2.0",
        "",
    )
    assert info.description.endswith(
        "SmolLM2-135M-Instruct.Q4_1.gguf: 4-bit (Q4_1), read back as float16"
    )
    assert "result" in info.tensors and not info.stream_lacks


@pytest.mark.parametrize(
    "entry", load_gallery(KNOWN["smollm2"].measured, NAMES), ids=lambda entry: entry.title
)
def test_its_examples_say_what_it_does(smollm2: PretrainedSource, entry: Entry) -> None:
    inputs = Inputs(entry.texts)
    trace = smollm2.trace(inputs)
    words = [token.text.strip() for token in trace.tokens[0]]
    [[likeliest]] = trace.predict(top_k=1)
    row = trace.sites[entry.layer].derive(["pattern"])["pattern"][0, entry.head, entry.query]
    assert entry.query == len(words) - 1
    # which token it looks at, and how much
    at, share = re.findall(r"“([^”]+)” \((\d+)%\)", entry.look)[0]
    assert words[int(row.argmax())] == at
    assert f"{100 * row.max().item():.0f}" == share
    # what is left of the prediction without it
    muted = smollm2.trace(replace(inputs, muted=(MutedHead(entry.layer, entry.head),)))
    [after] = [
        token
        for token in muted.predict(top_k=1, tokens=[likeliest.id])[0]
        if token.id == likeliest.id
    ]
    told = re.findall(r"“([^”]+)” falls from (\d+)% to (\d+)%", entry.next)
    percents = [f"{100 * p:.0f}" for p in (likeliest.probability, after.probability)]
    assert told == [(likeliest.text.strip(), *percents)]


def test_its_dossier_is_of_these_weights_and_shows_what_they_do(smollm2: PretrainedSource) -> None:
    dossier = load_dossier(KNOWN["smollm2"].measured / DOSSIER)
    assert dossier["weights"] == smollm2.info.weights
    assert dossier["corpus"]["sha256"] == everyday_corpus().sha256
    assert [(one["layer"], one["head"]) for one in dossier["heads"]] == [
        (layer, head) for layer in range(30) for head in range(9)
    ]
    texts = {one["number"]: one["text"] for one in dossier["texts"]}
    assert texts == {number: everyday_corpus().texts[number] for number in texts}
    [number, *_] = texts
    trace = smollm2.trace(Inputs((texts[number],)))
    seen = 0
    for one in dossier["heads"]:
        pattern = trace.sites[one["layer"]].derive(["pattern"])["pattern"][0, one["head"]]
        for example in one["top_examples"]:
            if example["text"] != number:
                continue
            seen += 1
            weight = pattern[example["query"], example["key"]].item()
            assert weight == pytest.approx(example["weight"], abs=1e-3)
            assert trace.tokens[0][example["key"]].text == example["key_token"]
    assert seen > 0


def test_it_knows_who_gets_the_drink(smollm2: PretrainedSource) -> None:
    [[first, *_]] = smollm2.trace(Inputs((GIFT,))).predict(top_k=3)
    assert first.text.strip() == "Mary" and first.probability > 0.9


def test_fifty_sentences_equal_eager_attention_on_the_same_weights(
    smollm2: PretrainedSource, eager: hf.LlamaForCausalLM
) -> None:
    """Patterns within 1e-4, one pass for texts of the same length."""
    assert len(set(SENTENCES)) == 50
    trace = smollm2.trace(Inputs(SENTENCES))
    ids = torch.tensor([[token.id for token in row] for row in trace.tokens])
    real = torch.tensor([[not token.padding for token in row] for row in trace.tokens])
    with torch.inference_mode():
        output = eager(ids, attention_mask=real.long(), output_attentions=True)
    for site, pattern in zip(trace.sites, output.attentions, strict=True):
        apart = (site.derive(["pattern"])["pattern"] - pattern).abs().amax(dim=(1, 3))
        assert float(apart[real].max()) <= 1e-4, site.name

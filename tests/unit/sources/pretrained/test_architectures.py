"""Architectures of Transformers that are unlike the usual ones: what is shown is true, or refused.

`make test-all` tries every one, and compares it with the table of docs/pretrained.md.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers as hf

from model.errors import CheckpointError, UnavailableError
from model.sources.pretrained.placing import place
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs
from scripts.architectures import TABLE, saved, text_classes, tried
from tests.unit.sources.pretrained.checkpoints import save, tokenizer
from tests.unit.sources.pretrained.test_families import BOTH

pytestmark = pytest.mark.long

ALL = "everything"
PATTERNS = "patterns"
# One class of each kind of trouble that there was, or is.
VERDICTS = {
    "MobileBertForMaskedLM": ALL,  # its configuration names no end token
    "EncoderDecoderModel": ALL,  # two models, the second with a head of its own
    "SwitchTransformersForConditionalGeneration": ALL,  # its head asks for what experts say
    "T5GemmaForConditionalGeneration": ALL,  # its head reads the configuration of its decoder
    "MiniMaxForCausalLM": ALL,  # every other layer has a state instead of patterns
    "DeepseekV3ForCausalLM": ALL,  # latent attention
    "GraniteSWAForCausalLM": ALL,  # sinks that its own patterns leave out
    "PegasusXForConditionalGeneration": ALL,  # blocks in the encoder, which are not shown
    "LongformerForMaskedLM": PATTERNS,  # bands
    "LEDForConditionalGeneration": PATTERNS,
    "LongT5ForConditionalGeneration": PATTERNS,  # blocks
    "BigBirdForMaskedLM": PATTERNS,  # sparse blocks, but not for short texts
    "FSMTForConditionalGeneration": PATTERNS,  # stacks that are not models
    "DeepseekV32ForCausalLM": PATTERNS,  # an indexer chooses keys
    "FunnelForMaskedLM": "refused",  # pooled
}

Open = Callable[[str], PretrainedSource]


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    def source(name: str) -> PretrainedSource:
        saved(getattr(hf, name), tmp_path)
        return PretrainedSource.load("it", str(tmp_path))

    return source


def test_pooled_attention_is_called_so() -> None:
    why = tried("FunnelForMaskedLM").why
    assert "could not be run on a few tokens, which its deeper layers pool: it says" in why


@pytest.mark.parametrize("name", VERDICTS)
def test_of_each_kind_what_can_be_shown_is_shown(name: str) -> None:
    verdict = tried(name)
    assert verdict.what == VERDICTS[name], verdict.why


@pytest.mark.sweep
def test_every_architecture_is_as_the_table_says() -> None:
    rows = [row.split(" | ") for row in TABLE.read_text("utf-8").splitlines() if " | " in row]
    table = {(row[0].removeprefix("| "), family) for row in rows for family in named(row[-1])}
    for name in text_classes():
        verdict = tried(name)
        assert verdict.what != "bug", verdict
        assert (verdict.what, verdict.family) in table, verdict


def named(cell: str) -> list[str]:
    return cell.removesuffix(" |").split(", ")


@pytest.mark.parametrize(
    "name",
    [
        "SwitchTransformersForConditionalGeneration",
        "T5GemmaForConditionalGeneration",
        "EncoderDecoderModel",
    ],
)
def test_a_head_predicts_what_the_whole_model_does(opened: Open, name: str, tmp_path: Path) -> None:
    source = opened(name)
    trace = source.trace(Inputs(("the cat sat",), targets=("a dog",)))
    assert trace.target_tokens is not None
    ids, targets = (
        torch.tensor([[token.id for token in row] for row in rows])
        for rows in (trace.tokens, trace.target_tokens)
    )
    model = getattr(hf, name).from_pretrained(tmp_path, attn_implementation="eager").eval()
    with torch.inference_mode():
        logits = model(input_ids=ids, decoder_input_ids=targets).logits[0, -1]
    [told] = trace.predict(top_k=3)
    expected = logits.softmax(-1).topk(3)
    assert [each.id for each in told] == expected.indices.tolist()
    assert [each.probability for each in told] == pytest.approx(expected.values.tolist(), abs=1e-5)


def test_what_a_visit_asks_for_is_tried_when_a_model_is_loaded(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ValueError("lanes")

    monkeypatch.setattr("model.trace.trace.Trace.lens", fails)
    message = r"LlamaForCausalLM could not be run on a few tokens: it says ValueError\('lanes'\)"
    with pytest.raises(CheckpointError, match=message):
        opened("LlamaForCausalLM")


def test_why_a_model_predicts_nothing_is_said(opened: Open) -> None:
    trace = opened("LlamaModel").trace(Inputs(("the cat",)))
    with pytest.raises(UnavailableError, match="predicts nothing: it has no language-model head"):
        trace.predict(top_k=1)


def test_a_stream_of_several_lanes_has_predictions_and_no_lens(opened: Open) -> None:
    source = opened("HYV4ForCausalLM")
    trace = source.trace(Inputs(("the cat sat", "a")))
    assert sum(told.probability for told in trace.predict(top_k=3)[1]) <= 1
    with pytest.raises(UnavailableError, match=r"no logit lens: between its layers, .* \(.*4, 24"):
        trace.lens(top_k=1)


def test_a_text_of_a_sparse_model_is_as_long_as_it_attends_fully(opened: Open) -> None:
    source = opened("BigBirdForMaskedLM")
    config = hf.BigBirdConfig()
    most = (5 + 2 * config.num_random_blocks) * config.block_size
    assert source.info.max_tokens == min(64, most)
    pattern = source.trace(Inputs(("the cat sat on the mat",))).sites[0].derive(["pattern"])
    torch.testing.assert_close(pattern["pattern"].sum(-1), torch.ones(1, 4, 8))


def test_a_text_as_long_as_the_band_of_a_model_is_placed_by_its_distances(tmp_path: Path) -> None:
    sizes: dict[str, Any] = BOTH | {"attention_window": 4}
    sizes |= {f"max_{stack}_position_embeddings": 64 for stack in ("encoder", "decoder")}
    torch.manual_seed(0)
    save(hf.LEDForConditionalGeneration(hf.LEDConfig(**sizes)), tokenizer("$A"), tmp_path)
    source = PretrainedSource.load("led", str(tmp_path))
    trace = source.trace(Inputs(("the cat sat on mat",), targets=("a dog is old",)))
    patterns = {site.name: site.derive(["pattern"])["pattern"][0] for site in trace.sites}
    encoder, decoder = patterns["encoder.layers.0"], patterns["decoder.layers.0.self"]
    assert encoder.shape[1:] == decoder.shape[1:] == (5, 5)
    for pattern, hidden in ((encoder, outside(5, 2)), (decoder, torch.ones(5, 5).triu(1) > 0)):
        torch.testing.assert_close(pattern.sum(-1), torch.ones(pattern.shape[:2]))
        assert not bool(pattern[:, hidden].any())


def outside(n: int, farthest: int) -> torch.Tensor:
    return (torch.arange(n)[None, :] - torch.arange(n)[:, None]).abs() > farthest


def band(n: int, farthest: int) -> torch.Tensor:
    return (torch.rand(2, 3, n, n) + 0.1) * ~outside(n, farthest)


@pytest.mark.parametrize("n", [3, 5, 9])  # of 5 tokens, bands look as if they were whole
def test_bands_stand_where_their_distances_say(n: int) -> None:
    farthest = 2
    dense = band(n, farthest)
    by_distance = torch.zeros(2, 3, n, 2 * farthest + 1)
    for query in range(n):
        for column in range(2 * farthest + 1):
            if 0 <= (key := query + column - farthest) < n:
                by_distance[:, :, query, column] = dense[:, :, query, key]
    placed = place([by_distance, None], n, n, windows=[2 * farthest, 4])
    assert torch.equal(placed.patterns[0], dense)
    assert (list(placed.patterns), placed.n_layers, placed.strange) == ([0], 2, ())


def test_blocks_stand_where_their_neighbours_are() -> None:
    n, size = 10, 4  # of three blocks, the last one is not full
    dense = band(12, 12)[:, :, :, :12]
    block = torch.arange(12) // size
    dense *= (block[:, None] - block[None, :]).abs() <= 1
    given = torch.zeros(2, 3, 3, size, 3 * size)
    for query in range(12):
        for key in range(12):
            if abs(block[query] - block[key]) <= 1:
                of, column = int(block[query]), key - (int(block[query]) - 1) * size
                given[:, of, :, query % size, column] = dense[:, :, query, key]
    placed = place([given], n, n, windows=[])
    assert torch.equal(placed.patterns[0], dense[:, :, :n, :n])


def test_what_has_no_place_is_told_by_its_shape() -> None:
    odd: list[Any] = [torch.rand(1, 2, 3, 5), torch.rand(1, 2, 7, 7)]
    placed = place(odd, 7, 7, windows=[])
    assert (list(placed.patterns), placed.strange) == ([1], (1, 2, 3, 5))

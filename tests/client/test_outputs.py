"""`headlight.show` takes what libraries give, as they give it."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped,unused-ignore]
import pytest
import torch
import transformers as hf

import headlight
from headlight import RequestError
from headlight.own.outputs import _meaning, read
from headlight.own.recording import Recording
from tests.client.test_own import patterns

pytestmark = pytest.mark.long
TOKENS = ["[CLS]", "The", "cat", "sat", "##s"]
SIZES: dict[str, Any] = {"vocab_size": 40, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}


@pytest.fixture(autouse=True)
def made(monkeypatch: pytest.MonkeyPatch) -> list[Recording]:
    """The recordings that pictures are made of; test_own.py looks into the pictures."""
    made: list[Recording] = []

    def page(recording: Recording, view: dict[str, Any]) -> bytes:
        made.append(recording)
        return b""

    monkeypatch.setattr(sys.modules["headlight.own.show"], "_page", page)
    return made


def gpt2() -> Any:
    torch.manual_seed(0)
    config = hf.GPT2Config(n_embd=16, n_layer=2, n_head=2, **SIZES)
    make: Any = hf.GPT2LMHeadModel._from_config
    return make(config, attn_implementation="eager").eval()


def t5() -> Any:
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 2, "num_heads": 2}
    sizes |= {"vocab_size": 40, "decoder_start_token_id": 0}
    config = hf.T5Config(**sizes)
    make: Any = hf.T5ForConditionalGeneration._from_config
    return make(config, attn_implementation="eager").eval()


def generated(model: Any, **options: Any) -> Any:
    ids = torch.tensor([[5, 9, 7], [8, 3, 4]])
    more = {"attention_mask": torch.ones_like(ids), "output_attentions": True}
    return model.generate(ids, **more, return_dict_in_generate=True, max_new_tokens=6, **options)


def shown(made: list[Recording], *given: Any, **more: Any) -> tuple[dict[str, Any], Any]:
    """What the page would get, and the arrays."""
    headlight.show(*given, **more)
    recording = made.pop()
    return {
        "trace": recording.trace,
        "model": recording.model,
        "texts": recording.texts,
    }, recording.tensors


WAYS = [{}, {"num_beams": 3}, {"num_beams": 4, "num_return_sequences": 2}]


@pytest.mark.parametrize("way", WAYS)
def test_the_steps_of_a_generation_are_joined(way: dict[str, Any]) -> None:
    """As running the model once on what it wrote."""
    model = gpt2()
    output = generated(model, do_sample=False, **way)
    found = read(output, two=False).groups["self"]["pattern"]
    for text, row in enumerate(output.sequences):
        end = next((at for at, id in enumerate(row.tolist()) if at > 2 and id == 2), len(row) - 1)
        with torch.inference_mode():
            whole = model(row[None, :end], output_attentions=True).attentions
        for layer, pattern in enumerate(whole):
            np.testing.assert_allclose(found[layer][text, :, :end, :end], pattern[0], atol=1e-6)
    assert found[0].shape[2] == found[0].shape[3] == output.sequences.shape[1] - 1


@pytest.mark.parametrize("way", WAYS)
def test_the_steps_of_an_encoder_decoder_are_joined(way: dict[str, Any]) -> None:
    model = t5()
    output = generated(model, do_sample=False, **way)
    found = read(output, two=True).groups
    sources = torch.tensor([[5, 9, 7], [8, 3, 4]]).repeat_interleave(len(output.sequences) // 2, 0)
    ends = [
        next((at for at, id in enumerate(row.tolist()) if at and id == 1), len(row) - 1)
        for row in output.sequences
    ]
    for text, (source, row, end) in enumerate(zip(sources, output.sequences, ends, strict=True)):
        with torch.inference_mode():
            whole = model(source[None], decoder_input_ids=row[None, :end], output_attentions=True)
        for layer in range(2):
            for kind, name in (("encoder", "encoder"), ("decoder", "decoder"), ("cross", "cross")):
                pattern = whole[f"{name}_attentions"][layer][0]
                given = found[kind]["pattern"][layer][text, :, : pattern.shape[1]]
                np.testing.assert_allclose(given[..., : pattern.shape[2]], pattern, atol=1e-6)


def test_names_say_what_the_page_takes_them_to_say() -> None:
    for name, *meaning in json.loads(Path(__file__).parent.with_name("own_names.json").read_text()):
        assert list(_meaning(name)) == meaning, name


def test_a_generation_is_shown_with_the_tokens_that_it_wrote(made: list[Recording]) -> None:
    output = generated(gpt2(), do_sample=False)
    names = SimpleNamespace(convert_ids_to_tokens=lambda ids: [f"t{id}" for id in ids])
    facts, tensors = shown(made, output, tokenizer=names)
    n = output.sequences.shape[1] - 1  # nothing was computed at the last one
    assert tensors["layers.0.pattern"].shape[2:] == (n, n)
    named = [token["piece"] or token["text"] for token in facts["trace"]["tokens"][1]]
    assert named == [f"t{id}" for id in output.sequences[1].tolist()[:-1]]
    assert "layers.0.blocked_by" in tensors  # a causal mask


def test_outputs_whose_other_attentions_are_empty(made: list[Recording]) -> None:
    pattern = torch.from_numpy(patterns(1, 2, 5, 5))
    output = SimpleNamespace(attentions=(pattern,) * 2, cross_attentions=())
    _, tensors = shown(made, output, TOKENS)
    assert tensors["layers.1.pattern"].shape == (1, 2, 5, 5)
    for none in ((), None, (None, None)):
        with pytest.raises(RequestError, match="eager"):
            headlight.show(SimpleNamespace(attentions=none, cross_attentions=None), TOKENS)
        if none is not None:
            with pytest.raises(RequestError, match="eager"):
                headlight.show(none, TOKENS)  # the field of such an output
    for wrong in ("attention", [[0.5], [0.5, 0.5]]):
        with pytest.raises(RequestError, match="Expected numbers in lists of equal lengths"):
            headlight.show(wrong, TOKENS)
    both = SimpleNamespace(
        attentions=(torch.from_numpy(patterns(1, 2, 4, 4, causal=True)),),
        cross_attentions=(torch.from_numpy(patterns(1, 2, 4, 5)),),
    )
    _, tensors = shown(made, both, TOKENS, target_tokens=list("wxyz"))
    assert set(tensors) >= {"decoder.layers.0.self.pattern", "decoder.layers.0.cross.pattern"}


def test_layers_keep_their_numbers(made: list[Recording]) -> None:
    pattern = patterns(1, 2, 5, 5)
    for given in ((None, pattern, None, pattern), {3: pattern, 1: pattern}):
        facts, tensors = shown(made, given, TOKENS, layer=1)
        assert {site["layer"] for site in facts["trace"]["sites"]} == {1, 3}
        assert "layers.3.pattern" in tensors and facts["model"]["n_layers"] == 4


def test_an_activation_cache_and_saved_values_are_read_by_their_names(
    made: list[Recording],
) -> None:
    q = np.ones((1, 5, 2, 8), np.float32)  # (text, position, head, d_head)
    pattern = patterns(1, 2, 5, 5)
    cache = {
        "blocks.0.hook_q_input": np.zeros((1, 5, 2, 16)),
        **{f"blocks.{layer}.attn.hook_pattern": pattern for layer in range(2)},
        **{f"blocks.{layer}.attn.hook_attn_scores": pattern - 7 for layer in range(2)},
        **{f"blocks.{layer}.attn.hook_{part}": q for layer in range(2) for part in "qkvz"},
    }
    # which is not a dict, but has its methods
    facts, tensors = shown(made, SimpleNamespace(items=cache.items), TOKENS)
    assert len(facts["trace"]["sites"]) == 2
    np.testing.assert_array_equal(tensors["layers.1.pattern"], pattern)
    vectors = {name: array for name, array in cache.items() if name.endswith(("_q", "_k", "_v"))}
    rotated = {f"blocks.{layer}.attn.hook_rot_q": 2 * q for layer in range(2)}
    _, tensors = shown(made, {**rotated, **vectors}, TOKENS)
    assert tensors["layers.1.q"].shape == (1, 2, 5, 8) and (tensors["layers.1.q"] == 2).all()
    saved = {
        f"model.layers.{layer}.self_attn": SimpleNamespace(
            value=(torch.zeros(1, 5, 16), torch.from_numpy(pattern))
        )
        for layer in (0, 4)
    }
    _, tensors = shown(made, saved, TOKENS)
    np.testing.assert_array_equal(tensors["layers.4.pattern"], pattern)
    _, tensors = shown(made, {"layer_2": pattern}, TOKENS)
    assert "layers.2.pattern" in tensors
    with pytest.raises(RequestError, match=r"The names are: resid, mlp\. Give names such as"):
        headlight.show({"resid": pattern, "mlp": pattern}, TOKENS)


def test_a_data_frame_brings_its_tokens(made: list[Recording]) -> None:
    pattern = patterns(5, 5)
    frame = pd.DataFrame(pattern, index=TOKENS, columns=TOKENS)
    facts, tensors = shown(made, frame)
    np.testing.assert_array_equal(tensors["layers.0.pattern"][0, 0], pattern)
    assert facts["trace"]["tokens"][0][2]["text"] == " cat"
    facts, _ = shown(made, frame.iloc[:2])
    assert [token["text"] for token in facts["trace"]["target_tokens"][0]] == ["[CLS]", "The"]


@pytest.mark.parametrize(
    "tokens",
    [
        np.array(TOKENS),
        np.array([TOKENS], dtype=object),
        pd.Series(TOKENS),
        tuple(TOKENS),
        [tuple(TOKENS)],
    ],
)
def test_tokens_may_be_any_sequence(tokens: Any, made: list[Recording]) -> None:
    facts, _ = shown(made, patterns(1, 1, 5, 5), tokens)
    assert facts["texts"] == ["The cat sats"]


def test_ids_need_a_tokenizer(made: list[Recording]) -> None:
    names = SimpleNamespace(convert_ids_to_tokens=lambda ids: [TOKENS[id] for id in ids])
    pattern = patterns(1, 1, 5, 5)
    for ids in (torch.arange(5), torch.arange(5)[None], list(range(5)), np.arange(5)):
        facts, _ = shown(made, pattern, ids, tokenizer=names)
        assert facts["texts"] == ["The cat sats"]
        with pytest.raises(RequestError, match=r"tokens are numbers\. Give the tokenizer"):
            headlight.show(pattern, ids)
    batch = SimpleNamespace(input_ids=torch.arange(5)[None])  # what a tokenizer gives
    facts, _ = shown(made, pattern, batch, tokenizer=names)
    assert facts["texts"] == ["The cat sats"]
    with pytest.raises(RequestError, match=r"one string\. Expected a list"):
        headlight.show(pattern, "The cat sat")


def test_bytes_are_decoded(made: list[Recording]) -> None:
    pattern = patterns(1, 1, 5, 5)
    facts, _ = shown(made, pattern, [b"na", b"\xc3", b"\xaf", b"ve", b" cat"])
    assert [token["text"] for token in facts["trace"]["tokens"][0]] == ["na", "", "ï", "ve", " cat"]
    assert json.loads(json.dumps(facts["trace"]["tokens"][0][4]))["piece"] == "Ġcat"

"""`headlight.show`: arrays of any library become recordings that the page reads."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load

import headlight
from headlight import RequestError
from headlight.own.tokens import documents
from scripts.pack import pack
from tests.exported import inside

TOKENS = ["[CLS]", "The", "cat", "sat", "##s"]


@pytest.fixture(scope="module", autouse=True)
def packed() -> None:
    pack()


def patterns(*shape: int, causal: bool = False) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Patterns of this shape, their last axes queries and keys."""
    found = np.random.default_rng(0).random(shape, dtype=np.float32) + 0.1
    found = np.tril(found) if causal else found
    return np.asarray(found / found.sum(axis=-1, keepdims=True))


def recorded(picture: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The JSON and the tensors of the recording in a picture."""
    file = inside(picture.page.decode())["arrays/trace.safetensors"]
    length = int.from_bytes(file[:8], "little")
    metadata = json.loads(file[8 : 8 + length])["__metadata__"]
    return {name: json.loads(text) for name, text in metadata.items()}, load(file)


def test_patterns_are_recorded_with_their_mask_and_tokens() -> None:
    pattern = patterns(2, 3, 5, 5, causal=True)
    facts, tensors = recorded(headlight.show(pattern, TOKENS, layer=1, head=2))
    np.testing.assert_array_equal(tensors["layers.1.pattern"][0], pattern[1])
    assert tensors["layers.0.blocked_by"][0, 0].tolist() == np.triu(np.ones((5, 5)), 1).tolist()
    assert [token["text"] for token in facts["trace"]["tokens"][0]][1:] == [
        "The",
        " cat",
        " sat",
        "s",
    ]
    assert facts["request"]["texts"] == ["The cat sats"]


def test_tokens_are_read_as_the_page_reads_them() -> None:
    """tests/js/own/tokens.test.mjs reads the same file."""
    for case in json.loads(Path(__file__).parent.with_name("own_tokens.json").read_text()):
        [tokens], [written] = documents([case["tokens"]])
        assert [token["text"] for token in tokens] == case["texts"]
        assert [token["special"] for token in tokens] == case["special"]
        assert written == case["written"]


def test_the_output_of_an_encoder_decoder_is_taken_as_it_is() -> None:
    output = SimpleNamespace(
        encoder_attentions=(torch.from_numpy(patterns(1, 2, 5, 5)).bfloat16(),) * 3,
        decoder_attentions=(torch.from_numpy(patterns(1, 2, 4, 4, causal=True)),) * 2,
        cross_attentions=(torch.from_numpy(patterns(1, 2, 4, 5)).requires_grad_(),) * 2,
    )
    picture = headlight.show(output, TOKENS, target_tokens=list("wxyz"), kind="cross")
    facts, tensors = recorded(picture)
    assert tensors["decoder.layers.1.cross.pattern"].shape == (1, 2, 4, 5)
    assert tensors["encoder.layers.2.pattern"].shape == (1, 2, 5, 5)
    assert facts["trace"]["target_tokens"][0][0]["text"] == "w"


def test_vectors_may_have_fewer_heads_for_keys() -> None:
    q, k = np.ones((1, 4, 5, 8)), np.ones((1, 2, 5, 8))
    facts, tensors = recorded(headlight.show(q=q, k=k, v=k, tokens=TOKENS, causal=True))
    [site] = facts["trace"]["sites"]
    assert (site["n_kv_heads"], len(site["heads"])) == (2, 4)
    assert site["scale"] == pytest.approx(8**-0.5)
    assert tensors["layers.0.blocked_by"].any()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"attentions": np.full((1, 1, 5, 5), np.nan)}, "has nan at layer 0, text 0, head 0"),
        ({"attentions": np.full((1, 1, 5, 5), -3.0)}, "give the pattern after the softmax"),
        ({"attentions": patterns(1, 1, 4, 4)}, "There are 5 tokens, but the arrays have 4 places"),
        ({"attentions": patterns(1, 1, 4, 5)}, "The shapes do not agree"),
        ({"q": np.ones((1, 1, 5, 2))}, "Expected attentions, or q, k and v; got q"),
        ({"attentions": SimpleNamespace(attentions=None)}, "output_attentions=True"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(given: dict[str, Any], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        headlight.show(**given, tokens=TOKENS)


def test_arrays_too_large_for_a_notebook_are_refused() -> None:
    even = np.broadcast_to(np.float32(1 / 2000), (9, 1, 2000, 2000))
    with pytest.raises(RequestError, match=r"put 72 MB into the notebook; at most 64 MB .*\[:2\]"):
        headlight.show(even, causal=False)


def test_rows_that_do_not_sum_to_one_are_shown_with_a_warning() -> None:
    with pytest.warns(UserWarning, match=r"No row of attentions sums to 1; .* sum of 5\."):
        headlight.show(np.ones((1, 1, 5, 5)), TOKENS)


def test_places_without_scripts_get_a_still_picture_of_the_head() -> None:
    pattern = patterns(2, 3, 5, 5, causal=True)
    this_head, another = pattern.copy(), pattern.copy()
    this_head[1, 2] = another[1, 0] = np.eye(5)
    first, changed, same = (
        headlight.show(given, TOKENS, layer=1, head=2)._repr_mimebundle_()["image/png"]
        for given in (pattern, this_head, another)
    )
    assert first.startswith("iVBOR")  # a PNG
    assert changed != first == same
    cross = headlight.show(pattern[:, :, :4], TOKENS, target_tokens=list("wxyz"), kind="cross")
    assert cross.still is not None
    ones = np.ones((1, 1, 5, 2))
    assert headlight.show(q=ones, k=ones, v=ones, tokens=TOKENS).still is None


def test_vectors_with_their_heads_side_by_side_are_shown_as_documented() -> None:
    """As a hook of vLLM gives them; docs/own-tensors.md."""
    rng = np.random.default_rng(0)
    n, heads, d_head = 5, {"q": 4, "k": 2, "v": 2}, 8
    flat = {part: rng.normal(size=(2, n, of * d_head)) for part, of in heads.items()}
    recorded: dict[str, Any] = {
        part: [layer.reshape(n, heads[part], -1).swapaxes(0, 1) for layer in layers]
        for part, layers in flat.items()
    }
    picture = headlight.show(**recorded, tokens=list("abcde"), causal=True)
    assert picture.page

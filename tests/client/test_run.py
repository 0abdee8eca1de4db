"""What a run gives: tokens, tensors, predictions, and edits that lead to another run."""

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from headlight import Client, Request, RequestError, Run
from model.core.checkpoint import SHIPPED
from model.sources.native import NativeSource
from model.sources.source import Inputs
from model.trace.tensors import TENSORS

TEXT = "Maria saw herself in the mirror."


@pytest.fixture(scope="module")
def run(hl: Client) -> Run:
    return hl.trace(TEXT)


@pytest.fixture(scope="module")
def source() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


def test_tokens_are_texts_that_know_their_ids(run: Run) -> None:
    assert run.tokens == ["[BOS]", "Maria", " saw", " herself", " in", " the", " mirror", "."]
    assert (run.tokens[2].start, run.tokens[2].end) == (5, 9)
    assert run.tokens[0].special and not run.tokens[1].special


@pytest.mark.parametrize(
    "name", [name for name, row in TENSORS.items() if {"q", "k", "v", "w_o"} >= {*row.needs}]
)
def test_a_site_has_the_tensors_of_the_model(run: Run, source: NativeSource, name: str) -> None:
    [expected] = source.trace(Inputs((TEXT,))).sites[2].derive([name]).values()
    found = getattr(run.site("layers.2"), name)
    np.testing.assert_allclose(found, np.broadcast_to(expected[0], found.shape), atol=1e-4)


def test_the_pattern_is_stacked_by_layer(run: Run) -> None:
    assert run.pattern.shape == (3, 8, 8, 8)
    assert np.array_equal(run.pattern[1], run.site("layers.1").pattern)
    np.testing.assert_allclose(run.pattern.sum(axis=-1), 1, atol=1e-5)


def test_a_part_of_a_tensor_is_that_part(run: Run) -> None:
    rows = run.site("layers.2").rows("pattern", 2, 5)
    np.testing.assert_allclose(rows, run.pattern[2][:, 2:5], atol=1e-6)
    some = run.tensor("pattern", layers=[1], heads=[3, 5], dtype="float16")
    assert some.dtype == np.float16
    np.testing.assert_allclose(some[0], run.pattern[1][[3, 5]], atol=1e-3)


def test_an_edit_is_a_value_and_changes_the_next_run(run: Run) -> None:
    draft = run.mute((2, 3)).block(query="saw", key="Maria")
    edited = draft.trace()
    assert run.request.muted == ()
    assert edited.request.muted == ((2, 3),)
    assert np.all(edited.pattern[:, :, 2, 1] == 0)
    assert np.all(edited.site("layers.2").z[3] == 0)
    assert edited.site("layers.2").blocked_by[3, 2, 1] == 8
    assert edited.unmute().mask(blocked=()).trace().predictions == run.predictions


def test_a_comparison_subtracts(run: Run) -> None:
    edited = run.mask(causal=False).trace()
    difference = edited.compare(run)
    assert np.array_equal(difference.pattern, edited.pattern - run.pattern)
    change = difference.site("layers.0").blocked_by
    assert change.min() == -1 and change.max() == 0
    first = difference.predictions[0]
    assert first["change"] == pytest.approx(first["now"] - first["before"])
    assert abs(first["change"]) == max(map(abs, difference.predictions.columns["change"]))


@pytest.mark.parametrize(
    ("edit", "code", "words"),
    [
        (lambda run: run.block(query="cat"), "no_such_token", "'Maria', ' saw'"),
        (lambda run: Request.of("a").block(query="a"), "unknown_tokens", "position"),
        (lambda run: run.mute((9, 0)).trace(), "invalid_input", "layers 0 to 2"),
        (lambda run: run.site("layers.7"), "unknown_site", "layers.0, layers.1, layers.2"),
        (lambda run: run.tensor("patern"), "", "Expected one of q, k"),
    ],
)
def test_a_mistake_is_explained(
    run: Run, edit: Callable[[Run], object], code: str, words: str
) -> None:
    with pytest.raises(RequestError, match=words) as caught:
        edit(run)
    assert caught.value.code == code


def test_an_ambiguous_token_lists_its_places(hl: Client) -> None:
    run = hl.trace("The cat saw the cat.")
    with pytest.raises(RequestError, match="at 2, 5") as caught:
        run.block(key="cat")
    assert (caught.value.code, caught.value.field) == ("ambiguous_token", "key")
    assert run.block(key=[2, 5]).request.masks.blocked[1].key == 5


def test_token_ids_take_the_place_of_texts(hl: Client, run: Run) -> None:
    ids = [token.id for token in run.tokens]
    same = hl.trace(ids=ids)
    np.testing.assert_allclose(same.pattern, run.pattern, atol=1e-6)
    assert eval(repr(same)).tokens == same.tokens
    edited = same.block(query="saw", key="maria").trace()
    assert np.all(edited.pattern[:, :, 2, 1] == 0)
    rows = hl.trace(ids=[ids, ids[:3], ids[:2], ids])
    assert [len(row) for row in rows.tokens] == [8, 3, 2, 8]
    plain = run.replace(special_tokens=False).trace()
    assert plain.tokens == run.tokens[1:]


def test_a_run_knows_the_weights_that_made_it(run: Run) -> None:
    weights = hashlib.sha256((SHIPPED / "model.safetensors").read_bytes()).hexdigest()
    assert run.weights == weights
    assert f"# shipped had the weights {weights}" in str(run).splitlines()


def test_several_texts_are_sent_in_several_requests(hl: Client, run: Run) -> None:
    texts = ["The cat sat on the mat.", "Hi", TEXT, "The dogs run.", "", "A dog", TEXT]
    several = hl.trace(texts)
    assert hl._connection.limits.texts == 3
    assert [len(row) for row in several.tokens] == [len(p[0, 0]) for p in several.pattern]
    assert several.tokens[6] == run.tokens
    np.testing.assert_allclose(several.pattern[6], run.pattern, atol=1e-5)
    np.testing.assert_allclose(several[2].site("layers.1").q, run.site("layers.1").q, atol=1e-4)
    assert [row["text"] for row in several.predictions][::10] == list(range(7))


WALRUS = "The walrus ate ivory, and the walrus left."


@pytest.mark.parametrize("texts", [WALRUS, [WALRUS, "A cat."]])
def test_a_pattern_from_word_to_word(hl: Client, texts: str | list[str]) -> None:
    run = hl.trace(texts)
    listed = [run.words] if isinstance(texts, str) else run.words
    patterns = run.tensor("pattern", units="words")
    for text, words in enumerate(listed):
        pieces, tokens, found = run.pattern, run.tokens, patterns
        if not isinstance(texts, str):
            pieces, tokens, found = pieces[text], tokens[text], found[text]
        assert "".join(words) == "".join(tokens) and words[-1].stop == len(tokens)
        assert found.shape == (3, 8, len(words), len(words))
        np.testing.assert_allclose(found.sum(axis=-1), 1, atol=1e-5)
        by_hand = np.stack(
            [pieces[..., word.start : word.stop].sum(axis=-1) for word in words], axis=-1
        )
        by_hand = np.stack(
            [by_hand[..., word.start : word.stop, :].mean(axis=-2) for word in words], axis=-2
        )
        np.testing.assert_allclose(found, by_hand, atol=1e-6)
    assert len(listed[0]) < len(run.tokens if isinstance(texts, str) else run.tokens[0])


def test_a_figure_in_words_has_their_labels(hl: Client) -> None:
    run = hl.trace(WALRUS)
    axes = run.plot(1, 2, units="words")
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert "walrus" in " ".join(names) and len(names) == len(run.words)
    with pytest.raises(RequestError, match="rows count the model's tokens"):
        run.plot(1, 2, units="words", rows=(0, 2))
    with pytest.raises(RequestError, match="words are for pattern"):
        run.plot(1, 2, units="words", tensor="scores")


TALK = [{"role": "user", "content": "saw herself"}]


def test_a_model_without_a_chat_template_takes_no_messages(hl: Client) -> None:
    with pytest.raises(RequestError, match=r"has no chat template\. Send `texts` instead"):
        hl.trace(messages=TALK)
    with pytest.raises(RequestError, match=r"texts or messages; got both"):
        hl.trace("a", messages=TALK)


@pytest.mark.parametrize("messages", [TALK, [TALK, TALK]])
def test_messages_are_texts_of_the_template(
    hl: Client, messages: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = hl._connection.trace
    asked: list[Any] = []

    def answered(body: Any) -> Any:
        """As the server would with a template that gives these texts."""
        asked.append(body)
        if "messages" in body:
            texts = [f"Maria {talk[0]['content']}." for talk in body["messages"]]
            body = {**{k: v for k, v in body.items() if k != "messages"}, "texts": texts}
            answer = yield from plain(body)
            answer.document["rendered"] = texts
            return answer
        return (yield from plain(body))

    monkeypatch.setattr(hl._connection, "trace", answered)
    run = hl.trace(messages=messages)
    several = messages != TALK
    tokens = run.tokens if several else [run.tokens]
    assert tokens == [["Maria", " saw", " herself", "."]] * len(tokens)
    assert asked[0]["messages"] == (messages if several else [messages])
    assert run.request.special_tokens is False and run.request.single is not several

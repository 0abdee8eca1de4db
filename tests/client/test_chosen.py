"""Tokens chosen by text and positions from the end, as users of Python write them."""

from typing import Any

import pytest

from headlight import Client, RequestError

TEXTS = ["Every morning the king washed", "The cat"]


@pytest.fixture
def ids(hl: Client) -> tuple[int, int]:
    him, her = (hl.trace(word).tokens[-1].id for word in (" himself", " herself"))
    return him, her


def test_a_token_may_be_given_by_its_text(hl: Client, ids: tuple[int, int]) -> None:
    run, (him, her) = hl.trace(TEXTS), ids
    for way in (run.attribution, run.paths, run.explanations):
        by_text = list(way(token=" himself", against=" herself"))
        assert by_text == list(way(token=him, against=her))
    named = run.predict(top_k=1, tokens=[" himself", her])
    assert list(named) == list(run.predict(top_k=1, tokens=[him, her]))


def test_each_text_may_have_its_own(hl: Client, ids: tuple[int, int]) -> None:
    run, (him, her) = hl.trace(TEXTS), ids
    found = list(run.attribution(token=[" himself", her]))
    first, second = (
        hl.trace(text).attribution(token=token) for text, token in zip(TEXTS, ids, strict=True)
    )
    assert [row["value"] for row in found] == pytest.approx(
        [row["value"] for row in (*first, *second)], abs=1e-5
    )
    assert [row["text"] for row in found] == [0] * len(list(first)) + [1] * len(list(second))
    with pytest.raises(RequestError, match="There are 3 of token, but the run has 2 texts"):
        run.attribution(token=[him, her, him])


def test_lists_of_equal_choices_are_one_request(hl: Client) -> None:
    run = hl.trace(TEXTS)
    assert list(run.lens(position=[1, 1])) == list(run.lens(position=1))
    assert list(run.attribution(position=[1, None])) != list(run.attribution(position=1))


@pytest.mark.parametrize("masks", [{}, {"padding_side": "left"}, {"padding": False}])
def test_positions_count_from_the_end_of_each_text(hl: Client, masks: dict[str, Any]) -> None:
    run = hl.trace(TEXTS, masks=masks)
    # whatever the padding, it reads after the last token
    for last, usual in zip(run.lens(position=-1), run.lens(), strict=True):
        assert last["token"] == usual["token"]
        assert last["probability"] == pytest.approx(usual["probability"], abs=1e-5)
    before = list(run.lens(position=-2))
    by_hand = [list(hl.trace(text).lens(position=len(hl.trace(text).tokens) - 2)) for text in TEXTS]
    if not masks:
        assert [row["token"] for row in before] == [row["token"] for one in by_hand for row in one]
    with pytest.raises(RequestError, match=r"Text 1 has 3 tokens, .* -3 to -1; got -4"):
        run.lens(position=-4)


def test_a_text_of_several_tokens_is_no_token(hl: Client) -> None:
    run = hl.trace("The cat")
    with pytest.raises(RequestError, match=r"' king washed' as 2 tokens \(' king', ' washed'\)"):
        run.mute_effects(token=" king washed")
    with pytest.raises(RequestError, match="as 0 tokens"):
        run.mute_effects(token="")


def test_a_prediction_is_followed_through_the_layers(hl: Client) -> None:
    run = hl.trace(TEXTS)
    settled = list(run.decided(tuned=True))  # waits until the lens is fitted
    assert [row["text"] for row in settled] == sorted(row["text"] for row in settled)
    stages: dict[str, dict[int, list[int]]] = {}
    for lens in ("logit", "tuned"):
        for row in run.lens(top_k=1, position=[-1, -1], tuned=lens == "tuned"):
            stages.setdefault(lens, {}).setdefault(row["text"], []).append(row["id"])
    for text in range(len(TEXTS)):
        last = [row for row in settled if row["text"] == text][-1]
        for lens, found in stages.items():
            ids = found[text]
            assert ids[-1] == last["id"]
            others = [stage for stage, id in enumerate(ids) if id != last["id"]]
            assert last[lens] == (others[-1] + 1 if others else 0)
    plain = list(run.decided())
    assert [row["logit"] for row in plain] == [row["logit"] for row in settled]
    assert "tuned" not in plain[0]

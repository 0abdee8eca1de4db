"""Listing a distribution: the nucleus, a temperature, and the run without edits."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from model.core.tokenizer import Token
from model.errors import InputError
from model.masks.rules import Cell, MaskSettings
from model.sources.generation import Generate, generate
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead, unedited
from model.trace.predictions import Listed, listed, nucleus
from model.trace.trace import Trace

P = torch.tensor([0.1, 0.5, 0.05, 0.3, 0.05], dtype=torch.float64)
TEXTS = ("the cat sat on the mat", "a dog ran")
EDITS = Inputs(
    TEXTS,
    masks=MaskSettings(window=2, blocked=(Cell(None, 0, None, None, 0),)),
    muted=(MutedHead(1, 2),),
)


def letters(predictions: list[Listed] | tuple[Listed, ...]) -> str:
    return "".join(one.text for one in predictions)


@pytest.mark.parametrize(
    ("top_p", "tokens", "share"),
    [
        (1e-6, 1, 0.5),  # the likeliest is always there
        (0.5, 1, 0.5),
        (0.51, 2, 0.8),
        (0.8, 2, 0.8),  # 0.5 + 0.3, however that is rounded
        (0.85, 3, 0.9),
        (0.9, 3, 0.9),
        (0.95, 4, 0.95),
        (0.99, 5, 1.0),
        (1.0, 5, 1.0),
    ],
)
def test_the_nucleus_is_the_smallest_set_that_holds_the_share(
    top_p: float, tokens: int, share: float
) -> None:
    found = nucleus(P.log(), top_p)
    assert found.tokens == tokens
    assert found.share == pytest.approx(share)


def test_all_tokens_are_in_the_whole_nucleus_even_those_that_cannot_come() -> None:
    log_p = torch.tensor([0.0, -math.inf, -math.inf], dtype=torch.float64)
    assert nucleus(log_p, 1.0).tokens == 3
    assert nucleus(log_p, 0.999).tokens == 1


def test_a_list_without_anything_else_is_the_likeliest() -> None:
    found = listed(P.log(), 3, "abcde".__getitem__, special={3})
    assert letters(found) == "bda"
    assert [one.special for one in found] == [False, True, False]
    assert [one.unedited for one in found] == [None] * 3
    assert [one.probability for one in found] == pytest.approx([0.5, 0.3, 0.1])


def test_what_fell_out_of_the_list_follows_the_likeliest_first() -> None:
    before = torch.tensor([0.4, 0.05, 0.15, 0.1, 0.3], dtype=torch.float64)
    found = listed(P.log(), 2, "abcde".__getitem__, unedited=(before.log(), 3), also=(2, 1))
    assert letters(found[:2]) == "bd"
    assert letters(found[2:]) == "ace"  # 0.1, then two of 0.05 by their ids
    assert [one.unedited for one in found] == pytest.approx([0.05, 0.1, 0.4, 0.15, 0.3])


def flat(row: list[float]) -> Trace:
    token = Token(3, "x", 0, 1, False)
    return Trace(
        model="m",
        tokens=((token,),),
        sites=(),
        stages=torch.tensor(row).log().view(1, 1, 1, -1),
        unembed=lambda x: x,
        token_text="abcde".__getitem__,
    )


@pytest.mark.parametrize(
    ("temperature", "top_p", "expected"),
    [(1.0, 0.8, "bd"), (1.0, None, "bdac"), (0.5, 0.8, "bd"), (0.25, 0.8, "b"), (4.0, 0.8, "bdac")],
)
def test_the_nucleus_is_of_the_distribution_at_that_temperature(
    temperature: float, top_p: float | None, expected: str
) -> None:
    trace = flat(P.tolist())
    [found] = trace.predict(top_k=4, temperature=temperature, top_p=top_p)
    assert letters(found).startswith(expected[:3]) and len(found) == len(expected)
    weights = P ** (1 / temperature)
    for one in found:  # of the whole vocabulary, whatever is listed
        expected_p = float(weights[one.id] / weights.sum())
        assert one.probability == pytest.approx(expected_p, rel=1e-6)
    if top_p is not None:
        [core] = trace.nuclei(top_p=top_p, temperature=temperature)
        assert core.share >= top_p and min(core.tokens, 4) == len(found)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"top_p": 0.0}, "predict.top_p"),
        ({"top_p": 1.1}, "predict.top_p"),
        ({"top_p": math.nan}, "predict.top_p"),
        ({"tokens": [5]}, "predict.tokens"),
        ({"tokens": [-1]}, "predict.tokens"),
    ],
)
def test_what_makes_no_sense_is_refused(asked: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        flat(P.tolist()).predict(**{"top_k": 3} | asked)
    assert caught.value.field == field


@pytest.mark.parametrize("position", [None, 2])
def test_unedited_is_a_run_without_the_edits(source: NativeSource, position: int | None) -> None:
    edited = source.trace(EDITS)
    plain = source.trace(Inputs(TEXTS))
    assert unedited(EDITS, edited) == Inputs(TEXTS)
    settings: dict[str, Any] = {"position": position, "temperature": 0.7}
    found = edited.predict(top_k=4, unedited=plain, **settings)
    alone = edited.predict(top_k=4, **settings)
    every = plain.predict(top_k=source.info.vocab_size, **settings)
    for row, before, all_of_it in zip(found, alone, every, strict=True):
        assert [replace(one, unedited=None) for one in row[:4]] == before
        probability = {one.id: one.probability for one in all_of_it}
        assert [one.unedited for one in row] == [probability[one.id] for one in row]
        assert {one.id for one in all_of_it[:4]} <= {one.id for one in row}
        fell = [one.probability for one in row[4:]]
        assert fell == sorted(fell, reverse=True)
        assert not fell or fell[0] <= row[3].probability
    assert any(one.unedited != one.probability for row in found for one in row)


def test_padding_stays_on_its_side_in_the_unedited_run(source: NativeSource) -> None:
    inputs = Inputs(TEXTS, masks=MaskSettings(padding_side="left", padding=False))
    plain = unedited(inputs, source.trace(inputs))
    assert plain == Inputs(TEXTS, masks=MaskSettings(padding_side="left"))


def test_the_unedited_run_reads_what_the_edited_one_said(source: NativeSource) -> None:
    inputs = replace(EDITS, generate=Generate(3, sampled=True, temperature=5.0))
    edited = source.trace(inputs)
    plain = source.trace(unedited(inputs, edited))
    assert plain.tokens == edited.tokens
    assert sum(token.generated for row in plain.tokens for token in row) == 6
    fresh = source.trace(replace(Inputs(TEXTS), generate=inputs.generate))
    assert fresh.tokens != edited.tokens  # it would have said something else
    for text, row in enumerate(edited.predict(top_k=2, unedited=plain)):
        assert row[0].unedited is not None
        here = plain.predict(top_k=source.info.vocab_size)[text]
        assert {one.id: one.probability for one in here}[row[0].id] == row[0].unedited


def test_without_edits_there_is_nothing_to_run_again(source: NativeSource) -> None:
    inputs = Inputs(TEXTS, generate=Generate(2))
    assert unedited(inputs, source.trace(inputs)) == inputs


# Sampling.


def saying(p: Tensor) -> Callable[[list[list[Token]]], Tensor]:
    return lambda rows: p.log().expand(len(rows), -1)


def drawn(**asked: Any) -> set[str]:
    """The results of 200 draws."""
    start = [Token(7, "x", 0, 1, special=False)]
    settings = Generate(200, sampled=True, **asked)
    [row] = generate([start], settings, saying(P), spell="abcde".__getitem__).rows
    return {token.text for token in row[1:]}


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, set("abcde")),
        ({"top_k": 2}, set("bd")),
        ({"top_p": 0.85}, set("abd")),
        ({"top_k": 2, "top_p": 0.85}, set("bd")),
        ({"top_k": 3, "top_p": 0.4}, set("b")),
        ({"top_k": 99, "top_p": 1.0}, set("abcde")),
        ({"top_p": 0.85, "temperature": 0.25}, set("b")),
    ],
)
def test_draws_are_from_both_sets(asked: dict[str, float], expected: set[str]) -> None:
    assert drawn(**asked) == expected


@pytest.mark.parametrize(
    ("asked", "field"), [({"top_k": 0}, "generate.top_k"), ({"top_p": 0.0}, "generate.top_p")]
)
def test_a_set_to_draw_from_is_never_empty(asked: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        Generate(1, **asked)
    assert caught.value.field == field


def test_special_tokens_are_marked(source: NativeSource) -> None:
    found = source.trace(Inputs(("a",))).predict(top_k=source.info.vocab_size)[0]
    assert {one.text for one in found if one.special} == {"[PAD]", "[BOS]"}

"""Tokens appended to rows: the likeliest or drawn ones, until an end token."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from model.core.tokenizer import Token
from model.errors import NumericsError
from model.sources.generation import Generate, generate
from model.sources.native import NativeSource
from model.sources.source import Inputs

START = [Token(7, "a", 0, 1, special=False)]
END = 3


def spelled(id: int) -> str:
    return f"w{id}"


def saying(*rows: list[int]) -> tuple[list[int], Callable[[list[list[Token]]], Tensor]]:
    """A model that says these, whatever it is asked; and how many tokens it was shown each time."""
    shown: list[int] = []

    def logits_after(grown: list[list[Token]]) -> Tensor:
        step = len(shown)
        shown.append(max(map(len, grown)))
        logits = torch.zeros(len(grown), 5)
        for row, ids in enumerate(rows):
            logits[row, ids[min(step, len(ids) - 1)]] = 1.0
        return logits

    return shown, logits_after


def test_a_row_ends_with_an_end_token_and_the_others_go_on() -> None:
    shown, model = saying([1, END, 2, 2], [2, 1, 1, 4])
    grown = generate([START, START], Generate(4), model, spell=spelled, ends=frozenset({END}))
    first, second = ([t for t in row if t.generated] for row in grown.rows)
    assert [t.id for t in first] == [1, END]
    assert [t.id for t in second] == [2, 1, 1, 4]
    assert [t.special for t in first] == [False, True]
    assert [(t.text, t.start, t.end) for t in second][:2] == [("w2", 1, 1), ("w1", 1, 1)]
    assert shown == [1, 2, 3, 4]


def test_nothing_runs_once_all_rows_have_ended() -> None:
    shown, model = saying([END], [1, END])
    generate([START, START], Generate(9), model, spell=spelled, ends=frozenset({END}))
    assert len(shown) == 2


def test_what_was_typed_is_left_as_it_is() -> None:
    _, model = saying([1])
    rows = [list(START)]
    grown = generate(rows, Generate(2), model, spell=spelled)
    assert rows == [START] and grown.rows[0][0] is START[0]


def test_a_logit_that_is_not_finite_is_an_error() -> None:
    with pytest.raises(NumericsError):
        generate([START], Generate(1), lambda rows: torch.tensor([[1.0, torch.nan]]), spell=spelled)


def test_the_shipped_kind_of_model_goes_on_as_well(source: NativeSource) -> None:
    text = ("the cat sat on", "a")
    trace = source.trace(Inputs(text, generate=Generate(3)))
    for index, row in enumerate(trace.tokens):
        generated = [t for t in row if t.generated]
        assert len(generated) == 3
        plain = source.trace(Inputs(text)).predict(top_k=1)[index][0]
        assert (generated[0].id, generated[0].text) == (plain.id, plain.text)

"""Branches: what follows each of the likeliest tokens, under the masks and mutes of the inputs."""

from math import exp

import pytest

from model.core.tokenizer import Token
from model.errors import InputError, LimitError, UnavailableError
from model.masks.rules import Cell, MaskSettings
from model.sources.branching import Branch, branches
from model.sources.generation import Generate, Start, generate
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead
from tests.unit.sources.test_generation import END, START, saying, spelled

TEXTS = ("the cat sat on the mat", "a dog")


def found(
    source: NativeSource,
    inputs: Inputs,
    *,
    position: int | None = None,
    top_k: int = 3,
    n_tokens: int = 4,
) -> list[tuple[Branch, ...]]:
    trace = source.trace(inputs)
    each = branches(
        trace, inputs, source.continued, position=position, top_k=top_k, n_tokens=n_tokens
    )
    assert [one.position for one in each] == trace.read_positions(position, "")
    return [one.branches for one in each]


def by_hand(
    source: NativeSource, ids: list[int], n: int, inputs: Inputs
) -> list[tuple[int, float]]:
    """The likeliest token after all before it, n times, by a whole run for each."""
    said = []
    for _ in range(n):
        own = Inputs((), ids=(tuple(ids),), masks=inputs.masks, muted=inputs.muted)
        [[best, *_]] = source.trace(own).predict(top_k=1)
        said.append((best.id, best.probability))
        ids = [*ids, best.id]
    return said


@pytest.mark.parametrize(
    "inputs",
    [
        Inputs(TEXTS[:1]),
        Inputs(TEXTS[:1], muted=(MutedHead(1, 0), MutedHead(0, 1))),
        Inputs(TEXTS[:1], masks=MaskSettings(causal=False, window=3)),
        Inputs(TEXTS[:1], masks=MaskSettings(blocked=(Cell(key=2),))),
    ],
)
@pytest.mark.parametrize("position", [None, 3])
def test_each_branch_is_what_runs_one_after_another_give(
    source: NativeSource, inputs: Inputs, position: int | None
) -> None:
    [of_text] = found(source, inputs, position=position)
    row = [token.id for token in source.trace(inputs).tokens[0]]
    typed = row if position is None else row[: position + 1]
    likeliest = source.trace(inputs).predict(top_k=3, position=position)[0]
    assert [one.token.id for one in of_text] == [one.id for one in likeliest]
    for branch, first in zip(of_text, likeliest, strict=True):
        assert branch.token.probability == first.probability
        expected = by_hand(source, [*typed, branch.token.id], 3, inputs)
        assert [one.id for one in branch.follows] == [id for id, _ in expected]
        for one, (_, probability) in zip(branch.follows, expected, strict=True):
            assert one.probability == pytest.approx(probability, rel=1e-4)


def test_a_text_of_several_has_the_branches_that_it_has_alone(source: NativeSource) -> None:
    cells = (Cell(text=1, key=1), Cell(text=0, query=4))
    for side in ("right", "left"):
        masks = MaskSettings(padding_side=side)
        both = found(source, Inputs(TEXTS, masks=masks))
        for text, of_text in zip(TEXTS, both, strict=True):
            [alone] = found(source, Inputs((text,), masks=masks))
            assert [one.token.id for one in of_text] == [one.token.id for one in alone]
            assert [one.follows for one in of_text] == [one.follows for one in alone]
    both = found(source, Inputs(TEXTS, masks=MaskSettings(blocked=cells)))
    [second] = found(source, Inputs(TEXTS[1:], masks=MaskSettings(blocked=(Cell(key=1),))))
    assert [one.follows for one in both[1]] == [one.follows for one in second]
    [plain] = found(source, Inputs(TEXTS[1:]))
    assert [one.follows for one in both[1]] != [one.follows for one in plain]


def test_there_are_none_at_padding(source: NativeSource) -> None:
    assert [len(one) for one in found(source, Inputs(TEXTS), position=5)] == [3, 0]


def test_a_branch_of_one_token_runs_nothing(source: NativeSource) -> None:
    inputs = Inputs(TEXTS[:1])
    trace = source.trace(inputs)
    [each] = branches(trace, inputs, source.continued, position=None, top_k=2, n_tokens=1)
    assert [one.follows for one in each.branches] == [(), ()]


def test_a_row_is_cut_and_goes_on_with_a_given_token() -> None:
    shown, model = saying([1, END], [2, 2])
    settings = Generate(4, start=Start(0, (END, 4)))
    row = [*START, Token(9, "b", 1, 2, special=False)]
    grown = generate([row, row], settings, model, spell=spelled, ends=frozenset({END}))
    assert [[t.id for t in row] for row in grown.rows] == [[7, END], [7, 4, 2, 2, 2]]
    assert shown == [2, 3, 4]  # the first row had ended already
    assert [len(row) for row in grown.log_p] == [0, 3]
    assert exp(grown.log_p[1][0]) == pytest.approx(exp(1) / (exp(1) + 4))


def test_it_is_refused_where_it_would_be_wrong(source: NativeSource) -> None:
    with pytest.raises(InputError, match="leave out `generate`"):
        found(source, Inputs(TEXTS, generate=Generate(2)))
    with pytest.raises(InputError, match="positions 0 to 6; got 7"):
        found(source, Inputs(TEXTS), position=7)
    painted = MaskSettings(padding_side="left", allowed=(Cell(query=3, key=1),))
    with pytest.raises(UnavailableError, match="Pad on the right"):
        found(source, Inputs(TEXTS, masks=painted))
    long = Inputs(("the " * (source.info.max_tokens - 4),))
    found(source, long, n_tokens=3, top_k=1)
    with pytest.raises(LimitError, match="more are to be generated"):
        found(source, long, n_tokens=4, top_k=1)
    found(source, long, position=3, n_tokens=9, top_k=1)  # what is cut leaves room

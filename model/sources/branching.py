"""Branches: what a model would say after each of its likeliest next tokens."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp

from model.errors import InputError, UnavailableError
from model.masks.rules import Cell
from model.sources.generation import Generate, Generated, Start
from model.sources.source import Inputs
from model.trace.predictions import Listed, Prediction
from model.trace.trace import Trace

FIELD = "analyse.branches"


@dataclass(frozen=True)
class Branch:
    """One of the likeliest tokens, and those that the model appends to it, the likeliest each."""

    token: Prediction
    special: bool  # whether that token is a special one, which nobody can type
    follows: tuple[Prediction, ...]  # each with its probability after all before it
    ended: bool  # whether its last token is one that ends a text


@dataclass(frozen=True)
class Branches:
    """The branches of one text at one position, likeliest first."""

    position: int
    branches: tuple[Branch, ...]  # none at padding


def branches(
    trace: Trace,
    inputs: Inputs,
    continued: Callable[[Inputs], Generated],
    *,
    position: int | None,
    top_k: int,
    n_tokens: int,
) -> list[Branches]:
    """For each text, its `top_k` likeliest tokens after a position, and what would follow each.

    What stands after the position is left out. Masks, mutes and interventions of the inputs hold.

    Args:
        continued: runs the model on inputs to generate.
        n_tokens: of each branch, its first one included.

    Raises:
        UnavailableError: the model does not predict next tokens.
        InputError: there is no such position, or the inputs generate tokens themselves.
        LimitError: a branch would be longer than the model takes.
    """
    if trace.predicts != "next":
        raise UnavailableError(
            f"{trace.model} does not predict next tokens, so it cannot continue a text.",
            field=FIELD,
        )
    if inputs.generate is not None:
        raise InputError(
            "Branches go on from what was typed: leave out `generate`, or type what it gave.",
            field=FIELD,
        )
    positions = trace.read_positions(position, FIELD)
    likeliest = trace.predict(top_k=top_k, position=position)
    return [
        Branches(at, _of_text(trace, inputs, continued, text, at, tuple(tokens), n_tokens))
        for text, (at, tokens) in enumerate(zip(positions, likeliest, strict=True))
    ]


def _of_text(
    trace: Trace,
    inputs: Inputs,
    continued: Callable[[Inputs], Generated],
    text: int,
    at: int,
    tokens: tuple[Listed, ...],
    n_tokens: int,
) -> tuple[Branch, ...]:
    row = trace.read_tokens[text]
    if row[at].padding:
        return ()
    start = Start(at - sum(token.padding for token in row[:at]), tuple(one.id for one in tokens))
    own = _alone(trace, inputs, text, copies=len(tokens))
    grown = continued(replace(own, generate=Generate(n_tokens, start=start)))
    return tuple(
        Branch(
            Prediction(token.id, token.text, token.probability),
            token.special,
            tuple(
                Prediction(each.id, each.text, exp(ln))
                for each, ln in zip(row[start.after + 2 :], log_p, strict=True)
            ),
            row[-1].special,
        )
        for token, row, log_p in zip(tokens, grown.rows, grown.log_p, strict=True)
    )


def _alone(trace: Trace, inputs: Inputs, text: int, *, copies: int) -> Inputs:
    """The inputs for copies of one of the texts, without padding.

    Raises:
        UnavailableError: painted cells or interventions count positions from padding on the left.
    """
    rows = [trace.tokens[text], *((trace.target_tokens or ())[text : text + 1])]
    is_moved = inputs.masks.padding_side == "left" and any(row[0].padding for row in rows)
    counted = [*inputs.masks.blocked, *inputs.masks.allowed, *inputs.interventions]
    if is_moved and counted:
        raise UnavailableError(
            "Painted cells and interventions count positions with the padding on the left, which "
            "branches do not have. Pad on the right.",
            field="masks.padding_side",
        )

    def copied(each: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return None if each is None else each[text : text + 1] * copies

    def of_text(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple(replace(cell, text=None) for cell in cells if cell.text in (None, text))

    masks = inputs.masks
    return replace(
        inputs,
        texts=inputs.texts[text : text + 1] * copies,
        ids=None if inputs.ids is None else inputs.ids[text : text + 1] * copies,
        targets=copied(inputs.targets),
        pairs=copied(inputs.pairs),
        masks=replace(masks, blocked=of_text(masks.blocked), allowed=of_text(masks.allowed)),
        interventions=tuple(
            replace(one, text=None) for one in inputs.interventions if one.text in (None, text)
        ),
        names=(inputs.name(text),) * copies,
        stream=False,
    )

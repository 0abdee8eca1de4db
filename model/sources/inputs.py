"""The checks that every source makes of its inputs before it runs, with their messages."""

from collections.abc import Callable, Container, Sequence

import torch
from jaxtyping import Bool
from torch import Tensor

from model.core.tokenizer import PAD, Token, check_surrogates
from model.errors import InputError, LimitError, TextError, UnavailableError
from model.listing import layers_in_words
from model.masks.rules import Cell, MaskSettings, PaddingSide
from model.message import Message
from model.sources.source import Inputs, MutedHead, SiteInfo, SourceInfo


def check_unmixed(inputs: Inputs, info: SourceInfo) -> None:
    """Refuse inputs that this model does not take, such as targets for a model without a decoder.

    Where targets or second segments are taken, there must be one for each text.
    """
    if not inputs.n_texts:
        raise InputError("Expected at least one text; got none.", field="texts")
    if inputs.generate is not None and info.predicts != "next":
        raise UnavailableError(
            f"{info.name} does not predict next tokens, so it cannot continue a text.",
            field="generate",
        )
    if inputs.settings is not None and inputs.settings.name != info.settings:
        name = inputs.settings.name
        raise InputError(
            f"{info.name} takes no `{name}` settings: leave out `{name}`, or choose the model "
            f"{name}.",
            field=name,
        )
    if inputs.ids is not None and inputs.pairs is not None:
        raise InputError("`pairs` go with `texts`, not with `ids`: leave them out.", field="pairs")
    for name, given, taken, reason in (
        ("targets", inputs.targets, info.takes_targets, "has no decoder"),
        ("pairs", inputs.pairs, info.takes_pairs, "takes no second segments"),
    ):
        if given is None:
            continue
        if not taken:
            raise InputError(f"{info.name} {reason}: leave out `{name}`.", field=name)
        if len(given) != inputs.n_texts:
            raise InputError(
                f"Expected {inputs.n_texts} {name}, one for each text; got {len(given)}.",
                field=name,
            )


def check_text(text: str, field: str) -> None:
    """Refuse text that no tokenizer can read."""
    try:
        check_surrogates(text)
    except TextError as error:
        error.field = field
        raise


def check_ids(ids: Sequence[int], vocab_size: int, info: SourceInfo, field: str) -> None:
    """Refuse ids that the vocabulary does not have."""
    for index, id in enumerate(ids):
        if not 0 <= id < vocab_size:
            raise InputError(
                f"{info.name} has token ids 0 to {vocab_size - 1}; got {id}.",
                field=f"{field}.{index}",
            )


def spelled(
    ids: Sequence[int], spell: Callable[[int], str], special: Container[int], start: int
) -> list[Token]:
    """Tokens with these ids; each covers its text, as if these had been typed one after another."""
    tokens = list[Token]()
    for id in ids:
        text = spell(id)
        tokens.append(Token(id, text, start, start + len(text), special=id in special))
        start += len(text)
    return tokens


def check_length(
    row: Sequence[Token],
    info: SourceInfo,
    max_tokens: int | None,
    what: str,
    field: str | None,
    *,
    more: int = 0,
) -> None:
    """Refuse a row without tokens, or one that is too long with `more` tokens appended.

    The limit is the model's, or `max_tokens` if that is lower.
    """
    if not row:
        raise TextError(
            Message(
                "{text} has no tokens, and {model} adds none of its own. Type something.",
                text=what,
                model=info.name,
            ),
            code="no_tokens",
            field=field,
        )
    limit = info.max_tokens if max_tokens is None else min(max_tokens, info.max_tokens)
    if len(row) + more > limit:
        values: dict[str, str | int] = {
            "text": what,
            "n": len(row),
            "model": info.name,
            "most": limit,
        }
        raise LimitError(
            Message(
                "{text} has {n} token, and {more} more are to be generated; {model} takes at most "
                "{most}. Shorten it, or trace it in parts.",
                "{text} has {n} tokens, and {more} more are to be generated; {model} takes at most "
                "{most}. Shorten it, or trace it in parts.",
                **values,
                more=more,
            )
            if more
            else Message(
                "{text} has {n} token; {model} takes at most {most}. Shorten it, or trace it in "
                "parts.",
                "{text} has {n} tokens; {model} takes at most {most}. Shorten it, or trace it in "
                "parts.",
                **values,
            ),
            code="too_many_tokens",
            field=field,
            limit=limit,
        )


def padded(
    rows: Sequence[list[Token]], pad_id: int, side: PaddingSide, pad_text: str = PAD
) -> tuple[tuple[Token, ...], ...]:
    """The rows, padded to the length of the longest."""
    longest = max(len(row) for row in rows)
    found = []
    for row in rows:
        offset = 0 if side == "left" else row[-1].end
        token = Token(pad_id, pad_text, offset, offset, special=True, padding=True)
        padding = [token] * (longest - len(row))
        found.append(tuple(padding + row if side == "left" else row + padding))
    return tuple(found)


def check_cells(settings: MaskSettings, info: SourceInfo) -> None:
    """Refuse painted cells in sites that the model does not have."""
    for field, cells in settings.painted.items():
        for cell in cells:
            _check_site(cell, info, field)


def muted_heads(heads: Sequence[MutedHead], info: SourceInfo) -> Bool[Tensor, "1 site head"]:
    """True where a head is muted."""
    muted = torch.zeros(1, len(info.sites), info.n_heads, dtype=torch.bool)
    for head in heads:
        for index, site in _check_site(head, info, "muted"):
            if not 0 <= head.head < site.n_heads:
                raise InputError(
                    f"{site.name} of {info.name} has heads 0 to {site.n_heads - 1}; "
                    f"got {head.head}.",
                    field="muted",
                )
            muted[0, index, head.head] = True
    return muted


def _check_site(
    named: Cell | MutedHead, info: SourceInfo, field: str
) -> list[tuple[int, SiteInfo]]:
    """The sites that a cell or head refers to, with their indices; None stands for any."""
    of_kind = [
        (index, site) for index, site in enumerate(info.sites) if named.kind in (None, site.kind)
    ]
    found = [(index, site) for index, site in of_kind if named.layer in (None, site.layer)]
    if not of_kind:
        kinds = ", ".join(dict.fromkeys(site.kind for site in info.sites))
        raise InputError(f"{info.name} has only {kinds} sites; got {named.kind}.", field=field)
    if not found:
        layers = layers_in_words(site.layer for _, site in of_kind)
        raise InputError(f"{info.name} has {layers}; got {named.layer}.", field=field)
    return found

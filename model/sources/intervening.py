"""What every source needs to run with interventions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from jaxtyping import Bool
from torch import Tensor

from model.core.editing import Affine, AffineEdits, Editor, Place, Point
from model.core.tokenizer import Token
from model.errors import InputError
from model.interventions import Donor, Layout
from model.kinds import SiteKind
from model.sources.runner import Rows
from model.sources.source import Inputs, SiteInfo, SourceInfo
from model.trace.stream import TokenRows


def layout_of(
    info: SourceInfo,
    tokens: Rows,
    target_tokens: Rows | None = None,
    *,
    direction: Callable[[int | str], Tensor] | None = None,
) -> Layout:
    """Where interventions can act in these tokens."""
    own = tokens if target_tokens is None else target_tokens
    queries: Mapping[SiteKind, Rows] = {
        "self": tokens,
        "encoder": tokens,
        "decoder": own,
        "cross": own,
    }
    return Layout(
        name=info.name,
        heads={(site.kind, site.layer): site.n_heads for site in info.sites},
        acts_at=info.edited_at,
        why_not=info.edited_at_reason,
        tokens=queries,
        key_tokens={**queries, "cross": tokens},
        direction=direction,
    )


def directions_of(
    rows: TokenRows, n_rows: int, read: Callable[[str], Sequence[Token]]
) -> Callable[[int | str], Tensor]:
    """The rows of an unembedding by a token's id, or by a text that is read as one token.

    Raises:
        InputError: when called with an id that there is not, or with a text of several tokens.
    """

    def direction(token: int | str) -> Tensor:
        if isinstance(token, str):
            found = [each for each in read(token) if not each.special]
            if len(found) != 1:
                parts = ", ".join(repr(each.text) for each in found) or "nothing"
                raise InputError(
                    f"The model reads {token!r:.80} as {len(found)} tokens ({parts:.200}); "
                    "expected one. Give one of them, with the space before it if it has one, or "
                    "an id."
                )
            token = found[0].id
        if token >= n_rows:
            raise InputError(f"Expected the id of a token, 0 to {n_rows - 1:,}; got {token:,}.")
        return rows(torch.tensor([token]))[0]

    return direction


def donor_inputs(inputs: Inputs, donor: Donor) -> Inputs:
    """The inputs of a donor: other texts, with the same masks but no other edits.

    Each is read with each target of the inputs, or with each second segment, in turn.
    """
    texts, beside = donor.texts, inputs.beside
    times = 1 if beside is None else len(beside)

    def with_each(given: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return None if given is None else tuple(each for each in given for _ in texts)

    return replace(
        inputs,
        texts=texts * times,
        names=donor.names * times,
        targets=with_each(inputs.targets),
        ids=None,
        pairs=with_each(inputs.pairs),
        special_tokens=None if inputs.adds_special else False,
        target_special_tokens=inputs.adds_special_to_targets,
        masks=replace(inputs.masks, blocked=(), allowed=()),
        muted=(),
        interventions=(),
        generate=None,
        stream=False,
    )


def muting(sites: Sequence[SiteInfo], muted: Bool[Tensor, "row site head"]) -> Editor:
    """The editor that mutes other heads in each row."""
    return AffineEdits(
        {
            Place("z", site.layer, site.kind): Affine(
                (~here)[:, : site.n_heads, None, None].float()
            )
            for site, here in zip(sites, muted.unbind(1), strict=True)
            if bool(here.any())
        }
    )


def edited(edits: AffineEdits | None, layer: int, kind: SiteKind = "self") -> dict[str, Any]:
    """What a site keeps of its edits: to derive z as it was, and to tell what was frozen."""
    if edits is None:
        return {}
    z = edits.at.get(Place("z", layer, kind))
    of_z = {} if z is None else {"z_scale": z.scale, "z_shift": z.shift}
    reads: tuple[Point, ...] = ("q", "k", "v")
    follows = {
        point: affine.scale
        for point in reads
        if (affine := edits.at.get(Place(point, layer, kind))) is not None
    }
    return of_z | {"follows": follows}

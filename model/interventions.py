"""Interventions: changes of what a head, a feed-forward network or the stream gives during a run.

They say what causes what: change one part, leave the rest, and see what the answer does. A row of
`KINDS` is one kind. Each intervention becomes an affine edit (`model/core/editing.py`) at the
points where it acts; where several act on the same part, they do so in their order.

Some kinds need what another run computes: a donor. A donor runs with the masks of the edited run,
but without painted cells, mutes and interventions; "freeze" kinds keep painted cells too, because
their donor is the same text.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from model.core.editing import Affine, AffineEdits, Capture, Place, Point
from model.core.tokenizer import Token
from model.errors import InputError, UnavailableError
from model.kinds import SiteKind
from model.listing import layers_in_words
from model.message import Message

_DONORS = (Message("The source"), Message("The sentence to subtract"))

Kind = Literal[
    "zero", "mean", "resample", "patch", "scale", "add", "freeze_pattern", "freeze_values"
]
At = Literal["head", "mlp", "resid_pre", "resid_mid", "resid_post"]
Field = Literal["positions", "factor", "texts", "source", "minus", "pairs", "token", "vector"]
DIRECTIONS: tuple[Field, ...] = ("vector", "token", "source")  # what "add" takes one of

POINTS: Mapping[At, Point] = {
    "head": "z",
    "mlp": "mlp_out",
    "resid_pre": "resid_pre",
    "resid_mid": "resid_mid",
    "resid_post": "resid_post",
}
ANYWHERE: tuple[At, ...] = get_args(At)


@dataclass(frozen=True, kw_only=True)
class Row:
    """Everything about one kind of intervention."""

    about: str  # what it does, as a sentence
    takes: tuple[Field, ...] = ("positions",)  # besides where it acts
    needs: tuple[Field, ...] = ()  # those of `takes` that must be given
    acts_at: tuple[At, ...] = ANYWHERE
    points: tuple[Point, ...] = ()  # of a head; () means its z
    donor: Literal["source", "texts", "itself"] | None = None  # whose run it needs


KINDS: Mapping[Kind, Row] = {
    "zero": Row(about="Set it to 0."),
    "mean": Row(
        about="Set it to its mean over all tokens of `texts`, special tokens included.",
        takes=("positions", "texts"),
        needs=("texts",),
        donor="texts",
    ),
    "resample": Row(
        about="Set it to what it is in another sentence, `source`, at the same position. Both "
        "must have the same number of tokens (resample ablation: Chan et al. 2022).",
        takes=("positions", "source"),
        needs=("source",),
        donor="source",
    ),
    "patch": Row(
        about="Set it to what it is in another sentence, `source`, at an aligned position "
        "(activation patching: Meng et al. 2022). Tokens are aligned by their position, or by "
        "`pairs`.",
        takes=("positions", "source", "pairs"),
        needs=("source",),
        donor="source",
    ),
    "scale": Row(
        about="Multiply it by `factor`.", takes=("positions", "factor"), needs=("factor",)
    ),
    "add": Row(
        about="Add `factor` times a vector (by default, once) to it. The vector is `vector`, with "
        "as many numbers as the part gives for a token; or the unembedding of `token`, the "
        "direction that raises its logit; or what the part gives at the last token of `source`, "
        "less what it gives at that of `minus`, if there is one (activation addition: Turner et "
        "al. 2023).",
        takes=("positions", "factor", "vector", "token", "source", "minus"),
        donor="source",
    ),
    "freeze_pattern": Row(
        about="Keep the head's pattern as it is without interventions and mutes, while its values "
        "change with them.",
        takes=(),
        acts_at=("head",),
        points=("q", "k"),
        donor="itself",
    ),
    "freeze_values": Row(
        about="Keep the head's values as they are without interventions and mutes, while its "
        "pattern changes with them. Positions are those of the keys.",
        acts_at=("head",),
        points=("v",),
        donor="itself",
    ),
}


class Donor(NamedTuple):
    """The texts of another run; () means the edited texts themselves."""

    texts: tuple[str, ...]
    names: tuple[str, ...]  # what errors call them, at the start of a sentence


@dataclass(frozen=True, kw_only=True, slots=True)
class Intervention:
    """One intervention. Fields that its kind does not take are None."""

    kind: Kind
    at: At
    layer: int
    head: int | None = None  # None: all heads of the layer; only for `at` "head"
    site: SiteKind | None = None  # of an encoder–decoder; None: all kinds of sites
    text: int | None = None  # None: all texts
    positions: tuple[int, ...] | None = None  # in the padded text; None: all
    factor: float | None = None
    texts: tuple[str, ...] | None = None
    source: str | None = None
    minus: str | None = None  # the sentence that is subtracted from the source
    token: int | str | None = None  # its id, or a text that is read as one token
    vector: tuple[float, ...] | None = None
    # [position in the source, position in the text]; None aligns equal positions from the start
    pairs: tuple[tuple[int, int], ...] | None = None

    def __post_init__(self) -> None:
        row = KINDS[self.kind]
        if self.at not in row.acts_at:
            raise InputError(
                f"{self.kind} acts on a {' or '.join(row.acts_at)}; got {self.at}.", field="at"
            )
        if self.head is not None and self.at != "head":
            raise InputError(f'`head` goes with `at` "head", not with "{self.at}".', field="head")
        for name in get_args(Field):
            given = getattr(self, name) is not None
            if given and name not in row.takes:
                raise InputError(f"{self.kind} takes no `{name}`: leave it out.", field=name)
            if not given and name in row.needs:
                raise InputError(f"{self.kind} needs `{name}`.", field=name)
        if self.kind == "add":
            self._check_direction()
        if self.pairs is not None and self.positions is not None:
            raise InputError(
                "`pairs` already name the positions: leave out `positions`.", field="positions"
            )

    def _check_direction(self) -> None:
        given = [name for name in DIRECTIONS if getattr(self, name) is not None]
        if len(given) != 1:
            found = " and ".join(f"`{name}`" for name in given) or "none"
            raise InputError(
                f"add needs one of `vector`, `token` and `source`; got {found}.",
                field=given[-1] if given else "vector",
            )
        if self.minus is not None and self.source is None:
            raise InputError(
                "`minus` is subtracted from `source`, which is missing.", field="minus"
            )
        if self.token is not None and self.at == "head":
            raise InputError(
                "A token's direction is as wide as the stream, but a head's z is not: choose mlp "
                "or a place of the stream.",
                field="at",
            )

    @property
    def donors(self) -> tuple[str, ...] | None:
        """The texts whose run it needs; () means the edited texts themselves, None no run."""
        match KINDS[self.kind].donor:
            case "source":
                if self.kind == "add" and self.source is None:
                    return None
                return (self.source or "", *([] if self.minus is None else [self.minus]))
            case "texts":
                return self.texts
            case "itself":
                return ()
        return None

    @property
    def donor(self) -> Donor | None:
        """The run that it needs besides the edited one."""
        texts = self.donors
        if texts is None:
            return None
        if self.source is not None:
            return Donor(texts, _DONORS[: len(texts)])
        return Donor(
            texts, tuple(Message("Sentence {n} of the mean", n=n + 1) for n in range(len(texts)))
        )


Rows = Sequence[Sequence[Token]]
Tokens = Mapping[SiteKind, Rows]  # of the queries, or of the keys, of each kind of sites


class Layout(NamedTuple):
    """What must be known of a model and its tokens to place interventions."""

    name: str  # of the model
    heads: Mapping[tuple[SiteKind, int], int]  # the number of heads at each site, by kind and layer
    acts_at: tuple[At, ...]
    why_not: str  # why it does not act at the others, as a sentence
    tokens: Tokens  # of the queries
    key_tokens: Tokens
    # the row of the unembedding of a token, by its id or its text (d_model); None: there is none
    direction: Callable[[int | str], Tensor] | None = None


# Runs the texts of a donor, or if there are none the edited texts, with an editor; returns the
# tokens of the queries. Each text runs with each target of the edited run, or with each second
# segment, in turn.
RunDonor = Callable[[Donor, Capture], Tokens]


def edits_of(interventions: Sequence[Intervention], layout: Layout, run: RunDonor) -> AffineEdits:
    """The interventions as an editor for one batch. Each set of donor texts runs once.

    Raises:
        InputError: there is no such layer, head, text or position, or the texts do not align.
        UnavailableError: this model cannot be changed there.
    """
    places = [list(_places(one, layout, n)) for n, one in enumerate(interventions)]
    runs: dict[tuple[str, ...], tuple[Capture, Tokens]] = {}
    for n, one in enumerate(interventions):
        donor = one.donor
        if donor is None or donor.texts in runs:
            continue
        wanted = {
            place
            for other, at in zip(interventions, places, strict=True)
            if other.donors == donor.texts
            for place in at
        }
        capture = Capture(frozenset(wanted))
        try:
            runs[donor.texts] = capture, run(donor, capture)
        except InputError as error:
            error.field = _donor_field(error.field, one, n)
            raise
    at: dict[Place, Affine] = {}
    for n, (one, of_one) in enumerate(zip(interventions, places, strict=True)):
        for place in of_one:
            given = None
            if one.donors is not None:
                capture, tokens = runs[one.donors]
                given = capture.found[place], tokens[place.kind]
            before = at.get(place) or _nothing(place, layout)
            at[place] = _edited(before, one, place, layout, given, f"interventions.{n}")
    return AffineEdits(at)


def _places(one: Intervention, layout: Layout, n: int) -> Iterator[Place]:
    """Where an intervention acts; checked."""
    field = f"interventions.{n}"
    if one.at not in layout.acts_at:
        raise UnavailableError(f"{layout.name}: {layout.why_not}", field=f"{field}.at")
    sites = [kind_layer for kind_layer in layout.heads if one.site in (None, kind_layer[0])]
    has_decoder = any(kind == "decoder" for kind, _ in layout.heads)
    if one.at != "head" and has_decoder:  # a layer with two sites, but one feed-forward network
        sites = [(kind, layer) for kind, layer in sites if kind != "cross"]
        if one.site == "cross":
            raise InputError(
                f"A cross-attention site has no {one.at} of its own: name the decoder.",
                field=f"{field}.site",
            )
    if not sites:
        kinds = ", ".join(dict.fromkeys(kind for kind, _ in layout.heads))
        raise InputError(
            f"{layout.name} has only {kinds} sites; got {one.site}.", field=f"{field}.site"
        )
    found = [(kind, layer) for kind, layer in sites if layer == one.layer]
    if not found:
        layers = layers_in_words(layer for _, layer in sites)
        raise InputError(f"{layout.name} has {layers}; got {one.layer}.", field=f"{field}.layer")
    points = KINDS[one.kind].points if one.at == "head" else ()
    for kind, layer in found:
        n_heads = layout.heads[kind, layer]
        if one.head is not None and one.head >= n_heads:
            raise InputError(
                f"Layer {layer} of {layout.name} has heads 0 to {n_heads - 1}; got {one.head}.",
                field=f"{field}.head",
            )
        yield from (Place(point, layer, kind) for point in points or (POINTS[one.at],))


def _rows_at(place: Place, layout: Layout) -> Rows:
    """The tokens along the positions of the tensor at a place."""
    rows = layout.key_tokens if place.point in ("k", "v") else layout.tokens
    return rows[place.kind]


def _nothing(place: Place, layout: Layout) -> Affine:
    """The edit that changes nothing."""
    rows = _rows_at(place, layout)
    heads = [layout.heads[place.kind, place.layer]] if place.point in ("q", "k", "v", "z") else []
    return Affine(torch.ones(len(rows), *heads, len(rows[0]), 1))


def _edited(
    before: Affine,
    one: Intervention,
    place: Place,
    layout: Layout,
    given: tuple[Tensor, Rows] | None,
    field: str,
) -> Affine:
    """One more edit at a place; `given` is what the donor computed there, with its tokens."""
    rows = _rows_at(place, layout)
    chosen = _chosen(one, rows, field)  # batch pos
    values = None
    if given is not None and one.kind != "add":
        there, tokens = given
        match KINDS[one.kind].donor:
            case "itself":
                values = there
            case "texts":
                values = _mean(there, tokens).expand(*before.scale.shape[:-1], -1)
            case "source":
                values, aligned = _aligned(one, there, tokens, rows, field)
                chosen = chosen & aligned
    where = chosen[..., None]  # batch pos 1
    if before.scale.dim() == 4:
        heads = torch.zeros(before.scale.shape[1], dtype=torch.bool)
        heads[slice(None) if one.head is None else one.head] = True
        where = where[:, None] & heads[:, None, None]  # batch head pos 1
    if one.kind == "add":
        values = _vector(one, layout, given, rows, field)
    if values is not None and before.shift is not None:
        n, own = values.shape[-1], before.shift.shape[-1]
        if n != own:
            raise InputError(
                f"This part gives {own} numbers for each token; the vector has {n}.",
                field=f"{field}.vector",
            )
    if one.kind == "add" and values is not None:
        return before.then_add(where, values * (1.0 if one.factor is None else one.factor))
    if values is not None:
        return before.then_set(where, values)
    factor = 0.0 if one.factor is None else one.factor
    return before.times(torch.where(where, factor, 1.0))


def _vector(
    one: Intervention,
    layout: Layout,
    given: tuple[Tensor, Rows] | None,
    rows: Rows,
    field: str,
) -> Float[Tensor, "*batch d"]:
    """What is added, for every position: the same for all texts, or (batch *head 1 d)."""
    if one.vector is not None:
        return torch.tensor(one.vector)
    if one.token is not None:
        if layout.direction is None:
            raise UnavailableError(
                f"{layout.name} has no unembedding that is one matrix, so a token has no direction "
                "in its stream.",
                field=f"{field}.token",
            )
        try:
            return layout.direction(one.token).float()
        except InputError as error:
            error.field = f"{field}.token"
            raise
    assert given is not None
    there, tokens = given
    last = [max(at for at, token in enumerate(row) if not token.padding) for row in tokens]
    ends = torch.stack([there[n, ..., at, :] for n, at in enumerate(last)])  # row *head d
    n_donors = len(one.donors or ())
    # of each target or second segment in turn, or of all texts
    found = ends[::n_donors] - ends[1::n_donors] if n_donors > 1 else ends
    return found.expand(len(rows), *found.shape[1:])[..., None, :]


def _chosen(one: Intervention, rows: Rows, field: str) -> Bool[Tensor, "batch pos"]:
    """The texts and positions that an intervention names."""
    n_texts, n = len(rows), len(rows[0])
    if one.text is not None and one.text >= n_texts:
        raise InputError(
            f"This run has texts 0 to {n_texts - 1}; got {one.text}.", field=f"{field}.text"
        )
    named = [to for _, to in one.pairs] if one.pairs is not None else one.positions
    for position in named or ():
        if position >= n:
            raise InputError(
                f"This run has positions 0 to {n - 1}; got {position}.",
                field=f"{field}.{'pairs' if one.pairs is not None else 'positions'}",
            )
    chosen = torch.zeros(n_texts, n, dtype=torch.bool)
    texts = slice(None) if one.text is None else slice(one.text, one.text + 1)
    if named is None:
        chosen[texts] = True
    else:
        chosen[texts, list(named)] = True
    return chosen


def _mean(there: Tensor, tokens: Rows) -> Float[Tensor, "*head 1 d"]:
    """The mean over all tokens of all texts that are not padding."""
    real = torch.tensor([[not token.padding for token in row] for row in tokens])
    if there.dim() == 4:
        return there.transpose(1, 2)[real].mean(0)[:, None]
    return there[real].mean(0)[None]


def _aligned(
    one: Intervention, there: Tensor, tokens: Rows, rows: Rows, field: str
) -> tuple[Tensor, Bool[Tensor, "batch pos"]]:
    """What the source gives to each position of each text, and the positions that get something."""
    values = there.new_zeros(len(rows), *there.shape[1:-2], len(rows[0]), there.shape[-1])
    aligned = torch.zeros(len(rows), len(rows[0]), dtype=torch.bool)
    for text, row in enumerate(rows):
        if one.text not in (None, text):
            continue
        own = (
            text if len(tokens) > 1 else 0
        )  # the source with the target, or the second segment, of this text
        real = [at for at, token in enumerate(tokens[own]) if not token.padding]
        n_source = len(real)
        pairs = one.pairs
        if pairs is None:
            what = Message("Text {n}", n=text + 1)
            pairs = aligned_pairs(row, n_source, what, f"{field}.source")
        for source, to in pairs:
            if source >= n_source:
                raise InputError(
                    f"The source has positions 0 to {n_source - 1}; got {source}.",
                    field=f"{field}.pairs",
                )
            values[text, ..., to, :] = there[own, ..., real[source], :]
            aligned[text, to] = True
    return values, aligned


def aligned_pairs(
    row: Sequence[Token],
    n_source: int,
    what: str,
    field: str,
    other: str = Message("the source"),
) -> tuple[tuple[int, int], ...]:
    """Pairs of equal positions, counted from the first real token: (in the source, in the row).

    Raises:
        InputError: the typed tokens of the row are not as many (code "not_aligned"); `what` names
            the row and `other` the other text.
    """
    typed = [at for at, token in enumerate(row) if not token.padding and not token.generated]
    if len(typed) != n_source:
        raise InputError(
            Message(
                "{text} has {n} token and {other} has {others}, so their tokens do not align. Make "
                "both equally long.",
                "{text} has {n} tokens and {other} has {others}, so their tokens do not align. "
                "Make both equally long.",
                text=what,
                n=len(typed),
                other=other,
                others=n_source,
            ),
            code="not_aligned",
            field=field,
        )
    return tuple(enumerate(typed))


def _donor_field(field: str | None, one: Intervention, n: int) -> str:
    """The field of a donor's text, for an error in its run."""
    own: str | None = KINDS[one.kind].donor
    place = (field or "").removeprefix("texts.")
    if one.minus is not None and place.isdigit() and int(place) % 2:
        own = "minus"  # read with each target
    if own != "texts" or not place.isdigit():
        return f"interventions.{n}.{own}"
    return f"interventions.{n}.texts.{int(place) % len(one.texts or ())}"  # read with each target


def within(interventions: Sequence[Intervention], n: int) -> tuple[Intervention, ...]:
    """The interventions without positions from `n` on, for a text that is still being generated."""
    found = []
    for one in interventions:
        if one.positions is not None:
            one = replace(one, positions=tuple(at for at in one.positions if at < n))
        if one.pairs is not None:
            one = replace(one, pairs=tuple(pair for pair in one.pairs if pair[1] < n))
        found.append(one)
    return tuple(found)


def overflow() -> InputError:
    """The error for a run whose interventions make its numbers too large (code "overflow")."""
    return InputError(
        Message(
            "With these interventions the numbers grow beyond the range of float32. Use smaller "
            "factors, or fewer interventions."
        ),
        code="overflow",
        field="interventions",
    )

"""What a source gives and a view draws: a `Trace`, with one `Site` for each place that attends.

A site keeps what went into attention: q, k, v, the mask, the scale and the rest. `scores`,
`pattern`, `z` and `result` are derived on demand, for the heads and rows that somebody looks at, by
the function that the forward pass used. So a trace holds O(tokens · d_model), and only what is
looked at is paid for.
"""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, fields
from typing import Literal

import torch
import torch.nn.functional as F
from einops import einsum
from jaxtyping import Float
from torch import Tensor

from model.attention import Attention, SoftmaxOver, attend
from model.errors import InputError, NumericsError, UnavailableError
from model.masks import BlockedSlice, Mask, stripes_of
from model.tokenizer import Token

SiteKind = Literal["self", "encoder", "decoder", "cross"]
TokenAxis = Literal["tokens", "target_tokens"]
TensorName = Literal["q", "k", "v", "scores", "pattern", "z", "result", "blocked_by"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Site:
    """One place that attends: a layer of a stack, or its cross-attention."""

    name: str  # "layers.2", "decoder.layers.2.cross"
    kind: SiteKind
    layer: int
    mask: Mask
    n_heads: int
    n_kv_heads: int  # fewer than n_heads with grouped queries; k and v below are expanded
    scale: float
    q: Float[Tensor, "batch head query d_head"] | None = None  # as it enters the dot product
    k: Float[Tensor, "batch head key d_head"] | None = None
    v: Float[Tensor, "batch head key d_head"] | None = None
    # of a source without q, k, v
    stored_pattern: Float[Tensor, "batch head query key"] | None = None
    bias: Float[Tensor, "#batch #head query key"] | None = None
    soft_cap: float | None = None
    sink: Float[Tensor, " head"] | None = None
    softmax_over: SoftmaxOver = "key"
    w_o: Float[Tensor, "head d_head d_model"] | None = None  # a parameter, not counted in nbytes
    muted: tuple[int, ...] = ()
    query_tokens: TokenAxis = "tokens"
    key_tokens: TokenAxis = "tokens"

    @property
    def blocked_slices(self) -> tuple[BlockedSlice, ...]:
        """Slices of the softmax axis with no allowed cell: rows, or columns (over queries)."""
        return self.mask.blocked_rows if self.softmax_over == "key" else self.mask.blocked_columns

    @property
    def tensors(self) -> tuple[TensorName, ...]:
        """The names that `derive` can give here."""
        if self.q is None:
            return ("pattern", "blocked_by")
        known: tuple[TensorName, ...] = ("q", "k", "v", "scores", "pattern", "z", "blocked_by")
        return known if self.w_o is None else (*known, "result")

    def derive(
        self,
        names: Collection[TensorName],
        *,
        heads: Sequence[int] | None = None,
        rows: slice = slice(None),
    ) -> dict[TensorName, Tensor]:
        """The named tensors for some heads and query rows.

        Shapes: q and z (batch head row d_head); k and v (batch head key d_head), for every key;
        scores and pattern (batch head row key); result (batch head row d_model); blocked_by
        (batch, 1 or head, row, key).

        Raises:
            InputError: a head that is not there.
            UnavailableError: a tensor that this site does not have.
            NumericsError: a number that is not finite.
        """
        missing = [name for name in names if name not in self.tensors]
        if missing:
            raise UnavailableError(
                f"{self.name} cannot give {', '.join(missing)}; it has {', '.join(self.tensors)}.",
                field="select.tensors",
            )
        chosen = self._heads(heads)
        found: dict[TensorName, Tensor] = {}
        if self.q is not None and self.k is not None and self.v is not None:
            found |= {"q": self.q[:, chosen, rows], "k": self.k[:, chosen], "v": self.v[:, chosen]}
        if {"scores", "pattern", "z", "result"} & set(names):
            found |= self._attention(chosen, rows)
        if "result" in names and self.w_o is not None:
            found["result"] = einsum(
                found["z"],
                self.w_o[chosen],
                "b head row d_head, head d_head d_model -> b head row d_model",
            )
        if "blocked_by" in names:
            reasons = self.mask.blocked_by(rows)
            found["blocked_by"] = reasons if reasons.shape[1] == 1 else reasons[:, chosen]
        derived = {name: found[name] for name in names}
        for name, tensor in derived.items():
            if not _all_finite(tensor):
                raise NumericsError(
                    f"{self.name}.{name} has numbers that are not finite; expected all finite."
                )
        return derived

    def thumbnail(
        self, resolution: int, *, heads: Sequence[int] | None = None
    ) -> Float[Tensor, "batch head row col"]:
        """The pattern max-pooled to at most `resolution`², derived in stripes of rows.

        Maximum, not mean: one bright cell must not vanish because its neighbours are dark.
        """
        height, width = min(resolution, self.mask.n_query), min(resolution, self.mask.n_key)
        stripes = [
            F.adaptive_max_pool2d(pattern, (pattern.shape[2], width))
            for rows in stripes_of(self.mask.n_query)
            for pattern in [self.derive(["pattern"], heads=heads, rows=rows)["pattern"]]
        ]
        return F.adaptive_max_pool2d(torch.cat(stripes, dim=2), (height, width))

    def _heads(self, heads: Sequence[int] | None) -> list[int]:
        if heads is None:
            return list(range(self.n_heads))
        for head in heads:
            if not 0 <= head < self.n_heads:
                raise InputError(
                    f"{self.name} has heads 0 to {self.n_heads - 1}; got {head}.",
                    field="select.heads",
                )
        return list(heads)

    def _attention(self, heads: list[int], rows: slice) -> dict[TensorName, Tensor]:
        if self.stored_pattern is not None:
            return {"pattern": self.stored_pattern[:, heads, rows]}
        assert self.q is not None and self.k is not None and self.v is not None
        # columns are normalised over all rows: those are derived whole, and cut afterwards
        needed = rows if self.softmax_over == "key" else slice(None)
        mask, bias = self.mask.allows(needed), self.bias
        if bias is not None:
            bias = (bias if bias.shape[1] == 1 else bias[:, heads])[:, :, needed]
        attention = attend(
            self.q[:, heads, needed],
            self.k[:, heads],
            self.v[:, heads],
            mask=mask if mask.shape[1] == 1 else mask[:, heads],
            scale=self.scale,
            bias=bias,
            soft_cap=self.soft_cap,
            sink=None if self.sink is None else self.sink[heads],
            softmax_over=self.softmax_over,
            need="all",
        )
        if needed != rows:
            attention = Attention(*(tensor[:, :, rows] for tensor in attention))
        silent = [place for place, head in enumerate(heads) if head in self.muted]
        z = attention.z.index_fill(1, torch.tensor(silent), 0.0) if silent else attention.z
        return {"scores": attention.scores, "pattern": attention.pattern, "z": z}


def _all_finite(tensor: Tensor) -> bool:
    """By the two extremes, which NaN reaches too: ten times quicker than asking every number."""
    if not tensor.is_floating_point() or tensor.numel() == 0:
        return True
    return all(math.isfinite(extreme.item()) for extreme in tensor.aminmax())


@dataclass(frozen=True)
class Prediction:
    """A candidate for the next token."""

    id: int
    text: str
    probability: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Trace:
    """One run of one model over a batch of texts."""

    model: str
    tokens: tuple[tuple[Token, ...], ...]  # of one length: the shorter texts are padded
    pad_id: int
    sites: tuple[Site, ...]
    target_tokens: tuple[tuple[Token, ...], ...] | None = None
    resid: Float[Tensor, "batch pos d_model"] | None = None  # after the last norm; None: no LM head
    unembed: Callable[[Tensor], Tensor] | None = None
    token_text: Callable[[int], str] | None = None

    def predict(
        self, *, top_k: int, position: int | None = None, temperature: float = 1.0
    ) -> list[list[Prediction]]:
        """The likeliest next tokens of each text, softmax(logits / temperature), at a position.

        `position` counts the padded sequence; None is each text's last real token.

        Raises:
            UnavailableError: the model has no language-model head.
            InputError: a position, temperature or top_k that makes no sense.
            NumericsError: a logit that is not finite.
        """
        if self.resid is None or self.unembed is None or self.token_text is None:
            raise UnavailableError(
                f"{self.model} has no language-model head, so it predicts nothing.", field="predict"
            )
        n = self.resid.shape[1]
        if position is not None and not 0 <= position < n:
            raise InputError(
                f"This trace has positions 0 to {n - 1}; got {position}.", field="predict.position"
            )
        if not 0 < temperature < float("inf"):
            raise InputError(
                f"A temperature is a number above 0; got {temperature}.",
                field="predict.temperature",
            )
        if top_k < 1:
            raise InputError(f"Expected at least 1 prediction; got {top_k}.", field="predict.top_k")
        predictions = []
        for text, tokens in enumerate(self.read_tokens):
            last = max((i for i, token in enumerate(tokens) if token.id != self.pad_id), default=0)
            logits = self.unembed(self.resid[text, last if position is None else position])
            if not bool(logits.isfinite().all()):
                raise NumericsError(f"{self.model}'s logits are not finite; expected all finite.")
            # from the largest down, in double: no temperature overflows
            logits = (logits - logits.max()).double() / temperature
            best = logits.softmax(-1).topk(min(top_k, logits.shape[-1]))
            predictions.append(
                [
                    Prediction(id, self.token_text(id), probability)
                    for probability, id in zip(
                        best.values.tolist(), best.indices.tolist(), strict=True
                    )
                ]
            )
        return predictions

    @property
    def read_tokens(self) -> tuple[tuple[Token, ...], ...]:
        """The tokens whose successor is predicted: the target's where there is one."""
        return self.tokens if self.target_tokens is None else self.target_tokens

    @property
    def nbytes(self) -> int:
        """Memory that keeping this trace costs; a storage shared by several tensors counts once."""
        storages = {}
        holders: list[Trace | Site | Mask] = [self, *self.sites, *(s.mask for s in self.sites)]
        for holder in holders:
            for field in fields(holder):
                value = getattr(holder, field.name)
                if isinstance(value, Tensor) and field.name != "w_o":
                    storage = value.untyped_storage()
                    storages[storage.data_ptr()] = storage.nbytes()
        return sum(storages.values())

"""What a source gives and a view draws: a `Trace`, with one `Site` for each place that attends.

A trace keeps the tokens, the sites (`model/site.py`) and the residual stream; predictions and the
logit lens are read off it.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal

from jaxtyping import Float
from torch import Tensor

from model.errors import InputError, UnavailableError
from model.predictions import (
    Lens,
    LensStage,
    Listed,
    Nucleus,
    Prediction,
    likeliest,
    listed,
    log_softmax,
    nucleus,
)
from model.site import Site, derived_together
from model.sources.settings import SourceSettings
from model.tokenizer import Token


@dataclass(frozen=True, kw_only=True, eq=False)
class Trace:
    """One run of one model over a batch of texts."""

    model: str
    tokens: tuple[tuple[Token, ...], ...]  # of one length: the shorter texts are padded
    sites: tuple[Site, ...]
    target_tokens: tuple[tuple[Token, ...], ...] | None = None
    # the residual stream before the first layer and after each, each through the last norm; None:
    # no LM head
    stages: Float[Tensor, "stage batch pos d_model"] | None = None
    unembed: Callable[[Tensor], Tensor] | None = None
    token_text: Callable[[int], str] | None = None
    special_ids: Collection[int] = frozenset()  # tokens that no typed text gives
    predicts: Literal["next", "fill"] | None = None  # what is read at a place: the token after it,
    # or the one there, which is what a masked-language model tells
    read_at: tuple[int | None, ...] | None = None  # each text's first mask token
    settings: SourceSettings | None = None  # of a source that takes some: as it ran

    def predict(
        self,
        *,
        top_k: int,
        position: int | None = None,
        temperature: float = 1.0,
        top_p: float | None = None,
        tokens: Sequence[int] = (),
        unedited: "Trace | None" = None,
    ) -> list[list[Listed]]:
        """The likeliest next tokens of each text, softmax(logits / temperature), at a position.

        `position` counts the padded sequence; None is each text's last real token. `top_p` leaves
        out what is not in the nucleus; probabilities stay those of the whole vocabulary. `unedited`
        is a trace of the same tokens: each prediction tells its probability there, and what would
        be listed there is listed as well, after the others, as are `tokens`.

        Raises:
            UnavailableError: the model has no language-model head.
            InputError: a position, temperature, top_k, top_p or token that makes no sense.
            NumericsError: a logit that is not finite.
        """
        rows = self._log_p(position, temperature)
        plain = None if unedited is None else unedited._log_p(position, temperature)
        _check_top_k(top_k, "predict")
        _check_top_p(top_p)
        n_vocab = len(rows[0])
        for id in tokens:
            if not 0 <= id < n_vocab:
                raise InputError(
                    f"{self.model} has token ids 0 to {n_vocab - 1}; got {id}.",
                    field="predict.tokens",
                )

        def n(log_p: Tensor) -> int:
            return top_k if top_p is None else min(top_k, nucleus(log_p, top_p).tokens)

        _, _, token_text = self.head("predict")
        return [
            list(
                listed(
                    log_p,
                    n(log_p),
                    token_text,
                    special=self.special_ids,
                    unedited=None if plain is None else (plain[text], n(plain[text])),
                    also=tokens,
                )
            )
            for text, log_p in enumerate(rows)
        ]

    def nuclei(
        self, *, top_p: float, position: int | None = None, temperature: float = 1.0
    ) -> list[Nucleus]:
        """The nucleus of each text, as `predict` cuts it.

        Raises:
            As `predict` does.
        """
        _check_top_p(top_p)
        return [nucleus(log_p, top_p) for log_p in self._log_p(position, temperature)]

    def _log_p(
        self, position: int | None, temperature: float
    ) -> list[Float[Tensor, " vocab_size"]]:
        """ln softmax(logits / temperature) of each text."""
        stages, unembed, _ = self.head("predict")
        positions = self.read_positions(position, "predict")
        if not 0 < temperature < float("inf"):
            raise InputError(
                f"A temperature is a number above 0; got {temperature}.",
                field="predict.temperature",
            )
        return [
            log_softmax(unembed(stages[-1, text, place]), model=self.model, temperature=temperature)
            for text, place in enumerate(positions)
        ]

    def lens(self, *, top_k: int, position: int | None = None) -> list[Lens]:
        """The likeliest next tokens of each text if the model stopped at each stage.

        The logit lens (nostalgebraist 2020): softmax(norm(resid) · W_U) of the residual stream
        before the first layer and after each, at one position. The last stage is what `predict`
        says at temperature 1.

        Raises:
            UnavailableError: the model has no language-model head.
            InputError: a position or top_k that makes no sense.
            NumericsError: a logit that is not finite.
        """
        stages, unembed, token_text = self.head("analyse.lens")
        positions = self.read_positions(position, "analyse.lens")
        _check_top_k(top_k, "analyse.lens")
        layers = "layers" if self.target_tokens is None else "decoder.layers"
        lenses = []
        for text, place in enumerate(positions):
            log_p = log_softmax(unembed(stages[:, text, place]), model=self.model)
            final = int(log_p[-1].argmax())
            read = [
                LensStage(
                    name="embedding" if stage == 0 else f"{layers}.{stage - 1}",
                    layer=None if stage == 0 else stage - 1,
                    candidates=likeliest(here, top_k, token_text),
                    final=Prediction(final, token_text(final), here[final].exp().item()),
                )
                for stage, here in enumerate(log_p)
            ]
            lenses.append(Lens(place, tuple(read)))
        return lenses

    def read_positions(self, position: int | None, field: str) -> list[int]:
        """Where each text is read: at `position`, or, for None, at its first mask token, or else
        at its last real one.

        Raises:
            InputError: no such position (its field is `field`.position).
        """
        rows = self.read_tokens
        if position is None:
            masks = self.read_at or (None,) * len(rows)
            return [
                last_real(row) if mask is None else mask
                for row, mask in zip(rows, masks, strict=True)
            ]
        if not 0 <= position < len(rows[0]):
            raise InputError(
                f"This trace has positions 0 to {len(rows[0]) - 1}; got {position}.",
                field=f"{field}.position",
            )
        return [position] * len(rows)

    @property
    def read_tokens(self) -> tuple[tuple[Token, ...], ...]:
        """The tokens whose successor is predicted: the target's where there is one."""
        return self.tokens if self.target_tokens is None else self.target_tokens

    def head(self, field: str) -> tuple[Tensor, Callable[[Tensor], Tensor], Callable[[int], str]]:
        """The stages and how to read them.

        Raises:
            UnavailableError: there is no language-model head.
        """
        if self.stages is None or self.unembed is None or self.token_text is None:
            raise UnavailableError(
                f"{self.model} has no language-model head, so it predicts nothing.", field=field
            )
        return self.stages, self.unembed, self.token_text

    def with_patterns(self) -> "Trace":
        """The same, with the patterns of all sites derived together, for several looks at them.

        For the time of an answer: to keep it would take memory of O(heads · tokens²).
        """
        return replace(self, sites=derived_together(self.sites))

    @property
    def nbytes(self) -> int:
        """Memory that keeping this trace costs; a storage shared by several tensors counts once.

        Parameters are not counted, except those made for a request's settings: nothing else keeps
        them.
        """
        storages = {}
        holders: list[Trace | Site] = [self, *self.sites]
        for holder in holders:
            for field in fields(holder):
                value = getattr(holder, field.name)
                if isinstance(value, Tensor) and (field.name != "w_o" or self.settings is not None):
                    storage = value.untyped_storage()
                    storages[storage.data_ptr()] = storage.nbytes()
        masks = {id(site.mask): site.mask.nbytes for site in self.sites}
        return sum(storages.values()) + sum(masks.values())


def last_real(row: Sequence[Token]) -> int:
    """Where the last token that is not padding stands."""
    return max((place for place, token in enumerate(row) if not token.padding), default=0)


def _check_top_k(top_k: int, field: str) -> None:
    if top_k < 1:
        raise InputError(f"Expected at least 1 prediction; got {top_k}.", field=f"{field}.top_k")


def _check_top_p(top_p: float | None) -> None:
    if top_p is not None and not 0 < top_p <= 1:
        raise InputError(
            f"A nucleus holds a share above 0, up to 1; got {top_p}.", field="predict.top_p"
        )

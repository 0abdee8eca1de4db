"""The result of a run, which a source returns and views draw: a `Trace`, with one `Site` per layer.

A trace keeps the tokens, the sites (`model/trace/site.py`) and the residual stream. Predictions and
the logit lens are computed from it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

import torch
from jaxtyping import Float
from torch import Tensor

from model.core.tokenizer import Token
from model.errors import InputError, UnavailableError
from model.kinds import Predicts
from model.lazy import lazy
from model.listing import layers_in_words
from model.trace.predictions import (
    Lens,
    LensStage,
    Listed,
    Measured,
    Nucleus,
    Prediction,
    likeliest,
    listed,
    log_softmax,
    nucleus,
)
from model.trace.recorded import SiteKind, TokenAxis
from model.trace.settings import SourceSettings
from model.trace.site import Site, derived_together
from model.trace.stream import Stream
from model.trace.words import Word, words_of_row


@dataclass(frozen=True, kw_only=True, eq=False)
class Trace:
    """One run of one model over a batch of texts."""

    model: str
    tokens: tuple[tuple[Token, ...], ...]  # rows of equal length; shorter texts are padded
    sites: tuple[Site, ...]
    target_tokens: tuple[tuple[Token, ...], ...] | None = None
    # the residual stream before the first layer and after each, after the final norm; None without
    # a language-model head
    stages: Float[Tensor, "stage batch pos d_model"] | None = None
    unembed: Callable[[Tensor], Tensor] | None = None
    token_text: Callable[[int], str] | None = None
    special_ids: Collection[int] = frozenset()  # tokens that typed text never has
    predicts: Predicts | None = None
    classes: tuple[str, ...] = ()  # of a classifier: what ids of predictions are of
    predicts_lacks: str = "it has no language-model head"  # why it predicts nothing, if it does not
    lens_lacks: str = ""  # why only the last stage is there, if that is so
    # the position of each text's first mask token, or the only one that a classifier reads
    read_at: tuple[int | None, ...] | None = None
    settings: SourceSettings | None = None  # used for the run, if the source takes any
    # what was written to the residual stream of each stack, by the tokens that it runs over; only
    # if the inputs ask for it
    streams: Mapping[TokenAxis, Stream] = field(default_factory=dict)
    # of them the one that predictions are read off, up to there; None: it is read at its end
    read_stream: Stream | None = None
    read_over: tuple[tuple[int, ...], ...] | None = None  # if their mean is read: of each text
    read_lacks: str = ""  # why what is read is no sum over the stream, as the end of a sentence
    measured: tuple[Measured, ...] | None = None  # of an answer that a request asks for
    stream_lacks: str = ""  # why the source gives no streams, as the end of a sentence

    @lazy
    def words(self) -> Mapping[TokenAxis, list[list[Word]]]:
        """The words of each text, by the axis whose tokens they are made of."""
        return {
            "tokens": [words_of_row(row) for row in self.tokens],
            "target_tokens": [words_of_row(row) for row in self.target_tokens or ()],
        }

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
        """The likeliest next tokens of each text, by softmax(logits / temperature), at a position.

        `position` counts in the padded sequence; None means each text's last real token. `top_p`
        leaves out tokens outside the nucleus; probabilities are still those of the whole
        vocabulary. `unedited` is a trace of the same tokens: each prediction also has its
        probability there, and tokens that would be listed there follow after the others, as do
        `tokens`.

        Raises:
            UnavailableError: the model has no language-model head.
            InputError: the position, temperature, top_k, top_p or a token is invalid.
            NumericsError: a logit is not finite.
        """
        rows = self._log_p(position, temperature)
        plain = None if unedited is None else unedited._log_p(position, temperature)
        _check_top_k(top_k, "predict")
        _check_top_p(top_p)
        n_vocab = len(rows[0])
        for id in tokens:
            self.check_ids(n_vocab, "predict", tokens=id)

        def n(log_p: Tensor) -> int:
            return top_k if top_p is None else min(top_k, nucleus(log_p, top_p).tokens)

        _, _, token_text = self.head("predict")
        return [
            list(
                listed(
                    log_p,
                    n(log_p),
                    token_text,
                    special=() if self.classes else self.special_ids,
                    unedited=None if plain is None else (plain[text], n(plain[text])),
                    also=tokens,
                )
            )
            for text, log_p in enumerate(rows)
        ]

    def nuclei(
        self, *, top_p: float, position: int | None = None, temperature: float = 1.0
    ) -> list[Nucleus]:
        """The nucleus of each text, as `predict` uses it.

        Raises:
            The same errors as `predict`.
        """
        _check_top_p(top_p)
        return [nucleus(log_p, top_p) for log_p in self._log_p(position, temperature)]

    def _log_p(
        self, position: int | None, temperature: float
    ) -> list[Float[Tensor, " vocab_size"]]:
        """ln softmax(logits / temperature) for each text."""
        stages, unembed, _ = self.head("predict")
        positions = self.read_positions(position, "predict")
        if not 0 < temperature < float("inf"):
            raise InputError(
                f"Expected a temperature above 0; got {temperature}.",
                field="predict.temperature",
            )
        return [
            log_softmax(unembed(stages[-1, text, at]), model=self.model, temperature=temperature)
            for text, at in enumerate(positions)
        ]

    def lens(
        self,
        *,
        top_k: int,
        position: int | None = None,
        through: Callable[[int, Tensor], Tensor] | None = None,
    ) -> list[Lens]:
        """The likeliest next tokens of each text if the model stopped at each stage.

        The logit lens (nostalgebraist 2020): softmax(norm(resid) · W_U) of the residual stream
        before the first layer and after each, at one position. The last stage equals `predict` at
        temperature 1. `through` is what a tuned lens makes of a stage before it is unembedded.

        Raises:
            UnavailableError: the model has no language-model head, or no lens.
            InputError: the position or top_k is invalid.
            NumericsError: a logit is not finite.
        """
        stages, unembed, token_text = self.read_stages("analyse.lens")
        positions = self.read_positions(position, "analyse.lens")
        _check_top_k(top_k, "analyse.lens")
        layers = "layers" if self.target_tokens is None else "decoder.layers"
        lenses = []
        for text, read_at in enumerate(positions):
            here = stages[:, text, read_at]
            if through is not None:
                here = torch.stack([through(stage, x).to(x) for stage, x in enumerate(here)])
            log_p = log_softmax(unembed(here), model=self.model)
            final = int(log_p[-1].argmax())
            lens_stages = [
                LensStage(
                    name="embedding" if stage == 0 else f"{layers}.{stage - 1}",
                    layer=None if stage == 0 else stage - 1,
                    candidates=likeliest(here, top_k, token_text),
                    final=Prediction(final, token_text(final), here[final].exp().item()),
                )
                for stage, here in enumerate(log_p)
            ]
            lenses.append(Lens(read_at, tuple(lens_stages)))
        return lenses

    def pick_sites(
        self,
        layers: Collection[int] | None = None,
        kinds: Collection[SiteKind] | None = None,
        *,
        field: str = "select",
    ) -> list[Site]:
        """The sites of these layers and kinds; None means all.

        Raises:
            InputError: there is no such layer; the error's field is `field`.layers.
        """
        known = {site.layer for site in self.sites}
        for layer in layers or ():
            if layer not in known:
                raise InputError(
                    f"{self.model} has {layers_in_words(known)}; got {layer}.",
                    field=f"{field}.layers",
                )
        return [
            site
            for site in self.sites
            if (layers is None or site.layer in layers) and (kinds is None or site.kind in kinds)
        ]

    def read_positions(self, position: int | None, field: str) -> list[int]:
        """The position at which to read each text.

        That is `position`, or if it is None, the first mask token, or else the last real token. A
        classifier reads one position of a text, and no other can be asked for.

        Raises:
            InputError: there is no such position; the error's field is `field`.position.
        """
        rows = self.read_tokens
        if position is None or (self.predicts == "class" and set(self.read_at or ()) == {position}):
            masks = self.read_at or (None,) * len(rows)
            return [
                last_real(row) if mask is None else mask
                for row, mask in zip(rows, masks, strict=True)
            ]
        if self.predicts == "class":
            raise InputError(
                f"{self.model} gives one class for a text, read at position "
                f"{', '.join(map(str, self.read_at or ()))}; got {position}. Leave the position "
                "out.",
                field=f"{field}.position",
            )
        return self.each_at(position, f"{field}.position")

    def each_at(self, position: int, field: str) -> list[int]:
        """A position for each text, of the tokens that the model predicts from.

        Raises:
            InputError: there is no such position; the error's field is `field`.
        """
        n = len(self.read_tokens[0])
        if not 0 <= position < n:
            raise InputError(f"This trace has positions 0 to {n - 1}; got {position}.", field=field)
        return [position] * len(self.read_tokens)

    @property
    def read_tokens(self) -> tuple[tuple[Token, ...], ...]:
        """The tokens whose successors are predicted: the target's if there is one."""
        return self.tokens if self.target_tokens is None else self.target_tokens

    def site_of(self, layer: int, kind: SiteKind | None, field: str) -> Site:
        """The site of a layer; an encoder–decoder has several, told apart by their kind.

        Raises:
            InputError: there is no such site, or several; the error names the field of `field`.
        """
        in_layer = [site for site in self.sites if site.layer == layer]
        if not in_layer:
            known = layers_in_words({site.layer for site in self.sites})
            raise InputError(f"{self.model} has {known}; got {layer}.", field=f"{field}.layer")
        found = [site for site in in_layer if kind in (None, site.kind)]
        if len(found) != 1:
            kinds = " or ".join(f'"{site.kind}"' for site in in_layer)
            got = "null" if kind is None else f'"{kind}"'
            raise InputError(
                f"Layer {layer} of {self.model} has attention of the kind {kinds}; got {got}.",
                field=f"{field}.kind",
            )
        return found[0]

    def check_ids(self, n_vocab: int, of: str, **ids: int | None) -> None:
        """Refuse ids that no token has; each is in a field of its name, of the field `of`.

        Raises:
            InputError: there is no such token.
        """
        for name, id in ids.items():
            if id is not None and not 0 <= id < n_vocab:
                raise InputError(
                    f"{self.model} has token ids 0 to {n_vocab - 1}; got {id}.",
                    field=f"{of}.{name}",
                )

    def head(self, field: str) -> tuple[Tensor, Callable[[Tensor], Tensor], Callable[[int], str]]:
        """The stages, and the functions that turn them into logits and predicted ids into text.

        Raises:
            UnavailableError: there is no language-model head.
        """
        if self.stages is None or self.unembed is None or self.token_text is None:
            raise UnavailableError(
                f"{self.model} predicts nothing: {self.predicts_lacks}.", field=field
            )
        named = self.classes.__getitem__ if self.classes else self.token_text
        return self.stages, self.unembed, named

    def read_stages(
        self, field: str
    ) -> tuple[Tensor, Callable[[Tensor], Tensor], Callable[[int], str]]:
        """As `head`, where each stage can be read as if it were the last.

        Raises:
            UnavailableError: there is no language-model head, or only the last stage is there.
        """
        if self.stages is not None and self.lens_lacks:
            raise UnavailableError(
                f"{self.model} has no logit lens: {self.lens_lacks}.", field=field
            )
        return self.head(field)

    def stream(self, axis: TokenAxis, so: str, *, field: str) -> Stream:
        """The residual stream of a stack; `so` says what cannot be done without it.

        Raises:
            UnavailableError: it was not recorded, or the model gives none; it says why.
        """
        found = self.streams.get(axis)
        if found is not None:
            return found
        why = (
            f"cannot be followed ({self.stream_lacks})" if self.stream_lacks else "was not recorded"
        )
        raise UnavailableError(f"The residual stream of {self.model} {why}, so {so}.", field=field)

    @property
    def read_axis(self) -> TokenAxis:
        """The tokens of the stack that predicts."""
        return "tokens" if self.target_tokens is None else "target_tokens"

    def stream_to_read(self, so: str, *, field: str, at_several: bool = False) -> Stream:
        """The stream of the stack that predicts, up to where predictions are read off it.

        `at_several` says that the mean over `read_over` may be read.

        Raises:
            UnavailableError: as `stream` does; or what is read is no sum over the stream at one
                position.
        """
        lacks = self.read_lacks
        if self.read_over is not None and not at_several:
            lacks = "a mean over tokens is read at all of them"
        if lacks:
            raise UnavailableError(f"{lacks[0].upper()}{lacks[1:]}, so {so}.", field=field)
        whole = self.stream(self.read_axis, so, field=field)
        return self.read_stream or whole

    def with_patterns(self) -> "Trace":
        """The same trace with the patterns of all sites, derived together, to use several times.

        Drop it after the response: its memory is O(heads · tokens²).
        """
        return replace(self, sites=derived_together(self.sites))

    @property
    def nbytes(self) -> int:
        """The memory that this trace holds; storage shared by several tensors counts once.

        Parameters are not counted, except those made for the settings of a request, which nothing
        else keeps.
        """
        storages = {}
        holders: list[Trace | Site] = [self, *self.sites]
        for holder in holders:
            for each in fields(holder):
                value = getattr(holder, each.name)
                if isinstance(value, Tensor) and (each.name != "w_o" or self.settings is not None):
                    storage = value.untyped_storage()
                    storages[storage.data_ptr()] = storage.nbytes()
        for tensor in (each for stream in self.streams.values() for each in stream.tensors):
            storages[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes()
        masks = {id(site.mask): site.mask.nbytes for site in self.sites}
        return sum(storages.values()) + sum(masks.values())


def last_real(row: Sequence[Token]) -> int:
    """The position of the last token that is not padding."""
    return max((position for position, token in enumerate(row) if not token.padding), default=0)


def _check_top_k(top_k: int, field: str) -> None:
    if top_k < 1:
        raise InputError(f"Expected at least 1 prediction; got {top_k}.", field=f"{field}.top_k")


def _check_top_p(top_p: float | None) -> None:
    if top_p is not None and not 0 < top_p <= 1:
        raise InputError(
            f"Expected top_p to be above 0 and at most 1; got {top_p}.", field="predict.top_p"
        )
